package import Meetings

/// The writes of a store's one writing connection. Used on the writer's queue only.
package protocol WritableRows: ReadableRows, CorrectionWriting, RosterWriting, StoredResponseWriting,
    MemberWriting
{
    // A batch is one transaction. If a batch must roll back single commands, each runs in a savepoint.
    func begin() throws(JournalError)
    /// The number of rows that this connection has written so far. While it stays equal, nothing was written.
    var writtenRows: Int { get }
    func savepoint() throws(JournalError)
    func release() throws(JournalError)
    func rollBackToSavepoint() throws(JournalError)
    /// Makes the batch durable. If it throws, nothing of the batch is stored and no transaction is open.
    func commit() throws(JournalError)
    /// Never fails: it does nothing if the engine has rolled back by itself.
    func rollBack()
    /// Rewrites the file in key order and empties the log, so that row order reveals no insertion order.
    /// Called outside a batch.
    func shuffle() throws(JournalError)

    // Accounts
    func insert(_ account: Account) throws(JournalError)
    func update(_ account: Account) throws(JournalError)
    /// From now on there has been an operator.
    func noteOperator() throws(JournalError)
    /// With its tokens, memberships, presenter links and invitations.
    func delete(_ account: AccountID) throws(JournalError)
    func insert(_ token: Token) throws(JournalError)
    /// Marks a refresh token as used. Deletes the access tokens of its sign-in, and its oldest used refresh
    /// tokens beyond `keeping`.
    func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError)
    /// Deletes every token of the sign-in, used ones included.
    func deleteTokens(signIn: ID<Token>) throws(JournalError)
    func deleteTokens(expiredBefore now: Instant) throws(JournalError)

    // Meetings
    func insert(_ meeting: Meeting) throws(JournalError)
    func update(_ meeting: Meeting) throws(JournalError)
    /// With its sessions and everything in them.
    func delete(_ meeting: MeetingID) throws(JournalError)
    /// Nil ends the membership.
    func setRole(_ role: Role?, of account: AccountID, in meeting: MeetingID) throws(JournalError)

    // Sessions
    func insert(_ session: Session) throws(JournalError)
    func update(_ session: Session) throws(JournalError)
    /// With everything in it.
    func delete(_ session: SessionID) throws(JournalError)
    /// Once a batch and session, before the commit.
    func saveCounters(of session: SessionID, sequence: Int64, headCount: HeadCount) throws(JournalError)

    // Attendees. The (session, key) and (session, grant) pairs are unique; the commands look before they
    // insert, and the index stands behind them.
    func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError)
    /// Everything but the key and the grant.
    func update(_ attendee: Attendee) throws(JournalError)
    /// Sets the grant by which an awaited attendee came in.
    func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError)
    /// With the named responses and the marks of answered sets.
    func delete(_ attendee: AttendeeID) throws(JournalError)
    /// Gives `present` or `late` by `lateAfter` to every attendee whose status the rule gave. Returns the ids
    /// of those it changed, with the count after it.
    func recomputeStatuses(of session: SessionID, lateAfter: Instant) throws(JournalError) -> (
        changed: [Attendee], headCount: HeadCount
    )

    func append(_ event: Event) throws(JournalError)

    // Feedback
    /// Inserts or replaces the set's settings and its questions; responses stay.
    func save(_ set: QuestionSet, of session: SessionID) throws(JournalError)
    /// The set's settings and counters alone.
    func saveSettings(of set: QuestionSet, in session: SessionID) throws(JournalError)
    func save(_ tally: TallyRecord, of question: QuestionID) throws(JournalError)
    /// Returns false if the attendee has answered the set already.
    func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    func insert(_ response: Response, published: Bool) throws(JournalError)
    /// Publishes the responses that were held back, all with one hour. With separate hours, an observer could
    /// tell the answers of one group apart.
    func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError)
    /// Notes whether the set's rows have been shuffled since it closed; a new response reverts this.
    func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError)

    // Presenters
    func insert(_ link: PresenterLink) throws(JournalError)
    func delete(_ link: PresenterLinkID) throws(JournalError)
}

/// Writing invitations, images and evidence.
package protocol MemberWriting: AnyObject {
    /// Replaces an earlier invitation to the same address.
    func insert(_ invitation: MeetingInvitation) throws(JournalError)
    func delete(_ invitation: MeetingInvitationID) throws(JournalError)
    /// Nil deletes the image.
    func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError)
    /// Deletes device marks and networks; the rest stays.
    func forgetEvidence(of session: SessionID) throws(JournalError)
}
