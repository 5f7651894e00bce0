import FoundationEssentials
import Glibc
import Meetings

/// The files that a log rotation has made of a log file: the same name with a number or a date, such as
/// `qring.log.1`, `qring.log-20261122` or `qring.log.2.gz`.
struct RotatedLogs {
    let path: String

    init(of path: String) { self.path = path }

    /// Deletes the files that were last written before `moment`. A file that cannot be deleted stays until
    /// the next call. Blocks briefly, because it reads a folder.
    func delete(writtenBefore moment: Instant) {
        let file = URL(filePath: path)
        let (name, folder) = (file.lastPathComponent, file.deletingLastPathComponent().path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for other in names where other.hasPrefix(name) && Self.isRotation(other.dropFirst(name.count)) {
            var status = stat()
            guard lstat("\(folder)/\(other)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000) < moment
            else { continue }
            unlink("\(folder)/\(other)")
        }
    }

    /// Whether a rotation adds this text to a name: numbers after dots or hyphens, and the ending of a packed
    /// file.
    static func isRotation(_ ending: Substring) -> Bool {
        let packed = [".gz", ".xz", ".zst", ".bz2"].first { ending.hasSuffix($0) }
        let parts = ending.dropLast(packed?.count ?? 0)
        guard let first = parts.first, first == "." || first == "-", parts.count > 1 else { return false }
        return parts.allSatisfy { $0 == "." || $0 == "-" || ("0"..."9").contains($0) }
    }
}
