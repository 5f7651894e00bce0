/// A connection to `/rooms`, as the room client sees it.
package protocol RoomSocket: Sendable {
    func send(_ text: String)
    /// Nil at the end, and when the task is cancelled.
    func next() async -> [UInt8]?
    /// Nil while it is open.
    var ending: (code: UInt16, reason: String)? { get }
    func close()
}

/// Makes connections: over libwebsockets, or in a test's memory.
package protocol RoomConnector: Sendable {
    associatedtype Socket: RoomSocket
    /// - Parameter token: the bearer; nil for nobody's.
    func connect(token: String?) async throws(RoomConnectionError) -> Socket
}

package enum RoomConnectionError: Error, Hashable, Sendable {
    case unreachable(String)
    /// By HTTP status, instead of an upgrade.
    case refused(status: Int)
}
