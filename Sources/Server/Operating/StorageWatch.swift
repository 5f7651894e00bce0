import Glibc
import Journal
import Synchronization

/// Checks once a second whether the data files are at their paths and undamaged, whether the disk is full,
/// and whether the check of the database file has ended. It logs each change once, even if the server rejects
/// many requests meanwhile. Commits check the files separately.
final class StorageWatch: Sendable {
    private enum Condition {
        case sound, away, damaged, full
    }

    private let storage: Storage
    private let log: RequestLog
    private let condition = Mutex(Condition.sound)
    private let notedCheck = Atomic<Bool>(false)

    init(_ storage: Storage, _ log: RequestLog) {
        self.storage = storage
        self.log = log
    }

    func isSound() -> Bool {
        do {
            try storage.checkFiles()
            noteCheck()
            if storage.isFull {
                if change(to: .full) {
                    log.note(
                        "the disk is full, and nothing is saved until there is room; everything that was "
                            + "saved can be read. Free some space; no restart is needed")
                }
            } else if change(to: .sound) {
                log.note("the data folder is back or has room again, and check-ins are saved again")
            }
            return true
        } catch {
            if error.isOfMovedStorage {
                if change(to: .away) {
                    log.note(
                        "the data folder was moved, replaced or deleted under this server, and nothing is "
                            + "saved until it is put back, or until "
                            + "the server is restarted with what is there then (\(error.reasonInLog))")
                }
            } else if change(to: .damaged) {
                log.note(
                    "the database is damaged, and nothing is saved any more: stop the server, copy the data "
                        + "folder, and restore a backup with "
                        + "qring admin restore (\(error.reasonInLog))")
            }
            return false
        }
    }

    /// Logs the end of the check of the database file.
    private func noteCheck() {
        guard !notedCheck.load(ordering: .relaxed), let check = storage.fileCheck, check.state != .running
        else { return }
        notedCheck.store(true, ordering: .relaxed)
        let file = "the database file of \(check.bytes / 1_000) kB"
        switch check.state {
        case .sound:
            log.note("\(file) was checked in \(Int(check.duration / .milliseconds(1))) ms: no damage")
        case .unfinished: log.note("\(file) could not be checked; see qring admin verify")
        // `isSound` logs damage.
        case .damaged, .running: break
        }
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

    var reasonInLog: String {
        if case .failed(let failure)? = self as? JournalError {
            "\(failure.operation): \(failure.detail)"
        } else {
            "\(self)"
        }
    }
}

extension RequestLog {
    /// Logs that work of a tick failed, unless `StorageWatch` reports the reason. A later tick tries again.
    /// - Parameter failure: a sentence such as "mails could not be queued".
    func noteRetry(_ failure: String, after error: any Error) {
        guard !error.isWatched else { return }
        note("\(failure) and will be tried again: \(error.reasonInLog)")
    }
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
