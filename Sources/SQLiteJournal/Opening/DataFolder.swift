import FoundationEssentials
import Glibc
import Journal
import SQLJournal

/// The folder with a server's data. Only one process at a time can lock it. The folder's mode is 0700 and the
/// mode of its files is 0600, because the files hold names and addresses.
struct DataFolder {
    let path: String

    var databasePath: String { path + "/journal.db" }
    /// The path of the log. SQLite defines this name.
    var logPath: String { databasePath + "-wal" }
    /// The path of the log's index. SQLite defines this name.
    var indexPath: String { databasePath + "-shm" }
    var lockPath: String { path + "/journal.lock" }
    var markPath: String { path + "/journal.mark" }
    var secretPath: String { path + "/secret" }
    /// The secret before the last rotation. Backups do not contain it.
    var previousSecretPath: String { secretPath + ".previous" }
    /// The keys that no rotation changes, after a rotation (`LastingKeys`). Backups contain them.
    var lastingSecretPath: String { secretPath + ".lasting" }
    /// The path of a file that exists while a restore exchanges files. Between the first and the last rename
    /// of the restore, no process may open the folder.
    var unfinishedPath: String { path + "/restore.unfinished" }
    /// The disk space for a start on a full disk (`SpaceReserve`).
    var reservePath: String { path + "/journal.reserve" }
    /// The folder into which a restore copies a backup. The copy holds names and the secret, so an
    /// interrupted copy is removed as soon as possible.
    var partialRestorePath: String { path + "/restore.partial" }
    /// The copy of the database that a running server makes (`SQLiteFileRewrite`). If a copy is left over, no
    /// server uses it. The copy contains names, so it is removed as soon as possible.
    var rewritingPath: String { databasePath + ".rewriting" }
    func removeUnfinishedRewrite() { PrivateFile.remove(database: rewritingPath) }
    func removePartialRestore() { try? FileManager.default.removeItem(atPath: partialRestorePath) }
    /// Removes the copies that encrypted backups were made of, if their process has ended.
    func removePartialBackups() { Backup.removeLeftovers(named: "backup", in: path) }
    /// Returns the copy that the server makes before it migrates a database of schema `version`.
    func backup(ofVersion version: Int) -> BackupFile {
        BackupFile(path: "\(databasePath).version-\(version).backup")
    }

    /// Checks the folder before a start. The function changes no file.
    /// - Throws: `.restoreUnfinished` after an interrupted restore; the errors of `checkNothingIsLost`.
    func check(needsSecret: Bool, _ migrations: Migrations = .sqlite) throws(JournalError) {
        guard access(unfinishedPath, F_OK) != 0 else {
            throw .failed(StorageFailure(.restoreUnfinished, operation: "open"))
        }
        try checkNothingIsLost(needsSecret: needsSecret, migrations)
    }

    /// Creates the database if it does not exist. SQLite gives the log and its index the same mode
    /// (wal.html).
    func makeDatabase() throws(JournalError) {
        let file = Glibc.open(databasePath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "open \(databasePath)"))
        }
        Glibc.close(file)
    }

    /// Creates the folder if it does not exist.
    func makeFolder() throws(JournalError) {
        var isFolder = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .failed(StorageFailure(errno: errno, operation: "make the folder \(path)"))
        }
    }

    /// Locks the folder for this process. SQLite's own exclusive mode would also exclude backups and the
    /// server's readers.
    /// - Parameter check: a check that runs before any file changes. If it throws, no file has changed.
    /// - Throws: `.busy` if another process has locked the folder; the errors of `check`.
    func lock(after check: () throws(JournalError) -> Void = {}) throws(JournalError) -> FolderLock {
        // If there is no lock file, no process has locked the folder. Creating the lock file would change the
        // folder.
        if !PrivateFile.exists(lockPath) { try check() }
        let file = Glibc.open(lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(lockPath)")) }
        let lock = FolderLock(file: file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            guard code == EWOULDBLOCK else {
                throw .failed(StorageFailure(errno: code, operation: "lock \(lockPath)"))
            }
            var text = [UInt8](repeating: 0, count: 20)
            let count = max(0, read(file, &text, text.count))
            let holder = String(decoding: text.prefix(count), as: UTF8.self)
            throw .failed(
                StorageFailure(
                    .busy, operation: "open", code: code,
                    detail: "\(path) is in use by another qring (process \(holder))"))
        }
        try check()
        let text = Array("\(getpid())".utf8)
        // The process number in the file can be out of date. It is used only in the message; the lock
        // decides.
        if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
        return lock
    }
}

/// The lock on a data folder. The lock belongs to an open file, so the kernel releases it when the process
/// ends for any reason. The lock file is never removed, because two processes could lock the folder if one of
/// them removed the file.
struct FolderLock: ~Copyable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    /// Does nothing. A call at the end of a function prevents the compiler from releasing the lock earlier.
    func hold() {}

    deinit { Glibc.close(file) }
}
