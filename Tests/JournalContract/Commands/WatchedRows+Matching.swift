import Journal
import Meetings

extension WatchedRows {
    func matchSettings(of session: SessionID) throws(JournalError) -> MatchSettings? {
        try inner.matchSettings(of: session)
    }
    func matchPerson(_ attendee: AttendeeID) throws(JournalError) -> MatchPerson? {
        try inner.matchPerson(attendee)
    }
    func matchPerson(with profile: MatchProfileID) throws(JournalError) -> MatchPerson? {
        try inner.matchPerson(with: profile)
    }
    func matchPeople(of session: SessionID) throws(JournalError) -> [MatchPerson] {
        try inner.matchPeople(of: session)
    }
    func matchPeopleCount(of session: SessionID) throws(JournalError) -> Int {
        try inner.matchPeopleCount(of: session)
    }
    func matchRequest(_ id: MatchRequestID) throws(JournalError) -> MatchRequest? {
        try inner.matchRequest(id)
    }
    func matchRequests(of attendee: AttendeeID) throws(JournalError) -> [MatchRequest] {
        try inner.matchRequests(of: attendee)
    }
    func matches(of session: SessionID) throws(JournalError) -> [MatchRequest] {
        try inner.matches(of: session)
    }
    func matchBlocks(of attendee: AttendeeID) throws(JournalError) -> (
        own: Set<AttendeeID>, others: Set<AttendeeID>
    ) {
        try inner.matchBlocks(of: attendee)
    }
    func matchReports(of session: SessionID) throws(JournalError) -> [MatchReport] {
        try inner.matchReports(of: session)
    }
    func sessionsWithMatching(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID] {
        try inner.sessionsWithMatching(after: session, limit: limit)
    }
    func save(_ settings: MatchSettings, of session: SessionID) throws(JournalError) {
        try inner.save(settings, of: session)
    }
    func save(_ person: MatchPerson) throws(JournalError) { try inner.save(person) }
    func save(_ request: MatchRequest) throws(JournalError) { try inner.save(request) }
    func delete(_ request: MatchRequestID) throws(JournalError) { try inner.delete(request) }
    func insertMatchBlock(
        by attendee: AttendeeID, of other: AttendeeID, in session: SessionID
    ) throws(JournalError) -> Bool {
        try inner.insertMatchBlock(by: attendee, of: other, in: session)
    }
    func moveMatching(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) {
        try inner.moveMatching(of: attendee, to: other)
    }
    func deleteNamedMatchReports(about attendee: AttendeeID) throws(JournalError) {
        try inner.deleteNamedMatchReports(about: attendee)
    }
    func deleteMatchBlocks(by attendee: AttendeeID) throws(JournalError) -> Int {
        try inner.deleteMatchBlocks(by: attendee)
    }
    func save(_ report: MatchReport) throws(JournalError) { try inner.save(report) }
    func eraseMatching(of attendee: AttendeeID) throws(JournalError) {
        try inner.eraseMatching(of: attendee)
    }
    func forgetMatching(of session: SessionID, withReports: Bool, limit: Int) throws(JournalError) -> Bool {
        try inner.forgetMatching(of: session, withReports: withReports, limit: limit)
    }
}
