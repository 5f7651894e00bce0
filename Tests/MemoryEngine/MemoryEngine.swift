internal import Dispatch
package import Journal
internal import Meetings
internal import Synchronization

/// A storage engine in memory, for tests. Other engines are compared with this model. Each list is a filter
/// and a sort over all rows, so that a reader can easily see that the list is right. Nothing is durable.
package final class MemoryEngine: Engine {
    package let epoch = ID<MemoryEngine>.makeTimeless().text
    package let unsettled = UnsettledMeetings()
    private let state = Mutex(State())

    private struct State {
        var committed = Tables()
        var writerIsOut = false
        var isClosed = false
    }

    package init() {}

    package func openWriter() throws(JournalError) -> any WritableRows {
        let isFirst = state.withLock { state in
            defer { state.writerIsOut = true }
            return !state.writerIsOut
        }
        guard isFirst else {
            throw .failed(StorageFailure(.busy, operation: "open writer", detail: "there is one writer"))
        }
        return MemoryRows(of: self)
    }

    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        while true {
            let result: Result<Found, JournalError>? = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: self.answer(query))
                }
            }
            if let result { return try result.get() }
            try await unsettled.wait(until: unsettled.started)
        }
    }

    /// Returns nil if the query read a meeting that a job has changed only in part.
    private func answer<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found
    ) -> Result<Found, JournalError>? {
        do throws(JournalError) {
            let rows = MemoryRows(of: self, try committed(), isReading: true)
            let result = Result { () throws(JournalError) in try query(rows) }
            return rows.hasMetUnsettled ? nil : result
        } catch {
            return .failure(error)
        }
    }

    /// Returns an engine with the same committed rows, as a server finds them after a crash.
    package func afterCrash() throws(JournalError) -> MemoryEngine {
        let copy = MemoryEngine()
        try copy.commit(try committed())
        return copy
    }

    package func close() { state.withLock { $0.isClosed = true } }

    func committed() throws(JournalError) -> Tables {
        let tables = state.withLock { $0.isClosed ? nil : $0.committed }
        guard let tables else { throw .failed(StorageFailure(.closed, operation: "read")) }
        return tables
    }

    func commit(_ tables: Tables) throws(JournalError) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.committed = tables }
            return !state.isClosed
        }
        guard isOpen else { throw .failed(StorageFailure(.closed, operation: "commit")) }
    }
}
