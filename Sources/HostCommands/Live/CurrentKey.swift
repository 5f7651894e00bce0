internal import Client
internal import Meetings
internal import Wire

/// The key that currently checks attendees in. A static code never changes; a rotating code is requested
/// again if the key is older than five seconds.
actor CurrentKey {
    private static let lifetime = Duration.seconds(5)

    private let host: APIClient
    private let session: SessionID
    private let isRotating: Bool
    private var key: CheckInKey
    private var askedAt = ContinuousClock.now

    /// Returns nil if the session shows this host neither a code nor a join code.
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
