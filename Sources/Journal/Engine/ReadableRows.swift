package import Meetings

/// The queries of a store. Every list is bounded by `limit`; every look-up uses an index. Used on the thread
/// that got it.
package protocol ReadableRows: CorrectionReading, RosterReading, StoredResponseReading, MemberReading,
    PublishedFormReading, ArrivalReading
{
    // Accounts
    func account(_ id: AccountID) throws(JournalError) -> Account?
    func account(email: IdentityKey) throws(JournalError) -> Account?
    func accountCount() throws(JournalError) -> Int
    /// By id, after `cursor`.
    func accounts(after cursor: AccountID?, limit: Int) throws(JournalError) -> [Account]
    /// Whether an operator has ever existed, even if the account was deleted later.
    func hasHadOperator() throws(JournalError) -> Bool
    /// Whether another account than this one is an operator's.
    func hasOperator(otherThan account: AccountID) throws(JournalError) -> Bool
    func token(hash: [UInt8]) throws(JournalError) -> Token?
    /// The refresh tokens that have not been used: one for each sign-in, newest first.
    func signIns(of account: AccountID) throws(JournalError) -> [Token]
    /// The use of the oldest among the newest `count` used refresh tokens of a sign-in; nil if it has fewer.
    func oldestUse(of signIn: ID<Token>, among count: Int) throws(JournalError) -> Instant?

    // Meetings
    func meeting(_ id: MeetingID) throws(JournalError) -> Meeting?
    func role(of account: AccountID, in meeting: MeetingID) throws(JournalError) -> Role?
    /// By role (owners first), then by account id.
    func members(of meeting: MeetingID) throws(JournalError) -> [(account: AccountID, role: Role)]
    /// Each meeting of the account with its latest session (highest round). First those that are not over at
    /// `now`, by start; then the ended ones, newest start first. Meeting ids break ties in the same
    /// direction.
    func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]

    // Sessions
    func session(_ id: SessionID) throws(JournalError) -> SessionRecord?
    func session(joinCode: String) throws(JournalError) -> SessionRecord?
    /// The session with the highest round.
    func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord?
    /// Newest round first, below `round`.
    func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// The session of a meeting whose check-in window holds `now`; of several, the one that started last.
    func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    /// The session of a meeting whose check-in opens next after `now`.
    func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError) -> SessionRecord?
    /// The sessions whose check-in window holds `now` and whose codes rotate, by end.
    func sessionsWithRotatingCodes(openAt now: Instant, limit: Int) throws(JournalError) -> [SessionRecord]
    /// The sessions of meetings that the account owns and that overlap `[startsAt, endsAt)`, by start.
    func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
    /// Of the meetings of an account, the running session that started last; otherwise the next to start.
    func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord?

    // Attendees
    func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee?
    func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee?
    func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee?
    /// By id, after `cursor`. Nil `statuses` means all; `text` matches a part of the name or identity,
    /// case-insensitively.
    func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    ) throws(JournalError) -> [Attendee]
    /// The attendees who came in by events later than `sequence`, in order.
    func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Attendee]
    /// The newest arrivals, newest last.
    func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee]

    // The journal
    /// In order, after `sequence`.
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event]

    // Feedback
    func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet?
    /// `feedback` first, then by name.
    func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet]
    /// The session and set of a question.
    func location(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)?
    func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord]
    func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    /// The published responses, newest first; within one moment by random id, highest first.
    func responses(of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int)
        throws(JournalError) -> [Response]
    /// The other responses of the set, in an order that reveals nothing.
    func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response]
    func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response?
    /// The anonymous sets that have responses, are not open at `now`, and whose rows have not been shuffled
    /// since they closed. A set with responses or answers that are not shown yet is listed only when its
    /// window is over.
    func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(session: SessionID, set: String)]

    /// Whether a person's data was deleted since the last shuffle. Until the next shuffle, copies may remain
    /// in parts of the file that hold no row.
    func awaitsShuffle() throws(JournalError) -> Bool

    // Presenters
    func presenterLink(hash: [UInt8]) throws(JournalError) -> PresenterLink?
    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink]
    /// The links of an account in all sessions.
    func presenterLinks(createdBy account: AccountID) throws(JournalError) -> [PresenterLink]
}

/// The times of arrivals.
package protocol ArrivalReading {
    /// The newest `limit` minutes in which an attendee came, oldest first. It reads every attendee of the
    /// session who counts as checked in: for a page that opens, never for a check-in or a flush.
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute]
}

/// Published forms.
package protocol PublishedFormReading {
    /// The set that is published under this name, which is unique on a server.
    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)?
}

/// Invitations, images and evidence.
package protocol MemberReading: AnyObject {
    func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation?
    /// Oldest first, also the expired ones.
    func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation]
    /// The invitations that an account may accept without a link, oldest first.
    func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation]
    func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage?
    /// Whether there is an image, without reading it.
    func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// How each attendee of a session came in, by id.
    func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact]
    /// The sessions that ended before `moment` and still hold evidence, the oldest first.
    func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
}
