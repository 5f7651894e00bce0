import CPostgres
import Glibc
import Journal
import SQLJournal

/// One connection to a PostgreSQL server and its prepared statements.
///
/// `@unchecked Sendable`: the opening thread makes the connection and passes it once, to the writer's queue
/// or to one reading thread. Only that thread uses the connection until the thread has ended. libpq requires
/// exactly this: "no two threads [may] attempt to manipulate the same PGconn object at the same time"
/// (libpq-threading).
final class Connection: SQLConnection, @unchecked Sendable {
    /// libpq's handle of the connection; nil after `close`.
    private(set) var handle: OpaquePointer?
    private var statements: [ObjectIdentifier: PostgresStatement] = [:]
    private var preparedCount = 0
    /// The parameters of the statement that runs next.
    var parameters = ParameterValues()
    private let settings: String
    private let passwords: Passwords
    private let purpose: Purpose
    private var backOff = BackOff()
    /// The longest time to wait for the answer to a statement. Nil while a statement may take any time.
    private var limit: Duration? {
        // Without a limit, nothing polls the socket, so libpq must block. A copy needs this too: in
        // nonblocking mode, `PQputCopyData` returns 0 if the buffer is full (libpq-copy).
        didSet { PQsetnonblocking(handle, limit == nil ? 0 : 1) }
    }
    /// The statements that were sent and whose results have not been read. If there are any, the connection
    /// is in libpq's pipeline mode.
    private var unread: [Unread] = []
    /// The most statements that are sent before their results are read. The limit prevents that results fill
    /// the buffers of the sockets.
    private static let mostUnread = 256
    /// The number of rows that the statements of this connection have changed, without those that foreign
    /// keys changed. Changes that were rolled back are included.
    private(set) var writtenRows = 0
    private var transactions = 0
    /// How often this connection has waited for an answer of the server.
    private(set) var waits = 0
    /// The queries that `lookAhead` collects; nil outside it.
    private var collected: [LookUp]?
    /// The results of queries that have run ahead. Each is used once.
    private var ahead: [LookUp: OpaquePointer] = [:]

    /// A statement that was sent; nil for a synchronisation.
    private struct Unread {
        let statement: PostgresStatement?
        /// Reads each row of the result; nil if `results` passes the result on.
        let read: ((Row) throws(JournalError) -> Void)?
    }

    /// A query with its parameters.
    private struct LookUp: Hashable {
        let statement: PostgresStatement
        let parameters: ParameterValues

