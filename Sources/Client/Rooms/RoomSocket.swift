/// A websocket connection to `/rooms`. Tests have their own implementation.
package protocol RoomSocket: Sendable {
    /// Queues a text message. If the connection is ending, the message is lost, and `next` reports the end.
    func send(_ text: String)
    /// Returns the next message, or nil if the connection has ended or the task is cancelled.
    func next() async -> [UInt8]?
    /// The close code and reason, or nil while the connection is open.
    var ending: (code: UInt16, reason: String)? { get }
    /// Begins to close the connection.
    func close()
}

/// Opens connections with libwebsockets, or in memory for a test.
package protocol RoomConnector: Sendable {
    associatedtype Socket: RoomSocket
    /// - Parameter token: the bearer token, or nil to connect without a token.
    func connect(token: String?) async throws(RoomConnectionError) -> Socket
}

/// The reason why a connection to `/rooms` could not be opened.
package enum RoomConnectionError: Error, Hashable, Sendable {
    case unreachable(String)
    /// The server answered with an HTTP status instead of the upgrade.
    case refused(status: Int)
}
