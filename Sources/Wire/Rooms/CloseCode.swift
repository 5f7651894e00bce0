/// The reason why the server closes a room connection (RFC 6455 §7.4). The codes 4000–4999 are defined by
/// QRing.
package enum CloseCode: UInt16, Sendable, CaseIterable {
    case normal = 1000
    case goingAway = 1001
    case policy = 1008
    case tooBig = 1009
    case notAuthorized = 4001
    case slow = 4002
    case roomGone = 4003

    /// Whether the client should connect again and resume its rooms.
    package var isWorthReconnecting: Bool {
        switch self {
        case .goingAway, .slow: true
        case .normal, .policy, .tooBig, .notAuthorized, .roomGone: false
        }
    }
}
