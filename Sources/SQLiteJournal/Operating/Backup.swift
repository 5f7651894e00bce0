import CSQLite
import FoundationEssentials
import Glibc
package import Journal
package import Meetings
import SQLJournal
import Synchronization

/// A backup: one SQLite file of mode 0600, which can be encrypted. It contains the database and, in the table
/// `backup`, the server's secret, followed by the lasting keys (`LastingKeys`) if there was a rotation. An
/// older version stored its first secret there. The secret signs codes, receipts and grants; in a separate
/// file, it could get lost. A backup has another application id than a database, so that no server serves it.
package struct Backup: Hashable, Sendable {
    package let path: String
    /// The size of the backup file, in bytes.
    package let bytes: Int
    /// The epoch of the database at the start of the backup.
    package let epoch: String
    /// The version of the database's schema.
    package let schema: Int

    /// The free space, in bytes, that a server's backup leaves on the disk of its data.
    package static let reserveOfServer = SQLiteFileRewrite.reserve

    /// How a backup is made. The defaults are those of a command.
    package struct Options: Sendable {
        /// Encrypts the backup; nil to write an SQLite file.
        package var seal: BackupStep?
        /// Whether the copy pauses after each megabyte, so that a server's commits do not wait for the disk.
        package var isPaced = false
        /// The free space, in bytes, that the backup must leave on the disk of the data.
        package var reserve = 0
        /// Whether the backup is on the disk of the data.
        package var sharesDisk = false
        /// Ends the backup early; nil if only `progress` can end it.
        package var interruption: BackupInterruption?

        package init() {}
    }

    /// Copies the data in `folder`, with or without a running server. The backup contains every commit that
    /// was acknowledged before the call, and its rows are in the order of their keys. Commits during the copy
    /// wait in the server's log, which grows until the copy is complete.
    ///
    /// - Parameters:
    ///   - snapshot: opens the database of another engine; the folder then has only the server's secret. Nil
    ///     if the data is in the folder.
    ///   - judge: decides whether the backup may be made of this content; false ends it.
    ///   - progress: receives the numbers of copied pages (of another engine: rows) and of all of them, which
    ///     can be an estimate; returns false to cancel.
    /// - Throws: `.exists`, `.noData`, `.noSecret`, `.secretDamaged`, `.secretReplaced`, `.notWritable`,
    ///   `.cancelled`, `.damaged`, `.database`, or `.storage`. In all these cases, no partial file remains.
    package static func make(
        of folder: String, from snapshot: OpeningOfSnapshot? = nil, at path: String, now: Instant,
        _ options: Options = Options(), judging judge: (BackupContent) -> Bool = { _ in true },
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws(OperatingError) -> Backup {
        guard !PrivateFile.exists(path) else { throw .exists(path: path) }
        let data = snapshot == nil ? try DataFolder.withData(at: folder) : DataFolder(path: folder)
        guard PrivateFile.exists(data.secretPath) else { throw .noSecret(path: data.secretPath) }
        let secret = try secrets(of: data)
        if snapshot != nil { removeLeftovers(named: "backup", in: folder) }
        let database = try operating { () throws(CopyError) in try snapshot?() }
        defer { database?.close() }
        let size = try operating { () throws(CopyError) in try database?.size() } ?? data.bytes
        let mark = unfinishedMark
        let partial = "\(path).\(mark)"
        // An encrypted backup is made of a copy in the data folder, so that its disk never has the content.
        let copied = options.seal == nil ? partial : "\(data.path)/backup.\(mark)"
        let copiesOnDisk = options.seal == nil ? 1 : 2
        try writing(to: path, always: true) { () throws(OperatingError) in
            try operating(on: partial) { () throws(JournalError) in
                try DiskSpace.check(
                    PrivateFile.folder(of: path),
                    for: options.sharesDisk ? size * copiesOnDisk + options.reserve : size,
                    operation: "write the backup")
                try PrivateFile.make(partial)
            }
        }
        defer { PrivateFile.remove(database: partial) }
        if copied != partial {
            try operating(on: copied) { () throws(JournalError) in
                try DiskSpace.check(
                    data.path, for: size + options.reserve, operation: "copy the database")
                try PrivateFile.make(copied)
            }
        }
        defer { if copied != partial { PrivateFile.remove(database: copied) } }
        let epoch = try writing(to: path, unless: options.seal != nil) { () throws(OperatingError) in
            if let database {
                try copy(database, to: copied, options, now: now, judge, progress)
            } else {
                try copy(data.databasePath, to: copied, options, now: now, judge, progress)
            }
        }
        // A rotation since the first look would pair the old secret with data of the new one.
        guard try secrets(of: data) == secret else { throw .secretReplaced(path: data.secretPath) }
        var backup = try writing(to: path, unless: options.seal != nil) { () throws(OperatingError) in
            do throws(JournalError) {
                return try complete(copied, secret, options, path: path, epoch: epoch, now: now)
            } catch {
                guard options.interruption?.isInterrupted != true else { throw .cancelled }
                throw OperatingError(error, path: data.databasePath)
            }
        }
        if let encrypt = options.seal {
            try writing(to: path, always: true) { () throws(OperatingError) in
                try seal(copied, into: partial, by: encrypt, options, progress)
            }
            backup = Backup(
                path: path, bytes: PrivateFile.size(partial) ?? 0, epoch: epoch, schema: backup.schema)
        }
        let isOurs = try writing(to: path, always: true) { () throws(OperatingError) in
            try operating(on: path) { () throws(JournalError) in
                try PrivateFile.sync(partial)
                guard try PrivateFile.publish(partial, as: path) else { return false }
                try PrivateFile.sync(PrivateFile.folder(of: path))
                return true
            }
        }
        guard isOurs else { throw .exists(path: path) }
        return backup
    }

    /// The end of the name of an unfinished file, which has the id of its process. An interrupted backup by
    /// another process may have left a file, and in two containers, processes have equal ids.
    package static var unfinishedMark: String {
        "partial-\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 16))"
    }

    /// Runs a step that writes the backup, so that a failure names the backup's folder and not the data
    /// folder.
    /// - Parameter always: whether the step reads nothing from the data folder. Otherwise, only a full or
    ///   read-only disk must be that of the backup, because a backup writes nothing into the data folder.
    /// - Parameter unless: whether the step writes the data folder after all.
    private static func writing<Value>(
        to path: String, always: Bool = false, unless isInDataFolder: Bool = false,
        _ step: () throws(OperatingError) -> Value
    ) throws(OperatingError) -> Value {
        do throws(OperatingError) { return try step() } catch .storage(let failure)
            where always || !isInDataFolder && (failure.reason == .full || failure.reason == .readOnly)
        {
            throw .notWritable(folder: PrivateFile.folder(of: path), failure)
        }
    }

    /// Replaces the empty file `partial` by the encrypted copy.
    private static func seal(
        _ copied: String, into partial: String, by encrypt: @escaping BackupStep, _ options: Options,
        _ progress: (Int, Int) -> Bool
    ) throws(OperatingError) {
        unlink(partial)
        var chunks = 0
        try encrypt(copied, partial) {
            chunks += 1
            if options.isPaced, chunks.isMultiple(of: 16) { usleep(5000) }
            return options.interruption?.isInterrupted != true && progress(1, 1)
        }
    }

    /// Removes the unfinished files and folders of backups and restores whose process has ended, such as
    /// after a power cut.
    /// - Parameter prefix: the beginning of their names; "backup" or "restore" in a data folder.
    package static func removeLeftovers(named prefix: String, in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(prefix) {
            let parts = name.split(separator: ".partial-", omittingEmptySubsequences: false)
            guard parts.count == 2, let process = pid_t(parts[1].prefix { $0 != "-" }) else { continue }
            // In a container, an earlier process may have had this process's id.
            guard process == getpid() || kill(process, 0) != 0 && errno == ESRCH else { continue }
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    static let secretLength = 32
    /// The lengths of the file with the keys that outlive rotations: of this version, and of an older one.
    static let lastingLengths = [64, 32]

    /// Returns the secret of the folder, followed by the lasting keys if there was a rotation.
    static func secrets(of data: DataFolder) throws(OperatingError) -> [UInt8] {
        guard let secret = PrivateFile.read(data.secretPath, count: secretLength) else {
            throw .secretDamaged(path: data.secretPath)
        }
        guard PrivateFile.exists(data.lastingSecretPath) else { return secret }
        for length in lastingLengths {
            if let lasting = PrivateFile.read(data.lastingSecretPath, count: length) {
                return secret + lasting
            }
        }
        throw .secretDamaged(path: data.lastingSecretPath)
    }

    /// Copies the rows of the database, in the order of their keys. Returns the database's epoch.
    private static func copy(
        _ database: String, to partial: String, _ options: Options, now: Instant,
        _ judge: (BackupContent) -> Bool, _ progress: (Int, Int) -> Bool
    ) throws(OperatingError) -> String {
        let copied = try operating(on: database) { () throws(JournalError) -> String? in
            let source = try Connection.looking(at: database)
            defer { source.close() }
            try source.execute("BEGIN", "begin the copy")
            // The first read of the transaction fixes the state that all its later reads see.
            let epoch = try source.checkKind() ? "" : try source.epoch()
            guard !epoch.isEmpty else { return epoch }
            guard judge(BackupContent(epoch: epoch, sets: try source.anonymousSets(at: now))) else {
                return nil
            }
            let target = try Connection(path: partial)
            defer { target.close() }
            // The copy is synced as a whole at the end. If the backup does not reach the end, the copy is
            // deleted.
            try target.execute(
                Settings.ofNewFile
                    + "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192",
                "set up the copy")
            let pace = CopyPace(of: target, at: partial, isPaced: options.isPaced)
            let all = max(1, DataFolder(path: PrivateFile.folder(of: database)).bytes / Settings.pageSize)
            let isWhole = try source.copyInKeyOrder(into: target) { () throws(JournalError) in
                let size = try pace.step()
                return options.interruption?.isInterrupted != true
                    && progress(min(size / Settings.pageSize, all - 1), all)
            }
            return isWhole && progress(all, all) ? epoch : nil
        }
        guard let copied else { throw .cancelled }
        guard !copied.isEmpty else { throw .noData(folder: PrivateFile.folder(of: database)) }
        return copied
    }

    /// Copies the rows of another engine's database, in the order of their keys. Returns the database's
    /// epoch.
    private static func copy(
        _ database: any DatabaseSnapshot, to partial: String, _ options: Options, now: Instant,
        _ judge: (BackupContent) -> Bool, _ progress: (Int, Int) -> Bool
    ) throws(OperatingError) -> String {
        try operating { () throws(CopyError) in
            // The first read of the transaction fixes the state that all its later reads see.
            let content = try database.content(at: now)
            guard judge(content) else { throw .cancelled }
            let target = try SQLiteCopyFile(path: partial)
            defer { target.close() }
            let pace = CopyPace(of: target.connection, at: partial, isPaced: options.isPaced)
            var failure: CopyError?
            do throws(CopyError) {
                _ = try DatabaseCopy.run(from: database, to: target) { phase, done, all in
                    do throws(JournalError) { _ = try pace.step() } catch {
                        failure = CopyError(error, at: target.place)
                    }
                    return failure == nil && options.interruption?.isInterrupted != true
                        && progress(phase == .copying ? min(done, all - 1) : all, max(all, 1))
                }
            } catch { throw failure ?? error }
            _ = try target.publish()
            return content.epoch
        }
    }

    private static let insert = Query(
        "store the secret", "INSERT INTO backup (made_at, epoch, secret) VALUES (?, ?, ?)")

    private static func complete(
        _ partial: String, _ secret: [UInt8], _ options: Options, path: String, epoch: String, now: Instant
    ) throws(JournalError) -> Backup {
        let copy = try Connection(path: partial)
        defer { copy.close() }
        // A backup must be one file without a log.
        try copy.execute("PRAGMA journal_mode = DELETE", "complete the backup")
        try copy.execute(
            """
            CREATE TABLE backup (made_at INTEGER NOT NULL, epoch TEXT NOT NULL, secret BLOB NOT NULL) STRICT;
            PRAGMA application_id = \(backupID);
            """, "complete the backup")
        try copy.run(insert, now, epoch, secret)
        let interruption = options.interruption ?? BackupInterruption()
        let faults = try interruption.whileRunning(on: copy) { () throws(JournalError) in
            try copy.integrityFaults()
        }
        guard faults.isEmpty else {
            throw .failed(
                StorageFailure(
                    .damaged, operation: "verify the backup", detail: faults.joined(separator: "; ")))
        }
        return Backup(
            path: path, bytes: PrivateFile.size(partial) ?? 0, epoch: epoch, schema: try copy.schemaVersion)
    }
}

/// Encrypts or decrypts the file `source` into the new file `target`. The engine knows no cryptography, so
/// the program gives it these functions. `goesOn` is called regularly, and returns false to cancel.
package typealias BackupStep =
    @Sendable (_ source: String, _ target: String, _ goesOn: () -> Bool) throws(OperatingError) -> Void

/// Opens a database of another engine for a backup or a verification.
package typealias OpeningOfSnapshot = () throws(CopyError) -> any DatabaseSnapshot

/// Ends a backup early. Any thread may use it.
package final class BackupInterruption: Sendable {
    private struct State {
        var isInterrupted = false
        /// The connection of a statement that takes long; nil if none runs.
        var connection: Connection?
    }

    private let state = Mutex(State())

    package init() {}

    package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    package func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            state.connection?.interrupt()
        }
    }

    /// Runs a long statement on this connection, which stays open until the end of `body`.
    /// - Throws: `.closed` after an interruption.
    fileprivate func whileRunning<Value>(
        on connection: Connection, _ body: () throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        let mayRun = state.withLock { state in
            state.connection = connection
            return !state.isInterrupted
        }
        defer { state.withLock { $0.connection = nil } }
        guard mayRun else { throw .failed(StorageFailure(.closed, operation: "verify the backup")) }
        return try body()
    }
}

/// The pace at which a backup writes. After each megabyte, it flushes the file and pauses for as long as the
/// writing took, as `SQLiteFileRewrite` does. Otherwise a commit would wait until the disk has written
/// everything.
private final class CopyPace {
    private static let bytesInFlush = 1 << 20
    private static let longestPause = Duration.milliseconds(50)

    private let target: Connection
    private let path: String
    private let isPaced: Bool
    private var size = 0
    private var bytesAtFlush = 0
    private var flushedAt = ContinuousClock.now

    init(of target: Connection, at path: String, isPaced: Bool) {
        (self.target, self.path, self.isPaced) = (target, path, isPaced)
    }

    /// Pauses if enough was written. Returns the size of the file, in bytes.
    func step() throws(JournalError) -> Int {
        size = PrivateFile.size(path) ?? 0
        guard isPaced, size - bytesAtFlush >= Self.bytesInFlush else { return size }
        bytesAtFlush = size
        let code = qring_sqlite_sync(target.handle)
        guard code == SQLITE_OK else { throw target.failure("sync the copy", code) }
        usleep(UInt32(min(ContinuousClock.now - flushedAt, Self.longestPause) / .microseconds(1)))
        flushedAt = .now
        return size
    }
}

extension DataFolder {
    /// The size of the database and its log, in bytes.
    var bytes: Int { (PrivateFile.size(databasePath) ?? 0) + (PrivateFile.size(logPath) ?? 0) }
}

extension Connection {
    private static let schema = Query(
        "read the schema",
        """
        SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY rowid
        """)
    private static let applicationID = Query("read the file's kind", "PRAGMA application_id")
    private static let version = Query("read the schema's version", "PRAGMA user_version")
    /// The number of rows after which the copy asks whether to continue, and commits.
    private static let rowsAtOnce = 512

    /// Copies every row of this database into the empty database `target`, in the order of the keys. So the
    /// copy does not show in which order the rows were written.
    ///
    /// The caller must have an open read transaction on this connection, so that all rows belong to one
    /// state. SQLite allows to bind a column's value of another statement (c3ref/value.html).
    /// - Parameter goesOn: is called after every few rows; returns false to cancel.
    /// - Returns: true if the copy is complete.
    fileprivate func copyInKeyOrder(
        into target: Connection, goesOn: () throws(JournalError) -> Bool
    ) throws(JournalError) -> Bool {
        let tables = try CopiedTable.all(self)
        let kind = try first(Self.applicationID) { $0.int(0) } ?? 0
        let version = try first(Self.version) { $0.int(0) } ?? 0
        for statement in try all(Self.schema, read: { $0.text(0) }) {
            try target.execute(statement, "set up the copy")
        }
        try target.execute(
            "PRAGMA application_id = \(kind); PRAGMA user_version = \(version)", "set up the copy")
        var rows = 0
        try target.begin()
        defer { target.rollBack() }
        for table in tables {
            var insert: Query?
            var isCancelled = false
            let before = rows
            try each(table.rows) { row throws(JournalError) in
                let count = sqlite3_column_count(row.handle)
                let query = insert ?? table.insert(columns: Int(count))
                insert = query
                try target.run(query) { statement in
                    (0..<count).reduce(SQLITE_OK) { code, column in
                        code
                            | sqlite3_bind_value(
                                statement, column + 1, sqlite3_column_value(row.handle, column))
                    }
                }
                rows += 1
                guard rows.isMultiple(of: Self.rowsAtOnce) else { return true }
                try target.commit()
                try target.begin()
                isCancelled = try !goesOn()
                return !isCancelled
            }
            if isCancelled { return false }
            let stored = try first(table.count) { $0.int(0) } ?? 0
            guard rows - before == stored else {
                throw .failed(
                    StorageFailure(
                        .damaged, operation: "copy \(table.name)",
                        detail: "the table has \(stored) rows, and its key finds \(rows - before)"))
            }
        }
        try target.commit()
        return try goesOn()
    }

    /// The number of pages for each step. A step copies a few megabytes, so that the progress moves.
    private static let pagesAtOnce: Int32 = 1024

    /// Copies every page of this database into the empty database `target`.
    ///
    /// The caller must have an open read transaction on this connection. Without a transaction, "if the
    /// source database is modified by an external process … the backup will be automatically restarted"
    /// (c3ref/backup_finish.html). Under load, the backup would then never end. With a transaction, all pages
    /// belong to one state.
    /// - Parameter progress: receives the number of copied pages and the number of all pages; returns false
    ///   to cancel.
    /// - Returns: true if the copy is complete, false if `progress` cancelled it.
    func copy(into target: Connection, progress: (_ done: Int, _ of: Int) -> Bool) throws(JournalError)
        -> Bool
    {
        guard let from = handle, let to = target.handle,
            let backup = sqlite3_backup_init(to, "main", from, "main")
        else {
            throw target.failure("begin the copy", SQLITE_ERROR)
        }
        var code = SQLITE_OK
        var goesOn = true
        while goesOn, code == SQLITE_OK {
            code = sqlite3_backup_step(backup, Self.pagesAtOnce)
            let all = Int(sqlite3_backup_pagecount(backup))
            goesOn = progress(all - Int(sqlite3_backup_remaining(backup)), all)
        }
        let finished = sqlite3_backup_finish(backup)
        if code == SQLITE_DONE, finished == SQLITE_OK { return goesOn }
        guard code == SQLITE_OK, finished == SQLITE_OK else {
            throw target.failure("copy", finished == SQLITE_OK ? code : finished)
        }
        return false
    }
}
