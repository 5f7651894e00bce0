import Journal
import Meetings
import Synchronization

/// Wraps another engine, logs its commits, and makes a commit fail if the test wants that.
final class WatchedEngine: Engine {
    private let inner: any Engine
    private let state = Mutex(State())

    private struct State {
        var log: [String] = []
        var failingCommits = 0
        var commits = 0
        var unstorableName: String?
        /// Runs on the writer's queue after a commit, with the number of commits so far.
        var afterCommit: (@Sendable (Int) -> Void)?
    }

    static let failure = JournalError.failed(
        StorageFailure(.full, operation: "commit", detail: "told to fail"))

    init(_ inner: any Engine) { self.inner = inner }

    var epoch: String { inner.epoch }
    var unsettled: UnsettledMeetings { inner.unsettled }
    /// The log lines, oldest first.
    var happened: [String] { state.withLock { $0.log } }

    func log(_ line: String) { state.withLock { $0.log.append(line) } }
    /// Sets what happens on the writer's queue after each commit. The argument is the number of commits since
    /// this call.
    func afterCommit(_ body: (@Sendable (Int) -> Void)?) {
        state.withLock { state in
            state.afterCommit = body
            state.commits = 0
        }
    }

    func noteCommit() {
        let (body, commits) = state.withLock { state in
            state.commits += 1
            return (state.afterCommit, state.commits)
        }
        body?(commits)
    }

    /// Makes the database refuse the statement that inserts a person of this name.
    func refusePerson(named name: String) { state.withLock { $0.unstorableName = name } }
    func refuses(_ person: Person) -> Bool { state.withLock { $0.unstorableName == person.name } }

    func failNextCommit() { state.withLock { $0.failingCommits += 1 } }

    func beforeCommit() throws(JournalError) {
        let fails = state.withLock { state in
            let fails = state.failingCommits > 0
            if fails { state.failingCommits -= 1 }
            return fails
        }
        if fails { throw Self.failure }
    }

    func openWriter() throws(JournalError) -> any WritableRows { WatchedRows(try inner.openWriter(), self) }

    func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        try await inner.read(query)
    }

    func close() { inner.close() }
}
