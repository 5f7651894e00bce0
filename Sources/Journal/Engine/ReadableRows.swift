package import Meetings

/// The queries of a database. Every long list is bounded by `limit`, and every look-up uses an index. Use it
/// only on the thread that received it.
package protocol ReadableRows: CorrectionReading, RosterReading, StoredResponseReading, MemberReading,
    PublishedFormReading, ArrivalReading, JobReading, JobReportReading, AudienceQuestionReading,
    TextModerationReading, MailReading, MailingReading, ActionReading, MatchingReading,
    DeviceReading, WebhookReading, PassReading, SatelliteReading, CertificateReading, ReplyReading
{
    // Accounts
    func account(_ id: AccountID) throws(JournalError) -> Account?
    /// Finds an account by its address (`Account.address`): the e-mail address or the phone number.
    func account(email: IdentityKey) throws(JournalError) -> Account?
    func accountCount() throws(JournalError) -> Int
    /// Returns the accounts after `cursor`, ordered by id.
    func accounts(after cursor: AccountID?, limit: Int) throws(JournalError) -> [Account]
    /// Whether an operator has ever existed, even if the operator's account was deleted later.
    func hasHadOperator() throws(JournalError) -> Bool
    /// Whether an account other than this one is an operator.
    func hasOperator(otherThan account: AccountID) throws(JournalError) -> Bool
    func token(hash: [UInt8]) throws(JournalError) -> Token?
    /// Returns the reason why the token was ended with all others of its account; nil if there is none.
    func tokenEnd(hash: [UInt8]) throws(JournalError) -> Token.End?
    /// Returns the account's unused refresh tokens, one for each sign-in, newest first.
    func signIns(of account: AccountID) throws(JournalError) -> [Token]
    /// Returns the time at which the oldest of the newest `count` used refresh tokens was used; nil if the
    /// sign-in has fewer used tokens.
    func oldestUse(of signIn: ID<Token>, among count: Int) throws(JournalError) -> Instant?

    /// Returns the codes of an address (`AccountCode.subject`) that were sent since the moment, oldest first.
    /// Commands make at most ten of them in a day.
    func accountCodes(of subject: [UInt8], since moment: Instant) throws(JournalError) -> [AccountCode]
    /// Whether a code was sent before the moment.
    func hasAccountCode(sentBefore moment: Instant) throws(JournalError) -> Bool

    // Meetings
    func meeting(_ id: MeetingID) throws(JournalError) -> Meeting?
    func role(of account: AccountID, in meeting: MeetingID) throws(JournalError) -> Role?
    /// Returns at most `limit` meetings of which the account is a member, also as a steward, in any order.
    func memberships(of account: AccountID, limit: Int) throws(JournalError) -> [MeetingID]
    /// Returns the number of meetings that only this account owns.
    func soleMeetingCount(of account: AccountID) throws(JournalError) -> Int
    /// Returns the number of check-ins in the meetings that only this account owns. Reads all their sessions.
    func soleMeetingCheckIns(of account: AccountID) throws(JournalError) -> Int
    /// Returns the members with their roles, ordered by role (owners first) and then by account id.
    func members(of meeting: MeetingID) throws(JournalError) -> [(account: AccountID, role: Role)]
    /// Returns the number of meetings that the account owns. Reads an index entry for each of its meetings.
    func meetingCount(ownedBy account: AccountID) throws(JournalError) -> Int
    /// Returns each meeting that the account may read with its latest session (the highest round). Meetings
    /// whose latest session is not over at `now` come first, ordered by start. The ended meetings follow,
    /// newest start first. Equal starts are ordered by meeting id in the same direction.
    func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]

    // Sessions
    func session(_ id: SessionID) throws(JournalError) -> SessionRecord?
    func session(joinCode: String) throws(JournalError) -> SessionRecord?
    /// Returns the meeting's session with the highest round.
    func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord?
    /// Returns the sessions whose round is below `round`, the newest round first; nil begins with the newest.
    func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int
    /// Returns the ids of the meeting's sessions, in any order.
    func sessionIDs(of meeting: MeetingID) throws(JournalError) -> [SessionID]
    /// Returns the stored counts of the session, without the session; nil if there is no such session.
    func headCount(of session: SessionID) throws(JournalError) -> HeadCount?
    /// Returns the number of check-ins and rows of the meeting. Costs a few probes for each session.
    func size(of meeting: MeetingID) throws(JournalError) -> MeetingSize
    /// Returns the meeting's session whose check-in window contains `now`. If several match, returns the
    /// session that started last.
    func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    /// Returns the meeting's session whose check-in opens next after `now`.
    func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError) -> SessionRecord?
    /// Returns the other sessions of the meeting that record leaving and whose check-in is open at `now`,
    /// ordered by end.
    func sessionsRecordingLeaving(
        of meeting: MeetingID, except session: SessionID, openAt now: Instant, limit: Int
    ) throws(JournalError) -> [SessionID]
    /// Returns the sessions with rotating codes whose check-in is open at `now` or opens until `soon`,
    /// ordered by end.
    func sessionsWithRotatingCodes(openAt now: Instant, orBefore soon: Instant, limit: Int)
        throws(JournalError) -> [SessionRecord]
    /// Returns the sessions that overlap `[startsAt, endsAt)` in meetings that the account owns, ordered by
    /// start.
    func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
    /// Returns the sessions in all meetings that the account may read and that overlap `range`, ordered by
    /// start and id.
    /// - Parameters:
    ///   - atDoor: whether the meetings count whose doors the account may keep, instead of those that it may
    ///     read.
    ///   - last: the start and the id of the session after which the list continues.
    func sessions(
        of account: AccountID, atDoor: Bool, overlapping range: Range<Instant>,
        after last: (Instant, SessionID)?, limit: Int
    ) throws(JournalError) -> [SessionRecord]
    /// Returns the running session that started last, among all meetings that the account may read. If no
    /// session is running, returns the next session to start.
    func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord?

    // Attendees
    func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee?
    /// Returns the name of an attendee, for less than the whole record costs.
    func name(of attendee: AttendeeID) throws(JournalError) -> String?
    func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee?
    func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee?
    /// Returns the attendees after `cursor`, ordered by id. Nil `statuses` means every status. `text` matches
    /// a part of the name or identity, case-insensitively.
    func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    ) throws(JournalError) -> [Attendee]
    /// Returns the attendees who arrived by events later than `sequence`, in the order of arrival.
    func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Attendee]
    /// Returns the newest arrivals; the newest one is last.
    func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee]

    // The journal
    /// Returns the events after `sequence`, in order.
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event]

    // Feedback
    func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet?
    /// Returns the session's question sets: `feedback` first, then the others by name.
    func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet]
    /// Returns the session's question sets in the same order, but without their questions. Commands that need
    /// only the names or settings use it, because a session may have 2,500 questions.
    func questionSetsWithoutQuestions(of session: SessionID) throws(JournalError) -> [QuestionSet]
    /// Returns the number of questions of each set of the session. Sets without questions are left out.
    func questionCounts(of session: SessionID) throws(JournalError) -> [String: Int]
    /// Returns the first question that the set's form shows, or else its first question.
    func firstQuestion(of set: String, in session: SessionID) throws(JournalError) -> Question?
    /// Returns the size of one set of the session. Nil `set` means all of them.
    func questionsSize(of session: SessionID, set: String?) throws(JournalError) -> QuestionsSize
    /// Returns the size that these questions would have in the rows.
    func questionsSize(of questions: [Question]) throws(JournalError) -> QuestionsSize
    /// Returns the session and the question set that contain the question.
    func location(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)?
    func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord]
    func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    /// Returns the published responses, newest first. Responses of the same moment are ordered by random id,
    /// the highest first.
    func responses(of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int)
        throws(JournalError) -> [Response]
    /// Returns the responses of the set that are not published yet, in an order that reveals nothing.
    func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response]
    func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response?
    /// Returns how often the answers of this response were replaced.
    func changes(of response: Response) throws(JournalError) -> Int
    /// Returns the anonymous sets that have responses, are not open at `now`, and whose rows have not been
    /// shuffled since the set closed. A set that still holds back responses or answers is returned only after
    /// its feedback window is over.
    func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(session: SessionID, set: String)]

    /// Whether a person's data was deleted since the last rewrite of the file began, or `noteOrder` was
    /// called. Until the next rewrite, unused parts of the file may still contain copies of the deleted
    /// data.
    func awaitsShuffle() throws(JournalError) -> Bool

    // Presenters
    /// Returns nil if the link with this hash has another purpose.
    func presenterLink(hash: [UInt8], for purpose: PresenterLink.Purpose) throws(JournalError)
        -> PresenterLink?
    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink]
    /// Returns at most `limit` presenter links that the account created, also those of hidden sessions,
    /// ordered by id.
    func presenterLinks(createdBy account: AccountID, limit: Int) throws(JournalError) -> [PresenterLink]
    /// Returns at most `limit` presenter links that the account created in the meeting's sessions, from this
    /// round on, in the order of the rounds.
    func presenterLinks(
        createdBy account: AccountID, in meeting: MeetingID, fromRound round: Int, limit: Int
    ) throws(JournalError) -> [PresenterLink]
}

