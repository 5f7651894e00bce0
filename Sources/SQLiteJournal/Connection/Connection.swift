import CSQLite
import Glibc
import Journal

/// One connection and its prepared statements.
///
/// `@unchecked Sendable`: a connection is made on the opening thread, handed over once, to the writer's queue
/// or to one reading thread, and used there only until that has ended; the hand-overs go through locks. It is
/// opened with `SQLITE_OPEN_NOMUTEX`, for which SQLite asks exactly this ("as long as each thread is using a
/// different database connection", c3ref/open.html).
final class Connection: @unchecked Sendable {
    /// Nil once closed.
    private(set) var handle: OpaquePointer?
    private var statements: [ObjectIdentifier: (query: Query, statement: OpaquePointer)] = [:]
    /// Between `begin` and the batch's end.
    private var inBatch = false
    /// Why the batch is gone, where SQLite has rolled it back by itself. Whatever comes then would run, and
    /// last, outside the batch.
    private var lost: JournalError?

    /// Where it notes damage of the file; nil if nobody serves from it.
    private let damage: FoundDamage?

    enum Purpose {
        /// Closing moves the log into the file, unless `leavesLog` is set.
        case serving
        /// Beside a server or without one, in whatever state the files were left. The database and its log
        /// stay as they are.
        case looking
        /// Without a server, and without any change to any file, the index of the log included.
        case touchingNothing
        /// A file that may lie where nothing can be written.
        case reading
    }

    /// Once a process, before its first connection.
    private static let setUp: Void = qring_sqlite_count_no_memory()

