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
    private let loops: [ServerLoop]
    private let turn = Atomic(0)

    /// Starts the loops' threads. Before that, a low limit of open files is raised to 65,536, as far as the
    /// system allows, and a limit above a million is lowered to 65,536. Descriptors beyond the limit are
    /// refused.
    ///
    /// - Parameter loops: 1–255.
    /// - Throws: `.noContext` or `.noThread`.
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

    /// Sends a frame to all subscribers of a channel on all loops.
    ///
    /// Subscribers at `frame.from` get it and are at `frame.to` then. Subscribers before it, and those that
    /// cannot be written to, fall behind. Subscribers after it do not get it. Each loop handles frames in the
    /// order in which they were published to it, so that each channel needs one publisher at a time.
    ///
    /// A channel exists from its first frame or subscriber until `close(channel:)`.
    package func publish(_ frame: Frame, to channel: ChannelID) {
        for loop in loops { loop.post(.publish(frame, channel)) }
    }

    /// Ends a channel. With a code, its subscribers are closed; without one, they only leave the channel.
    package func close(channel: ChannelID, code: UInt16? = nil, reason: String = "") {
        for loop in loops { loop.post(.closeChannel(channel, code: code, reason: reason)) }
    }

    /// Accepts no more sockets, closes every client with `code`, and returns when all connections and threads
    /// have ended. A client that has not answered within `limit` is cut off. A second call only waits.
    package func drain(code: UInt16 = CloseCode.goingAway, within limit: Duration = .seconds(5)) async {
        let milliseconds = UInt64(max(0, limit / .milliseconds(1)))
        for loop in loops { loop.post(.drain(code: code, milliseconds: milliseconds)) }
        for loop in loops { await loop.hasEnded.wait() }
    }

    /// The counters so far.
    package var statistics: WebSocketStatistics {
        var sum = WebSocketStatistics()
        for loop in loops { loop.counters.add(to: &sum) }
        return sum
    }
}
