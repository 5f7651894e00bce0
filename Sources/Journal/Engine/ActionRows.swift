package import Meetings

/// The queries for the action log.
package protocol ActionReading: AnyObject {
    /// Returns the actions in the meeting before `cursor`, newest first. Nil for `meeting` returns the
    /// actions of the whole server.
    func actions(in meeting: MeetingID?, before cursor: ActionID?, limit: Int) throws(JournalError)
        -> [ActionRecord]
    /// Whether an action happened before `moment`.
    func hasAction(before moment: Instant) throws(JournalError) -> Bool
}

/// The writes of the action log.
package protocol ActionWriting: AnyObject {
    func insert(_ action: ActionRecord) throws(JournalError)
    /// Deletes at most `limit` actions that happened before `moment`, the oldest first. Returns their number.
    func deleteActions(before moment: Instant, limit: Int) throws(JournalError) -> Int
}
