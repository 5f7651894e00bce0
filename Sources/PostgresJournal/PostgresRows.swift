import Glibc
import Journal
import Meetings
import SQLJournal

/// The rows of one PostgreSQL connection; `SQLRows` has their statements. The connection belongs to
/// the writer, or to a reader, whose transactions are read-only.
///
/// `@unchecked Sendable`: only one thread uses this object, as with its `Connection` (see the proof there).
final class PostgresRows: SQLRows, @unchecked Sendable {
    let connection: Connection
    /// The zones that were already made, by name, because making a zone reads the zone database.
    var zones: [String: Zone] = [:]
    /// The meetings and sessions that the running query has read; nil for the writer.
    var notes: ReadNotes?
    /// The decoded questions, which all connections share.
    let decoded: DecodedQuestions
    /// Nil: searches scan the rows, because other nodes change them, too.
    var searched: SearchTexts? { nil }
    var snapshot: Int { 0 }
    /// Whether this batch has noted that a shuffle is due.
    private var hasNotedOrder = false
    /// Begins a shuffle. Nil for a reader.
    private let makeShuffle: ((PostgresRows) -> Shuffle)?
    /// This server as one of the database's nodes. Nil for a reader.
    private let node: Node?

    init(
        _ connection: Connection, decoded: DecodedQuestions, node: Node? = nil,
        makeShuffle: ((PostgresRows) -> Shuffle)? = nil
    ) {
        (self.connection, self.decoded, self.node) = (connection, decoded, node)
        self.makeShuffle = makeShuffle
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
        do throws(JournalError) {
            try connection.reconnect()
            try connection.beginSnapshot()
            // Another node may run jobs, so every query looks for them. The first statement of the query
            // waits for this one, too.
            var busy: Set<MeetingID> = []
            try connection.readLater(Node.visibleJobs) { row throws(JournalError) in
                busy.insert(try row.id(1))
            }
            notes = ReadNotes()
            let value = try query(self)
            try connection.settle()
            if try hasRead(busy) {
                connection.rollBack()
                return nil
            }
            try connection.endSnapshot()
            return .success(value)
        } catch {
            connection.rollBack()
            return .failure(error)
        }
    }

    // MARK: Batches

    func begin(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        // The notes of many commits should not be read while all other nodes wait.
        if node?.isFarBehind == true { try catchUp(taking: take) }
        try beginUnnoticed()
        do throws(JournalError) {
            try node?.pass(to: take, connection)
            // The batch has waited for the lock, and takes the commands that have arrived meanwhile.
            try node?.checkClock()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Begins a transaction of which other nodes learn nothing. Only the commits of other nodes wait for it.
    func beginUnnoticed() throws(JournalError) {
        try reconnect()
        hasNotedOrder = false
        try connection.beginLater()
        do throws(JournalError) { try node?.lockCommits(connection) } catch {
            connection.rollBack()
            throw error
        }
    }

    private func reconnect() throws(JournalError) {
        try connection.reconnect { connection throws(JournalError) in try self.node?.join(connection) }
    }

    func catchUp(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        try reconnect()
        try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        do throws(JournalError) {
            try node?.pass(to: take, connection)
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    func takeOverJobs() throws(JournalError) -> [StoredJob] {
        try reconnect()
        let own = try node?.takeOverJobs(connection) ?? []
        return try jobs().filter { own.contains($0.id) }
    }

    var writtenRows: Int { connection.writtenRows }
    func lookAhead(_ ask: () -> Void) throws(JournalError) { try connection.lookAhead(ask) }
    func savepoint() throws(JournalError) { try connection.run(Self.savepoint) }
    func release() throws(JournalError) { try connection.run(Self.release) }

    func rollBackToSavepoint() throws(JournalError) {
        // "ROLLBACK TO SAVEPOINT … the savepoint remains valid" (sql-rollback-to), so it must be released
        // too.
        hasNotedOrder = false
        try connection.run(Self.rollBackTo)
        try connection.run(Self.release)
    }

    func commit(_ note: () -> CommitNote) throws(JournalError) {
        guard let node else { return try connection.commit() }
        let number: Int64
        do throws(JournalError) { number = try node.append(note(), connection) } catch {
            connection.rollBack()
            throw error
        }
        try finishCommit(number)
    }

    /// Commits the batch, whose note has this number. If the answer is lost, looks for the note.
    func finishCommit(_ number: Int64) throws(JournalError) {
        guard let node else { preconditionFailure("a reader commits nothing") }
        do throws(JournalError) { try connection.commit() } catch {
            guard !connection.isOpen, try isStored(number, by: node) else { throw error }
        }
        node.noteCommitted(number)
    }

    /// The number of this server among the nodes; nil for a reader.
    var nodeNumber: Int64? { node?.id }

    /// How long the writer tries to find out the result of a commit whose answer was lost.
    private static let patience = Duration.seconds(3)

    /// Whether the commit was stored, although its connection broke before the answer.
    /// - Throws: `.unknownOutcome` if the server cannot be reached in time.
    private func isStored(_ number: Int64, by node: Node) throws(JournalError) -> Bool {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            do throws(JournalError) {
                try beginUnnoticed()
                defer { connection.rollBack() }
                return try node.hasStored(number, connection)
            } catch {
                guard ContinuousClock.now < deadline else {
                    node.noteUnknownResult()
                    throw .failed(
                        StorageFailure(
                            .unknownOutcome, operation: "commit",
                            detail: "it is unknown whether it was stored"))
                }
            }
            usleep(20_000)
        }
    }

    func rollBack() { connection.rollBack() }

    /// Closes the writer's connection.
    func close() {
        node?.leave(connection)
        connection.close()
    }

    /// Notes that personal data was deleted. The next shuffle also frees the space of deleted rows.
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