        static func == (one: Self, other: Self) -> Bool {
            one.statement === other.statement && one.parameters == other.parameters
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(statement))
            hasher.combine(parameters)
        }
    }

    /// The use of the connection.
    enum Purpose {
        /// A statement may wait for its answer for `milliseconds` at most. That is longer than the longest
        /// wait for a lock.
        case writing(milliseconds: Int = 15_000)
        /// A statement may run for `milliseconds` at most.
        case reading(milliseconds: Int)
        /// Frees the space of deleted rows.
        case vacuuming
        /// Sends and receives notifications.
        case listening
        /// Looks for a pool. It changes no setting, because other programs may get the same session.
        case probing

        /// The time that the server needs to report that a statement took too long.
        private static let grace = 1_000
        private static let listeningMilliseconds = 2_000

        /// The longest time to wait for the answer to a statement. If a network loses all packets, or a proxy
        /// stops, no error ever comes. TCP notices the former after 10 s at the earliest, and the latter
        /// never.
        fileprivate var limit: Duration? {
            switch self {
            case .writing(let milliseconds): .milliseconds(milliseconds)
            case .reading(let milliseconds): .milliseconds(milliseconds + Self.grace)
            case .listening: .milliseconds(Self.listeningMilliseconds + Self.grace)
            // VACUUM may take hours.
            case .vacuuming: nil
            case .probing: Connection.setUpLimit
            }
        }

        /// The settings of the connection.
        ///
        /// - enable_seqscan off: a prepared statement keeps its plan while its table grows from nothing to
        ///   thousands of rows, and each statement has an index.
        /// - jit off: statements are short, and the compilation of one takes longer than all its rows.
        /// - tcp_…: the server notices within 30 s that this program's machine is gone, and ends the
        ///   connection with its lock. Otherwise the writer's next connection would wait for hours.
        /// - idle_in_transaction_session_timeout: a writer that stops in the middle of a batch, because its
        ///   machine was suspended or cut off, would hold up all other nodes.
        /// - synchronous_commit: a commit is on the disk when the statement returns, also if the operator has
        ///   turned this off for the server. A stronger setting stays.
        fileprivate var text: String {
            let shared = """
                SET enable_seqscan = off; SET jit = off; SET standard_conforming_strings = on;
                """
            switch self {
            case .writing:
                return shared + """
                    SET lock_timeout = 10000; SET idle_in_transaction_session_timeout = 5000;
                    SET default_transaction_isolation = 'read committed';
                    SET tcp_user_timeout = 30000;
                    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
                    SET tcp_keepalives_count = 3;
                    SELECT set_config('synchronous_commit', 'on', false)
                        WHERE current_setting('synchronous_commit') = 'off';
                    """
            case .reading(let milliseconds):
                return shared + """
                    SET statement_timeout = \(milliseconds); SET default_transaction_read_only = on;
                    SET idle_in_transaction_session_timeout = 60000;
                    """
            case .vacuuming: return shared
            // A notification needs no disk: a node that misses it polls.
            case .listening:
                return shared
                    + "SET statement_timeout = \(Self.listeningMilliseconds); SET synchronous_commit = off;"
            case .probing: return ""
            }
        }
    }

    /// The oldest server that this program knows, as `PQserverVersion` numbers it.
    private static let oldestServer: Int32 = 150_000
    /// The longest time to wait for the set-up of a new connection. If a pool has no free session, it accepts
    /// the connection and does not answer.
    private static let setUpLimit = Duration.seconds(5)

    /// PostgreSQL's process for this connection. A pool hides it: then libpq knows a number of the pool.
    private var backend: Int32 = 0

    /// Whether a pool, such as PgBouncer, is between this program and the server.
    var isPooled: Bool { backend != PQbackendPID(handle) }

    /// Opens a connection.
    /// - Parameter settings: a URI or a list of settings, as libpq reads them (libpq-connstring).
    init(settings: String, for purpose: Purpose) throws(JournalError) {
        (self.settings, self.purpose) = (settings, purpose)
        try DatabaseSettings.openLibrary()
        passwords = try Passwords(in: settings)
        try open(isFirst: true)
    }

    deinit { close() }

    /// - Parameter isFirst: whether to find out why the server refuses the connection.
    private func open(isFirst: Bool) throws(JournalError) {
        statements = [:]
        // The later setting wins. libpq expands a `dbname` that is a URI or a list ("expand_dbname").
        let defaults = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("application_name", "qring"), ("dbname", settings), ("client_encoding", "UTF8"),
        ]
        handle = withCStrings(defaults.map(\.0)) { names in
            withCStrings(defaults.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        do throws(JournalError) {
            if PQstatus(handle) != CONNECTION_OK, isFirst {
                // Only a verbose message has the SQLSTATE, and only a second attempt can be verbose.
                PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
                PQreset(handle)
            }
            guard PQstatus(handle) == CONNECTION_OK else {
                throw .failed(passwords.hidden(in: StorageFailure(connecting: handle), of: handle))
            }
            PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
            guard PQserverVersion(handle) >= Self.oldestServer else {
                throw .failed(
                    StorageFailure(
                        .unsuitableServer, operation: "connect",
                        detail: "PostgreSQL \(PQserverVersion(handle) / 10_000)"))
            }
            guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
                let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
                throw .failed(
                    StorageFailure(
                        .unsuitableServer, operation: "connect", detail: encoding ?? "no encoding"))
            }
            qring_postgres_ignore_notices(handle)
            limit = Self.setUpLimit
            try setUp()
            limit = purpose.limit
        } catch {
            close()
            throw error
        }
    }

    private func setUp() throws(JournalError) {
        let result = try lastResult("set up") {
            PQsendQuery(handle, purpose.text + "SELECT pg_backend_pid()")
        }
        defer { PQclear(result) }
        try check(result, "set up")
        guard let text = PQgetvalue(result, 0, 0), let number = Int32(String(cString: text)) else {
            throw .failed(StorageFailure(.other, operation: "set up", detail: "no number of a process"))
        }
        backend = number
    }

    /// Whether statements can run. False after the server or the network has ended the connection.
    var isOpen: Bool { handle != nil && PQstatus(handle) == CONNECTION_OK }

    /// Connects again if the connection is broken. After failures, it waits longer and longer between two
    /// attempts, and fails at once meanwhile.
    /// - Parameter prepare: prepares a new connection. If it throws, the connection is closed, so that nobody
    ///   uses it unprepared.
    func reconnect(_ prepare: ((Connection) throws(JournalError) -> Void)? = nil) throws(JournalError) {
        guard !isOpen else { return }
        guard backOff.mayTry else {
            throw .failed(
                StorageFailure(.unreachable, operation: "connect", detail: "waiting for the next attempt"))
        }
        close()
        do throws(JournalError) {
            try open(isFirst: false)
            try prepare?(self)
            backOff = BackOff()
        } catch {
            close()
            backOff.noteFailure()
            throw error
        }
    }

    func close() {
        forgetAhead()
        PQfinish(handle)
        handle = nil
        statements = [:]
        unread = []
    }

    // MARK: Statements

    func statement(_ query: Query) -> any Statement {
        parameters.removeAll()
        return found(query)
    }

    private func found(_ query: Query) -> PostgresStatement {
        if let statement = statements[ObjectIdentifier(query)] { return statement }
        let statement = PostgresStatement(of: query, on: self)
        statements[ObjectIdentifier(query)] = statement
        return statement
    }

    /// Runs the statement with the parameters. Returns the number of changed rows.
    func run(_ statement: PostgresStatement) throws(JournalError) -> Int {
        let before = writtenRows
        PQclear(try result(statement))
        return writtenRows - before
    }

    /// Sends the statement with the parameters, without waiting for its result.
    func runLater(_ statement: PostgresStatement) throws(JournalError) {
        try send(statement)
        writtenRows += 1
        if unread.count >= Self.mostUnread { try settle() }
    }

    /// Runs the query with the parameters. Returns its result, which the caller clears. Returns nil if the
    /// query was collected.
    func rows(_ statement: PostgresStatement) throws(JournalError) -> OpaquePointer? {
        isCollected(statement) ? nil : try result(statement)
    }

    /// Sends a query without parameters, without waiting for its result. The next statement that waits passes
    /// its rows to `read`.
    func readLater(
        _ query: Query, read: @escaping (Row) throws(JournalError) -> Void
    ) throws(JournalError) {
        parameters.removeAll()
        try send(found(query), read: read)
    }

    /// Runs several statements that have no parameters and no results, such as settings and migrations.
    func execute(_ text: String, _ operation: String) throws(JournalError) {
        try settle()
        let result = try lastResult(operation) { PQsendQuery(handle, text) }
        defer { PQclear(result) }
        try check(result, operation)
    }

    /// Lets each statement of the open transaction take any time, for migrations and copies.
    func liftTimeLimit() { limit = nil }

    /// Runs a statement with the parameters. The caller clears the result.
    private func result(_ statement: PostgresStatement) throws(JournalError) -> OpaquePointer {
        if !ahead.isEmpty,
            let known = ahead.removeValue(forKey: LookUp(statement: statement, parameters: parameters))
        {
            return known
        }
        let result: OpaquePointer?
        if unread.isEmpty {
            let name = try prepared(statement)
            result = try lastResult(statement.operation) {
                withValues { count, values, lengths, binary in
                    PQsendQueryPrepared(handle, name, count, values, lengths, binary, 1)
                }
            }
        } else {
            try send(statement)
            result = try lastResult()
        }
        do throws(JournalError) {
            try check(result, statement.operation)
        } catch {
            PQclear(result)
            throw error
        }
        guard let result else { preconditionFailure("a checked result") }
        // The tag of a query is "SELECT" and the number of its rows. Any other number is of changed rows.
        if PQcmdStatus(result)[0] != Self.capitalS {
            forgetAhead()
            writtenRows += Int(String(cString: PQcmdTuples(result))) ?? 0
        }
        return result
    }

    // MARK: Looking ahead

    /// Calls `ask` and collects its queries. A collected query finds nothing, unless an earlier call has read
    /// its result. Then sends all collected queries together, and stores each result for the next query with
    /// the same parameters. A statement that waits and changes rows discards all stored results; `runLater`
    /// does not. So `runLater` may change only rows whose stored results were already used.
    func lookAhead(_ ask: () -> Void) throws(JournalError) {
        collected = []
        ask()
        var all = collected ?? []
        collected = nil
        var seen: Set<LookUp> = []
        all.removeAll { !seen.insert($0).inserted }
        for start in stride(from: 0, to: all.count, by: Self.mostUnread) {
            try runAhead(all[start..<min(start + Self.mostUnread, all.count)])
        }
    }

    private func runAhead(_ lookUps: ArraySlice<LookUp>) throws(JournalError) {
        // A statement cannot be prepared in the pipeline mode.
        for lookUp in lookUps {
            parameters = lookUp.parameters
            _ = try prepared(lookUp.statement)
        }
        let earlier = unread.count
        for lookUp in lookUps {
            parameters = lookUp.parameters
            try send(lookUp.statement)
        }
        do throws(JournalError) {
            try results { number, result in
                if number < earlier { return PQclear(result) }
                ahead[lookUps[lookUps.startIndex + number - earlier]] = result
            }
        } catch {
            forgetAhead()
            throw error
        }
    }

    /// Whether the query was added to the collected ones. False if none are collected, or if its result is
    /// known.
    private func isCollected(_ statement: PostgresStatement) -> Bool {
        guard collected != nil else { return false }
        let lookUp = LookUp(statement: statement, parameters: parameters)
        guard ahead[lookUp] == nil else { return false }
        collected?.append(lookUp)
        return true
    }

    private func forgetAhead() {
        if ahead.isEmpty { return }
        for result in ahead.values { PQclear(result) }
        ahead.removeAll(keepingCapacity: true)
    }

    /// Passes the parameters to `body` as libpq takes them.
    private func withValues<Result>(
        _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        let binary = [Int32](repeating: 1, count: parameters.types.count)
        return parameters.withValues { body(Int32($0.count), $0, $1, binary) }
    }

    // MARK: Waiting

    /// Sends statements with a function of libpq, and waits for the result of the last one, which the caller
    /// checks and clears.
    /// - Throws: `.unreachable` if the server does not answer within `limit`.
    private func lastResult(
        _ operation: String, _ send: () -> Int32
    ) throws(JournalError) -> OpaquePointer? {
        guard send() == 1 else { throw failure(nil, operation) }
        waits += 1
        return try lastResult { take throws(JournalError) in
            while let result = try nextResult(operation) { take(result) }
        }
    }

    /// Returns the last result that `read` takes, which the caller clears. Clears all others, and the last
    /// one too if `read` fails.
    private func lastResult(
        of read: (_ take: (OpaquePointer) -> Void) throws(JournalError) -> Void
    ) throws(JournalError) -> OpaquePointer? {
        var last: OpaquePointer?
        do throws(JournalError) {
            try read { result in
                PQclear(last)
                last = result
            }
        } catch {
            PQclear(last)
            throw error
        }
        return last
    }

    private func nextResult(_ operation: String) throws(JournalError) -> OpaquePointer? {
        try awaitResult(operation)
        return PQgetResult(handle)
    }

    /// libpq may have read bytes from the socket that it has not decrypted yet, so no wait is longer.
    private static let longestPoll = Duration.milliseconds(100)

    /// Waits until `PQgetResult` returns at once.
    /// - Throws: `.unreachable` if the server does not answer within `limit`. The connection is closed then,
    ///   because the answer could still come, and would be taken for that of another statement.
    private func awaitResult(_ operation: String) throws(JournalError) {
        guard let limit else { return }
        let deadline = ContinuousClock.now + limit
        while true {
            let unsent = PQflush(handle)
            // If the connection is broken, the next result says so.
            guard unsent >= 0, let socket, unsent > 0 || PQisBusy(handle) == 1 else { return }
            let left = deadline - .now
            guard left > .zero else {
                close()
                throw .failed(
                    StorageFailure(.unreachable, operation: operation, detail: "no answer in \(limit)"))
            }
            var descriptor = pollfd(
                fd: socket, events: Int16(unsent > 0 ? POLLIN | POLLOUT : POLLIN), revents: 0)
            let pause = min(left, Self.longestPoll) + .microseconds(999)
            _ = poll(&descriptor, 1, Int32(pause / .milliseconds(1)))
            guard PQconsumeInput(handle) == 1 else { return }
        }
    }

    // MARK: The pipeline

    /// Sends a statement with the parameters, and enters the pipeline mode if necessary.
    private func send(
        _ statement: PostgresStatement, read: ((Row) throws(JournalError) -> Void)? = nil
    ) throws(JournalError) {
        let name = try prepared(statement)
        if unread.isEmpty {
            guard PQenterPipelineMode(handle) == 1 else { throw failure(nil, statement.operation) }
        }
        unread.append(Unread(statement: statement, read: read))
        let isSent = withValues { count, values, lengths, binary in
            PQsendQueryPrepared(handle, name, count, values, lengths, binary, 1)
        }
        guard isSent == 1 else { throw failure(nil, statement.operation) }
    }

    /// Reads the results of all statements that were sent without waiting.
    func settle() throws(JournalError) {
        if !unread.isEmpty { try results { PQclear($1) } }
    }

    /// Reads the results of all statements that were sent. Returns the last one, which the caller clears.
    private func lastResult() throws(JournalError) -> OpaquePointer? {
        try lastResult { take throws(JournalError) in try results { take($1) } }
    }

    /// Reads the results of all statements that were sent, and leaves the pipeline mode. Passes each result
    /// to `take`, which clears it.
    /// - Throws: the failure of the first statement that failed.
    private func results(_ take: (_ number: Int, OpaquePointer) -> Void) throws(JournalError) {
        defer { unread = [] }
        guard PQpipelineSync(handle) == 1 else { throw failure(nil, unread[0].statement?.operation ?? "") }
        waits += 1
        var first: JournalError?
        for (number, sent) in unread.enumerated() {
            guard let statement = sent.statement else {
                PQclear(try nextResult(Self.synchronise))
                continue
            }
            let operation = statement.operation
            let result = try nextResult(operation)
            do throws(JournalError) {
                // "a null pointer … marks the end of the results of a statement" (libpq-pipeline-mode)
                if result != nil { PQclear(try nextResult(operation)) }
            } catch {
                PQclear(result)
                throw error
            }
            if first == nil {
                do throws(JournalError) {
                    try check(result, operation)
                    if let read = sent.read, let result { try statement.each(of: result, read) }
                } catch { first = error }
            }
            if first == nil, let result { take(number, result) } else { PQclear(result) }
        }
        // The result of the synchronisation itself.
        PQclear(try nextResult(Self.synchronise))
        PQexitPipelineMode(handle)
        if let first { throw first }
    }

    private static let synchronise = "synchronise"
    private static let capitalS = CChar(UInt8(ascii: "S"))

    /// Prepares the statement when it runs for the first time. Returns its name.
    private func prepared(_ statement: PostgresStatement) throws(JournalError) -> String {
        if let name = statement.name { return name }
        // A statement cannot be prepared in the pipeline mode.
        try settle()
        let name = "q\(preparedCount)"
        preparedCount += 1
        let result = try lastResult(statement.operation) {
            PQsendPrepare(handle, name, statement.text, Int32(parameters.types.count), parameters.types)
        }
        defer { PQclear(result) }
        try check(result, statement.operation)
        statement.name = name
        return name
    }

    private func check(_ result: OpaquePointer?, _ operation: String) throws(JournalError) {
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw failure(result, operation)
        }
    }

    func failure(_ result: OpaquePointer?, _ operation: String) -> JournalError {
        guard handle != nil else { return .failed(StorageFailure(.unreachable, operation: operation)) }
        let failure = StorageFailure(of: result, on: handle, operation: operation)
        return .failed(passwords.hidden(in: failure, of: handle))
    }

    // MARK: Notifications

    /// The descriptor that becomes readable when the server sends something; nil if the connection is broken.
    var socket: Int32? {
        let socket = PQsocket(handle)
        return socket < 0 ? nil : socket
    }

    /// Removes the notifications that have arrived. Returns the payloads of those from other connections.
    func takeNotifications() -> [String] {
        guard PQconsumeInput(handle) == 1 else { return [] }
        var payloads: [String] = []
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != backend {
                payloads.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            }
            PQfreemem(notification)
        }
        return payloads
    }

    /// Waits for a notification, without a statement. Returns whether one has arrived.
    func awaitNotification(_ limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        while PQconsumeInput(handle) == 1, let socket {
            if let notification = PQnotifies(handle) {
                PQfreemem(notification)
                return true
            }
            let left = deadline - .now
            guard left > .zero else { return false }
            var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            _ = poll(
                &descriptor, 1, Int32((min(left, Self.longestPoll) + .microseconds(999)) / .milliseconds(1)))
        }
        return false
    }

    // MARK: Batches

    func begin(_ mode: String = "BEGIN") throws(JournalError) {
        if mustMakePlansAgain() { try execute("DISCARD PLANS", "begin") }
        try execute(mode, "begin")
    }

    /// Begins a transaction, without waiting for the result.
    func beginLater() throws(JournalError) {
        if mustMakePlansAgain() { try runLater(Self.discardPlans) }
        try runLater(Self.begin)
    }

    /// Begins a read-only transaction, without waiting for the result.
    func beginSnapshot() throws(JournalError) {
        // A transaction can have this level only if no statement of the pipeline came before it.
        if mustMakePlansAgain() { try execute("DISCARD PLANS", "begin") }
        try runLater(Self.beginSnapshot)
    }

    /// Ends a read-only transaction, without waiting for the result. The next use of the connection reads it.
    func endSnapshot() throws(JournalError) {
        try runLater(Self.commit)
        // This call also sends the buffered statements. If the connection is broken, its next use reports
        // that.
        guard PQpipelineSync(handle) == 1 else { return }
        unread.append(Unread(statement: nil, read: nil))
    }

    private static let discardPlans = Query("begin", "DISCARD PLANS")
    private static let begin = Query("begin", "BEGIN")
    private static let beginSnapshot = Query("begin", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    private static let commit = Query("commit", "COMMIT")

    /// Whether the server must make its plans again: after the 1st, 2nd, 4th, 8th … transaction. Otherwise a
    /// prepared statement would keep the plan of a table that was empty.
    private func mustMakePlansAgain() -> Bool {
        transactions += 1
        return transactions & (transactions - 1) == 0
    }

    /// Commits. The transaction is over, also if this throws.
    func commit() throws(JournalError) {
        forgetAhead()
        defer { limit = purpose.limit }
        let result: OpaquePointer
        parameters.removeAll()
        do throws(JournalError) { result = try self.result(found(Self.commit)) } catch {
            rollBack()
            throw error
        }
        defer { PQclear(result) }
        // "If the transaction is in an aborted state", COMMIT rolls it back and reports no error
        // (sql-commit).
        guard String(cString: PQcmdStatus(result)) == "COMMIT" else {
            throw .failed(
                StorageFailure(.other, operation: "commit", detail: "an earlier statement had failed"))
        }
    }

    /// Rolls back. If no transaction is open, it does nothing.
    func rollBack() {
        forgetAhead()
        defer { limit = purpose.limit }
        try? settle()
        let state = PQtransactionStatus(handle)
        guard state == PQTRANS_INTRANS || state == PQTRANS_INERROR else { return }
        try? execute("ROLLBACK", "roll back")
    }
}

/// The pause between two attempts to connect: it doubles up to 5 s, and a random part of it keeps several
/// connections apart.
struct BackOff {
    private var failures = 0
    private var next = ContinuousClock.now

    var mayTry: Bool { ContinuousClock.now >= next }

    mutating func noteFailure() {
        failures += 1
        let longest = min(5_000, 50 << min(failures, 7))
        next = .now + .milliseconds(Int.random(in: longest / 2...longest))
    }
}

/// Passes the strings to `body` as an array of C that ends with a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let bytes = strings.map { Array($0.utf8CString) }
    func pass(_ pointers: [UnsafePointer<CChar>?], _ rest: ArraySlice<[CChar]>) -> Result {
        guard let first = rest.first else {
            return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
        }
        return first.withUnsafeBufferPointer { pass(pointers + [$0.baseAddress], rest.dropFirst()) }
    }
    return pass([], bytes[...])
}
