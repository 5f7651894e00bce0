import Journal
import Meetings

/// The rows of one connection: the writer's, or a reader's, which is opened `query_only`.
///
/// `@unchecked Sendable`: used by one thread at a time, as its connection is (see there).
final class SQLiteRows: WritableRows, @unchecked Sendable {
    let connection: Connection
    /// Zones by name: making one reads the zone database.
    private var zones: [String: Zone] = [:]
    /// Whether something personal has been deleted that the log may still show.
    private var logHoldsErased = false

    /// The writer's: its file, and the epoch that is written there.
    private let mark: (file: MarkFile, epoch: String)?
    /// The writer's: what it writes to.
    private let files: FilesInPlace?
    /// The writer's: what ends all writing.
    private let damage: FoundDamage?

    init(
        _ connection: Connection, mark: (file: MarkFile, epoch: String)? = nil, files: FilesInPlace? = nil,
        damage: FoundDamage? = nil
    ) {
        self.connection = connection
        self.mark = mark
        self.files = files
        self.damage = damage
    }

    private func checkFiles() throws(JournalError) {
        try damage?.check()
        try files?.check()
    }

    private static let beginReading = Query("begin reading", "BEGIN")
    private static let endReading = Query("end reading", "COMMIT")
    private static let savepoint = Query("savepoint", "SAVEPOINT command")
    private static let release = Query("release", "RELEASE command")
    private static let rollBackTo = Query("roll back to savepoint", "ROLLBACK TO command")
    private static let noteErasure = Query(
        "note erasure", "INSERT INTO meta VALUES ('erased', '1') ON CONFLICT DO NOTHING")
    private static let forgetErasure = Query("forget erasure", "DELETE FROM meta WHERE key = 'erased'")
    private static let erasure = Query("find erasure", "SELECT 1 FROM meta WHERE key = 'erased'")
    private static let vacuum = Query("shuffle", "VACUUM")

    /// Runs `query` in one read transaction: "a SELECT … in a read transaction sees an unchanging snapshot"
    /// (isolation.html).
    func answer<Found>(_ query: (any ReadableRows) throws(JournalError) -> Found) -> Result<
        Found, JournalError
    > {
        do throws(JournalError) {
            try connection.run(Self.beginReading)
            let found = try query(self)
            try connection.run(Self.endReading)
            return .success(found)
        } catch {
            connection.rollBack()
            return .failure(error)
        }
    }

    func zone(_ row: Row, _ column: Int32) throws(JournalError) -> Zone {
        let name = row.text(column)
        if let zone = zones[name] { return zone }
        guard let zone = Zone(name) else { throw row.damaged("this machine does not know the zone", column) }
        zones[name] = zone
        return zone
    }

    // MARK: Batches

    func begin() throws(JournalError) {
        try damage?.check()
        try connection.begin()
    }

    var writtenRows: Int { connection.writtenRows }
    func savepoint() throws(JournalError) { try connection.run(Self.savepoint) }
    func release() throws(JournalError) { try connection.run(Self.release) }

    func rollBackToSavepoint() throws(JournalError) {
        // "The ROLLBACK TO command does not cancel the transaction" nor the savepoint (lang_savepoint.html):
        // it is released too.
        try connection.run(Self.rollBackTo)
        try connection.run(Self.release)
    }

    func commit() throws(JournalError) {
        if let mark {
            let count: Int64
            let now = MarkFile.now
            do {
                // As late as the batch can still be taken back. What is moved during the commit itself goes
                // as if it were moved just after.
                try checkFiles()
                count = try connection.countCommit(at: now)
            } catch {
                connection.rollBack()
                throw error
            }
            try connection.commit()
            mark.file.write(epoch: mark.epoch, count: count, at: now)
        } else {
            try connection.commit()
        }
        guard logHoldsErased else { return }
        // The batch is durable, whatever this says. Where a reader needs the log, the next commit tries
        // again.
        if (try? connection.emptyLog(waiting: false)) == true { logHoldsErased = false }
    }

    func rollBack() { connection.rollBack() }

    /// To be called where a person's data is deleted: the log is emptied after the commit, so that the old
    /// pages cannot be read in it. What `secure_delete` overwrites is the row itself. A page that was split
    /// before may still show copies of rows that moved away, in bytes it does not use (3 of 300 erased names,
    /// in a trial with 3,000); they go with the next shuffle.
    func noteErasure() throws(JournalError) {
        logHoldsErased = true
        try connection.run(Self.noteErasure)
    }

    func awaitsShuffle() throws(JournalError) -> Bool {
        try connection.first(Self.erasure) { _ in true } ?? false
    }

    func shuffle() throws(JournalError) {
        try checkFiles()
        try connection.run(Self.vacuum)
        guard try connection.emptyLog(waiting: true) else {
            throw .failed(StorageFailure(.busy, operation: "shuffle", detail: "a reader holds the log"))
        }
        logHoldsErased = false
        if try awaitsShuffle() {
            try connection.run(Self.forgetErasure)
            _ = try connection.emptyLog(waiting: false)
        }
    }
}
