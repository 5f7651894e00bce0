package import Meetings

/// The queries for groups of interest.
package protocol MatchingReading: AnyObject {
    /// Returns the session's settings; nil if no host has set them.
    func matchSettings(of session: SessionID) throws(JournalError) -> MatchSettings?
    func matchPerson(_ attendee: AttendeeID) throws(JournalError) -> MatchPerson?
    func matchPerson(with profile: MatchProfileID) throws(JournalError) -> MatchPerson?
    /// Returns the people of the session who have opted in, ordered by the ids of their profiles, which are
    /// random. There are at most `MatchPerson.mostInSession`.
    func matchPeople(of session: SessionID) throws(JournalError) -> [MatchPerson]
    /// Returns the number of people of the session who have opted in.
    func matchPeopleCount(of session: SessionID) throws(JournalError) -> Int
    func matchRequest(_ id: MatchRequestID) throws(JournalError) -> MatchRequest?
    /// Returns the requests from and to the attendee, in no particular order.
    func matchRequests(of attendee: AttendeeID) throws(JournalError) -> [MatchRequest]
    /// Returns the requests by which people of the session meet, in no particular order.
    func matches(of session: SessionID) throws(JournalError) -> [MatchRequest]
    /// Returns the attendees whom the attendee has blocked, and those who have blocked the attendee.
    func matchBlocks(of attendee: AttendeeID) throws(JournalError) -> (
        own: Set<AttendeeID>, others: Set<AttendeeID>
    )
    /// Returns the reports of the session: those that no host has dealt with first, then the newest first.
    func matchReports(of session: SessionID) throws(JournalError) -> [MatchReport]
    /// Returns the sessions after `session` that have data of attendees in groups of interest.
    func sessionsWithMatching(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID]
}

/// The writes of groups of interest.
package protocol MatchingWriting: AnyObject {
    /// Inserts or replaces the session's settings.
    func save(_ settings: MatchSettings, of session: SessionID) throws(JournalError)
    /// Inserts or replaces the attendee's part, and lists the session in `sessionsWithMatching`.
    func save(_ person: MatchPerson) throws(JournalError)
    /// Inserts or replaces the request.
    func save(_ request: MatchRequest) throws(JournalError)
    func delete(_ request: MatchRequestID) throws(JournalError)
    /// Inserts a block. Returns false if the attendee has already blocked the other one.
    func insertMatchBlock(
        by attendee: AttendeeID, of other: AttendeeID, in session: SessionID
    ) throws(JournalError) -> Bool
    /// Makes the part, requests, blocks and reports of one id those of another id, which has none.
    func moveMatching(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError)
    /// Deletes the reports about the attendee whose promise is `named`.
    func deleteNamedMatchReports(about attendee: AttendeeID) throws(JournalError)
    /// Deletes all blocks by the attendee. Returns their number.
    func deleteMatchBlocks(by attendee: AttendeeID) throws(JournalError) -> Int
    /// Inserts or replaces the report.
    func save(_ report: MatchReport) throws(JournalError)
    /// Deletes everything that names the attendee: the attendee's part, requests, blocks and reports.
    func eraseMatching(of attendee: AttendeeID) throws(JournalError)
    /// Deletes at most about `limit` rows of attendees in the session. Reports are deleted only if
    /// `withReports` is true. Returns true if there may be more. When no row of an attendee is left, the
    /// session leaves `sessionsWithMatching`.
    func forgetMatching(of session: SessionID, withReports: Bool, limit: Int) throws(JournalError) -> Bool
}
