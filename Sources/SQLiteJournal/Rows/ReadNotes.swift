import Journal
import Meetings

/// Notes of the meetings that a query reads. `Engine.read` waits for the jobs that change them.
extension SQLRows {
    /// Whether the query reads a meeting that a visible job is changing.
    func meetsUnsettled<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found
    ) throws(JournalError) -> Bool {
        let meetings = Set(try jobs().filter(\.isVisible).map(\.meeting))
        guard !meetings.isEmpty else { return false }
        (unsettledMeetings, hasMetUnsettled) = (meetings, false)
        // The result, or the error, is that of the first run.
        _ = Result { () throws(JournalError) in try query(self) }
        unsettledMeetings = nil
        return hasMetUnsettled
    }

    /// Records that a query reads the roster, the attendees or the totals of this meeting.
    func noteRead(of meeting: MeetingID) {
        guard let unsettledMeetings else { return }
        if unsettledMeetings.contains(meeting) { hasMetUnsettled = true }
    }

    /// Records that a query reads the attendees of this session.
    func noteRead(of session: SessionID) throws(JournalError) {
        guard unsettledMeetings != nil, let meeting = try self.session(session)?.meeting.id else { return }
        noteRead(of: meeting)
    }
}
