/// Why a room's connection ends (RFC 6455 §7.4; 4000–4999 are ours), and what a client should do then.
package enum CloseCode: UInt16, Sendable, CaseIterable {
    case normal = 1000
    case goingAway = 1001
    case policy = 1008
    case tooBig = 1009
    case notAuthorized = 4001
    case slow = 4002
    case roomGone = 4003

    /// Whether to connect again, and resume.
    package var isWorthReconnecting: Bool {
        switch self {
        case .goingAway, .slow: true
        case .normal, .policy, .tooBig, .notAuthorized, .roomGone: false
        }
    }
}
