import CSQLite
import Glibc
import Journal
import SQLJournal
import Synchronization
import Threads

/// One rewrite of the database file while the server keeps running. The new file holds the rows in the order
/// of their keys and no bytes of deleted rows, as after `VACUUM`.
///
/// 1. `init`, between two batches: the writer's connection starts to record the keys of the rows that it
///    changes.
/// 2. `catchUp`, on a thread of its own: copies all tables in slices, each in a short read transaction of
///    its own. A slice sees a newer state than the slice before it. Then it copies the recorded rows
///    again, until few are left. A row that was never recorded has not changed since it was copied, and a
///    row that was recorded is copied after its last change, so the copy becomes equal to the database.
/// 3. `finish`, between two batches: copies the last recorded rows, empties the log, and gives the new
///    file the database's name. Nothing else writes, so both files have the same content at this moment.
///    The rename is the commit point: before it, the old file is complete, and after it, the new one. In
///    both cases the log is empty, so that no log can be applied to a file that it does not belong to.
///
/// `@unchecked Sendable`: the caller runs `init`, `catchUp`, `finish`, `abandon` and `release` one after the
/// other (`Storage.rewriteFile`), and each call happens after the end of the call before. `cancel` uses an
/// atomic value only.
final class SQLiteFileRewrite: FileRewrite, @unchecked Sendable {
    /// The steps of `finish`. Tests stop at each of them.
    enum Step: CaseIterable {
        case copied, logEmptied, copySynced, logSynced, renamed, logRemoved, indexRemoved, opened,
            folderSynced
    }

    /// The most recorded rows that `finish` copies. Each row takes about 10 µs.
    private static let mostRowsAtTheEnd = 1000
    /// `catchUp` ends when at most this number of recorded rows is left.
    private static let fewRows = 100
    /// If the recorded keys use more memory than this, in bytes, their rows are copied between two slices.
    private static let mostBytesBetweenSlices = 4 << 20
    /// The size of the read transactions and of the flushes to the disk. The writer's own flush may have
    /// to wait for one flush of the copy.
    private static let sliceTime = Duration.milliseconds(10)
    private static let mostChangedRowsInSlice = 512
    private static let bytesInFlush = 1 << 20
    private static let longestPause = Duration.milliseconds(50)
    private static let bytesInTruncation = 4 << 20
    private static let pauseAfterTruncation = Duration.milliseconds(20)
    /// The disk space that must stay free beside the copy, in bytes. It is more than `FreeSpace.least`.
    static let reserve = 100_000_000
    /// The rewrite is abandoned if it takes longer than this, for example because a command uses the log.
    private static let mostTime = Duration.seconds(1800)

    private let folder: DataFolder
    private let writer: SQLiteRows
    private let files: OpenFiles
    private let damage: FoundDamage
    private let readers: [SQLiteRows]
    private let tables: [CopiedTable]
    private let changed = ChangedKeys()
    private let notesBefore: Int
    private let beganAt = ContinuousClock.now
    private let isCancelled = Atomic<Bool>(false)
    /// The most rows in one slice. Only tests change it.
    var mostRowsInSlice = 4096
    /// Called after each slice, and after each step of `finish`. Only tests set them.
    var onSlice: () throws(JournalError) -> Void = {}
    var onStep: (Step) throws(JournalError) -> Void = { _ in }

    /// The connection to the new file, with the database attached as `old`.
    private(set) var copy: Connection?
    /// The old file, from the exchange until `releaseFiles`; -1 if it is not open.
    private var oldFile: Int32 = -1
    private var isReplaced = false
    private var nextTable = 0
    /// The key of the last copied row of `nextTable`; nil at the beginning of the table.
    private var lastKey: [UInt8]?
    private var rowsInSlice = 1
    private var bytesAtFlush = 0
    private var flushedAt = ContinuousClock.now

    /// Begins a rewrite. The caller must be on the writer's queue, outside a batch.
    /// - Throws: `.full` if the disk has too little room for a second copy; `.moved`, `.damageFound`.
    init(
        of writer: SQLiteRows, in folder: DataFolder, files: OpenFiles, damage: FoundDamage,
        readers: [SQLiteRows]
    ) throws(JournalError) {
        (self.folder, self.writer, self.files) = (folder, writer, files)
        (self.damage, self.readers) = (damage, readers)
        try damage.check()
        try files.check()
        try Self.checkRoom(in: folder, for: PrivateFile.size(folder.databasePath) ?? 0)
        tables = try CopiedTable.all(writer.connection)
        notesBefore = writer.shuffleNotes
        writer.connection.record(
            ChangeRecorder(tables.map { (name: $0.name, keyColumns: $0.keyColumns) }, into: changed))
    }

