import Journal
import Meetings

/// The tables as one connection sees them.
final class MemoryRows: WritableRows {
    private let engine: MemoryEngine
    /// The working copy of the writer's batch, or the state that was committed when a reader's query began.
    private var working: Tables?
    private var saved: Tables?
    private(set) var writtenRows = 0

    /// The meetings that jobs have changed only in part; empty for the writer.
    private var unsettledMeetings: Set<MeetingID> = []
    /// Whether the query has read the roster, the attendees or the totals of such a meeting.
    private(set) var hasMetUnsettled = false

    init(of engine: MemoryEngine, _ tables: Tables? = nil, isReading: Bool = false) {
        self.engine = engine
        working = tables
        if isReading, let tables {
            unsettledMeetings = Set(tables.jobs.values.filter(\.job.isVisible).map(\.job.meeting))
        }
    }

    func noteRead(of meeting: MeetingID?) {
        if let meeting, unsettledMeetings.contains(meeting) { hasMetUnsettled = true }
    }

    func noteRead(of session: SessionID) throws(JournalError) {
        noteRead(of: try tables().sessions[session]?.session.meetingID)
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

    func begin(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        working = try engine.committed()
    }
    func savepoint() throws(JournalError) { saved = working }
    func release() throws(JournalError) { saved = nil }

    func rollBackToSavepoint() throws(JournalError) {
        working = saved
        saved = nil
    }

    func commit(_ note: () -> CommitNote) throws(JournalError) {
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
        .failed(StorageFailure(.unstorable, operation: operation, detail: detail))
    }
}
