package import Journal
package import Meetings
import SQLJournal
import Synchronization

/// The storage engine with one SQLite file in WAL mode. One process at a time can use the file. One
/// connection writes, and a few connections read.
package final class SQLiteEngine: Engine {
    package let epoch: String
    package let unsettled = UnsettledMeetings()
    /// The reason why the opening renewed the epoch; nil if the epoch was not renewed.
    package let epochRenewal: EpochRenewal?
    private let folder: DataFolder
    private let writer: SQLiteRows
    private let mark: MarkFile
    private let files: OpenFiles
    private let damage: FoundDamage
    private let reserve: SpaceReserve
    /// The check of the file while the server serves; nil if the file is new, or was checked before.
    let check: FileCheck?
    /// The report of the check before the server served; nil if that check was not complete.
    private let firstCheck: FileCheckReport?
    /// The decoded questions, which all connections share.
    let decoded = DecodedQuestions()
    /// The texts that searches compare, which all connections share.
    let searched: SearchTexts
    let lookUps: FreeConnections
    private let readers: ReadingThreads
    private let scanners: ReadingThreads
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: FolderLock?
        var writerIsOut = false
    }

    /// The options of an opening. The defaults are for programs without a secret.
    package struct Options: Sendable {
        /// The most look-ups that run at the same time on their callers' threads, 0–16. Others run as
        /// queries.
        package var lookUps = 4
        /// The number of connections for queries, and of those for scans, 1–16. Each connection has a thread.
        package var readers = 2
        package var scanners = 2
        /// The most steps of SQLite's virtual machine that one scan may take. The default is 100 million, a
        /// few seconds. An export of 900,000 responses takes fewer steps.
        package var scanSteps = 100_000_000
        /// The fewest attendees of a session whose texts stay in memory while it is searched, and the most
        /// bytes of all such texts.
        package var leastSearched = 2_000
        package var mostSearchedBytes = 32_000_000
        /// The migrations of the schema. Only tests use others.
        var migrations = Migrations.sqlite
        /// Creates the folder's secret. The engine calls it at a first start, when the database has its
        /// tables and no count of commits. If this function is given, the engine refuses a folder that has
        /// lost its secret.
        package var makeSecret: (@Sendable () throws(JournalError) -> Void)?
        /// The size of the largest file whose structure is checked before the server serves, in bytes, after
        /// an unclean stop. The check takes 3 s for a gigabyte.
        package var mostBytesToCheckFirst = 1_000_000_000
        /// The size of the largest file that is checked with its indexes before the server serves. A larger
        /// file is checked while the server already serves.
        package var mostBytesToCheckWholly = 3_000_000

        package init() {}
    }

    /// Opens the database in `folder`. Creates the folder and the database if they do not exist. Locks the
    /// folder until `close`.
    ///
    /// The file is checked (`FileCheck`): before the opening ends if it is small, after an unclean stop, and
    /// if the database and its mark do not belong together. If commits are missing, or if the log belongs to
    /// another database, the files are copied before anything is written (`LossRecord`).
    ///
    /// On a full disk, the opening uses the space of `SpaceReserve`, and no commit succeeds until there is
    /// room.
    ///
    /// - Throws: `.busy` if another process (or another engine) has locked the folder; `.newerSchema` if a
    ///   newer QRing wrote the database; `.databaseLost`, `.secretLost`, `.damaged`, `.tooManyLosses`;
    ///   `.full` if the disk has no room for the copy, or for a migration. In all these cases, no data has
    ///   changed.
    package init(folder path: String, _ options: Options = Options()) throws(JournalError) {
        precondition((1...16).contains(options.readers) && (1...16).contains(options.scanners))
        precondition((0...16).contains(options.lookUps))
        folder = DataFolder(path: path)
        try folder.makeFolder()
        let lock = try folder.lock { [folder] () throws(JournalError) in
            try folder.check(needsSecret: options.makeSecret != nil, options.migrations)
        }
        folder.removePartialRestore()
        folder.removeUnfinishedRewrite()
        folder.removePartialBackups()
        LossRecord.removePartial(in: path)
        reserve = SpaceReserve(in: folder)
        try folder.makeDatabase()
        // SQLite must not see a foreign log, because it would apply the log.
        let foreignLog = folder.foreignLog()
        // SQLite deletes the log at a clean close. An empty log remains if the process ended after it had
        // emptied the log.
        let stopWasClean = !PrivateFile.exists(folder.logPath)
        damage = FoundDamage()
        var connection = try Connection(
            path: folder.databasePath, for: foreignLog == nil ? .serving : .ignoringLog, damage: damage)
        try connection.leaveLog(!stopWasClean)
        let isNew: Bool
        if try connection.checkKind(options.migrations) {
            try folder.checkNoTraces()
            try connection.execute(Settings.ofNewFile, "set up")
            epochRenewal = nil
            firstCheck = nil
            isNew = true
        } else {
            let found = MarkFile.look(at: folder.markPath)
            let counted = try connection.commitCount()
            if let mark = found?.mark { try folder.checkContent(connection, mark) }
            let epoch = try connection.epoch()
            epochRenewal = EpochRenewal.needed(
                epoch: epoch, counted: counted?.count, found: found?.mark, place: found?.place,
                changedAt: found?.changedAt ?? 0)
            firstCheck = try FileCheck.first(
                of: folder.databasePath, by: connection, stopWasClean: stopWasClean && epochRenewal == nil,
                options)
            isNew = false
            var loss = foreignLog?.loss(epoch: epoch, found?.mark)
            if loss == nil, case .older = epochRenewal, let mark = found?.mark {
                loss = counted?.loss(by: mark)
            }
            if let loss {
                // "If a process … closes any file descriptor for the file … all locks across all threads on
                // that file" are released (howtocorrupt.html §2.2). Therefore SQLite must not have the file
                // open while the server copies it.
                connection.close()
                try LossRecord.store(loss, of: folder)
                connection = try Connection(path: folder.databasePath, damage: damage)
            }
        }
        try connection.leaveLog(false)
        try connection.execute(Settings.ofFile, "set up")
        try connection.migrate(options.migrations) { [folder] in folder.backup(ofVersion: $0) }
        if let makeSecret = options.makeSecret, !PrivateFile.exists(folder.secretPath) { try makeSecret() }
        try connection.execute(Settings.ofWriter, "set up")
        mark = try MarkFile(path: folder.markPath)
        try connection.settle(mark, epochRenewal, mayLeaveLog: reserve.isMissing)
        reserve.fill()
        epoch = try connection.epoch()
        // The log is empty now, except on a full disk. The file of the log exists until the last connection
        // is closed.
        files = try OpenFiles(database: folder.databasePath, log: folder.logPath)
        searched = SearchTexts(
            leastAttendees: options.leastSearched, mostBytes: options.mostSearchedBytes)
        var reading: [SQLiteRows] = []
        for _ in 0..<options.readers + options.scanners + options.lookUps {
            let connection = try SQLiteRows.readingConnection(to: folder.databasePath, damage)
            reading.append(
                SQLiteRows(
                    connection, files: files, damage: damage, decoded: decoded, searched: searched))
        }
        writer = SQLiteRows(
            connection, files: files, damage: damage, decoded: decoded, searched: searched,
            mark: (mark, epoch), reserve: reserve
        ) {
            [folder, files, damage, reading] rows throws(JournalError) in
            try SQLiteFileRewrite(of: rows, in: folder, files: files, damage: damage, readers: reading)
        }
        readers = ReadingThreads(
            Array(reading.prefix(options.readers)), named: "journal-read", isHurried: true)
        scanners = ReadingThreads(
            Array(reading.dropFirst(options.readers).prefix(options.scanners)), named: "journal-scan",
            isHurried: false, limit: options.scanSteps)
        lookUps = FreeConnections(Array(reading.suffix(options.lookUps)))
        state = Mutex(State(lock: lock))
        check = isNew || firstCheck != nil ? nil : FileCheck(of: files, damage)
        check?.start()
    }

    package var fileCheck: FileCheckReport? { check?.report ?? firstCheck }
    package var openingFailure: StorageFailure? { reserve.isMissing ? reserve.failure : nil }

    package func openWriter() throws(JournalError) -> any WritableRows {
        let isFirst = state.withLock { state in
            defer { state.writerIsOut = true }
            return !state.writerIsOut
        }
        guard isFirst else {
            throw .failed(StorageFailure(.busy, operation: "open writer", detail: "there is one writer"))
        }
        return writer
    }

    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await readers.answer(query, unsettled) }

    package func knownQuestions(of set: String, in session: SessionID) -> [Question]? {
        decoded.questions(of: set, in: session)
    }

    package func lookUp<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        // Without a free connection, or if a job is changing the meeting, the query waits as others do.
        guard let result = lookUps.use({ $0.answer(query, unsettled) }) ?? nil else {
            return try await read(query)
        }
        return try result.get()
    }

    package func scan<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found { try await scanners.answer(query, unsettled) }

    package func checkFiles() throws(JournalError) {
        try files.check()
        try damage.check()
    }

    package func losses() -> [LostCommits] { LossRecord.all(in: folder.path) }

    package func close() {
        check?.stop()
        lookUps.close()
        readers.close()
        scanners.close()
        // If this fails, nothing is lost, because the next opening reads the rest of the log.
        _ = try? writer.connection.emptyLog(waiting: true)
        writer.connection.close()
        mark.close()
        reserve.close()
        state.withLock { $0.lock = nil }
    }
}

extension Connection: OperatorReading {}

extension SQLiteEngine {
    /// Reads one state of the data in `folder` for an operator's command, with or without a running server.
    /// Changes nothing.
    /// - Parameter body: receives the queries; nil if an older version wrote the database, or it is empty.
    /// - Throws: `.noData` if there is no database; `.storage` or `.damaged` if it cannot be read.
    package static func reading<Value>(
        in folder: String, _ body: ((any OperatorReading)?) throws(JournalError) -> Value
    ) throws(OperatingError) -> Value {
        let data = try DataFolder.withData(at: folder)
        return try operating(on: data.databasePath) { () throws(JournalError) in
            let connection = try Connection.looking(at: data.databasePath)
            defer { connection.close() }
            let isEmpty = try connection.checkKind()
            guard !isEmpty, try connection.schemaVersion >= Migrations.sqlite.newest else {
                return try body(nil)
            }
            try connection.execute("BEGIN", "begin to read")
            return try body(connection)
        }
    }
}
