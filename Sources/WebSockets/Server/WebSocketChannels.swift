import Synchronization
import Threads

/// The channels of a server, with a mailbox for each of its loops. The channels are created before the
/// server, so that the code that publishes frames can be created before the handler that answers clients. Any
/// thread may call all functions.
package final class WebSocketChannels: Sendable {
    let mailboxes: [LoopMailbox]

    /// Creates the loops. First sets the process's limit of open files to 65,536 if the limit is lower, as
    /// far as the system allows, or if it is above 1,048,576. Connections above the limit are refused.
    ///
    /// - Parameter loops: the number of loops, 1 to 255.
    /// - Throws: `.noContext`.
    package init(loops: Int, settings: WebSocketSettings = WebSocketSettings()) throws(WebSocketError) {
        precondition((1...255).contains(loops), "a server has 1 to 255 loops")
        var made: [LoopMailbox] = []
        for number in 0..<loops { made.append(try LoopMailbox(number: number, settings: settings)) }
        mailboxes = made
    }

    /// Sends a frame to all subscribers of a channel on all loops.
    ///
    /// Subscribers at `frame.from` receive the frame, and their position is then `frame.to`. Subscribers at
    /// an earlier position and blocked subscribers fall behind. Subscribers at a later position do not
    /// receive the frame. Each loop handles the frames in the order of the calls, so a channel must have only
    /// one publisher at a time.
    ///
    /// A channel exists from its first frame or subscriber until `close(channel:)`.
    package func publish(_ frame: Frame, to channel: ChannelID) {
        for loop in mailboxes { loop.post(.publish(frame, channel)) }
    }

    /// Removes a channel. If `code` is not nil, the connections of its subscribers are closed. If `code` is
    /// nil, the subscribers only leave the channel.
    package func close(channel: ChannelID, code: UInt16? = nil, reason: String = "") {
        for loop in mailboxes { loop.post(.closeChannel(channel, code: code, reason: reason)) }
    }

    /// The sums of the counters of all loops.
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

    /// Posts a message to the loop. Returns false if the loop has ended. Any thread may call this function.
    @discardableResult
    func post(_ message: LoopMessage) -> Bool {
        inbox.post(message) { events.wake() }
    }
}
