package import Journal
import Threads

/// Threads that read the database, and the queue that they share. Each thread has its own connection.
/// They are not threads of Swift's pool, because a read may wait for the disk.
///
/// `@unchecked Sendable`: every access to `queries` and `isClosed` happens with `condition` locked. `threads`
/// is set before `init` returns.
package final class ReadingThreads: @unchecked Sendable {
    /// A function that reads rows. Its argument is nil if the engine has been closed.
    typealias Query = @Sendable ((any SQLRows)?) -> Void

    private let condition = Condition()
    private var queries: ArraySlice<Query> = []
    private var isClosed = false
    private let threads: [LoopThread]
    private let limit: Int?

    /// - Parameters:
    ///   - name: the beginning of the threads' names.
    ///   - isHurried: false gives the threads a low priority.
    ///   - limit: the limit of each query, for `SQLRows.answer`.
    package init(_ readers: [any SQLRows], named name: String, isHurried: Bool, limit: Int? = nil) {
        self.limit = limit
        threads = readers.indices.map { LoopThread(named: "\(name)-\($0)") }
        for (thread, rows) in zip(threads, readers) {
            do throws(ThreadNotStarted) {
                try thread.start {
                    if !isHurried { LoopThread.lowerPriority() }
                    self.answerQueries(rows)
                }
            } catch {
                // An engine opens at the start of a process. Without reading threads, the process could serve
                // no requests.
                preconditionFailure("no thread for reading: errno \(error.errno)")
            }
        }
    }

    /// Answers a query on one of the threads, as `Engine.read` does. Any thread may call this.
    package func answer<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found,
        _ unsettled: UnsettledMeetings
    ) async throws(JournalError) -> Found {
        while true {
            let result: Result<Found, JournalError>? = await withCheckedContinuation { continuation in
                submit { [limit] rows in
                    guard let rows else {
                        return continuation.resume(
                            returning: .failure(.failed(StorageFailure(.closed, operation: "read"))))
                    }
                    continuation.resume(returning: rows.answer(query, unsettled, limit: limit))
                }
            }
            if let result { return try result.get() }
            // The job that the query met had begun before this load.
            try await unsettled.wait(until: unsettled.started)
        }
    }

    /// Runs the query on one of the threads. Any thread may call this.
    private func submit(_ query: @escaping Query) {
        condition.lock()
        let isTaken = !isClosed
        if isTaken {
            queries.append(query)
            condition.signal()
        }
        condition.unlock()
        if !isTaken { query(nil) }
    }

    /// Answers the queries that were submitted before the call, then ends the threads and closes their
    /// connections. A query must not call this function.
    package func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
        for thread in threads { thread.join() }
    }

    private func answerQueries(_ rows: any SQLRows) {
        while let query = next() { query(rows) }
        rows.connection.close()
    }

    /// Waits for a query and returns it. Returns nil if no query is left and the engine has been closed.
    private func next() -> Query? {
        condition.lock()
        defer { condition.unlock() }
        while queries.isEmpty {
            if isClosed { return nil }
            condition.wait()
        }
        return queries.popFirst()
    }
}
