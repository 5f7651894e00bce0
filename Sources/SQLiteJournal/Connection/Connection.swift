import CSQLite
import Glibc
import Journal
import SQLJournal

/// One connection to SQLite and its prepared statements.
///
/// `@unchecked Sendable`: the opening thread makes the connection and passes it once, to the writer's queue
/// or to one reading thread, and only that thread uses it until the thread has ended. A connection of
/// `FreeConnections` passes from user to user. Locks protect all transfers. The connection is opened with
/// `SQLITE_OPEN_NOMUTEX`, for which SQLite requires exactly this use ("as long as each thread is using a
/// different database connection", c3ref/open.html). Only `interrupt` is called by another thread.
final class Connection: SQLConnection, @unchecked Sendable {
    /// SQLite's handle of the connection; nil after `close`.
    private(set) var handle: OpaquePointer?
    private var statements: [ObjectIdentifier: SQLiteStatement] = [:]
    /// Whether a batch is open: true from `begin` to the end of the batch.
    private var inBatch = false
    /// The error with which SQLite rolled the batch back without a request. Later statements of the batch
    /// must fail with this error, because they would otherwise run outside the batch, and their changes would
    /// be permanent.
    private var lost: JournalError?

    /// The number of steps that the statements may still take; nil for no limit. Below zero, all statements
    /// fail with SQLITE_INTERRUPT.
    private var stepsLeft: Int?
    /// Receives the keys of changed rows while a rewrite runs. It is set as long as SQLite's hook is.
    private(set) var recorder: ChangeRecorder?

    /// Records the first damage that a statement finds in the database file. Nil for connections that serve
    /// no requests.
    private let damage: FoundDamage?

    /// The use of the connection. It decides which files SQLite may change.
    enum Purpose {
        /// The server serves requests. Closing the connection moves the log into the database file, unless
        /// `leaveLog` was called.
        case serving
        /// A command inspects the data, in any state of the files. A server may be running. SQLite changes
        /// neither the database nor its log.
        case looking
        /// A command inspects the data while no server runs. SQLite changes no file, not even the index of
        /// the log.
        case touchingNothing
        /// A command inspects the data in the database file alone, without its log, while no server runs.
        /// SQLite changes no file.
        case ignoringLog
        /// A command reads a file that may be on a read-only medium.
        case reading
    }

    /// The name of the file system for `sqlite3_open_v2`. The first connection of the process sets SQLite up
    /// and registers the file system.
    private static let fileSystem: String? = {
        qring_sqlite_count_no_memory()
        return GatheredLog.registerFileSystem()
    }()

