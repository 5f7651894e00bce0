import Foundation
import Journal

/// Small files and names in a data folder: written whole, synced, and readable by their owner alone.
enum PrivateFile {
    /// Nil where there is none, or something else than a regular file of `count` bytes.
    static func read(_ path: String, count: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == count else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: count)
        return Glibc.read(file, &bytes, count) == count ? bytes : nil
    }

    /// Makes a new file. - Throws: where there is one already.
    static func make(_ path: String, _ bytes: [UInt8] = []) throws(JournalError) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "make \(path)")) }
        defer { close(file) }
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "write \(path)"))
        }
    }

    /// Copies a file, which may be of any size, into a new one. Synced.
    /// - Throws: `.full` before anything is written if there is no room, with a reserve for what comes next.
    static func copy(_ from: String, to path: String) throws(JournalError) {
        func failure(_ operation: String) -> JournalError {
            .failed(StorageFailure(errno: errno, operation: "\(operation) \(path)"))
        }
        let source = open(from, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(from)")) }
        defer { close(source) }
        let target = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw failure("make") }
        defer { close(target) }
        var status = stat()
        var disk = statvfs()
        guard fstat(source, &status) == 0, fstatvfs(target, &disk) == 0 else { throw failure("look at") }
        guard UInt64(disk.f_bavail) * UInt64(disk.f_frsize) > UInt64(status.st_size) + reserve else {
            errno = ENOSPC
            throw failure("copy to")
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(source, &bytes, bytes.count)
            if count == 0 { break }
            guard count > 0 else { throw failure("copy to") }
            var written = 0
            while written < count {
                let put = bytes.withUnsafeBytes {
                    write(target, $0.baseAddress?.advanced(by: written), count - written)
                }
                guard put > 0 else { throw failure("copy to") }
                written += put
            }
        }
        guard fsync(target) == 0 else { throw failure("sync") }
    }

    /// What a start itself needs on the disk after a copy.
    private static let reserve: UInt64 = 1_000_000

    /// `wanted`, or the first of `wanted-2`, `wanted-3`, … that does not exist.
    static func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while exists(name) {
            name = "\(wanted)-\(number)"
            number += 1
        }
        return name
    }

    /// Of a file or a folder: its names are on the disk only after the folder's own sync.
    static func sync(_ path: String) throws(JournalError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(path)")) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .failed(StorageFailure(errno: errno, operation: "sync \(path)")) }
    }

    static func move(_ from: String, to path: String) throws(JournalError) {
        guard rename(from, path) == 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "rename \(from)"))
        }
    }

    /// Gives `path` a new name that nobody has. False where somebody has it.
    static func publish(_ from: String, as path: String) throws(JournalError) -> Bool {
        // "If newpath exists, it will not be overwritten" (link(2)), as rename would.
        if link(from, path) == 0 {
            unlink(from)
            return true
        }
        if errno == EEXIST { return false }
        // File systems without second names, such as those of memory sticks.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
            throw .failed(StorageFailure(errno: errno, operation: "name \(path)"))
        }
        if exists(path) { return false }
        try move(from, to: path)
        return true
    }

    /// Whatever it is, a link that leads nowhere included.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a file and what SQLite may have put beside it.
    static func remove(database path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}
