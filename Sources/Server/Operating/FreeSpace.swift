import Glibc

/// The room on the disk of the data folder, for the user of this process.
package enum FreeSpace {
    /// With less, `/readyz` answers 503 and the doctor's check fails. A check-in still succeeds until the
    /// disk is full; 50 MB are room for tens of thousands, and for the log while a backup reads.
    package static let least = 50_000_000

    /// Bytes; nil if the folder cannot be looked at.
    package static func bytes(at folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
