internal import Client
internal import Meetings
internal import Wire

/// What lets attendees in at the moment: fixed where the session's code is static, asked anew every few
/// seconds where it rotates.
actor CurrentKey {
    private static let lifetime = Duration.seconds(5)

    private let host: APIClient
    private let session: SessionID
    private let isRotating: Bool
    private var key: CheckInKey
    private var askedAt = ContinuousClock.now

    /// Nil where the session shows neither code nor join code to this host.
    init?(of session: SessionBody, _ host: APIClient) {
        guard let key = Self.key(of: session) else { return nil }
        self.host = host
        self.session = session.id
        isRotating = session.codeKind == .rotating
        self.key = key
    }

    func get() async throws(APIError) -> CheckInKey {
        guard isRotating, ContinuousClock.now - askedAt > Self.lifetime else { return key }
        askedAt = .now
        let session = try await host.session(session).body
        key = Self.key(of: session) ?? key
        return key
    }

    private static func key(of session: SessionBody) -> CheckInKey? {
        session.checkInUrl.flatMap { CodeText($0)?.key } ?? session.joinCode.map { .joinCode($0) }
    }
}
