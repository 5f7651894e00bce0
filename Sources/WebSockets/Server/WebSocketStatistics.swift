import Synchronization

/// The counters of a server since its start, summed over all its loops.
package struct WebSocketStatistics: Sendable, Hashable {
    package init() {}

    /// The number of connections that are open now or are in the closing handshake.
    package var connections = 0
    /// The number of connections that were opened.
    package var opened = 0
    package var messagesReceived = 0
    /// The number of frames that were sent to clients, including direct answers.
    package var framesSent = 0
    package var bytesSent = 0
    /// The number of times that a subscriber fell behind in a channel.
    package var fellBehind = 0
    /// The number of connections that were closed with 4002, because the client was too slow.
    package var closedSlow = 0
    /// The number of connections that were closed because the client sent nothing for too long.
    package var closedSilent = 0
    /// The number of connections that were closed with 1008 because of too many messages or control frames.
    package var closedFlooding = 0
}

/// The counters of one loop. The loop's thread writes the counters, and any thread may read them.
final class LoopCounters: Sendable {
    let connections = Atomic(0)
    let opened = Atomic(0)
    let messagesReceived = Atomic(0)
    let framesSent = Atomic(0)
    let bytesSent = Atomic(0)
    let fellBehind = Atomic(0)
    let closedSlow = Atomic(0)
    let closedSilent = Atomic(0)
    let closedFlooding = Atomic(0)

    func add(to sum: inout WebSocketStatistics) {
        sum.connections += connections.load(ordering: .relaxed)
        sum.opened += opened.load(ordering: .relaxed)
        sum.messagesReceived += messagesReceived.load(ordering: .relaxed)
        sum.framesSent += framesSent.load(ordering: .relaxed)
        sum.bytesSent += bytesSent.load(ordering: .relaxed)
        sum.fellBehind += fellBehind.load(ordering: .relaxed)
        sum.closedSlow += closedSlow.load(ordering: .relaxed)
        sum.closedSilent += closedSilent.load(ordering: .relaxed)
        sum.closedFlooding += closedFlooding.load(ordering: .relaxed)
    }
}