    init(path: String, for purpose: Purpose = .serving, damage: FoundDamage? = nil) throws(JournalError) {
        _ = Self.setUp
        self.damage = damage
        let hasLog = Self.hasLog(path)
        let isLooking = purpose == .looking || purpose == .touchingNothing
        // "The database file is on read-only media and cannot be changed" (c3ref/open.html). Without a log,
        // all of the data are in the file; with one, SQLite must write an index of it.
        let isFixed = isLooking && !hasLog && (purpose == .touchingNothing || Self.isFixed(path))
        let access = purpose == .reading || isFixed ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(
            isFixed ? Self.immutableURI(path) : path, &handle,
            access | (isFixed ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
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

    deinit { close() }

    /// Where there is none, what opening makes may go again with closing.
    static func hasLog(_ path: String) -> Bool { (PrivateFile.size(path + "-wal") ?? 0) > 0 }

    /// Whether this process cannot write there, as on a read-only mount, and no server does by another way.
    private static func isFixed(_ path: String) -> Bool {
        let folder = PrivateFile.folder(of: path)
        return (access(path, W_OK) != 0 || access(folder, W_OK) != 0)
            && DataFolder(path: folder).holder == nil
    }

    private static func immutableURI(_ path: String) -> String {
        // The characters with a meaning in a URI (uri.html §3.1).
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:\(escaped)?immutable=1"
    }

    /// Nobody else writes, and readers never block a writer in WAL mode; what is waited for is a checkpoint's
    /// end, or somebody's shell.
    static let busyMilliseconds: Int32 = 5000

    func close() {
        for entry in statements.values { sqlite3_finalize(entry.statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// In their order; anything but `SQLITE_OK` says that one was not taken.
    @inline(__always)
    private func bind<each Value: Bindable>(_ value: repeat each Value, to statement: OpaquePointer) -> Int32
    {
        var code = SQLITE_OK
        var index: Int32 = 0
        for value in repeat each value {
            index += 1
            code |= value.bind(to: statement, at: index)
        }
        return code
    }

    /// Returns the number of rows changed.
    @discardableResult
    func run<each Value: Bindable>(_ query: Query, _ value: repeat each Value) throws(JournalError) -> Int {
        let statement = try prepared(query)
        defer { sqlite3_reset(statement) }
        var code = bind(repeat each value, to: statement)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        guard code == SQLITE_DONE else { throw failure(query.operation, code) }
        return Int(sqlite3_changes(handle))
    }

    func first<each Value: Bindable, Found>(
        _ query: Query, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> Found? {
        let statement = try prepared(query)
        defer { sqlite3_reset(statement) }
        var code = bind(repeat each value, to: statement)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        switch code {
        case SQLITE_ROW: return try read(Row(statement: statement))
        case SQLITE_DONE: return nil
        default: throw failure(query.operation, code)
        }
    }

    func all<each Value: Bindable, Found>(
        _ query: Query, _ value: repeat each Value, read: (Row) throws(JournalError) -> Found
    ) throws(JournalError) -> [Found] {
        let statement = try prepared(query)
        defer { sqlite3_reset(statement) }
        var code = bind(repeat each value, to: statement)
        guard code == SQLITE_OK else { throw failure(query.operation, code) }
        var found: [Found] = []
        while true {
            code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { break }
            found.append(try read(Row(statement: statement)))
        }
        guard code == SQLITE_DONE else { throw failure(query.operation, code) }
        return found
    }

    /// Several statements without parameters or results: settings and migrations.
    func execute(_ text: String, _ operation: String) throws(JournalError) {
        let code = sqlite3_exec(try open(operation), text, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(operation, code) }
    }

    /// What has been prepared so far, for tests that ask for the plans of it.
    var preparedQueries: [Query] { statements.values.map(\.query) }

    /// How many steps of SQLite's machine each has taken so far (c3ref/c_stmtstatus_counter.html), for tests
    /// that compare costs: they are the same on a quiet machine and on a busy one.
    var machineSteps: [String: Int] {
        var steps: [String: Int] = [:]
        for entry in statements.values {
            steps[entry.query.operation, default: 0] += Int(
                sqlite3_stmt_status(entry.statement, SQLITE_STMTSTATUS_VM_STEP, 0))
        }
        return steps
    }

    private func prepared(_ query: Query) throws(JournalError) -> OpaquePointer {
        if let lost { throw lost }
        if let entry = statements[ObjectIdentifier(query)] { return entry.statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            try open(query.operation), query.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(query.operation, code) }
        // Keeps the query alive too: its identity is the key.
        statements[ObjectIdentifier(query)] = (query, statement)
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

    /// "Changes made as part of foreign key actions are included" (c3ref/total_changes.html); what is taken
    /// back stays counted.
    var writtenRows: Int { Int(sqlite3_total_changes64(handle)) }

    var transactionIsOpen: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    func begin() throws(JournalError) {
        try run(Self.begin)
        inBatch = true
    }

    func commit() throws(JournalError) {
        do {
            try run(Self.commit)
            inBatch = false
        } catch {
            // "The transaction remains active" after some failures of COMMIT (lang_transaction.html), and not
            // after others.
            rollBack()
            throw error
        }
    }

    func rollBack() {
        inBatch = false
        lost = nil
        // What fails here has been rolled back already: the manual asks to try it in any case.
        if transactionIsOpen { _ = try? run(Self.rollBack) }
    }

    /// Every failure passes here. "If the transaction is rolled back automatically by an error … the only way
    /// to find out is to use [sqlite3_get_autocommit]" (c3ref/get_autocommit.html): after FULL, IOERR, NOMEM,
    /// BUSY and INTERRUPT it may be.
    func failure(_ operation: String, _ code: Int32) -> JournalError {
        // The message names tables and columns, never values.
        var detail =
            handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let system = StorageFailure.Reason.system(of: code, handle)
        if system != 0 { detail += " (\(String(cString: strerror(system))))" }
        let failure = StorageFailure(
            .init(sqlite: code, system: system), operation: operation, code: code, detail: detail)
        if failure.reason == .damaged { damage?.note(operation: operation, code: code, detail: detail) }
        let error = JournalError.failed(failure)
        if inBatch, !transactionIsOpen { lost = error }
        return error
    }

    // MARK: The log

    /// Whether closing leaves the log as it is, for files that have not been found to be sound yet.
    func leaveLog(_ leaves: Bool) throws(JournalError) {
        let code = qring_sqlite_leave_log(try open("set up"), leaves ? 1 : 0)
        guard code == SQLITE_OK else { throw failure("set up", code) }
    }

    /// Ends what runs on another thread, which then fails with SQLITE_INTERRUPT. The connection must not be
    /// closed meanwhile.
    func interrupt() { if let handle { sqlite3_interrupt(handle) } }

    /// Moves the log into the file, and empties it so that nothing old can be read in it. False where a
    /// reader still needs it.
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
