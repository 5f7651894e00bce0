import Foundation
import Journal
import Meetings

/// What a query reads, for `Engine.read`, which waits for the jobs that change a meeting.
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

    /// Returns the zone with the name in the column, which is made once.
    func zone(_ row: Row, _ column: Int32) throws(JournalError) -> Zone {
        let name = row.text(column)
        if let zone = zones[name] { return zone }
        guard let zone = Zone(name) else { throw row.damaged("this machine does not know the zone", column) }
        zones[name] = zone
        return zone
    }
}
