import Foundation
import Glibc
import Journal

/// The folder with a server's data. One process at a time holds it. Its mode is 0700 and that of its files
/// 0600, because they hold names and addresses.
struct DataFolder {
    let path: String

    var databasePath: String { path + "/journal.db" }
    /// SQLite's name for the log.
    var logPath: String { databasePath + "-wal" }
    var lockPath: String { path + "/journal.lock" }
    var markPath: String { path + "/journal.mark" }
    var secretPath: String { path + "/secret" }
    /// Exists while a restore exchanges files. Between its first and its last rename nobody may open the
    /// folder.
    var unfinishedPath: String { path + "/restore.unfinished" }
    /// The folder into which a restore copies a backup. It holds names and the secret, so an interrupted copy
    /// is removed as soon as possible.
    var partialRestorePath: String { path + "/restore.partial" }
    func removePartialRestore() { try? FileManager.default.removeItem(atPath: partialRestorePath) }
    /// The copy that is made before a migration from schema `version`.
    func backup(ofVersion version: Int) -> BackupFile {
        BackupFile(path: "\(databasePath).version-\(version).backup")
    }

    /// Checks the folder before a start. Changes no file.
    /// - Throws: `.restoreUnfinished` after an interrupted restore; the errors of `checkNothingIsLost`.
    func check(needsSecret: Bool) throws(JournalError) {
        guard access(unfinishedPath, F_OK) != 0 else {
            throw .failed(StorageFailure(.restoreUnfinished, operation: "open"))
        }
        try checkNothingIsLost(needsSecret: needsSecret)
    }

    /// Creates the database if there is none. SQLite gives the log and its index the same mode (wal.html).
    func makeDatabase() throws(JournalError) {
        let file = Glibc.open(databasePath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "open \(databasePath)"))
        }
        Glibc.close(file)
    }

    /// Creates the folder if there is none.
    func makeFolder() throws(JournalError) {
        var isFolder: ObjCBool = false
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .failed(StorageFailure(errno: errno, operation: "make the folder \(path)"))
        }
    }

    /// Locks the folder for this process. SQLite's own exclusive mode would also lock out backups and our
    /// readers.
    ///
    /// - Parameter check: runs before anything changes. If it throws, no file has changed.
    /// - Throws: `.busy` if another process holds the folder; the errors of `check`.
    func lock(after check: () throws(JournalError) -> Void = {}) throws(JournalError) -> FolderLock {
        // Without a lock file nobody holds the folder, and creating the file would be a change.
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
        // Only a hint for the message above.
        if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
        return lock
    }
}

/// The lock on a data folder. An open file holds it, so the kernel releases it however the process ends. The
/// file itself stays, because two processes could get the lock if one of them removed the file.
struct FolderLock: ~Copyable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    /// Does nothing; keeps the lock alive until this call.
    func hold() {}

    deinit { Glibc.close(file) }
}

/// The identity of the database and its log when they were opened.
///
/// An open file can still be written after its name is gone. Commits to it succeed, but a later opening does
/// not find them. SQLite detects this with a rollback journal, but not with a log (`databaseIsUnmoved` in
/// pager.c). A file's inode is not reused while the file is open, so device and inode identify it. A file
/// that is overwritten in place keeps both, so that is not detected here.
struct FilesInPlace: Sendable {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private let files: [(path: String, identity: Identity)]

    /// - Throws: `.moved` if a file does not exist.
    init(_ paths: [String]) throws(JournalError) {
        var files: [(path: String, identity: Identity)] = []
        for path in paths { files.append((path, try Self.identity(path))) }
        self.files = files
    }

    /// Checks that the files still have their names. Two files take 0.7 µs of CPU, because the information is
    /// in the kernel's memory.
    /// - Throws: `.moved` if the name is gone or belongs to another file; otherwise the system's error.
    func check() throws(JournalError) {
        for (path, identity) in files where try Self.identity(path) != identity {
            throw .failed(
                StorageFailure(
                    .moved, operation: "look for \(path)", detail: "another file has its name now"))
        }
    }

    private static func identity(_ path: String) throws(JournalError) -> Identity {
        var status = stat()
        guard stat(path, &status) != 0 else { return Identity(device: status.st_dev, inode: status.st_ino) }
        guard errno != ENOENT, errno != ENOTDIR else {
            throw .failed(
                StorageFailure(
                    .moved, operation: "look for \(path)", code: errno, detail: "the file does not exist"))
        }
        throw .failed(StorageFailure(errno: errno, operation: "look for \(path)"))
    }
}
