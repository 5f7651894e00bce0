import Glibc
import Journal

/// Reads and writes the files of a data folder. Each file is written as a whole, synced, and readable only by
/// its owner.
enum PrivateFile {
    /// Returns the file's bytes. Returns nil if the path is not a regular file of `count` bytes.
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

    /// Returns `count` bytes of the file at `offset`; nil if the file is shorter.
    static func read(_ path: String, count: Int, at offset: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(file, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    /// Creates a file with the given bytes and syncs it.
    /// - Throws: an error if a file of this name already exists.
    static func make(_ path: String, _ bytes: [UInt8] = []) throws(JournalError) {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "make \(path)")) }
        defer { close(file) }
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .failed(StorageFailure(errno: errno, operation: "write \(path)"))
        }
    }

    /// Copies a file of any size into a new file and syncs it.
    /// - Throws: `.full` before anything is written, if the disk has no room for the copy and for the reserve
    ///   of a start.
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

    /// The free space that a start needs on the disk after a copy, in bytes.
    private static let reserve: UInt64 = 1_000_000

    /// Returns `wanted` if no file has this name. Otherwise returns the first of `wanted-2`, `wanted-3`, …
    /// that is free.
    static func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while exists(name) {
            name = "\(wanted)-\(number)"
            number += 1
        }
        return name
    }

    /// Syncs a file or a folder. New names in a folder are on the disk only after the folder itself is
    /// synced.
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

    /// Renames `from` to `path` if no file has that name. Returns false if the name is taken.
    static func publish(_ from: String, as path: String) throws(JournalError) -> Bool {
        // "If newpath exists, it will not be overwritten" (link(2)). In contrast, rename would overwrite it.
        if link(from, path) == 0 {
            unlink(from)
            return true
        }
        if errno == EEXIST { return false }
        // Some file systems, such as those of memory sticks, have no hard links.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
            throw .failed(StorageFailure(errno: errno, operation: "name \(path)"))
        }
        if exists(path) { return false }
        try move(from, to: path)
        return true
    }

    /// Whether the path exists. A symbolic link to a missing file counts as existing.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns the size of a regular file in bytes; nil if there is no such file.
    static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Returns the path of the folder that contains the file.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes a database and the files that SQLite may have created beside it.
    static func remove(database path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

enum DiskSpace {
    /// Checks that the disk of `folder` has room for `bytes`. If the disk cannot be examined, the check
    /// succeeds.
    /// - Throws: `.full` with the missing space.
    static func check(_ folder: String, for bytes: Int, operation: String) throws(JournalError) {
        var disk = statvfs()
        guard statvfs(folder, &disk) == 0 else { return }
        let free = Int(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize))
        guard free < bytes else { return }
        throw .failed(
            StorageFailure(
                .full, operation: operation, code: ENOSPC,
                detail: "it needs \((bytes + 999_999) / 1_000_000) MB, and \(free / 1_000_000) MB are free"))
    }
}
