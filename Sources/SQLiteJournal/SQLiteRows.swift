import Journal
import Meetings
import SQLJournal
import Threads

/// The rows of one SQLite connection, with its batches; `SQLRows` has the statements. The connection belongs
/// to the writer, or to a reader, which is opened `query_only`.
///
/// `@unchecked Sendable`: only one thread at a time uses this object, as with its `Connection` (see the proof
/// there). For a reader, `reading` orders its own thread and the rewriting thread.
final class SQLiteRows: SQLRows, @unchecked Sendable {
    let connection: Connection
    /// The zones that were already made, by name, because making a zone reads the zone database.
    var zones: [String: Zone] = [:]
    /// The meetings and sessions that a query has read; nil unless the query runs a second time to record
    /// them.
    var notes: ReadNotes?
    /// Whether the log may still contain personal data that was deleted.
    private var logHoldsErased = false

    /// The disk space for the next opening. Only the writer has it.
    private let reserve: SpaceReserve?
    /// The mark's file, and the epoch to write to the file. Only the writer has a mark.
    private let mark: (file: MarkFile, epoch: String)?
    /// The open files, which a rewrite replaces.
    private let files: OpenFiles
    /// The damage that was found, which ends all writing.
    private let damage: FoundDamage
    /// The decoded questions, which all connections share.
    let decoded: DecodedQuestions
    /// The texts that searches compare, which all connections share. Nil if other processes may write.
    let searched: SearchTexts?
    /// The last batch that the running query's snapshot shows for certain.
    private(set) var snapshot = 0
    /// The number of calls of `noteOrder` so far, including those of batches that were rolled back.
    private(set) var shuffleNotes = 0
    /// Begins a rewrite of the file. Nil for a reader.
    private let makeRewrite: ((SQLiteRows) throws(JournalError) -> SQLiteFileRewrite)?

    /// Locked while a reader's query runs, and while the rewriting thread opens the reader's file again.
    private let reading = Condition()
    /// The generation of the file that a reader has open.
    private var generation: Int

    init(
        _ connection: Connection, files: OpenFiles, damage: FoundDamage, decoded: DecodedQuestions,
        searched: SearchTexts?,
        mark: (file: MarkFile, epoch: String)? = nil, reserve: SpaceReserve? = nil,
        makeRewrite: ((SQLiteRows) throws(JournalError) -> SQLiteFileRewrite)? = nil
    ) {
        self.connection = connection
        self.mark = mark
        self.reserve = reserve
        self.files = files
        self.damage = damage
        self.decoded = decoded
        self.searched = searched
        self.makeRewrite = makeRewrite
        generation = files.generation
    }

    var databasePath: String { files.database }

    private func checkFiles() throws(JournalError) {
        try damage.check()
        try files.check()
    }

    private static let beginReading = Query("begin reading", "BEGIN")
    private static let endReading = Query("end reading", "COMMIT")
    private static let savepoint = Query("savepoint", "SAVEPOINT command")
    private static let release = Query("release", "RELEASE command")
    private static let rollBackTo = Query("roll back to savepoint", "ROLLBACK TO command")
    private static let noteShuffle = Query(
        "note shuffle", "INSERT INTO meta VALUES ('erased', '1') ON CONFLICT DO NOTHING")
    private static let shuffleIsDue = Query(
        "find note of shuffle", "SELECT 1 FROM meta WHERE key = 'erased'")

