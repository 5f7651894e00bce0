import SQLJournal
import Synchronization

/// Connections that read on the threads of their callers. Each one has one user at a time. Any thread may use
/// this object. The lock is a leaf: nobody reads while they hold it.
final class FreeConnections: Sendable {
    private struct State {
        var free: [SQLiteRows]
        var isClosed = false
    }

    private let state: Mutex<State>

    init(_ connections: [SQLiteRows]) { state = Mutex(State(free: connections)) }

    /// Runs `body` with a free connection, and returns its result. Returns nil if no connection is free.
    func use<Result>(_ body: (SQLiteRows) -> Result) -> Result? {
        // The connection that was used last has the warmest cache.
        guard let rows = state.withLock({ $0.free.popLast() }) else { return nil }
        defer { giveBack(rows) }
        return body(rows)
    }

    private func giveBack(_ rows: SQLiteRows) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.free.append(rows) }
            return state.isClosed
        }
        if isClosed { rows.connection.close() }
    }

    /// Closes the free connections now, and the others when their users give them back.
    func close() {
        let free = state.withLock { state in
            state.isClosed = true
            defer { state.free = [] }
            return state.free
        }
        for rows in free { rows.connection.close() }
    }
}
