import Foundation
import Journal

/// The folder a server's data is in, held by one process at a time. Mode 0700, its files 0600: they hold
/// names and addresses.
struct DataFolder {
    let path: String

    var databasePath: String { path + "/journal.db" }
    /// SQLite's name for it.
    var logPath: String { databasePath + "-wal" }
    var lockPath: String { path + "/journal.lock" }
    var markPath: String { path + "/journal.mark" }
    var secretPath: String { path + "/secret" }
    /// There while a restore exchanges files: between its first and its last rename the folder is not to be
    /// opened.
    var unfinishedPath: String { path + "/restore.unfinished" }
    /// Where a restore copies a backup to. It holds names and the secret, so that an interrupted one is
    /// removed as soon as possible.
    var partialRestorePath: String { path + "/restore.partial" }
    func removePartialRestore() { try? FileManager.default.removeItem(atPath: partialRestorePath) }
    func backup(ofVersion version: Int) -> BackupFile {
        BackupFile(path: "\(databasePath).version-\(version).backup")
    }

    /// - Throws: `.restoreUnfinished` after an interrupted restore; what `checkNothingIsLost` throws.
    func check(needsSecret: Bool) throws(JournalError) {
        guard access(unfinishedPath, F_OK) != 0 else {
            throw .failed(StorageFailure(.restoreUnfinished, operation: "open"))
        }
        try checkNothingIsLost(needsSecret: needsSecret)
    }

    /// Makes the database if there is none. SQLite gives its mode to its log and its index (wal.html).
    func makeDatabase() throws(JournalError) {
        let file = Glibc.open(databasePath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "open \(databasePath)"))
        }
        Glibc.close(file)
    }

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

    /// Takes the folder. SQLite's own exclusive mode would keep out backups and our readers, too.
    ///
    /// - Parameter check: what to look at before; if it throws, no file has changed.
    /// - Throws: `.busy` if another process holds the folder; what `check` throws.
    func lock(after check: () throws(JournalError) -> Void = {}) throws(JournalError) -> FolderLock {
        // Without the file nobody holds the folder, and making it would be a change.
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

/// Held by an open file: the kernel gives it back however the process ends. The file itself stays, since
/// removing it would let two in.
struct FolderLock: ~Copyable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    /// Does nothing but live until here.
    func hold() {}

    deinit { Glibc.close(file) }
}
