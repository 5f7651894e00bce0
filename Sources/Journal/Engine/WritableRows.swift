package import Meetings

/// What the writer's one connection does. Used on the writer's queue only.
package protocol WritableRows: ReadableRows, CorrectionWriting, RosterWriting, StoredResponseWriting,
    MemberWriting
{
    // A batch is one transaction. Each command in it runs in a savepoint, where the batch is one that must
    // take single commands back.
    func begin() throws(JournalError)
    /// Of rows that this connection has written so far: as long as it stands still, nothing was written.
    var writtenRows: Int { get }
    func savepoint() throws(JournalError)
    func release() throws(JournalError)
    func rollBackToSavepoint() throws(JournalError)
    /// Durable on return. When it throws, nothing of the batch is kept and no transaction is open.
    func commit() throws(JournalError)
    /// Never fails: an engine that has rolled back by itself is left alone.
    func rollBack()
    /// Makes neighbours in time strangers in the file: rewrites the database in key order and empties the
    /// log. Outside a batch.
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
    /// What somebody who was awaited came in with.
    func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError)
    /// With its named responses and its marks of having answered.
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
    /// False where the attendee has answered the set already.
    func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool
    func insert(_ response: Response, published: Bool) throws(JournalError)
    /// Shows what waited, all with one hour: by hours of their own, who saw the count of responses move could
    /// tell those of a group apart.
    func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError)
    /// That the set's rows have been shuffled since it closed; a new response takes it back.
    func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError)

    // Presenters
    func insert(_ link: PresenterLink) throws(JournalError)
    func delete(_ link: PresenterLinkID) throws(JournalError)
}
