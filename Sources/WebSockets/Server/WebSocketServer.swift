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
    private let loops: [ServerLoop]
    private let turn = Atomic(0)

    /// Starts `loops` threads (1 to 255). Settles the process's limit of open files first: a low one is
    /// raised to 65,536 as far as the system allows, one above a million is lowered to that; descriptors
    /// beyond what it is then are refused.
    package init(loops: Int, settings: WebSocketSettings = WebSocketSettings(), handler: any WebSocketHandler)
        throws(WebSocketError)
    {
        precondition((1...255).contains(loops), "a server has 1 to 255 loops")
        var made: [ServerLoop] = []
        for number in 0..<loops {
            made.append(try ServerLoop(number: number, settings: settings, handler: handler))
        }
        for (index, loop) in made.enumerated() {
            do {
                try loop.start()
            } catch {
                for started in made[..<index] { started.post(.stop) }
                throw error
            }
        }
        self.loops = made
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

    /// One frame for all subscribers of a channel on all loops. It reaches those who stand at `frame.from`,
    /// and moves them to `frame.to`. Those who stand before it, or cannot be written to, fall behind; those
    /// beyond it do not get it. From several threads: each loop handles frames in the order in which they
    /// were published to it, so frames of one channel want one publisher at a time.
    ///
    /// A channel exists from its first frame or subscriber until `close(channel:)`.
    package func publish(_ frame: Frame, to channel: ChannelID) {
        for loop in loops { loop.post(.publish(frame, channel)) }
    }

    /// Ends a channel: with a code its subscribers are closed, without one they only leave it.
    package func close(channel: ChannelID, code: UInt16? = nil, reason: String = "") {
        for loop in loops { loop.post(.closeChannel(channel, code: code, reason: reason)) }
    }

    /// Takes nothing more, closes every client with `code`, and returns when all are gone and the threads
    /// have ended. Who has not answered `within` that time is cut off. Calling it again only waits.
    package func drain(code: UInt16 = CloseCode.goingAway, within limit: Duration = .seconds(5)) async {
        let milliseconds = UInt64(max(0, limit / .milliseconds(1)))
        for loop in loops { loop.post(.drain(code: code, milliseconds: milliseconds)) }
        for loop in loops { await loop.hasEnded.wait() }
    }

    package var statistics: WebSocketStatistics {
        var sum = WebSocketStatistics()
        for loop in loops { loop.counters.add(to: &sum) }
        return sum
    }
}
