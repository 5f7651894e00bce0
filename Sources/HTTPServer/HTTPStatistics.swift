import Synchronization

/// What an HTTP server has done so far, and is doing.
package struct HTTPStatistics: Sendable, Equatable {
    /// Taken over and not closed yet.
    package var openConnections = 0
    /// Taken over since the start.
    package var adoptedConnections = 0
    /// Told 503 at once, for `HTTPSettings.connectionLimit`.
    package var turnedAwayConnections = 0
    /// Request lines read since the start.
    package var requests = 0
    /// In `respond(to:)`, or answered there and not yet back on the loop.
    package var inFlight = 0
    /// Told 503 for `HTTPSettings.inFlightLimit`.
    package var overloads = 0
    /// Ended by one of the three deadlines.
    package var timeouts = 0

    package init() {}
}

/// The same, counted on the loop's thread and read from any. Relaxed: each number is true, and no two of one
/// instant.
/// What an HTTP server counts. It can be created before its server, by code that reports the counts.
package final class HTTPCounters: Sendable {
    let openConnections = Atomic(0)
    let adoptedConnections = Atomic(0)
    let turnedAwayConnections = Atomic(0)
    let requests = Atomic(0)
    let inFlight = Atomic(0)
    let overloads = Atomic(0)
    let timeouts = Atomic(0)

    package init() {}

    /// The counts so far, from any thread.
    package var statistics: HTTPStatistics {
        var statistics = HTTPStatistics()
        statistics.openConnections = openConnections.load(ordering: .relaxed)
        statistics.adoptedConnections = adoptedConnections.load(ordering: .relaxed)
        statistics.turnedAwayConnections = turnedAwayConnections.load(ordering: .relaxed)
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.inFlight = inFlight.load(ordering: .relaxed)
        statistics.overloads = overloads.load(ordering: .relaxed)
        statistics.timeouts = timeouts.load(ordering: .relaxed)
        return statistics
    }
}
