import Synchronization

/// What a door has done so far. Counters only grow.
package struct DoorStatistics: Sendable, Equatable {
    package var accepted = 0
    /// Those whose address held as many connections as one may.
    package var turnedAway = 0
    /// Closed because they said nothing in time, or for somebody else when the room for those who wait was
    /// full.
    package var silent = 0

    package init() {}
}

/// Written by the door's thread, read by anybody.
final class DoorCounters: Sendable {
    let accepted = Atomic(0)
    let turnedAway = Atomic(0)
    let silent = Atomic(0)

    var statistics: DoorStatistics {
        var statistics = DoorStatistics()
        statistics.accepted = accepted.load(ordering: .relaxed)
        statistics.turnedAway = turnedAway.load(ordering: .relaxed)
        statistics.silent = silent.load(ordering: .relaxed)
        return statistics
    }
}