    /// Checks that the folder's disk has room for `bytes` and the reserve.
    /// - Throws: `.full`.
    static func checkRoom(in folder: DataFolder, for bytes: Int) throws(JournalError) {
        try DiskSpace.check(folder.path, for: bytes + reserve, operation: "rewrite the file")
    }

    // MARK: Copying

    func catchUp() async throws(JournalError) {
        let result = await onThread { rewrite in
            do throws(JournalError) { return .success(try rewrite.copyUntilFewAreLeft()) } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Runs `body` on a thread of low priority.
    private func onThread(
        _ body: @escaping @Sendable (SQLiteFileRewrite) -> Result<Void, JournalError>
    ) async -> Result<Void, JournalError> {
        await withUnsafeContinuation { continuation in
            let thread = LoopThread(named: "journal-rewrite")
            do throws(ThreadNotStarted) {
                try thread.start {
                    LoopThread.lowerPriority()
                    continuation.resume(returning: body(self))
                }
            } catch {
                continuation.resume(
                    returning: .failure(
                        .failed(StorageFailure(errno: error.errno, operation: "start a thread"))))
            }
        }
    }

    /// Copies all tables and the recorded rows, until few recorded rows are left.
    func copyUntilFewAreLeft() throws(JournalError) {
        let copy = try opened()
        while nextTable < tables.count {
            try checkMayContinue()
            try copySlice(to: copy)
            try onSlice()
            if changed.bytes > Self.mostBytesBetweenSlices { try copyChanged(to: copy) }
        }
        repeat {
            try checkMayContinue()
            try copyChanged(to: copy)
        } while changed.count > Self.fewRows
        // After this flush and checkpoint, `finish` has little to write.
        try flush(copy)
        try copy.checkpoint("old")
    }

    private func checkMayContinue() throws(JournalError) {
        guard !isCancelled.load(ordering: .relaxed) else {
            throw .failed(StorageFailure(.closed, operation: "rewrite the file"))
        }
        guard ContinuousClock.now - beganAt < Self.mostTime else {
            throw .failed(
                StorageFailure(.busy, operation: "rewrite the file", detail: "it took too long"))
        }
        try damage.check()
    }

    private static let applicationID = Query("read the file's kind", "PRAGMA old.application_id")
    private static let version = Query("read the schema's version", "PRAGMA old.user_version")
    private static let begin = Query("begin a slice", "BEGIN")
    private static let attach = Query("open the database", "ATTACH ? AS old")
    // Tables come before the indexes of other objects, in the order in which they were created.
    private static let schema = Query(
        "read the schema", "SELECT sql FROM old.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")

    /// Returns the connection to the new file, with the database attached as `old`. The first call creates
    /// the new file with its tables.
    private func opened() throws(JournalError) -> Connection {
        if let copy { return copy }
        folder.removeUnfinishedRewrite()
        try PrivateFile.make(folder.rewritingPath)
        let copy = try Connection(path: folder.rewritingPath, damage: damage)
        self.copy = copy
        try copy.execute(Settings.ofNewFile, "set up the copy")
        // This class flushes the file itself. After a crash, the file is deleted.
        try copy.execute(
            """
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            PRAGMA secure_delete = ON;
            PRAGMA cache_size = -16384;
            PRAGMA trusted_schema = OFF;
            """, "set up the copy")
        try copy.run(Self.attach, folder.databasePath)
        let statements = try copy.all(Self.schema) { $0.text(0) }
        try transaction(on: copy) { () throws(JournalError) in
            for statement in statements { try copy.execute(statement, "set up the copy") }
            let kind = try copy.first(Self.applicationID) { $0.int(0) } ?? 0
            let version = try copy.first(Self.version) { $0.int(0) } ?? 0
            try copy.execute(
                "PRAGMA main.application_id = \(kind); PRAGMA main.user_version = \(version)",
                "set up the copy")
        }
        return copy
    }

    /// Runs `body` in one transaction: one read transaction of the database, and one write of the copy.
    private func transaction(
        on copy: Connection, _ body: () throws(JournalError) -> Void
    ) throws(JournalError) {
        // BEGIN IMMEDIATE would begin to write in `old` too, and make the writer wait.
        try copy.run(Self.begin)
        do {
            try body()
        } catch {
            copy.rollBack()
            throw error
        }
        try copy.commit()
    }

    /// Copies the next rows of the current table, in the order of the key.
    private func copySlice(to copy: Connection) throws(JournalError) {
        let table = tables[nextTable]
        let began = ContinuousClock.now
        try transaction(on: copy) { () throws(JournalError) in
            let last = lastKey
            let count = rowsInSlice
            let end = try copy.first(last == nil ? table.boundary.first : table.boundary.next) { statement in
                var index: Int32 = 1
                let code = KeyValue.bind(last ?? [], to: statement, from: &index)
                return code | sqlite3_bind_int64(statement, index, Int64(count - 1))
            } read: { row in
                var key: [UInt8] = []
                for column in table.keyColumns.indices { KeyValue.append(row, Int32(column), to: &key) }
                return key
            }
            let query =
                switch (last, end) {
                case (nil, nil): table.copy.all
                case (nil, _?): table.copy.upTo
                case (_?, nil): table.copy.after
                case (_?, _?): table.copy.between
                }
            try copy.run(query) { statement in
                var index: Int32 = 1
                let code = KeyValue.bind(last ?? [], to: statement, from: &index)
                return code | KeyValue.bind(end ?? [], to: statement, from: &index)
            }
            lastKey = end
        }
        let time = ContinuousClock.now - began
        if time < Self.sliceTime / 2 {
            rowsInSlice = min(rowsInSlice * 2, mostRowsInSlice)
        } else if time > Self.sliceTime {
            rowsInSlice = max(rowsInSlice / 2, 1)
        }
        if lastKey == nil {
            nextTable += 1
            // The rows of the next table may be large.
            rowsInSlice = 1
        }
        try flushIfNeeded(copy)
    }

    /// Copies the rows that the writer has changed.
    private func copyChanged(to copy: Connection) throws(JournalError) {
        // The later tables are still copied as a whole.
        var keys = try changed.take().filter { $0.table <= nextTable }[...]
        while !keys.isEmpty {
            try checkMayContinue()
            let slice = keys.prefix(Self.mostChangedRowsInSlice)
            keys = keys.dropFirst(slice.count)
            try copyRows(slice, to: copy)
            try flush(copy)
        }
    }

    /// Gives the rows with these keys the state that they have in the database now.
    private func copyRows(_ keys: ArraySlice<RowKey>, to copy: Connection) throws(JournalError) {
        guard !keys.isEmpty else { return }
        try transaction(on: copy) { () throws(JournalError) in
            for key in keys {
                for query in [tables[key.table].deleteRow, tables[key.table].copyRow] {
                    try copy.run(query) { statement in
                        var index: Int32 = 1
                        return KeyValue.bind(key.values, to: statement, from: &index)
                    }
                }
            }
        }
    }

    /// Flushes the copy after every few megabytes, and pauses for as long as the flush took. So
    /// the disk is free for the writer half of the time.
    private func flushIfNeeded(_ copy: Connection) throws(JournalError) {
        let size = PrivateFile.size(folder.rewritingPath) ?? 0
        guard abs(size - bytesAtFlush) >= Self.bytesInFlush else { return }
        bytesAtFlush = size
        try flush(copy)
        try Self.checkRoom(in: folder, for: 0)
        let pause = min(ContinuousClock.now - flushedAt, Self.longestPause)
        usleep(UInt32(pause / .microseconds(1)))
        flushedAt = .now
    }

    private func flush(_ copy: Connection) throws(JournalError) {
        let code = qring_sqlite_sync(copy.handle)
        guard code == SQLITE_OK else { throw copy.failure("sync the copy", code) }
    }

    // MARK: The exchange of the files

    private static let copiedCount = Query(
        "compare the copy",
        """
        SELECT (SELECT value FROM main.meta WHERE key = 'mark')
            IS (SELECT value FROM old.meta WHERE key = 'mark')
        """)
    private static let forgetErasure = Query("forget erasure", "DELETE FROM main.meta WHERE key = 'erased'")

    func finish() throws(JournalError) -> Bool {
        guard let copy else { preconditionFailure("finish before catchUp") }
        try checkMayContinue()
        try files.check()
        guard changed.count <= Self.mostRowsAtTheEnd else { return false }
        try copyRows(try changed.take()[...], to: copy)
        guard try copy.first(Self.copiedCount, read: { $0.bool(0) }) ?? false else {
            throw .failed(
                StorageFailure(.other, operation: "rewrite the file", detail: "the copy has other commits"))
        }
        try onStep(.copied)
        guard try emptyLog() else { return false }
        try onStep(.logEmptied)
        // If rows were erased during the rewrite, the new file may contain copies of them. Then another
        // rewrite is needed.
        if writer.shuffleNotes == notesBefore { try copy.run(Self.forgetErasure) }
        writer.connection.record(nil)
        copy.close()
        self.copy = nil
        try markAsLogged(folder.rewritingPath)
        try onStep(.copySynced)
        // Otherwise the log could have its old content again after a power cut.
        try PrivateFile.sync(folder.logPath)
        try onStep(.logSynced)
        // This descriptor is the last one of the old file, so that no query has to wait until the system
        // has freed the file's space.
        oldFile = open(folder.databasePath, O_RDWR | O_CLOEXEC)
        try files.replace { () throws(JournalError) in
            try PrivateFile.move(folder.rewritingPath, to: folder.databasePath)
            try onStep(.renamed)
            // The index holds the old file's number of pages. Readers that still use the old files keep
            // them open.
            unlink(folder.logPath)
            try onStep(.logRemoved)
            unlink(folder.databasePath + "-shm")
            try onStep(.indexRemoved)
            let fresh = try Connection(path: folder.databasePath, damage: damage)
            try fresh.execute(Settings.ofFile, "set up")
            try fresh.execute(Settings.ofWriter, "set up")
            // This first read creates the log.
            _ = try fresh.commitCount()
            try onStep(.opened)
            // The next commit goes to the new log, so the names must be on the disk first.
            try PrivateFile.sync(folder.path)
            try onStep(.folderSynced)
            let files = try FilesInPlace([folder.databasePath, folder.logPath])
            // The old connection was open until now. Without it, another process could believe that the
            // server had stopped. The connection must not delete the log, which belongs to the new file.
            try writer.connection.leaveLog(true)
            writer.continueOnNewFile(fresh)
            return files
        }
        isReplaced = true
        return true
    }

    /// Empties the log. Returns false if a reader still uses the log. After the first try, all of the log is
    /// in the database file, so new readers ignore the log ("the entire WAL has been checkpointed", wal.html
    /// §2.2). The function therefore waits a little for the earlier readers.
    private func emptyLog() throws(JournalError) -> Bool {
        for _ in 1...3 {
            if try writer.connection.emptyLog(waiting: false) { return true }
            usleep(2000)
        }
        return false
    }

    /// Writes into the file's header that the file uses a log (fileformat2.html §1.3, offsets 18 and 19), and
    /// syncs the file. `PRAGMA journal_mode = WAL` would do the same, but only after the rename and with
    /// several flushes.
    private func markAsLogged(_ path: String) throws(JournalError) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(path)")) }
        defer { close(file) }
        guard pwrite(file, [2, 2] as [UInt8], 2, 18) == 2, fsync(file) == 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "sync \(path)"))
        }
    }

    // MARK: The end

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func abandon() { writer.connection.record(nil) }

    func release() async {
        // If a reader cannot open the file, its next query opens the file again and reports a failure.
        _ = await onThread { rewrite in
            rewrite.releaseFiles()
            return .success(())
        }
    }

    /// Makes the readers open the new file, and deletes the file that is no longer used: the old file or
    /// an unfinished copy.
    func releaseFiles() {
        for reader in readers { reader.followRewrite() }
        copy?.close()
        copy = nil
        if isReplaced, oldFile >= 0, !isLockedElsewhere(oldFile) { shrink(oldFile) }
        if oldFile >= 0 { close(oldFile) }
        oldFile = -1
        let unfinished = open(folder.rewritingPath, O_RDWR | O_CLOEXEC)
        folder.removeUnfinishedRewrite()
        if unfinished >= 0 {
            shrink(unfinished)
            close(unfinished)
        }
    }

    /// Truncates a deleted file step by step. To free a gigabyte at once takes half a second, in which other
    /// flushes wait; with the mount option `discard` even longer.
    private func shrink(_ file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        var size = Int(status.st_size)
        while size > 0, !isCancelled.load(ordering: .relaxed) {
            size = max(0, size - Self.bytesInTruncation)
            guard ftruncate(file, off_t(size)) == 0 else { return }
            usleep(UInt32(Self.pauseAfterTruncation / .microseconds(1)))
        }
    }

    /// Whether another process still reads the file. SQLite locks 510 bytes at this position in a file
    /// that it reads (fileformat2.html §1.4, os_unix.c).
    private func isLockedElsewhere(_ file: Int32) -> Bool {
        var lock = flock(
            l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0002, l_len: 510, l_pid: 0)
        return fcntl(file, F_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
    }
}
