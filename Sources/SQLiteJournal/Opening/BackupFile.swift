import Foundation
import Journal

/// A copy that has its name only once it is whole and on the disk.
struct BackupFile {
    let path: String
    var partialPath: String { path + ".partial" }

    /// What an interrupted attempt left is of no use: VACUUM INTO wants an empty file. Made here, so that
    /// nobody else may read it.
    func prepare() throws(JournalError) {
        unlink(partialPath)
        let file = Glibc.open(partialPath, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make the backup") }
        Glibc.close(file)
    }

    func finish() throws(JournalError) {
        let file = Glibc.open(partialPath, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw failure("open the backup") }
        defer { Glibc.close(file) }
        guard fsync(file) == 0, rename(partialPath, path) == 0 else { throw failure("keep the backup") }
    }

    private func failure(_ operation: String) -> JournalError {
        .failed(StorageFailure(errno: errno, operation: operation))
    }
}
