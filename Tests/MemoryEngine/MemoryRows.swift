import Journal
import Meetings

/// The tables as one connection sees them.
final class MemoryRows: WritableRows {
    private let engine: MemoryEngine
    /// The working copy of the writer's batch, or the state that was committed when a reader's query began.
    private var working: Tables?
    private var saved: Tables?
    private(set) var writtenRows = 0

    init(of engine: MemoryEngine, _ tables: Tables? = nil) {
        self.engine = engine
        working = tables
    }

    /// Returns the working copy. Outside a batch, it returns the committed tables.
    func tables() throws(JournalError) -> Tables {
        if let working { return working }
        return try engine.committed()
    }

    func change<Result>(
        _ operation: String, _ body: (inout Tables) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        guard working != nil else { preconditionFailure("\(operation) outside a batch") }
        writtenRows += 1
        return try body(&working!)
    }

    func begin() throws(JournalError) { working = try engine.committed() }
    func savepoint() throws(JournalError) { saved = working }
    func release() throws(JournalError) { saved = nil }

    func rollBackToSavepoint() throws(JournalError) {
        working = saved
        saved = nil
    }

    func commit() throws(JournalError) {
        let tables = try tables()
        rollBack()
        try engine.commit(tables)
    }

    func rollBack() {
        working = nil
        saved = nil
    }

    func beginRewrite() throws(JournalError) -> any FileRewrite { NoFileRewrite() }
    func noteOrder() throws(JournalError) {}
    func awaitsShuffle() throws(JournalError) -> Bool { false }

    func conflict(_ operation: String, _ detail: String) -> JournalError {
        .failed(StorageFailure(.other, operation: operation, detail: detail))
    }
}
