import Journal
import Meetings

/// The rows of one PostgreSQL connection; the folder `Rows` has their statements. The connection belongs to
/// the writer, or to a reader, whose transactions are read-only.
///
/// `@unchecked Sendable`: only one thread uses this object, as with its `Connection` (see the proof there).
final class SQLRows: WritableRows, @unchecked Sendable {
    let connection: Connection
    /// The zones that were already made, by name, because making a zone reads the zone database.
    var zones: [String: Zone] = [:]
    /// The meetings that jobs have changed only in part; nil unless a query runs to find whether it reads
    /// one.
    var unsettledMeetings: Set<MeetingID>?
    var hasMetUnsettled = false
    /// The decoded questions, which all connections share.
    let decoded: DecodedQuestions
    /// Nil: searches scan the rows. The writer can lose its lock, and another server could then change rows
    /// unnoticed.
    var searched: SearchTexts? { nil }
    var snapshot: Int { 0 }
    /// The sessions whose rows this batch has locked.
    private var lockedSessions: Set<SessionID> = []
    /// Whether this batch has noted that a shuffle is due.
    private var hasNotedOrder = false
    /// Begins a shuffle. Nil for a reader.
    private let makeShuffle: ((SQLRows) -> Shuffle)?
    /// Prepares a new connection of the writer after the old one broke. Nil for a reader.
    private let takeOver: ((Connection) throws(JournalError) -> Void)?

    init(
        _ connection: Connection, decoded: DecodedQuestions, makeShuffle: ((SQLRows) -> Shuffle)? = nil,
        takeOver: ((Connection) throws(JournalError) -> Void)? = nil
    ) {
        (self.connection, self.decoded) = (connection, decoded)
        (self.makeShuffle, self.takeOver) = (makeShuffle, takeOver)
    }

    private static let savepoint = Query("savepoint", "SAVEPOINT command")
    private static let release = Query("release", "RELEASE command")
    private static let rollBackTo = Query("roll back to savepoint", "ROLLBACK TO command")
    private static let noteShuffle = Query(
        "note shuffle",
        """
        INSERT INTO meta VALUES ('erased', CAST(pg_current_xact_id() AS text))
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """)
    private static let shuffleIsDue = Query(
        "find note of shuffle", "SELECT 1 FROM meta WHERE key = 'erased'")
    private static let lockSession = Query(
        "lock session", "SELECT 1 FROM sessions WHERE id = ? FOR NO KEY UPDATE")

    /// Runs `query` in one read-only transaction, which sees one state: "all statements of the current
    /// transaction can only see rows committed before the first query … was executed in this transaction"
    /// (sql-set-transaction).
    ///
    /// Returns nil if the query read a meeting that a job has changed only in part, in this state of the
    /// database. The caller then waits for the job and runs the query again.
    /// - Parameter limit: ignored; `statement_timeout` of the connection limits the query.
    func answer<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found, _ unsettled: UnsettledMeetings,
        limit: Int? = nil
    ) -> Result<Found, JournalError>? {
        let wasOpen = connection.isOpen
        let result = answerOnce(query, unsettled)
        // A query can run again, because it changes nothing.
        guard case .failure = result, wasOpen, !connection.isOpen else { return result }
        return answerOnce(query, unsettled)
    }

    private func answerOnce<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found, _ unsettled: UnsettledMeetings
    ) -> Result<Found, JournalError>? {
        let ended = unsettled.ended
        do throws(JournalError) {
            try connection.reconnect()
            try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            let found = Result { () throws(JournalError) in try query(self) }
            // A failed statement has ended the transaction, so a second run could not read.
            if case .success = found, unsettled.started != ended, try meetsUnsettled(query) {
                connection.rollBack()
                return nil
            }
            let value = try found.get()
            try connection.commit()
            return .success(value)
        } catch {
            connection.rollBack()
            return .failure(error)
        }
    }

    // MARK: Batches

    func begin() throws(JournalError) {
        try connection.reconnect(takeOver)
        lockedSessions = []
        hasNotedOrder = false
        try connection.begin()
    }

    var writtenRows: Int { connection.writtenRows }
    func savepoint() throws(JournalError) { try connection.run(Self.savepoint) }
    func release() throws(JournalError) { try connection.run(Self.release) }

    func rollBackToSavepoint() throws(JournalError) {
        // "ROLLBACK TO SAVEPOINT … the savepoint remains valid" (sql-rollback-to), so it must be released
        // too. Locks that were taken after the savepoint are released.
        lockedSessions = []
        hasNotedOrder = false
        try connection.run(Self.rollBackTo)
        try connection.run(Self.release)
    }

    func commit() throws(JournalError) { try connection.commit() }
    func rollBack() { connection.rollBack() }

    /// Locks the session's row until the end of the batch, before the batch takes a sequence of the session.
    /// So the commits of a session follow one another, and no reader sees a sequence before the one below it.
    func lock(_ session: SessionID) throws(JournalError) {
        guard lockedSessions.insert(session).inserted else { return }
        _ = try connection.first(Self.lockSession, session) { _ in true }
    }

    /// Notes that personal data was deleted. Each function of `SQLRows` that deletes a person's data must
    /// call this function. The next shuffle also frees the space of deleted rows.
    func noteErasure() throws(JournalError) { try noteOrder() }

    /// Notes that the rows' order shows who answered what, so that a shuffle must run. The note holds the
    /// number of the newest transaction that made it. A shuffle removes only the note that it began with,
    /// also if another server has made or removed a note meanwhile.
    func noteOrder() throws(JournalError) {
        guard !hasNotedOrder else { return }
        try connection.run(Self.noteShuffle)
        hasNotedOrder = true
    }

    func awaitsShuffle() throws(JournalError) -> Bool {
        try connection.first(Self.shuffleIsDue) { _ in true } ?? false
    }

    func beginRewrite() throws(JournalError) -> any FileRewrite {
        guard let makeShuffle else { preconditionFailure("a reader cannot shuffle rows") }
        return makeShuffle(self)
    }
}
