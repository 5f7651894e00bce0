import FoundationEssentials
import Glibc
package import Journal
package import Meetings
import SQLJournal

/// The result of replacing a data folder's files with a backup.
///
/// The restore first copies the backup into the folder and checks the copy. Then it moves the old files to a
/// separate folder, and renames the new files to their final names. During the renames, the file
/// `restore.unfinished` prevents servers from opening the folder, so that no server serves the files of an
/// interrupted restore.
package struct Restore: Hashable, Sendable {
    package let folder: String
    /// The new epoch of the database. The new epoch makes clients discard their data.
    package let epoch: String
    /// The time at which the backup was made. Nil for the copy that a server makes before a migration.
    package let madeAt: Instant?
    /// The folder to which the restore moved the old files; nil if there were no old files.
    package let replaced: String?

    package init(folder: String, epoch: String, madeAt: Instant?, replaced: String?) {
        (self.folder, self.epoch, self.madeAt, self.replaced) = (folder, epoch, madeAt, replaced)
    }

    /// Restores a backup.
    /// - Parameters:
    ///   - path: a backup, or a copy that a server made before a migration. Such a copy has no secret, so the
    ///     restored data uses the secret of the folder.
    ///   - decrypt: decrypts an encrypted backup; nil if the file is not encrypted.
    ///   - mayReplace: whether the restore may move existing data in the folder to a separate folder.
    ///   - progress: receives the number of copied pages and the number of all pages; returns false to
    ///     cancel.
    /// - Throws: `.inUse`, `.hasData`, `.noFile`, `.notReadable`, `.notABackup`, `.noSecret`, `.encrypted`,
    ///   `.otherKey`, `.newerBackup`, `.secretDamaged`, `.cancelled`, `.damaged`, or `.storage`.
    package static func run(
        _ path: String, to folder: String, decryptedBy decrypt: BackupStep? = nil, mayReplace: Bool,
        now: Instant,
        progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }
    ) throws(OperatingError) -> Restore {
        let data = DataFolder(path: folder)
        try operating(on: folder) { () throws(JournalError) in try data.makeFolder() }
        let lock = try lock(data)
        defer { lock.hold() }
        data.removePartialRestore()
        data.removeUnfinishedRewrite()
        let before = data.files.filter(PrivateFile.exists)
        let hasData = before.contains {
            $0 == data.secretPath || ($0 == data.databasePath && PrivateFile.size($0) != 0)
        }
        if hasData, !mayReplace { throw .hasData(folder: folder) }

        let staged = DataFolder(path: data.partialRestorePath)
        defer { try? FileManager.default.removeItem(atPath: staged.path) }
        let (epoch, madeAt) = try stage(path, decrypt, in: staged, secretOf: data, progress)
        let aside = before.isEmpty ? nil : PrivateFile.freeName("\(folder)/replaced-\(stamp(now))")
        try operating(on: folder) { () throws(JournalError) in
            try exchange(data, staged, before, aside: aside)
        }
        return Restore(folder: folder, epoch: epoch, madeAt: madeAt, replaced: aside)
    }

    /// Returns whether the data folder of a server on another engine needs the secrets of a restored folder.
    /// - Throws: `.hasData` if the data folder has another secret.
    package static func needsSecrets(of restored: String, in folder: String) throws(OperatingError) -> Bool {
        let (source, target) = (DataFolder(path: restored), DataFolder(path: folder))
        guard PrivateFile.exists(target.secretPath) else { return true }
        guard try Backup.secrets(of: source) == Backup.secrets(of: target) else {
            throw .hasData(folder: folder)
        }
        return false
    }

    /// Copies the secrets of a restored folder into a data folder that has none.
    package static func installSecrets(of restored: String, in folder: String) throws(JournalError) {
        let (source, target) = (DataFolder(path: restored), DataFolder(path: folder))
        // The secret comes last, so that an interruption leaves no secret without its lasting keys.
        if PrivateFile.exists(source.lastingSecretPath) {
            unlink(target.lastingSecretPath)
            try PrivateFile.copy(source.lastingSecretPath, to: target.lastingSecretPath)
            try target.giveOwner(to: [target.lastingSecretPath])
        }
        try PrivateFile.copy(source.secretPath, to: target.secretPath)
        try target.giveOwner(to: [target.secretPath])
        try PrivateFile.sync(folder)
    }

    private static func lock(_ data: DataFolder) throws(OperatingError) -> FolderLock {
        do throws(JournalError) { return try data.lock() } catch {
            if case .failed(let failure) = error, failure.reason == .busy { throw .inUse(folder: data.path) }
            throw OperatingError(error, path: data.path)
        }
    }

    private static func checkFile(_ path: String) throws(OperatingError) {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { throw .noFile(path: path) }
            throw .notReadable(path: path, detail: String(cString: strerror(errno)))
        }
        close(file)
        guard let size = PrivateFile.size(path), size > 0 else { throw .notABackup(path: path) }
    }

    private static let backup = Query("read the backup", "SELECT made_at, secret FROM backup")

    /// Copies the backup into `staged` and turns the copy into a database. The folder's own files do not
    /// change.
    private static func stage(
        _ path: String, _ decrypt: BackupStep?, in staged: DataFolder, secretOf data: DataFolder,
        _ progress: (Int, Int) -> Bool
    ) throws(OperatingError) -> (epoch: String, madeAt: Instant?) {
        try checkFile(path)
        if let decrypt {
            let opened = "\(staged.path)/opened"
            try operating(on: path) { () throws(JournalError) in try staged.makeFolder() }
            defer { unlink(opened) }
            try decrypt(path, opened) { progress(0, 1) }
            return try stage(opened, nil, in: staged, secretOf: data, progress)
        }
        var isWhole = false
        let oldSecret: (secret: [UInt8], madeAt: Instant)?
        do throws(JournalError) {
            let source = try Connection(path: path, for: .reading)
            defer { source.close() }
            try source.execute("BEGIN", "read the backup")
            let isBackup = try source.isBackup()
            try staged.makeFolder()
            try PrivateFile.make(staged.databasePath)
            let target = try Connection(path: staged.databasePath)
            defer { target.close() }
            try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", "set up the copy")
            isWhole = try source.copy(into: target, progress: progress)
            oldSecret =
                isBackup ? try source.first(backup) { (secret: $0.bytes(1), madeAt: $0.instant(0)) } : nil
        } catch {
            if case .failed(let failure) = error, failure.reason == .foreign || failure.code & 0xFF == 26 {
                throw .notABackup(path: path)
            }
            throw OperatingError(error, path: path)
        }
        guard isWhole else { throw .cancelled }
        if oldSecret == nil, !PrivateFile.exists(data.secretPath) { throw .noSecret(path: data.secretPath) }
        let secrets = if let oldSecret { oldSecret.secret } else { try Backup.secrets(of: data) }
        let length = Backup.secretLength
        guard ([0] + Backup.lastingLengths).contains(secrets.count - length) else {
            throw .secretDamaged(path: path)
        }
        let epoch = try operating(on: path) { () throws(JournalError) in
            try PrivateFile.make(staged.secretPath, Array(secrets.prefix(length)))
            if secrets.count > length {
                try PrivateFile.make(staged.lastingSecretPath, Array(secrets.dropFirst(length)))
            }
            return try complete(staged)
        }
        return (epoch, oldSecret?.madeAt)
    }

    /// Checks the copy, removes the secret from the copied database, and renews the epoch. Returns the new
    /// epoch.
    private static func complete(_ staged: DataFolder) throws(JournalError) -> String {
        let copy = try Connection(path: staged.databasePath)
        defer { copy.close() }
        try copy.execute(
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON", "restore")
        let faults = try copy.integrityFaults()
        guard faults.isEmpty else {
            throw .failed(
                StorageFailure(
                    .damaged, operation: "verify the backup", detail: faults.joined(separator: "; ")))
        }
        // `secure_delete` overwrites the dropped table, because the secret must not remain in the database.
        try copy.execute("DROP TABLE IF EXISTS backup; PRAGMA application_id = \(applicationID)", "restore")
        try copy.renewEpoch()
        // The old mark does not belong to this database. The next opening creates a new mark.
        try copy.execute("DELETE FROM meta WHERE key = 'mark'", "restore")
        let epoch = try copy.epoch()
        try PrivateFile.sync(staged.databasePath)
        return epoch
    }

    private static func exchange(
        _ data: DataFolder, _ staged: DataFolder, _ before: [String], aside: String?
    ) throws(JournalError) {
        if !PrivateFile.exists(data.unfinishedPath) { try PrivateFile.make(data.unfinishedPath) }
        try PrivateFile.sync(data.path)
        if let aside {
            let folder = DataFolder(path: aside)
            try folder.makeFolder()
            for path in before { try PrivateFile.move(path, to: aside + path.dropFirst(data.path.count)) }
            try PrivateFile.sync(aside)
        }
        let hasLasting = PrivateFile.exists(staged.lastingSecretPath)
        try data.giveOwner(
            to: [staged.databasePath, staged.secretPath] + (hasLasting ? [staged.lastingSecretPath] : []))
        try PrivateFile.move(staged.databasePath, to: data.databasePath)
        if hasLasting { try PrivateFile.move(staged.lastingSecretPath, to: data.lastingSecretPath) }
        try PrivateFile.move(staged.secretPath, to: data.secretPath)
        try PrivateFile.sync(data.path)
        unlink(data.unfinishedPath)
        try PrivateFile.sync(data.path)
    }

    /// Returns the time as `2026-11-20T204500Z`, in UTC. The text has no colons, because some tools read the
    /// part of a path before a colon as a host.
    private static func stamp(_ now: Instant) -> String {
        String(now.rfc3339.prefix(19)).replacing(":", with: "") + "Z"
    }
}

