import Glibc
import Synchronization
import Threads

/// A websocket server on a number of loops, each with its own thread. It does not listen: `adopt` gets
/// sockets whose upgrade is unread. Any thread may call all functions.
///
/// libwebsockets waits on the sockets, moves bytes, and buffers what a client does not take at once. This
/// target does the upgrade, the frames and the closing handshake (`Handshake`, `FrameReader`). A breach of
/// RFC 6455 closes the connection with the code that the RFC gives it.
package final class WebSocketServer: Sendable {
    /// The channels to which frames for the clients are published.
    package let channels: WebSocketChannels
    private let loops: [ServerLoop]
    private let turn = Atomic(0)

    /// Starts a thread for each loop of `channels`, which no other server may have.
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

    /// Starts a server with new channels.
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

    /// Takes over a connected socket whose unread bytes are a whole and strict upgrade. The server closes it
    /// when the connection ends; at once if the server is draining or has no room.
    ///
    /// - Parameters:
    ///   - peer: the address at the other end, for `UpgradeHead.peer`.
    ///   - holding: released when the connection has ended.
    package func adopt(_ fileDescriptor: CInt, peer: String, holding: (any AnyObject & Sendable)? = nil) {
        let loop = loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
        if !loop.post(.adopt(fileDescriptor, peer: peer, holding: holding)) { Glibc.close(fileDescriptor) }
    }

    /// Accepts no more sockets, closes every client with `code`, and returns when all connections and threads
    /// have ended. A client that has not answered within `limit` is cut off. A second call only waits.
    package func drain(code: UInt16 = CloseCode.goingAway, within limit: Duration = .seconds(5)) async {
        let milliseconds = UInt64(max(0, limit / .milliseconds(1)))
        for loop in loops { loop.post(.drain(code: code, milliseconds: milliseconds)) }
        for loop in loops { await loop.hasEnded.wait() }
    }
}