    init(path: String, for purpose: Purpose = .serving, damage: FoundDamage? = nil) throws(JournalError) {
        let fileSystem = Self.fileSystem
        self.damage = damage
        let hasLog = purpose != .ignoringLog && Self.hasLog(path)
        let isLooking = [.looking, .touchingNothing, .ignoringLog].contains(purpose)
        // "The database file is on read-only media and cannot be changed" (c3ref/open.html). If there is no
        // log, all data is in the database file. If there is a log, SQLite must write an index of the log.
        let isFixed = isLooking && !hasLog && (purpose != .looking || Self.isFixed(path))
        let access = purpose == .reading || isFixed ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(
            isFixed ? Self.immutableURI(path) : path, &handle,
            access | (isFixed ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem
        )
        guard code == SQLITE_OK, qring_sqlite_be_strict(handle) == SQLITE_OK,
            !(isLooking && hasLog) || qring_sqlite_leave_log(handle, 1) == SQLITE_OK
        else {
            let error = failure("open", code)
            // "Whether or not an error occurs when it is opened, resources … should be released"
            // (c3ref/open.html).
            sqlite3_close_v2(handle)
            handle = nil
            throw error
        }
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        if isLooking { try execute("PRAGMA query_only = ON", "open") }
        // "If the locking mode is EXCLUSIVE when first entering WAL journal mode, then … the WAL-index is
        // [in] heap memory" (wal.html §8).
        if purpose == .touchingNothing, hasLog { try execute("PRAGMA locking_mode = EXCLUSIVE", "open") }
    }

    /// Opens a database for a command that inspects it while a server may run. The server may replace the
    /// file and its log during the opening (`SQLiteFileRewrite`). Then this function opens the files
    /// again, because a database with the log of another file would look damaged. If no server runs, a
    /// foreign log is ignored, as the next start ignores it.
    static func looking(at path: String) throws(JournalError) -> Connection {
        let folder = DataFolder(path: PrivateFile.folder(of: path))
        if hasLog(path), folder.holder == nil, folder.foreignLog() != nil {
            return try Connection(path: path, for: .ignoringLog)
        }
        while true {
            let before = FileIdentity.all(of: path)
            let connection = try Connection(path: path, for: .looking)
            // The first read opens the log. If it fails, a later statement fails for the same reason.
            sqlite3_exec(connection.handle, "PRAGMA schema_version", nil, nil, nil)
            let after = FileIdentity.all(of: path)
            // Opening may create the log and its index.
            if zip(before, after).allSatisfy({ $0 == nil || $0 == $1 }) { return connection }
            connection.close()
        }
    }

    deinit { close() }

    /// Whether the database has a log with content. If it has none, closing may remove the files that opening
    /// created.
    static func hasLog(_ path: String) -> Bool { (PrivateFile.size(path + "-wal") ?? 0) > 0 }

    /// Whether the file is read-only for this process, as on a read-only mount, and no server writes the
    /// file.
    private static func isFixed(_ path: String) -> Bool {
        let folder = PrivateFile.folder(of: path)
        return (access(path, W_OK) != 0 || access(folder, W_OK) != 0)
            && DataFolder(path: folder).holder == nil
    }

    private static func immutableURI(_ path: String) -> String {
        // Escape the characters that have a meaning in a URI (uri.html §3.1).
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?immutable=1"
    }

    /// The longest wait for a lock, in milliseconds. There is one writer, and readers never block the writer
    /// in WAL mode. Therefore only a checkpoint or a person's SQLite shell can hold a lock.
    static let busyMilliseconds: Int32 = 5000

    func close() {
        for statement in statements.values { sqlite3_finalize(statement.handle) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
        recorder = nil
    }

    /// Closes this connection and continues as `fresh`, which must not be used afterwards. A batch must
    /// not be open.
    func become(_ fresh: Connection) {
        close()
        swap(&handle, &fresh.handle)
    }

    /// Passes the key of every row that this connection changes to `recorder`, or stops it if `recorder`
    /// is nil. Changes by foreign keys and by REPLACE are included. A statement `DELETE FROM table`
    /// without WHERE would report no rows if it was prepared before, so this project has no such statement
    /// (`PlanTests`).
    func record(_ recorder: ChangeRecorder?) {
        self.recorder = recorder
        guard let recorder else {
            sqlite3_preupdate_hook(handle, nil, nil)
            return
        }
        // The connection keeps the recorder alive as long as the hook is set.
        sqlite3_preupdate_hook(
            handle,
            { recorder, database, operation, _, table, _, _ in
                guard let recorder, let table else { return }
                Unmanaged<ChangeRecorder>.fromOpaque(recorder).takeUnretainedValue()
                    .note(database, operation, table: table)
            }, Unmanaged.passUnretained(recorder).toOpaque())
    }

    // MARK: Statements

    /// Runs a statement that returns no rows. `bind` sets the parameters and returns SQLite's result code.
    func run(_ query: Query, binding bind: (OpaquePointer) -> Int32) throws(JournalError) {
        let statement = try prepared(query)
        defer { statement.reset() }
        _ = try statement.run(bind(statement.handle))
    }

    /// Runs a query and reads its first row. `bind` sets the parameters and returns SQLite's result code.
    func first<Found>(
        _ query: Query, binding bind: (OpaquePointer) -> Int32,
        read: (SQLiteStatement) throws(JournalError) -> Found
    ) throws(JournalError) -> Found? {
        let statement = try prepared(query)
        defer { statement.reset() }
        return try statement.step(bind(statement.handle)) ? try read(statement) : nil
    }

    /// Runs a query and passes its rows to `body`, one after the other, until `body` returns false.
    func each(
        _ query: Query, _ body: (SQLiteStatement) throws(JournalError) -> Bool
    ) throws(JournalError) {
        let statement = try prepared(query)
        defer { statement.reset() }
        while try statement.step(SQLITE_OK), try body(statement) {}
    }

    /// Runs several statements that have no parameters and no results, such as settings and migrations.
    func execute(_ text: String, _ operation: String) throws(JournalError) {
        let code = sqlite3_exec(try open(operation), text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(operation, code) }
    }

    /// The statements that this connection has prepared. Tests check their query plans.
    var preparedQueries: [Query] { statements.values.map(\.query) }

    /// The number of steps that SQLite's virtual machine has executed for each operation
    /// (c3ref/c_stmtstatus_counter.html). Tests use it to compare costs, because the load of the machine does
    /// not change it.
    var machineSteps: [String: Int] {
        var steps: [String: Int] = [:]
        for statement in statements.values {
            steps[statement.query.operation, default: 0] += Int(
                sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0))
        }
        return steps
    }

    func statement(_ query: Query) throws(JournalError) -> any Statement { try prepared(query) }

    private func prepared(_ query: Query) throws(JournalError) -> SQLiteStatement {
        if let lost { throw lost }
        if let statement = statements[ObjectIdentifier(query)] { return statement }
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            try open(query.operation), query.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw failure(query.operation, code) }
        let statement = SQLiteStatement(handle, of: query, on: self)
        statements[ObjectIdentifier(query)] = statement
        return statement
    }

