import Glibc
import Synchronization
import Threads

/// Websockets on a number of loops, each a thread. It listens nowhere: sockets are handed to it with their
/// upgrade unread.
///
/// libwebsockets waits on the sockets, moves their bytes and keeps what a client does not take at once. The
/// upgrade, the frames and the closing handshake are done here (`Handshake`, `FrameReader`). Breaches of RFC
/// 6455 are closed with the code that it gives them.
package final class WebSocketServer: Sendable {
    /// Where frames for its clients go.
    package let channels: WebSocketChannels
    private let loops: [ServerLoop]
    private let turn = Atomic(0)

    /// Starts a thread for each loop of `channels`, which no other server may have.
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

    /// Makes a server whose channels are used by nobody before it.
    package convenience init(
        loops: Int, settings: WebSocketSettings = WebSocketSettings(), handler: any WebSocketHandler
    ) throws(WebSocketError) {
        try self.init(try WebSocketChannels(loops: loops, settings: settings), handler: handler)
    }

    deinit {
        for loop in loops { loop.post(.stop) }
    }

    /// Takes a connected socket whose first bytes, still unread, are a whole and strict upgrade. The socket
    /// is the server's from here on: it is closed when the connection ends, and at once where the server is
    /// draining or has no room. `peer` is for the handler; `holding` is let go of when the connection has
    /// ended.
    package func adopt(_ fileDescriptor: CInt, peer: String, holding: (any AnyObject & Sendable)? = nil) {
        let loop = loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
        if !loop.post(.adopt(fileDescriptor, peer: peer, holding: holding)) { Glibc.close(fileDescriptor) }
    }

    /// Takes nothing more, closes every client with `code`, and returns when all are gone and the threads
    /// have ended. Who has not answered `within` that time is cut off. Calling it again only waits.
    package func drain(code: UInt16 = CloseCode.goingAway, within limit: Duration = .seconds(5)) async {
        let milliseconds = UInt64(max(0, limit / .milliseconds(1)))
        for loop in loops { loop.post(.drain(code: code, milliseconds: milliseconds)) }
        for loop in loops { await loop.hasEnded.wait() }
    }
}
