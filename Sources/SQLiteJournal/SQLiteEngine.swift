package import Journal
import Synchronization

/// Rows in one SQLite file, for one process at a time: a connection that writes and a few that read, in WAL mode.
package final class SQLiteEngine: Engine {
    package let epoch: String
    /// Why the opening renewed the epoch; nil where it did not.
    package let epochRenewal: EpochRenewal?
    private let writer: SQLiteRows
    private let mark: MarkFile
    private let files: FilesInPlace
    private let readers: ReadingThreads
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: FolderLock?
        var writerIsOut = false
    }

    /// Opens the database in `folder`, or makes both. Takes the folder's lock until `close`.
    ///
    /// - Parameters:
    ///   - readers: connections for reading, each with a thread; 1–16.
    ///   - migrations: of the schema, the first makes it; others than the default are for tests.
    /// - Throws: `.busy` where another process (or engine) has it, `.newerSchema` where a newer QRing wrote it; the file is untouched then.
    package init(folder: String, readers: Int = 2, migrations: [Migration] = Migration.all) throws(JournalError) {
        precondition((1...16).contains(readers))
        let folder = DataFolder(path: folder)
        try folder.make()
        let lock = try folder.lock()
        let connection = try Connection(path: folder.databasePath)
        if try connection.checkKind(known: migrations.count) { try connection.execute(Settings.ofNewFile, "set up") }
        try connection.execute(Settings.ofFile, "set up")
        try connection.migrate(migrations) { folder.backup(ofVersion: $0) }
        try connection.execute(Settings.ofWriter, "set up")
        let mark = try MarkFile(path: folder.markPath)
        epochRenewal = try connection.settle(mark)
        epoch = try connection.epoch()
        self.mark = mark
        // What was just settled is in the log, which stays until the last connection is closed.
        files = try FilesInPlace([folder.databasePath, folder.logPath])
        writer = SQLiteRows(connection, mark: (mark, epoch), files: files)
        var reading: [SQLiteRows] = []
        for _ in 0..<readers {
            let connection = try Connection(path: folder.databasePath)
            try connection.execute(Settings.ofReader, "set up")
            reading.append(SQLiteRows(connection))
        }
        self.readers = ReadingThreads(reading)
        state = Mutex(State(lock: lock))
    }

    package func openWriter() throws(JournalError) -> any WritableRows {
        let isFirst = state.withLock { state in
            defer { state.writerIsOut = true }
            return !state.writerIsOut
        }
        guard isFirst else { throw .failed(StorageFailure(.busy, operation: "open writer", detail: "there is one writer")) }
        return writer
    }

    package func read<Found: Sendable>(
        _ query: @escaping @Sendable (any ReadableRows) throws(JournalError) -> Found
    ) async throws(JournalError) -> Found {
        let result: Result<Found, JournalError> = await withCheckedContinuation { continuation in
            readers.submit { rows in
                guard let rows else {
                    return continuation.resume(returning: .failure(.failed(StorageFailure(.closed, operation: "read"))))
                }
                continuation.resume(returning: rows.answer(query))
            }
        }
        return try result.get()
    }

    package func checkPlace() throws(JournalError) { try files.check() }

    package func close() {
        readers.close()
        // What stays in the log is read at the next opening: a failure here loses nothing.
        _ = try? writer.connection.emptyLog(waiting: true)
        writer.connection.close()
        mark.close()
        state.withLock { $0.lock = nil }
    }
}