/// The queries for the times of arrivals.
package protocol ArrivalReading {
    /// Returns the newest `limit` minutes in which at least one attendee arrived, oldest first. Reads every
    /// attendee of the session who counts as checked in. So only a page that opens may use it, never a
    /// check-in or a flush.
    func arrivalMinutes(of session: SessionID, limit: Int) throws(JournalError) -> [ArrivalMinute]
}

/// The queries for published forms.
package protocol PublishedFormReading {
    /// Returns the session and the question set that are published under this name. Names of forms are unique
    /// on a server.
    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)?
    /// Returns whether a device with this mark has answered the set.
    func hasAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool
}

/// How much a meeting holds.
package struct MeetingSize: Hashable, Sendable {
    /// The number of check-ins in all sessions.
    package var checkIns: Int
    /// The approximate number of rows: events, attendees with their slots, people, and at most 1,000
    /// questions.
    package var rows: Int

    package init(checkIns: Int, rows: Int) {
        self.checkIns = checkIns
        self.rows = rows
    }
}

/// The queries for invitations, images, evidence, names and consents.
package protocol MemberReading: AnyObject {
    func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation?
    /// Returns the meeting's invitations, oldest first, including the expired ones.
    func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation]
    /// Returns the invitations that the account may accept without a link, oldest first.
    func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation]
    func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage?
    /// Whether the meeting has an image. Does not read the image itself.
    func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool
    /// Returns how each attendee of the session checked in, ordered by attendee id.
    func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact]
    /// Returns the sessions that ended before `moment`, the earliest first.
    func sessions(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
    /// Returns the sessions that ended before `moment` and still have evidence, the earliest first.
    func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID]
    /// Returns the sessions whose names are being deleted, followed by the sessions that ended before
    /// `moment`, whose feedback closed before `now`, and whose names are stored, the earliest first. Nil for
    /// `moment` returns only the first ones.
    func sessionsWithNames(endedBefore moment: Instant?, closedBefore now: Instant, limit: Int)
        throws(JournalError) -> [SessionID]
    /// Returns all texts to which attendees of the meeting had to agree, ordered by number. There are at most
    /// `Consent.most`.
    func consents(of meeting: MeetingID) throws(JournalError) -> [DatedConsent]
}
