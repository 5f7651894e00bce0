import Glibc
import Journal
import Synchronization

/// Checks once a second whether the data files are at their paths and undamaged. It logs each change once,
/// even if the server rejects many requests meanwhile. Commits check the files separately.
final class StorageWatch: Sendable {
    private enum Condition {
        case sound, away, damaged
    }

    private let storage: Storage
    private let log: RequestLog
    private let condition = Mutex(Condition.sound)

    init(_ storage: Storage, _ log: RequestLog) {
        self.storage = storage
        self.log = log
    }

    func isSound() -> Bool {
        do {
            try storage.checkFiles()
            if change(to: .sound) {
                log.note("the data folder is back, and check-ins are saved again")
            }
            return true
        } catch {
            if error.isOfMovedStorage {
                if change(to: .away) {
                    log.note(
                        "the data folder was moved, replaced or deleted under this server, and nothing is "
                            + "saved until it is put back, or until "
                            + "the server is restarted with what is there then (\(why(error)))")
                }
            } else if change(to: .damaged) {
                log.note(
                    "the database is damaged, and nothing is saved any more: stop the server, copy the data "
                        + "folder, and restore a backup with "
                        + "qring admin restore (\(why(error)))")
            }
            return false
        }
    }

    private func why(_ error: JournalError) -> String {
        if case .failed(let failure) = error { "\(failure.operation): \(failure.detail)" } else { "\(error)" }
    }

    private func change(to now: Condition) -> Bool {
        condition.withLock { condition in
            defer { condition = now }
            return condition != now
        }
    }
}

extension Error {
    private var storageReason: StorageFailure.Reason? {
        if case .failed(let failure)? = self as? JournalError { failure.reason } else { nil }
    }

    var isOfMovedStorage: Bool { storageReason == .moved }
    /// Whether `StorageWatch` reports this error to the operator.
    var isWatched: Bool { isOfMovedStorage || storageReason == .damageFound }
}

/// The free disk space of the data folder, as far as this process may use it.
package enum FreeSpace {
    /// The least free space, in bytes. With less, `/readyz` answers 503 and the doctor's check fails.
    /// Check-ins still succeed until the disk is full. 50 MB are enough for tens of thousands of check-ins,
    /// and for the database's log while a backup reads.
    package static let least = 50_000_000

    /// Returns the free space in bytes; nil if the folder cannot be examined.
    package static func bytes(at folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
