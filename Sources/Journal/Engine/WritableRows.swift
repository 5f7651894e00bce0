package import Meetings

/// The writes of the database's only writing connection. Use it on the writer's queue only.
package protocol WritableRows: ReadableRows, CorrectionWriting, RosterWriting, StoredResponseWriting,
    MemberWriting, JobWriting, JobReportWriting, AudienceQuestionWriting, TextModerationWriting, MailWriting,
    MailingWriting, ActionWriting, MatchingWriting, DeviceWriting, WebhookWriting, PassWriting,
    SatelliteWriting, CertificateWriting, ReplyWriting
{
    // A batch is one transaction of the database. If the writer must roll back single commands, each command
    // runs in a savepoint.

    /// Begins a batch. If other nodes have committed something since this node last looked, first passes
    /// their commits to `take`, which may read rows. If `take` throws, the next call passes them again.
    func begin(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError)
    /// Passes the commits of other nodes to `take` in a transaction for reading, without a batch.
    func catchUp(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError)
    /// Takes over the jobs of nodes that have ended. Returns all jobs that this node must run, the oldest
    /// first. Call it outside a batch.
    func takeOverJobs() throws(JournalError) -> [StoredJob]
    /// The number of rows that this connection has written so far. If a command leaves the number unchanged,
    /// the command has written nothing.
    var writtenRows: Int { get }
    /// Reads ahead the rows that the commands of this batch will look up. `ask` makes these look-ups and
    /// ignores their results. An engine that waits for a server sends them all together. Other engines do
    /// nothing, and never call `ask`.
    func lookAhead(_ ask: () -> Void) throws(JournalError)
    func savepoint() throws(JournalError)
    func release() throws(JournalError)
    func rollBackToSavepoint() throws(JournalError)
    /// Makes the batch durable. If it throws, no transaction is open, and no change of the batch is stored,
    /// except if the failure's detail says that the result is unknown.
    /// - Parameter note: makes the note for other nodes. An engine for one node does not call it.
    func commit(_ note: () -> CommitNote) throws(JournalError)
    /// Rolls the batch back. It cannot fail: if the engine has already rolled the batch back, it does
    /// nothing.
    func rollBack()
    /// Begins to rewrite the file in key order, so that row order reveals no insertion order. Call it
    /// outside a batch. The engine makes one rewrite at a time.
    /// - Throws: `.full` if the disk has no room for a second copy of the file.
    func beginRewrite() throws(JournalError) -> any FileRewrite

    // Accounts
    func insert(_ account: Account) throws(JournalError)
    func update(_ account: Account) throws(JournalError)
    /// Stores that an operator has existed, for `hasHadOperator`.
    func noteOperator() throws(JournalError)
    /// Hides the account, which `delete` then erases: no query finds it any more, its personal data, mails,
    /// codes and tokens are deleted, and another account may have its e-mail address. Memberships and links
    /// stay.
    func hide(_ account: AccountID) throws(JournalError)
    /// Deletes the account with its tokens, memberships, presenter links and invitations.
    func delete(_ account: AccountID) throws(JournalError)
    func insert(_ token: Token) throws(JournalError)
    /// Marks a refresh token as used. Deletes the access tokens of its sign-in, and all but the newest
    /// `keeping` used refresh tokens of the sign-in.
    func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError)
    /// Deletes every token of the sign-in, including the used tokens.
    func deleteTokens(signIn: ID<Token>) throws(JournalError)
    /// Deletes all tokens of the account, and stores the reason for the hashes of the unused ones. `hide` and
    /// `delete` do the same with `.withdrawn`.
    func endTokens(of account: AccountID, because end: Token.End) throws(JournalError)
    /// Deletes the tokens that expired before `now`, and the reasons of ended tokens that would have expired.
    func deleteTokens(expiredBefore now: Instant) throws(JournalError)

    /// Stores the code, and replaces the older record with its handle.
    func save(_ code: AccountCode) throws(JournalError)
    /// Deletes at most `limit` codes that were sent before the moment. Returns their number.
    func deleteAccountCodes(sentBefore moment: Instant, limit: Int) throws(JournalError) -> Int

    // Meetings
    func insert(_ meeting: Meeting) throws(JournalError)
    func update(_ meeting: Meeting) throws(JournalError)
    /// Deletes the meeting with its sessions and all their data.
    func delete(_ meeting: MeetingID) throws(JournalError)
    /// Sets the account's role in the meeting; nil ends the membership.
    func setRole(_ role: Role?, of account: AccountID, in meeting: MeetingID) throws(JournalError)

    // Sessions
    func insert(_ session: Session) throws(JournalError)
    func update(_ session: Session) throws(JournalError)
    /// Deletes the session with all its data.
    func delete(_ session: SessionID) throws(JournalError)
    /// Writes the session's counters. The transaction calls it once per batch for each changed session,
    /// before the commit.
    func saveCounters(of session: SessionID, sequence: Int64, headCount: HeadCount) throws(JournalError)

    // Attendees. The pairs (session, key) and (session, grant) are unique. The commands check this before
    // they insert, and a unique index enforces it. An engine may insert attendees and events without waiting
    // for the result. Then a failure comes from a later call, at the latest from `release` or `commit`.
    func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError)
    /// Writes all values of the attendee except the key and the grant.
    func update(_ attendee: Attendee) throws(JournalError)
    /// Sets the grant with which an awaited attendee checked in.
    func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError)
    /// Deletes the attendee with all responses that have a link to the attendee, and the marks of answered
    /// sets.
    func delete(_ attendee: AttendeeID) throws(JournalError)
    /// Sets `present` or `late`, by `lateAfter`, for every attendee whose status the late rule gave. Returns
    /// the attendees whose status changed, and the session's counts after the change.
    func recomputeStatuses(of session: SessionID, lateAfter: Instant) throws(JournalError) -> (
        changed: [Attendee], headCount: HeadCount
    )

    func append(_ event: Event) throws(JournalError)

    // Feedback
    /// Inserts or replaces the set's settings and questions; the responses stay.
    func save(_ set: QuestionSet, of session: SessionID) throws(JournalError)
    /// Writes only the set's settings and counters.
    func saveSettings(of set: QuestionSet, in session: SessionID) throws(JournalError)
    func save(_ tally: TallyRecord, of question: QuestionID) throws(JournalError)
    /// Adds these differences to the counts of the question's words. A word whose count is zero has no row.
    func count(_ words: [String: Int], of question: QuestionID) throws(JournalError)
    /// Marks the set as answered by the attendee. Returns false if the attendee has already answered the set.
    func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    /// Marks the set as answered by a device, without a link to its response. Returns false if a device with
    /// this mark has already answered the set.
    func markAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool
    func insert(_ response: Response, published: Bool) throws(JournalError)
    /// Writes the answers of a stored response, and counts the change. Its id and time stay.
    func replaceAnswers(of response: Response) throws(JournalError)
    /// Removes the link between a stored response and its attendee.
    func unlink(_ response: Response) throws(JournalError)
    /// Links a stored response to an attendee. Does nothing if the response no longer exists or has a link.
    func link(_ response: Response, to attendee: AttendeeID) throws(JournalError)
    /// Deletes at most `limit` responses to the set, counts of words, and decisions about texts. Returns
    /// their number.
    func deleteAnswers(to set: String, of session: SessionID, limit: Int) throws(JournalError) -> Int
    /// Deletes the set with its questions and tallies. Its responses and marks must be deleted already.
    func deleteSet(_ set: String, of session: SessionID) throws(JournalError)
    /// Deletes the attendee's named response to the set, and the mark that the attendee has answered it.
    func deleteResponse(of attendee: AttendeeID, set: String) throws(JournalError)
    /// Publishes the held-back responses of the set, and gives all of them the same hour. With separate
    /// hours, an observer could tell the answers of one group apart.
    func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError)
    /// Stores whether the set's rows have been shuffled since the set closed. A new response resets this
    /// mark.
    func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError)
    /// Records that the order of rows in the file may reveal something. `awaitsShuffle` then returns true
    /// until the next rewrite.
    func noteOrder() throws(JournalError)

    // Presenters
    func insert(_ link: PresenterLink) throws(JournalError)
    func delete(_ link: PresenterLinkID) throws(JournalError)
}