    private func open(_ operation: String) throws(JournalError) -> OpaquePointer {
        guard let handle else { throw .failed(StorageFailure(.closed, operation: operation)) }
        return handle
    }

    // MARK: Batches

    private static let begin = Query("begin", "BEGIN IMMEDIATE")
    private static let commit = Query("commit", "COMMIT")
    private static let rollBack = Query("roll back", "ROLLBACK")

    /// The number of rows that this connection has changed. "Changes made as part of foreign key actions are
    /// included" (c3ref/total_changes.html). Changes that were rolled back are included too.
    var writtenRows: Int { Int(sqlite3_total_changes64(handle)) }

    var transactionIsOpen: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    func begin() throws(JournalError) {
        try run(Self.begin)
        inBatch = true
    }

    func commit() throws(JournalError) {
        do {
            try GatheredLog.gather(for: handle) { () throws(JournalError) in try run(Self.commit) }
            inBatch = false
        } catch {
            // "The transaction remains active" after some failures of COMMIT (lang_transaction.html), but not
            // after others.
            rollBack()
            throw error
        }
    }

    func rollBack() {
        inBatch = false
        lost = nil
        // A scan without steps must still be able to end its transaction.
        if hasNoStepsLeft { stepsLeft = nil }
        // If this statement fails, SQLite has already rolled back. SQLite's manual recommends to run it
        // anyway.
        if transactionIsOpen { _ = try? run(Self.rollBack) }
    }

    /// Returns the error for a result code. Every failure calls this function, because SQLite can roll a
    /// transaction back without a request after FULL, IOERR, NOMEM, BUSY and INTERRUPT. "The only way to find
    /// out is to use [sqlite3_get_autocommit]" (c3ref/get_autocommit.html).
    func failure(_ operation: String, _ code: Int32) -> JournalError {
        // SQLite's message contains names of tables and columns, but never values.
        var detail =
            handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let system = StorageFailure.Reason.system(of: code, handle)
        if system != 0 { detail += " (\(String(cString: strerror(system))))" }
        var reason = StorageFailure.Reason(sqlite: code, system: system)
        if code & 0xFF == SQLITE_INTERRUPT, hasNoStepsLeft { reason = .tooManySteps }
        let failure = StorageFailure(reason, operation: operation, code: code, detail: detail)
        if failure.reason == .damaged { damage?.note(operation: operation, code: code, detail: detail) }
        let error = JournalError.failed(failure)
        if inBatch, !transactionIsOpen { lost = error }
        return error
    }

    // MARK: Steps

    private static let stepsBetweenChecks: Int32 = 1_000

    fileprivate var hasNoStepsLeft: Bool { stepsLeft.map { $0 < 0 } ?? false }

