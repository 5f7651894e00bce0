import Foundation
import Journal

/// The folder a server's data is in, held by one process at a time. Mode 0700, its files 0600: they hold names and addresses.
struct DataFolder {
    let path: String

    var databasePath: String { path + "/journal.db" }
    /// SQLite's name for it.
    var logPath: String { databasePath + "-wal" }
    var lockPath: String { path + "/journal.lock" }
    var markPath: String { path + "/journal.mark" }
    var secretPath: String { path + "/secret" }
    /// There while a restore exchanges files: between its first and its last rename the folder is not to be opened.
    var unfinishedPath: String { path + "/restore.unfinished" }
    func backup(ofVersion version: Int) -> BackupFile { BackupFile(path: "\(databasePath).version-\(version).backup") }

    /// Makes what is not there yet. SQLite gives the mode of the database to its log and its index (wal.html).
    func make() throws(JournalError) {
        try makeFolder()
        guard access(unfinishedPath, F_OK) != 0 else { throw .failed(StorageFailure(.restoreUnfinished, operation: "open")) }
        let file = Glibc.open(databasePath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(databasePath)")) }
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

    /// Refused with `.busy` where somebody else holds it. SQLite's own exclusive mode would keep out backups and our readers too.
    func lock() throws(JournalError) -> FolderLock {
        let file = Glibc.open(lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(lockPath)")) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            defer { Glibc.close(file) }
            guard code == EWOULDBLOCK else { throw .failed(StorageFailure(errno: code, operation: "lock \(lockPath)")) }
            var text = [UInt8](repeating: 0, count: 20)
            let count = max(0, read(file, &text, text.count))
            let holder = String(decoding: text.prefix(count), as: UTF8.self)
            throw .failed(
                StorageFailure(.busy, operation: "open", code: code, detail: "\(path) is in use by another qring (process \(holder))"))
        }
        let text = Array("\(getpid())".utf8)
        // Only a hint for the message above.
        if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
        return FolderLock(file: file)
    }
}

/// Held by an open file: the kernel gives it back however the process ends. The file itself stays, since removing it would let two in.
struct FolderLock: ~Copyable {
    private let file: Int32

    fileprivate init(file: Int32) { self.file = file }

    /// Does nothing but live until here.
    func hold() {}

    deinit { Glibc.close(file) }
}
