package import Journal
import Synchronization

/// The storage engine on a PostgreSQL server. One server of QRing at a time uses a database: one connection
/// writes, and a few connections read.
package final class PostgresEngine: Engine {
    package let epoch: String
    package let unsettled = UnsettledMeetings()
    private let writer: SQLRows
    /// The decoded questions, which all connections share.
    let decoded = DecodedQuestions()
    private let readers: ReadingThreads
    private let scanners: ReadingThreads
    private let writerIsOut = Mutex(false)

    /// The options of an opening.
    package struct Options: Sendable {
        /// The number of connections for queries, and of those for scans, 1–16. Each connection has a thread.
        package var readers = 2
        package var scanners = 2
        /// The most milliseconds that one statement of a query, and of a scan, may take.
        package var readMilliseconds = 30_000
        package var scanMilliseconds = 10_000
        /// Makes the server's secret if the database is new; nil if it needs none.
        package var makeSecret: (@Sendable () throws(JournalError) -> Void)?

        package init() {}
    }

    /// Opens the database, and creates its tables if it is empty.
    /// - Parameter settings: a URI or a list of settings, as libpq reads them (libpq-connstring).
    /// - Throws: `.busy` if another server of QRing uses the database; `.newerSchema` if a newer QRing wrote
    ///   it; `.foreign` if the tables belong to another program; `.unreachable`, `.accessDenied`,
    ///   `.unknownDatabase`, `.unsuitableServer`.
    package init(settings: String, _ options: Options = Options()) throws(JournalError) {
        precondition((1...16).contains(options.readers) && (1...16).contains(options.scanners))
        let connection = try Connection(settings: settings, for: .writing)
        try connection.reserve()
        try connection.migrate(Migration.all) { () throws(JournalError) in try options.makeSecret?() }
        let epoch = try connection.epoch()
        self.epoch = epoch
        writer = SQLRows(connection, decoded: decoded) { rows in
            Shuffle(of: rows, settings: settings)
        } takeOver: { connection throws(JournalError) in
            try connection.reserve()
            // Another server may have replaced the data in the meantime.
            guard try connection.epoch() == epoch else {
                throw .failed(StorageFailure(.moved, operation: "connect"))
            }
        }
        func rows(_ count: Int, _ milliseconds: Int, _ decoded: DecodedQuestions) throws(JournalError)
            -> [SQLRows]
        {
            var rows: [SQLRows] = []
            for _ in 0..<count {
                let connection = try Connection(
                    settings: settings, for: .reading(milliseconds: milliseconds))
                rows.append(SQLRows(connection, decoded: decoded))
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
    package static func check(settings: String) throws(JournalError) -> Bool {
        let connection = try Connection(settings: settings, for: .reading(milliseconds: 10_000))
        defer { connection.close() }
        let (found, known) = (try connection.schemaVersion(), Migration.all.count)
        guard found <= known else {
            throw .failed(StorageFailure(.newerSchema(found: found, known: known), operation: "open"))
        }
        return try connection.first(logsAreCopied) { $0.bool(0) } ?? false
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

    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await readers.answer(query, unsettled) }

    package func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await scanners.answer(query, unsettled) }

    package func close() {
        readers.close()
        scanners.close()
        writer.connection.close()
    }
}
