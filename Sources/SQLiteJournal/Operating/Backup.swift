import Foundation
import Journal
package import Meetings

/// A backup: one SQLite file of mode 0600 that holds the database and, in a table `backup`, the server's
/// secret. Codes, receipts and grants are signed with the secret; two files that belong together get parted.
/// Its application id differs, so that nobody serves from it.
package struct Backup: Hashable, Sendable {
    package let path: String
    package let bytes: Int
    /// Of the database at the moment that the backup began.
    package let epoch: String
    package let schema: Int

    /// Copies the data in `folder`, whether a server runs on them or not, as they are when the call begins:
    /// whatever was acknowledged before is in it. What a server commits meanwhile waits in its log, which
    /// grows until the copy is done.
    ///
    /// - Parameter progress: gets pages done and pages in all, and says whether to go on.
    package static func make(
        of folder: String, at path: String, now: Instant,
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws(OperatingError) -> Backup {
        guard !PrivateFile.exists(path) else { throw .exists(path: path) }
        let data = DataFolder(path: folder)
        try operating(on: folder) { () throws(JournalError) in try data.checkDatabaseExists() }
        guard let size = PrivateFile.size(data.databasePath), size > 0 else { throw .noData(folder: folder) }
        guard PrivateFile.exists(data.secretPath) else { throw .noSecret(path: data.secretPath) }
        guard let secret = PrivateFile.read(data.secretPath, count: secretLength) else {
            throw .secretDamaged(path: data.secretPath)
        }
        // A name of this process's own: an attempt that was interrupted leaves it, and it is nobody's backup.
        let partial = "\(path).partial-\(getpid())"
        try operating(on: partial) { () throws(JournalError) in try PrivateFile.make(partial) }
        defer { PrivateFile.remove(database: partial) }
        let epoch = try copy(data.databasePath, to: partial, progress)
        let backup = try operating(on: data.databasePath) { () throws(JournalError) in
            try complete(partial, secret, path: path, epoch: epoch, now: now)
        }
        let isOurs = try operating(on: path) { () throws(JournalError) in
            try PrivateFile.sync(partial)
            guard try PrivateFile.publish(partial, as: path) else { return false }
            try PrivateFile.sync(PrivateFile.folder(of: path))
            return true
        }
        guard isOurs else { throw .exists(path: path) }
        return backup
    }

    static let secretLength = 32

    /// Returns the epoch.
    private static func copy(_ database: String, to partial: String, _ progress: (Int, Int) -> Bool)
        throws(OperatingError) -> String
    {
        let copied = try operating(on: database) { () throws(JournalError) -> String? in
            let source = try Connection(path: database, for: .looking)
            defer { source.close() }
            try source.execute("BEGIN", "begin the copy")
            // The first read takes the state that all the others see.
            let epoch = try source.checkKind(known: Migration.all.count) ? "" : try source.epoch()
            let target = try Connection(path: partial)
            defer { target.close() }
            // It is synced as a whole at the end, and thrown away if that is not reached.
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", "set up the copy")
            return try source.copy(into: target, progress: progress) ? epoch : nil
        }
        guard let copied else { throw .cancelled }
        guard !copied.isEmpty else { throw .noData(folder: PrivateFile.folder(of: database)) }
        return copied
    }

    private static let insert = Query(
        "keep the secret", "INSERT INTO backup (made_at, epoch, secret) VALUES (?, ?, ?)")

    private static func complete(
        _ partial: String, _ secret: [UInt8], path: String, epoch: String, now: Instant
    ) throws(JournalError) -> Backup {
        let copy = try Connection(path: partial)
        defer { copy.close() }
        // One file, without a log beside it.
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
