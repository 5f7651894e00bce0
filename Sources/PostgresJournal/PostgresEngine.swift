package import Journal
package import Meetings
import SQLJournal
import Synchronization

/// The storage engine on a PostgreSQL server, which several servers of QRing may share. Each of them has one
/// connection that writes, a few that read, and one for notifications.
package final class PostgresEngine: Engine {
    package let epoch: String
    package let unsettled = UnsettledMeetings(hasNodes: true)
    private let writer: PostgresRows
    /// The decoded questions, which all connections share.
    let decoded = DecodedQuestions()
    private let readers: ReadingThreads
    private let scanners: ReadingThreads
    private let feed: Feed
    private let writerIsOut = Mutex(false)

    /// The options of an opening.
    package struct Options: Sendable {
        /// The number of connections for queries, and of those for scans, 1–16. Each connection has a thread.
        package var readers = 2
        package var scanners = 2
        /// The most milliseconds that one statement of a query, of a scan, and of the writer may take. After
        /// that, the server ends a statement that reads, and the engine ends the writer's connection.
        package var readMilliseconds = 30_000
        package var scanMilliseconds = 10_000
        package var writeMilliseconds = 15_000
        /// The name of this server in the list of nodes.
        package var name = "unnamed"
        /// Whether no other server may use the database meanwhile.
        package var isAlone = false
        /// Makes the server's secret if the database is new; nil if it needs none.
        package var makeSecret: (@Sendable () throws(JournalError) -> Void)?
        /// Returns the fingerprint of this server's secret. All servers of a database must have the same
        /// secret. If it returns nil, the fingerprint is deleted from the database. If the option is nil,
        /// nothing is compared.
        package var secretFingerprint: (@Sendable () throws(JournalError) -> String?)?

        package init() {}
    }

    /// Opens the database, and creates its tables if it is empty.
    /// - Parameter settings: a URI or a list of settings, as libpq reads them (libpq-connstring).
    /// - Throws: `.busy` if a command has the database for itself, or if `options.isAlone` is set and another
    ///   server uses it; `.otherSecret` if other servers have another secret; `.newerSchema` if a newer QRing
    ///   wrote it; `.foreign` if the tables belong to another program; `.unreachable`, `.accessDenied`,
    ///   `.malformedSettings`, `.unknownDatabase`, `.unsuitableServer`, `.sharedSessions`, `.noSession`.
    package init(settings: String, _ options: Options = Options()) throws(JournalError) {
        precondition((1...16).contains(options.readers) && (1...16).contains(options.scanners))
        // Until the end, this connection takes the place of the feed's, so that a pool that is too small is
        // found here.
        let pooled = try Pool.check(settings)
        defer { pooled?.close() }
        func connect(_ purpose: Connection.Purpose) throws(JournalError) -> Connection {
            guard pooled == nil else { return try Pool.connection(settings, for: purpose) }
            return try Connection(settings: settings, for: purpose)
        }
        let connection = try connect(.writing(milliseconds: options.writeMilliseconds))
        try connection.migrate(.postgres) { () throws(JournalError) in try options.makeSecret?() }
        let epoch = try connection.epoch()
        self.epoch = epoch
        feed = try Feed(settings: settings)
        let node = Node(named: options.name, isAlone: options.isAlone, epoch: epoch, feed: feed)
        try node.join(connection)
        // The clock of codes begins with the difference of the clocks.
        feed.poll(connection)
        do throws(JournalError) {
            if let fingerprint = options.secretFingerprint { try connection.compareSecret(try fingerprint()) }
        } catch {
            node.leave(connection)
            throw error
        }
        writer = PostgresRows(connection, decoded: decoded, node: node) { rows in
            Shuffle(of: rows, settings: settings)
        }
        func rows(_ count: Int, _ milliseconds: Int, _ decoded: DecodedQuestions) throws(JournalError)
            -> [PostgresRows]
        {
            var rows: [PostgresRows] = []
            for _ in 0..<count {
                let connection = try connect(.reading(milliseconds: milliseconds))
                rows.append(PostgresRows(connection, decoded: decoded))
            }
            return rows
        }
        readers = ReadingThreads(
            try rows(options.readers, options.readMilliseconds, decoded), named: "journal-read",
            isHurried: true)
        scanners = ReadingThreads(
            try rows(options.scanners, options.scanMilliseconds, decoded), named: "journal-scan",
            isHurried: false)
    }

    /// Whether these settings contain a password. Every user of the machine can read a command line.
    package static func hasPassword(_ settings: String) -> Bool {
        (try? !Passwords(in: settings).isEmpty) ?? false
    }

    private static let logsAreCopied = Query(
        "look for copies of the log",
        """
        SELECT current_setting('archive_mode') <> 'off' OR EXISTS (SELECT 1 FROM pg_stat_replication)
            OR EXISTS (SELECT 1 FROM pg_replication_slots)
        """)

    /// Checks that the database can be used, and changes nothing. Returns whether an archive or other servers
    /// get copies of its log.
    /// - Throws: the same as `init`, except that a running server of QRing is no failure.
    @discardableResult
    package static func check(settings: String) throws(JournalError) -> Bool {
        try Pool.check(settings)?.close()
        let connection = try Connection(settings: settings, for: .reading(milliseconds: 10_000))
        defer { connection.close() }
        try Migrations.postgres.check(try connection.schemaVersion(), "open")
        return try connection.first(logsAreCopied) { $0.bool(0) } ?? false
    }

    /// Reads one state of the database for an operator's command, while servers may use it. Changes nothing.
    /// - Throws: `.noData`, `.olderSchema`; `.storage` with a reason of `init`.
    package static func reading<Value>(
        settings: String, _ body: (any OperatorReading) throws(JournalError) -> Value
    ) throws(CopyError) -> Value {
        let snapshot = try PostgresSnapshot(of: settings)
        defer { snapshot.close() }
        return try copying(at: snapshot.place) { () throws(JournalError) in try body(snapshot.connection) }
    }

    package func openWriter() throws(JournalError) -> any WritableRows {
        let isFirst = writerIsOut.withLock { isOut in
            defer { isOut = true }
            return !isOut
        }
        guard isFirst else {
            throw .failed(StorageFailure(.busy, operation: "open writer", detail: "there is one writer"))
        }
        return writer
    }

    package func knownQuestions(of set: String, in session: SessionID) -> [Question]? {
        decoded.questions(of: set, in: session)
    }

    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await readers.answer(query, unsettled) }

    package func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await scanners.answer(query, unsettled) }

    package func subscribe(
        _ wake: @escaping @Sendable () -> Void, receiving receive: @escaping @Sendable ([UInt8]) -> Void
    ) { feed.start(wake, receive: receive) }

    package func broadcast(_ message: [UInt8]) { feed.broadcast(message) }

    package var nodeStatus: NodeStatus? { feed.status }

    package func close() {
        feed.close()
        readers.close()
        scanners.close()
        writer.close()
    }
}

extension Connection: OperatorReading {}