extension DataFolder {
    /// The names of all files that belong to one database.
    var files: [String] {
        [
            databasePath, databasePath + "-wal", databasePath + "-shm", databasePath + "-journal", markPath,
            secretPath, previousSecretPath, lastingSecretPath,
        ]
    }

    /// Gives the files to the owner of the folder if the superuser runs the restore. Otherwise the server
    /// could not open them.
    func giveOwner(to paths: [String]) throws(JournalError) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return }
        // A server on PostgreSQL has no lock file.
        let lock = PrivateFile.exists(lockPath) ? [lockPath] : []
        for path in paths + lock where chown(path, status.st_uid, status.st_gid) != 0 {
            throw .failed(StorageFailure(errno: errno, operation: "give \(path) to the folder's owner"))
        }
    }
}

extension Connection {
    /// Returns whether the file is a backup (true) or a database (false).
    /// - Throws: `.foreign` for any other file; as `Migrations.check`.
    func isBackup() throws(JournalError) -> Bool {
        do throws(JournalError) {
            guard try !checkKind() else {
                throw .failed(
                    StorageFailure(.foreign, operation: "read the backup", detail: "the file is empty"))
            }
            return false
        } catch {
            guard case .failed(let failure) = error, failure.reason == .isBackup else { throw error }
        }
        try Migrations.sqlite.check(try schemaVersion, "read the backup")
        return true
    }
}
