import Glibc
import Synchronization
import Threads

/// A websocket server with several loops, each with its own thread. The server does not listen on a port: the
/// caller passes connected sockets to `adopt`, before their upgrade request is read. Any thread may call all
/// functions.
///
/// libwebsockets waits for events of the sockets, reads and writes bytes, and buffers the bytes that a client
/// does not accept at once. This target does the upgrade, the frames and the closing handshake (`Handshake`,
/// `FrameReader`). If a client violates RFC 6455, the server closes the connection with the code that the RFC
/// defines.
package final class WebSocketServer: Sendable {
    /// The channels to which frames for the clients are published.
    package let channels: WebSocketChannels
    private let loops: [ServerLoop]
    private let turn = Atomic(0)

    /// Starts a thread for each loop of `channels`. No other server may use the same `channels`.
    ///
    /// - Throws: `.noThread`.
    package init(_ channels: WebSocketChannels, handler: any WebSocketHandler) throws(WebSocketError) {
        self.channels = channels
        loops = channels.mailboxes.map { ServerLoop($0, handler: handler) }
        for (index, loop) in loops.enumerated() {
            do {
                try loop.start()
            } catch {
                for started in loops[..<index] { started.post(.stop) }
                throw error
            }
        }
    }

    /// Creates the channels and starts a server.
    ///
    /// - Throws: `.noContext` or `.noThread`.
    package convenience init(
        loops: Int, settings: WebSocketSettings = WebSocketSettings(), handler: any WebSocketHandler
    ) throws(WebSocketError) {
        try self.init(try WebSocketChannels(loops: loops, settings: settings), handler: handler)
    }

    deinit {
        for loop in loops { loop.post(.stop) }
    }

    /// Accepts a connected socket. The socket's unread bytes must begin with a complete and valid upgrade
    /// request. The server owns the socket and closes it when the connection ends, or at once if the server
    /// is draining or has reached its limit of open files.
    ///
    /// - Parameters:
    ///   - peer: the IP address of the remote end, for `UpgradeHead.peer`.
    ///   - holding: an object that the server releases when the connection has ended.
    package func adopt(_ fileDescriptor: CInt, peer: String, holding: (any AnyObject & Sendable)? = nil) {
        let loop = loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
        if !loop.post(.adopt(fileDescriptor, peer: peer, holding: holding)) { Glibc.close(fileDescriptor) }
    }

    /// Accepts no more sockets, closes all connections with `code`, and returns when all connections and
    /// threads have ended. If a client has not answered within `limit`, its socket is closed. A second call
    /// does not extend the time limit.
    package func drain(code: UInt16 = CloseCode.goingAway, within limit: Duration = .seconds(5)) async {
        let milliseconds = UInt64(max(0, limit / .milliseconds(1)))
        for loop in loops { loop.post(.drain(code: code, milliseconds: milliseconds)) }
        for loop in loops { await loop.hasEnded.wait() }
    }
}
