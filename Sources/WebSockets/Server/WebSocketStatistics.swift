import Synchronization

/// What a server's loops have counted, added up. Counters only grow.
package struct WebSocketStatistics: Sendable, Hashable {
    /// Now open, or in their closing handshake.
    package init() {}

    package var connections = 0
    /// Ever opened.
    package var opened = 0
    package var messagesReceived = 0
    /// Frames handed to clients, direct answers too.
    package var framesSent = 0
    package var bytesSent = 0
    /// How often a client fell behind in a channel.
    package var fellBehind = 0
    /// Closed with 4002.
    package var closedSlow = 0
    /// Dropped because they said nothing for too long.
    package var closedSilent = 0
    /// Closed with 1008 for a flood of messages or control frames.
    package var closedFlooding = 0
}

/// One loop's part. The loop's thread writes, anybody reads.
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
