package import Meetings

/// What can be asked of a store. Every list is bounded by `limit`; every look-up uses an index.
package protocol ReadableRows: CorrectionReading, RosterReading, StoredResponseReading, MemberReading,
    PublishedFormReading, ArrivalReading
{
    // Accounts
    func account(_ id: AccountID) throws(JournalError) -> Account?
    func account(email: IdentityKey) throws(JournalError) -> Account?
    func accountCount() throws(JournalError) -> Int
    /// By id, from behind `cursor`.
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
    /// Each meeting of the account with its latest session (highest round): those not over at `now` first by
    /// start, then the ended ones, newest start first; meeting ids break ties, in the same direction.
    func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]

    // Sessions
    func session(_ id: SessionID) throws(JournalError) -> SessionRecord?
    func session(joinCode: String) throws(JournalError) -> SessionRecord?
    /// The one with the highest round.
    func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord?
    /// Newest round first, from below `round`.
    func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// Of a meeting: the one whose check-in window holds `now`; of several, the one that started last.
    func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    /// Of a meeting: the next whose check-in opens after `now`.
    func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError) -> SessionRecord?
    /// Those whose check-in window holds `now` and whose codes rotate, by end.
    func sessionsWithRotatingCodes(openAt now: Instant, limit: Int) throws(JournalError) -> [SessionRecord]
    /// Sessions of meetings that the account owns which meet `[startsAt, endsAt)`, by start.
    func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
    /// Of meetings the account is a member of: the running one that started last, else the next to start.
    func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord?

    // Attendees
    func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee?
    func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee?
    func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee?
    /// By id, from behind `cursor`. `statuses` nil is all; `text` matches a part of the name or identity,
    /// case-insensitively.
    func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    ) throws(JournalError) -> [Attendee]
    /// Those who came in by events later than `sequence`, in order.
    func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Attendee]
    /// The newest arrivals, newest last.
    func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee]

    // The journal
    /// In order, from behind `sequence`.
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event]

    // Feedback
    func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet?
    /// `feedback` first, then by name.
    func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet]
    /// The session and set that a question stands in.
    func place(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)?
    func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord]
    func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    /// Published ones, newest first; within one moment by random id, highest first.
    func responses(of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int)
        throws(JournalError) -> [Response]
    /// The others of the set, in no order that tells anything.
    func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response]
    func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response?
    /// Anonymous sets that have responses, are not open at `now`, and whose rows have not been shuffled since
    /// they closed; of those with responses or answers that are not shown yet only the ones whose window is
    /// over.
    func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(session: SessionID, set: String)]

    /// Whether a person's data has been deleted since the last shuffle: until then copies may linger in parts
    /// of the file that hold no row.
    func awaitsShuffle() throws(JournalError) -> Bool

    // Presenters
    func presenterLink(hash: [UInt8]) throws(JournalError) -> PresenterLink?
    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink]
    /// In all sessions.
    func presenterLinks(createdBy account: AccountID) throws(JournalError) -> [PresenterLink]
}
