import CSQLite
import Glibc
import Journal
package import Meetings
import SQLJournal

/// A backup: one SQLite file of mode 0600. It contains the database and, in the table `backup`, the server's
/// secret, followed by the lasting keys (`LastingKeys`) if there was a rotation. An older version stored its
/// first secret there. The secret signs codes, receipts and grants; in a separate file, it could get lost. A
/// backup has another application id than a database, so that no server serves it.
package struct Backup: Hashable, Sendable {
    package let path: String
    /// The size of the backup file, in bytes.
    package let bytes: Int
    /// The epoch of the database at the start of the backup.
    package let epoch: String
    /// The version of the database's schema.
    package let schema: Int

    /// Copies the data in `folder`, with or without a running server. The backup contains every commit that
    /// was acknowledged before the call. Commits during the copy wait in the server's log, which grows until
    /// the copy is complete.
    ///
    /// - Parameter progress: receives the number of copied pages and the number of all pages; returns false
    ///   to cancel.
    /// - Throws: `.exists`, `.noData`, `.noSecret`, `.secretDamaged`, `.notWritable`, `.cancelled`,
    ///   `.damaged`, or `.storage`. In all these cases, no partial file remains.
    package static func make(
        of folder: String, at path: String, now: Instant,
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws(OperatingError) -> Backup {
        guard !PrivateFile.exists(path) else { throw .exists(path: path) }
        let data = try DataFolder.withData(at: folder)
        guard PrivateFile.exists(data.secretPath) else { throw .noSecret(path: data.secretPath) }
        let secret = try secrets(of: data)
        // The name contains the id of this process, because an interrupted backup by another process may have
        // left a file.
        let partial = "\(path).partial-\(getpid())"
        try writing(to: path, always: true) { () throws(OperatingError) in
            try operating(on: partial) { () throws(JournalError) in try PrivateFile.make(partial) }
        }
        defer { PrivateFile.remove(database: partial) }
        let epoch = try writing(to: path) { () throws(OperatingError) in
            try copy(data.databasePath, to: partial, progress)
        }
        let backup = try writing(to: path) { () throws(OperatingError) in
            try operating(on: data.databasePath) { () throws(JournalError) in
                try complete(partial, secret, path: path, epoch: epoch, now: now)
            }
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

    /// Runs a step that writes the backup, so that a failure names the backup's folder and not the data
    /// folder.
    /// - Parameter always: whether the step reads nothing from the data folder. Otherwise, only a full or
    ///   read-only disk must be that of the backup, because a backup writes nothing into the data folder.
    private static func writing<Value>(
        to path: String, always: Bool = false, _ step: () throws(OperatingError) -> Value
    ) throws(OperatingError) -> Value {
        do throws(OperatingError) { return try step() } catch .storage(let failure)
            where always || failure.reason == .full || failure.reason == .readOnly
        {
            throw .notWritable(folder: PrivateFile.folder(of: path), failure)
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

    /// Copies the pages of the database. Returns the database's epoch.
    private static func copy(_ database: String, to partial: String, _ progress: (Int, Int) -> Bool)
        throws(OperatingError) -> String
    {
        let copied = try operating(on: database) { () throws(JournalError) -> String? in
            let source = try Connection.looking(at: database)
            defer { source.close() }
            try source.execute("BEGIN", "begin the copy")
            // The first read of the transaction fixes the state that all its later reads see.
            let epoch = try source.checkKind() ? "" : try source.epoch()
            let target = try Connection(path: partial)
            defer { target.close() }
            // The copy is synced as a whole at the end. If the backup does not reach the end, the copy is
            // deleted.
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", "set up the copy")
            return try source.copy(into: target, progress: progress) ? epoch : nil
        }
        guard let copied else { throw .cancelled }
        guard !copied.isEmpty else { throw .noData(folder: PrivateFile.folder(of: database)) }
        return copied
    }

    private static let insert = Query(
        "store the secret", "INSERT INTO backup (made_at, epoch, secret) VALUES (?, ?, ?)")

    private static func complete(
        _ partial: String, _ secret: [UInt8], path: String, epoch: String, now: Instant
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
        let faults = try copy.integrityFaults()
        guard faults.isEmpty else {
            throw .failed(
                StorageFailure(
                    .damaged, operation: "verify the backup", detail: faults.joined(separator: "; ")))
        }
        return Backup(
            path: path, bytes: PrivateFile.size(partial) ?? 0, epoch: epoch, schema: try copy.schemaVersion)
    }
}

extension Connection {
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
