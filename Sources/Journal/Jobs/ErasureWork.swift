import Meetings

/// Erases a hidden meeting with its sessions and all their data. No caller waits for the end, because no
/// query finds hidden rows.
struct ErasureWork: Work {
    let meeting: MeetingID
    private var isDone = false

    init(meeting: MeetingID) { self.meeting = meeting }

    var sessions: [SessionID] { [] }
    /// The number of rows is unknown, so the steps end when `apply` finds no more rows.
    var steps: Int { isDone ? 0 : .max }
    var isVisible: Bool { false }

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .erasure, meeting: meeting, isVisible: false, total: 0)
    }

    func plan() -> [UInt8] { [] }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        // The people of the roster must learn of it before they are erased.
        guard
            try transaction.mailings.continueCancellations(
                of: meeting, limit: min(steps.count, Mailing.Kind.slice))
        else { return }
        isDone = try transaction.rows.eraseSome(of: meeting, limit: steps.count)
    }

    func finish(in transaction: Transaction) {}
}
