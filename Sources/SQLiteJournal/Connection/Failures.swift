import CSQLite
import Glibc
import Journal
import Synchronization

extension StorageFailure.Reason {
    /// Makes the reason for a SQLite result code, primary or extended (rescode.html).
    /// - Parameter system: the `errno` of the failed system call; only used for failures of input and output.
    init(sqlite code: Int32, system: Int32 = 0) {
        switch code {
        // Swift does not import the macros of extended codes, because they are expressions such as
        // SQLITE_IOERR | (12 << 8).
        case SQLITE_IOERR | 12 << 8: self = .outOfMemory
        default:
            switch code & 0xFF {
            case SQLITE_FULL: self = .full
            case SQLITE_READONLY: self = .readOnly
            // SQLite reports FULL only for ENOSPC. SQLite reports a full quota or a limit on the size of
            // files as a failed write.
            case SQLITE_IOERR where !Self.isRead(code) && Self.isFull(system),
                SQLITE_CANTOPEN where Self.isFull(system):
                self = .full
            case SQLITE_IOERR, SQLITE_CANTOPEN: self = .inputOutput
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
            case SQLITE_NOMEM: self = .outOfMemory
            case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
            case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH: self = .unstorable
            default: self = .other
            }
        }
    }

    /// Returns the `errno` of a failure of input or output. Returns 0 for other failures, and if the `errno`
    /// is unknown.
    static func system(of code: Int32, _ handle: OpaquePointer?) -> Int32 {
        guard let handle else { return 0 }
        return switch code & 0xFF {
        case SQLITE_IOERR: qring_sqlite_last_errno(handle) { StorageFailure.Reason.isFull($0) ? 1 : 0 }
        case SQLITE_CANTOPEN: sqlite3_system_errno(handle)
        default: 0
        }
    }

    /// Whether `system` means that the disk is full, the quota is used up (setquota(8)), or the limit on a
    /// file's size is reached (setrlimit(2)).
    static func isFull(_ system: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(system) }

    /// Whether the code is SQLITE_IOERR_READ or SQLITE_IOERR_SHORT_READ. For these codes, the recorded
    /// `errno` can belong to an older failure.
    private static func isRead(_ code: Int32) -> Bool { [1, 2].contains(code >> 8) }
}

extension StorageFailure {
    /// Makes the failure of a system call.
    package init(errno code: Int32, operation: String) {
        let reason: Reason =
            switch code {
            case let code where Reason.isFull(code): .full
            case EROFS, EACCES, EPERM: .readOnly
            case ENOMEM: .outOfMemory
            default: .inputOutput
            }
        self.init(reason, operation: operation, code: code, detail: String(cString: strerror(code)))
    }
}

/// The first damage that a connection found in the file. Damage ends all writing until a restart, because
/// commits to a damaged file could be lost or could damage the file further. Reads continue. Any thread may
/// use this object.
final class FoundDamage: Sendable {
    private let found = Mutex<StorageFailure?>(nil)

    /// Records the damage, unless other damage is already recorded.
    func note(operation: String, code: Int32, detail: String) {
        found.withLock {
            if $0 == nil {
                $0 = StorageFailure(.damageFound, operation: operation, code: code, detail: detail)
            }
        }
    }

    /// Throws if damage is recorded.
    /// - Throws: `.damageFound` with the first damage.
    func check() throws(JournalError) {
        if let failure = found.withLock({ $0 }) { throw .failed(failure) }
    }
}
