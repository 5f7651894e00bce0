package import Journal
package import Meetings

/// The meetings and sessions whose roster, attendees or totals a query has read. `Engine.read` waits for the
/// jobs that change them.
package struct ReadNotes {
    fileprivate var meetings: Set<MeetingID> = []
    fileprivate var sessions: Set<SessionID> = []

    package init() {}
}

extension SQLRows {
    /// Records that a query reads the roster, the attendees or the totals of this meeting.
    func noteRead(of meeting: MeetingID) { notes?.meetings.insert(meeting) }

    /// Records that a query reads the attendees of this session.
    func noteRead(of session: SessionID) { notes?.sessions.insert(session) }

    /// Whether the query has read one of these meetings.
    package func hasRead(_ meetings: Set<MeetingID>) throws(JournalError) -> Bool {
        guard let notes, !meetings.isEmpty else { return false }
        guard notes.meetings.isDisjoint(with: meetings) else { return true }
        for session in notes.sessions {
            if let meeting = try self.session(session)?.meeting.id, meetings.contains(meeting) { return true }
        }
        return false
    }
}
