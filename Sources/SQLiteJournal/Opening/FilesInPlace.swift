import Glibc
import Journal

/// Which files the paths of the database and its log named when they were opened.
///
/// An open file goes on when its name is gone: commits to it succeed, and whoever opens the folder next does
/// not find them. SQLite looks for that where it keeps a rollback journal, and not with a log
/// (`databaseIsUnmoved` in pager.c). An inode is not given to another file while it is open, so that device
/// and inode tell files apart. What is overwritten in place keeps both, and is not found out here.
struct FilesInPlace: Sendable {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private let files: [(path: String, identity: Identity)]

    /// Throws where one is not there.
    init(_ paths: [String]) throws(JournalError) {
        var files: [(path: String, identity: Identity)] = []
        for path in paths { files.append((path, try Self.identity(path))) }
        self.files = files
    }

    /// Two files take 0.7 µs of CPU: what is looked at is in the kernel's memory.
    /// - Throws: `.moved` where another file has the name or none has it; what the system says where it
    ///   cannot be told.
    func check() throws(JournalError) {
        for (path, identity) in files where try Self.identity(path) != identity {
            throw .failed(
                StorageFailure(
                    .moved, operation: "look for \(path)", detail: "there is another file in its place"))
        }
    }

    private static func identity(_ path: String) throws(JournalError) -> Identity {
        var status = stat()
        guard stat(path, &status) != 0 else { return Identity(device: status.st_dev, inode: status.st_ino) }
        guard errno != ENOENT, errno != ENOTDIR else {
            throw .failed(
                StorageFailure(.moved, operation: "look for \(path)", code: errno, detail: "it is not there"))
        }
        throw .failed(StorageFailure(errno: errno, operation: "look for \(path)"))
    }
}
