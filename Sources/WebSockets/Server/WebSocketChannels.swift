import Synchronization
import Threads

/// The channels of a server, with a mailbox for each of its loops. They exist before the server, so that the
/// code that publishes frames can be created before the handler that answers clients. Any thread may call all
/// functions.
package final class WebSocketChannels: Sendable {
    let mailboxes: [LoopMailbox]

    /// Makes the loops. Before that, a low limit of open files is raised to 65,536, as far as the system
    /// allows, and a limit above a million is lowered to 65,536. Descriptors beyond the limit are refused.
    ///
    /// - Parameter loops: 1–255.
    /// - Throws: `.noContext`.
    package init(loops: Int, settings: WebSocketSettings = WebSocketSettings()) throws(WebSocketError) {
        precondition((1...255).contains(loops), "a server has 1 to 255 loops")
        var made: [LoopMailbox] = []
        for number in 0..<loops { made.append(try LoopMailbox(number: number, settings: settings)) }
        mailboxes = made
    }

    /// Sends a frame to all subscribers of a channel on all loops.
    ///
    /// Subscribers at `frame.from` get it and are at `frame.to` then. Subscribers before it, and those that
    /// cannot be written to, fall behind. Subscribers after it do not get it. Each loop handles frames in the
    /// order in which they were published to it, so that each channel needs one publisher at a time.
    ///
    /// A channel exists from its first frame or subscriber until `close(channel:)`.
    package func publish(_ frame: Frame, to channel: ChannelID) {
        for loop in mailboxes { loop.post(.publish(frame, channel)) }
    }

    /// Ends a channel. With a code, its subscribers are closed; without one, they only leave the channel.
    package func close(channel: ChannelID, code: UInt16? = nil, reason: String = "") {
        for loop in mailboxes { loop.post(.closeChannel(channel, code: code, reason: reason)) }
    }

    /// The counters so far, over all loops.
    package var statistics: WebSocketStatistics {
        var sum = WebSocketStatistics()
        for loop in mailboxes { loop.counters.add(to: &sum) }
        return sum
    }
}

/// The part of a loop that other threads use.
final class LoopMailbox: Sendable {
    let number: Int
    let settings: WebSocketSettings
    let limits: ServerLoop.Limits
    let events: EventLoop
    let counters = LoopCounters()
    let inbox = Inbox<LoopMessage>()

    init(number: Int, settings: WebSocketSettings) throws(WebSocketError) {
        self.number = number
        self.settings = settings
        limits = ServerLoop.Limits(settings)
        events = try EventLoop(
            EventLoop.Configuration(
                name: "rooms-\(number)", subprotocol: settings.subprotocol,
                tick: .milliseconds(limits.tick)))
    }

    /// Any thread may call this. Returns false if the loop has ended.
    @discardableResult
    func post(_ message: LoopMessage) -> Bool {
        inbox.post(message) { events.wake() }
    }
}
