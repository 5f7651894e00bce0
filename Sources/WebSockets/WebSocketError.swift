/// The errors of this target. Their descriptions contain no header and no message, so that they are safe to
/// log.
package enum WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// libwebsockets could not create a context. The most likely reason is that its libuv plug-in
    /// (`libwebsockets-evlib-uv`) is not installed.
    case noContext
    /// The system could not start a thread. The value is the `errno`.
    case noThread(CInt)
    /// The host name could not be resolved. The value is the resolver's message.
    case nameNotResolved(String)
    /// The connection could not be established. The value is the message of libwebsockets.
    case notConnected(String)
    /// The server answered the upgrade with this HTTP status.
    case refused(status: Int)
    /// The server accepted the upgrade but did not select the requested subprotocol (RFC 6455 §4.2.2).
    case subprotocolMissing
    case timedOut
    case cancelled
    /// The connection is closed or closing.
    case closed
    /// The send buffer is full, so the message was not queued.
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