    /// Limits the steps of SQLite's virtual machine that all following statements may take together. Above
    /// the limit, the running statement and all later ones fail with `.tooManySteps`, until this function is
    /// called again. SQLite counts only about every 1,000 steps.
    /// - Parameter limit: nil for no limit.
    func limitSteps(to limit: Int?) {
        stepsLeft = limit
        // "The progress handler callback must not do anything that will modify the database connection that
        // invoked the progress handler" (c3ref/progress_handler.html). It runs on the thread of the
        // statement.
        sqlite3_progress_handler(
            handle, limit == nil ? 0 : Self.stepsBetweenChecks,
            { connection in
                guard let connection else { return 0 }
                return Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().countSteps() ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns false if no steps are left.
    private nonisolated func countSteps() -> Bool {
        guard let left = stepsLeft else { return true }
        stepsLeft = left - Int(Self.stepsBetweenChecks)
        return !hasNoStepsLeft
    }

    // MARK: The log

    /// Sets whether closing leaves the log unchanged. The log must not change until the files have been
    /// checked.
    func leaveLog(_ leaves: Bool) throws(JournalError) {
        let code = qring_sqlite_leave_log(try open("set up"), leaves ? 1 : 0)
        guard code == SQLITE_OK else { throw failure("set up", code) }
    }

    /// Interrupts the statement that another thread runs on this connection. The statement then fails with
    /// SQLITE_INTERRUPT. SQLite allows this call "from a different thread" (c3ref/interrupt.html).
    /// - Note: this method reads `handle`, which `close` writes. So one lock must protect both calls, as in
    ///   `FileCheck`.
    func interrupt() { if let handle { sqlite3_interrupt(handle) } }

    /// Copies the part of the log that no reader needs into the database file. The function does not wait and
    /// does not empty the log. The writer may continue meanwhile.
    func checkpoint(_ schema: String) throws(JournalError) {
        let code = sqlite3_wal_checkpoint_v2(
            try open("checkpoint"), schema, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw failure("checkpoint", code) }
    }

    /// Moves the log into the database file and empties the log, so that nobody can read old content in it.
    /// Returns false if a reader still needs the log.
    func emptyLog(waiting: Bool) throws(JournalError) -> Bool {
        let handle = try open("checkpoint")
        if !waiting { sqlite3_busy_timeout(handle, 0) }
        defer { if !waiting { sqlite3_busy_timeout(handle, Self.busyMilliseconds) } }
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED { return false }
        guard code == SQLITE_OK else { throw failure("checkpoint", code) }
        return true
    }
}

/// The SQLite settings of connections, with the reason for each setting.
enum Settings {
    /// The size of a page, in bytes.
    static let pageSize = 2048

    /// The settings for a new file. SQLite must run them before it writes the first page. A check-in changes
    /// six b-trees, two of them at random positions, and SQLite writes whole pages to the log. With pages of
    /// 2,048 bytes, a batch of 64 check-ins took 22–26 µs of CPU for each check-in; with 4,096 bytes, 30–41
    /// µs (on a busy machine). Pages of 1,024 bytes were not faster, and would put rows of more than 231
    /// bytes, such as rows with long Korean names, on overflow pages.
    static let ofNewFile = """
        PRAGMA page_size = \(pageSize);
        PRAGMA auto_vacuum = NONE;
        PRAGMA encoding = 'UTF-8';
        """

    /// The settings for every opening. The journal mode is stored in the file's header. `trusted_schema`
    /// belongs to the connection and is off, as security.html recommends.
    static let ofFile = """
        PRAGMA journal_mode = WAL;
        PRAGMA trusted_schema = OFF;
        """

    /// The settings of the writer's connection.
    ///
    /// - synchronous FULL: a commit is on the disk when the statement returns. With NORMAL, a power cut could
    ///   lose the last commits.
    /// - secure_delete ON: SQLite overwrites deleted content with zeros, also in pages that become free. FAST
    ///   would not overwrite free pages.
    /// - wal_autocheckpoint: SQLite runs a checkpoint after every 4 MB of log. A commit that runs a
    ///   checkpoint takes longer: the slowest of a hundred batches of 64 commits took 5–8 ms. With 16 MB it
    ///   took 10–12 ms, at the same throughput.
    /// - cache_size: 4 MB. After a page has split, a commit searches the whole cache, so a larger cache makes
    ///   commits slower (decision 0077). The pages of large indexes are in the system's cache.
    /// - journal_size_limit: SQLite makes the log smaller after a burst of commits.
    static let ofWriter = """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -4096;
        PRAGMA wal_autocheckpoint = 2000;
        PRAGMA journal_size_limit = 67108864;
        """

    /// The settings of the reading connections.
    static let ofReader = """
        PRAGMA query_only = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cache_size = -16384;
        """
}
