package import Journal
import Synchronization

/// Rows in one SQLite file, for one process at a time: a connection that writes and a few that read, in WAL
/// mode.
package final class SQLiteEngine: Engine {
    package let epoch: String
    /// Why the opening renewed the epoch; nil where it did not.
    package let epochRenewal: EpochRenewal?
    private let folder: DataFolder
    private let writer: SQLiteRows
    private let mark: MarkFile
    private let files: FilesInPlace
    private let damage: FoundDamage
    /// Nil unless the file is checked while it is served.
    let check: FileCheck?
    private let readers: ReadingThreads
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: FolderLock?
        var writerIsOut = false
    }

    /// Options of an opening. The defaults are for programs without a secret.
    package struct Options: Sendable {
        /// Connections for reading, each with a thread; 1–16.
        package var readers = 2
        /// Of the schema. The first one makes it; others than the default are for tests.
        package var migrations = Migration.all
        /// Makes the folder's secret; called at a first start, when the database has its tables and no count
        /// of commits. With it, a folder that has lost its secret is refused.
        package var makeSecret: (@Sendable () throws(JournalError) -> Void)?
        /// A larger file is checked after an unclean stop while it is served already, because a check takes 3
        /// s for a gigabyte.
        package var mostBytesToCheckFirst = 1_000_000_000

        package init() {}
    }

    /// Opens the database in `folder`, or makes both. Takes the folder's lock until `close`.
    ///
    /// After an unclean stop, and if the database and its mark do not belong together, the structure of the
    /// file is checked first. If commits are missing, the files are copied before anything is written
    /// (`LossRecord`).
    ///
    /// - Throws: `.busy` if another process (or engine) has the folder; `.newerSchema` if a newer QRing wrote
    ///   it; `.databaseLost`, `.secretLost`, `.damaged`, `.tooManyLosses`; `.full` without room for the copy.
    ///   The files are untouched then.
    package init(folder path: String, _ options: Options = Options()) throws(JournalError) {
        precondition((1...16).contains(options.readers))
        folder = DataFolder(path: path)
        try folder.makeFolder()
        let lock = try folder.lock { [folder] () throws(JournalError) in
            try folder.check(needsSecret: options.makeSecret != nil)
        }
        folder.removePartialRestore()
        LossRecord.removePartial(in: path)
        try folder.makeDatabase()
        // SQLite deletes the log at a clean close. An empty one is left if the process ended after the log
        // was emptied.
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
            let kept = try connection.commitCount()
            if let mark = found?.mark { try folder.checkContent(connection, mark) }
            epochRenewal = EpochRenewal.needed(
                epoch: try connection.epoch(), kept: kept?.count, found: found?.mark,
                changedAt: found?.changedAt ?? 0)
            check = try FileCheck(
                of: folder.databasePath, by: connection, isNeeded: !stopWasClean || epochRenewal != nil,
                mostBytesToCheckFirst: options.mostBytesToCheckFirst, damage)
            if case .older = epochRenewal, let mark = found?.mark, let loss = kept?.loss(by: mark) {
                // "If a process … closes any file descriptor for the file … all locks across all threads on
                // that file" are released (howtocorrupt.html §2.2): the copy must not be made while SQLite
                // has the file open.
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
        // The log is empty now. Its file stays until the last connection is closed.
        files = try FilesInPlace([folder.databasePath, folder.logPath])
        writer = SQLiteRows(connection, mark: (mark, epoch), files: files, damage: damage)
        var reading: [SQLiteRows] = []
        for _ in 0..<options.readers {
            let connection = try Connection(path: folder.databasePath, damage: damage)
            try connection.execute(Settings.ofReader, "set up")
            reading.append(SQLiteRows(connection))
        }
        self.readers = ReadingThreads(reading)
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
    ) async throws(JournalError) -> Found {
        let result: Result<Found, JournalError> = await withCheckedContinuation { continuation in
            readers.submit { rows in
                guard let rows else {
                    return continuation.resume(
                        returning: .failure(.failed(StorageFailure(.closed, operation: "read"))))
                }
                continuation.resume(returning: rows.answer(query))
            }
        }
        return try result.get()
    }

    package func checkFiles() throws(JournalError) {
        try files.check()
        try damage.check()
    }

    package func losses() -> [LostCommits] { LossRecord.all(in: folder.path) }

    package func close() {
        check?.stop()
        readers.close()
        // What stays in the log is read at the next opening: a failure here loses nothing.
        _ = try? writer.connection.emptyLog(waiting: true)
        writer.connection.close()
        mark.close()
        state.withLock { $0.lock = nil }
    }
}
