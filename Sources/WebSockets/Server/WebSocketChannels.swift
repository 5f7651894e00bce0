import Synchronization
import Threads

/// The loops of a server as the rest of the program sees them: an inbox for each. It is complete when it is
/// created, so that whatever publishes frames can be made before the handler that answers clients.
///
/// - Note: Every method may be called from any thread. Frames that are published before the server starts are
///   dropped with nobody to get them; a server that has ended ignores them.
package final class WebSocketChannels: Sendable {
    let mailboxes: [LoopMailbox]

    /// Makes 1 to 255 loops. Settles the process's limit of open files first: a low one is raised to 65,536
    /// as far as the system allows, one above a million is lowered to that; descriptors beyond it are
    /// refused.
    package init(loops: Int, settings: WebSocketSettings = WebSocketSettings()) throws(WebSocketError) {
        precondition((1...255).contains(loops), "a server has 1 to 255 loops")
        var made: [LoopMailbox] = []
        for number in 0..<loops { made.append(try LoopMailbox(number: number, settings: settings)) }
        mailboxes = made
    }

    /// One frame for all subscribers of a channel on all loops. It reaches those who stand at `frame.from`,
    /// and moves them to `frame.to`. Those who stand before it, or cannot be written to, fall behind; those
    /// beyond it do not get it. From several threads: each loop handles frames in the order in which they
    /// were published to it, so frames of one channel want one publisher at a time.
    ///
    /// A channel exists from its first frame or subscriber until `close(channel:)`.
    package func publish(_ frame: Frame, to channel: ChannelID) {
        for loop in mailboxes { loop.post(.publish(frame, channel)) }
    }

    /// Ends a channel: with a code its subscribers are closed, without one they only leave it.
    package func close(channel: ChannelID, code: UInt16? = nil, reason: String = "") {
        for loop in mailboxes { loop.post(.closeChannel(channel, code: code, reason: reason)) }
    }

    /// What all loops have counted so far.
    package var statistics: WebSocketStatistics {
        var sum = WebSocketStatistics()
        for loop in mailboxes { loop.counters.add(to: &sum) }
        return sum
    }
}

/// The side of one loop that other threads use.
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

    /// From any thread. Returns false if the loop has ended.
    @discardableResult
    func post(_ message: LoopMessage) -> Bool {
        inbox.post(message) { events.wake() }
    }
}
