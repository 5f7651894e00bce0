internal import WebSockets
internal import Wire

/// Opens room connections with libwebsockets.
package struct WebSocketRoomConnector: RoomConnector {
    private let server: ServerAddress

    private let certificates: String?

    /// - Parameter certificates: the path of a file with additional trusted certificates. If nil, only the
    ///   system's certificates are trusted.
    package init(_ server: ServerAddress, trusting certificates: String? = nil) {
        self.server = server
        self.certificates = certificates
    }

    package func connect(token: String?) async throws(RoomConnectionError) -> WebSocketRoomSocket {
        let headers =
            token.map { [("Authorization", "Bearer \($0)"), ("User-Agent", ProductVersion.userAgent)] } ?? []
        let request = WebSocketRequest(
            host: server.host, port: UInt16(clamping: server.port), path: "/rooms", secure: server.isSecure,
            headers: headers)
        do throws(WebSocketError) {
            return WebSocketRoomSocket(
                try await WebSocketClient.shared(trusting: certificates).connect(request))
        } catch {
            switch error {
            case .refused(let status): throw .refused(status: status)
            default: throw .unreachable(error.description)
            }
        }
    }
}

/// A connection by libwebsockets.
package struct WebSocketRoomSocket: RoomSocket {
    private let connection: WebSocketClientConnection

    init(_ connection: WebSocketClientConnection) { self.connection = connection }

    package func send(_ text: String) { try? connection.send(text) }
    package func next() async -> [UInt8]? { await connection.next() }
    package var ending: (code: UInt16, reason: String)? { connection.closed.map { ($0.code, $0.reason) } }
    package func close() { connection.close() }
}
