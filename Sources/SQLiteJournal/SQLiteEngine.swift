package import Journal
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
    /// The check of the file while the server serves; nil if no such check runs.
    let check: FileCheck?
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
        /// The migrations of the schema. The first migration creates the schema. Only tests use other
        /// migrations than the default.
        package var migrations = Migration.all
        /// Creates the folder's secret. The engine calls it at a first start, when the database has its
        /// tables and no count of commits. If this function is given, the engine refuses a folder that has
        /// lost its secret.
        package var makeSecret: (@Sendable () throws(JournalError) -> Void)?
        /// The size of the largest file that is checked before the server serves, in bytes. After an unclean
        /// stop, a larger file is checked while the server already serves, because the check takes 3 s for a
        /// gigabyte.
        package var mostBytesToCheckFirst = 1_000_000_000

        package init() {}
    }

    /// Opens the database in `folder`. Creates the folder and the database if they do not exist. Locks the
    /// folder until `close`.
    ///
    /// The structure of the file is checked first in two cases: after an unclean stop, and if the database
    /// and its mark do not belong together. If commits are missing, the files are copied before anything is
    /// written (`LossRecord`).
    ///
    /// - Throws: `.busy` if another process (or another engine) has locked the folder; `.newerSchema` if a
    ///   newer QRing wrote the database; `.databaseLost`, `.secretLost`, `.damaged`, `.tooManyLosses`;
    ///   `.full` if the disk has no room for the copy. In all these cases, no file has changed.
    package init(folder path: String, _ options: Options = Options()) throws(JournalError) {
        precondition((1...16).contains(options.readers) && (1...16).contains(options.scanners))
        precondition((0...16).contains(options.lookUps))
        folder = DataFolder(path: path)
        try folder.makeFolder()
        let lock = try folder.lock { [folder] () throws(JournalError) in
            try folder.check(needsSecret: options.makeSecret != nil)
        }
        folder.removePartialRestore()
        folder.removeUnfinishedRewrite()
        LossRecord.removePartial(in: path)
        try folder.makeDatabase()
        // SQLite deletes the log at a clean close. An empty log remains if the process ended after it had
        // emptied the log.
        let stopWasClean = !PrivateFile.exists(folder.logPath)
        damage = FoundDamage()
        var connection = try Connection(path: folder.databasePath, damage: damage)
        try connection.leaveLog(!stopWasClean)
        if try connection.checkKind(known: options.migrations.count) {
            try folder.checkNoTraces()
            try connection.execute(Settings.ofNewFile, "set up")
            epochRenewal = nil
            check = nil
        } else {
            let found = MarkFile.look(at: folder.markPath)
            let counted = try connection.commitCount()
            if let mark = found?.mark { try folder.checkContent(connection, mark) }
            epochRenewal = EpochRenewal.needed(
                epoch: try connection.epoch(), counted: counted?.count, found: found?.mark,
                changedAt: found?.changedAt ?? 0)
            check = try FileCheck(
                of: folder.databasePath, by: connection, isNeeded: !stopWasClean || epochRenewal != nil,
                mostBytesToCheckFirst: options.mostBytesToCheckFirst, damage)
            if case .older = epochRenewal, let mark = found?.mark, let loss = counted?.loss(by: mark) {
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
        try connection.settle(mark, epochRenewal)
        epoch = try connection.epoch()
        // The log is empty now. The file of the log exists until the last connection is closed.
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
            mark: (mark, epoch)
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
        check?.start()
    }

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
        state.withLock { $0.lock = nil }
    }
}
