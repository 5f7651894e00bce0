import Journal
import Meetings

extension WatchedRows {
    func actions(in meeting: MeetingID?, before cursor: ActionID?, limit: Int) throws(JournalError)
        -> [ActionRecord]
    {
        try inner.actions(in: meeting, before: cursor, limit: limit)
    }
    func hasAction(before moment: Instant) throws(JournalError) -> Bool {
        try inner.hasAction(before: moment)
    }
    func insert(_ action: ActionRecord) throws(JournalError) { try inner.insert(action) }
    func deleteActions(before moment: Instant, limit: Int) throws(JournalError) -> Int {
        try inner.deleteActions(before: moment, limit: limit)
    }
}