    /// Runs `query` in one read transaction: "a SELECT … in a read transaction sees an unchanging snapshot"
    /// (isolation.html).
    ///
    /// Returns nil if the query read a meeting that a job has changed only in part, in this state of the
    /// database. The caller then waits for the job and runs the query again.
    /// - Parameter limit: the most steps of SQLite's virtual machine that the query may take; nil for no
    ///   limit.
    func answer<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found, _ unsettled: UnsettledMeetings,
        limit: Int? = nil
    ) -> Result<Found, JournalError>? {
        reading.lock()
        defer { reading.unlock() }
        do throws(JournalError) { try openNewFile() } catch { return .failure(error) }
        if let limit { connection.limitSteps(to: limit) }
        defer { if limit != nil { connection.limitSteps(to: nil) } }
        let ended = unsettled.ended
        snapshot = searched?.lastEnded ?? 0
        do throws(JournalError) {
            try connection.run(Self.beginReading)
            let found = Result { () throws(JournalError) in try query(self) }
            // The transaction sees only one state, so a second run reads the same rows as the first.
            if unsettled.started != ended, try meetsUnsettled(query) {
                connection.rollBack()
                return nil
            }
            let value = try found.get()
            try connection.run(Self.endReading)
            return .success(value)
        } catch {
            connection.rollBack()
            return .failure(error)
        }
    }

    /// Whether the query reads a meeting that a visible job is changing.
    private func meetsUnsettled<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found
    ) throws(JournalError) -> Bool {
        let busy = Set(try jobs().filter(\.isVisible).map(\.meeting))
        guard !busy.isEmpty else { return false }
        notes = ReadNotes()
        defer { notes = nil }
        // The result, or the error, is that of the first run.
        _ = Result { () throws(JournalError) in try query(self) }
        return try hasRead(busy)
    }

    /// Opens the file again if a rewrite has replaced it since this reader opened it.
    private func openNewFile() throws(JournalError) {
        let newest = files.generation
        guard generation != newest else { return }
        connection.become(try Self.readingConnection(to: files.database, damage))
        generation = newest
    }

    /// Opens the new file after a rewrite, so that the system frees the space of the old file. It waits
    /// for the end of a running query. If opening fails, the next query tries again.
    func followRewrite() {
        reading.lock()
        defer { reading.unlock() }
        _ = try? openNewFile()
    }

    /// Opens a connection for reading. Closing it leaves the log, which the writer empties.
    static func readingConnection(to path: String, _ damage: FoundDamage) throws(JournalError) -> Connection {
        let connection = try Connection(path: path, damage: damage)
        try connection.leaveLog(true)
        try connection.execute(Settings.ofReader, "set up")
        return connection
    }

    // MARK: Batches

    func begin(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        try damage.check()
        // The opening left the log as it was, because the disk had no room for its pages.
        if try reserve?.check() ?? false { _ = try connection.emptyLog(waiting: false) }
        searched?.batchBegan()
        try connection.begin()
    }

    var writtenRows: Int { connection.writtenRows }
    func savepoint() throws(JournalError) { try connection.run(Self.savepoint) }
    func release() throws(JournalError) { try connection.run(Self.release) }

    func rollBackToSavepoint() throws(JournalError) {
        // "The ROLLBACK TO command does not cancel the transaction" (lang_savepoint.html). It does not remove
        // the savepoint either, so the savepoint must be released too.
        try connection.run(Self.rollBackTo)
        try connection.run(Self.release)
        searched?.rolledBack()
    }

    func commit(_ note: () -> CommitNote) throws(JournalError) {
        var isCommitted = false
        defer { searched?.batchEnded(isCommitted: isCommitted) }
        if let mark {
            let count: Int64
            do {
                // Check the files as late as the batch can still be rolled back. A move during the commit
                // itself counts as a move after the commit.
                try checkFiles()
                count = try connection.countCommit(at: MarkFile.now)
            } catch {
                connection.rollBack()
                throw error
            }
            try connection.commit()
            mark.file.write(epoch: mark.epoch, count: count)
        } else {
            try connection.commit()
        }
        isCommitted = true
        connection.recorder?.publish()
        guard logHoldsErased else { return }
        searched?.dropAll()
        // The batch is durable even if this fails. If a reader needs the log, the next commit tries again.
        if (try? connection.emptyLog(waiting: false)) == true { logHoldsErased = false }
    }

    func rollBack() {
        connection.rollBack()
        searched?.batchEnded(isCommitted: false)
        // The batch was rolled back, so its rows have not changed. Copying them again does no harm.
        connection.recorder?.publish()
    }

    /// Notes that personal data was deleted. After the commit, the log is emptied, so that nobody can read
    /// old pages in it. `secure_delete` overwrites the row itself. If a page was split before, its unused
    /// bytes can still contain copies of moved rows (3 of 300 erased names in a trial with 3,000 names). The
    /// next rewrite of the file removes these copies.
    func noteErasure() throws(JournalError) {
        logHoldsErased = true
        try noteOrder()
    }

    func noteOrder() throws(JournalError) {
        shuffleNotes += 1
        try connection.run(Self.noteShuffle)
    }

    func awaitsShuffle() throws(JournalError) -> Bool {
        try connection.first(Self.shuffleIsDue) { _ in true } ?? false
    }

    func beginRewrite() throws(JournalError) -> any FileRewrite {
        guard let makeRewrite else { preconditionFailure("a reader cannot rewrite the file") }
        return try makeRewrite(self)
    }

    /// Continues with a connection to the file that replaced this one. The old log was deleted with the old
    /// file.
    func continueOnNewFile(_ fresh: Connection) {
        connection.become(fresh)
        logHoldsErased = false
    }
}