extension WritableRows {
    // For an engine that has only one node.
    package func catchUp(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {}
    package func takeOverJobs() throws(JournalError) -> [StoredJob] { try jobs() }
    // For an engine that waits for each result.
    package func lookAhead(_ ask: () -> Void) throws(JournalError) {}

    /// Begins a batch, and ignores the commits of other nodes.
    package func begin() throws(JournalError) { try begin { _ in } }
    /// Commits a batch with an empty note for other nodes.
    package func commit() throws(JournalError) { try commit { CommitNote() } }
}

/// The writes of invitations, images, evidence, names and consents.
package protocol MemberWriting: AnyObject {
    /// Inserts the invitation. Replaces an earlier invitation to the same address.
    func insert(_ invitation: MeetingInvitation) throws(JournalError)
    func delete(_ invitation: MeetingInvitationID) throws(JournalError)
    /// Deletes the invitations of all meetings to this address.
    func deleteInvitations(to email: IdentityKey) throws(JournalError)
    /// Sets the meeting's image; nil deletes the image.
    func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError)
    /// Deletes the device marks and networks of the session's next `limit` attendees after `last`, in the
    /// order of their ids; all other data stays. Returns the last of these attendees. If there are fewer than
    /// `limit`, notes that the session has no more evidence, and returns nil.
    func forgetEvidence(
        of session: SessionID, after last: AttendeeID?, limit: Int
    ) throws(JournalError) -> AttendeeID?
    /// Sets the state of the session's names, by which `sessionsWithNames` finds it.
    func setNames(_ names: StoredNames, of session: SessionID) throws(JournalError)
    /// Deletes at most `limit` corrections of the session's attendees, and the keys and grants of merged
    /// records. Returns whether there may be more.
    func forgetCorrections(of session: SessionID, limit: Int) throws(JournalError) -> Bool
    /// Stores a new text of the meeting.
    func insert(_ consent: DatedConsent, of meeting: MeetingID) throws(JournalError)
}
