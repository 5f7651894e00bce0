/// What can fail here. Descriptions hold no header and no message, so that they are safe to log.
package enum WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libwebsockets gave no context or vhost: most often its libuv plug-in (`libwebsockets-evlib-uv`) is
    /// missing.
    case noContext
    /// The system gave no thread for a loop; `errno`.
    case noThread(CInt)
    /// The name has no address; the resolver's words.
    case nameNotResolved(String)
    /// No connection; the library's words.
    case notConnected(String)
    /// The server answered the upgrade with this HTTP status.
    case refused(status: Int)
    /// The server upgraded without naming the subprotocol that was asked for (RFC 6455 §4.2.2).
    case subprotocolMissing
    case timedOut
    case cancelled
    /// The connection is closed or closing.
    case closed
    /// What waits to be sent would pass the bound; nothing was queued.
    case sendBufferFull

    package var description: String {
        switch self {
        case .noContext: "libwebsockets could not start; is its libuv plug-in installed?"
        case .noThread(let code): "no thread for a websocket loop (errno \(code))"
        case .nameNotResolved(let why): "the server's name was not found: \(why)"
        case .notConnected(let why): "no websocket connection: \(why)"
        case .refused(let status): "the server refused the websocket with status \(status)"
        case .subprotocolMissing: "the server does not speak this subprotocol"
        case .timedOut: "the server did not answer in time"
        case .cancelled: "cancelled"
        case .closed: "the websocket is closed"
        case .sendBufferFull: "the server does not read what it is sent"
        }
    }
}
