import CSQLite
import Glibc
import Journal

extension StorageFailure.Reason {
    /// Of a result code, primary or extended (rescode.html).
    /// - Parameter system: what the system said when it came to that, an `errno`; it counts for failures of
    ///   input and output alone.
    init(sqlite code: Int32, system: Int32 = 0) {
        switch code {
        // The extended codes are macros of arithmetic that Swift does not import: SQLITE_IOERR | (12 << 8).
        case SQLITE_IOERR | 12 << 8: self = .outOfMemory
        default:
            switch code & 0xFF {
            case SQLITE_FULL: self = .full
            case SQLITE_READONLY: self = .readOnly
            // To SQLite a disk is full at ENOSPC alone, and a quota or a limit on files is a write that
            // failed.
            case SQLITE_IOERR where !Self.isRead(code) && Self.isFull(system),
                SQLITE_CANTOPEN where Self.isFull(system):
                self = .full
            case SQLITE_IOERR, SQLITE_CANTOPEN: self = .inputOutput
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
            case SQLITE_NOMEM: self = .outOfMemory
            case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
            default: self = .other
            }
        }
    }

    /// What the system said when it came to this failure of input or output; 0 where it is another one, or
    /// that is not known.
    static func system(of code: Int32, _ handle: OpaquePointer?) -> Int32 {
        guard let handle else { return 0 }
        return switch code & 0xFF {
        case SQLITE_IOERR: qring_sqlite_last_errno(handle) { StorageFailure.Reason.isFull($0) ? 1 : 0 }
        case SQLITE_CANTOPEN: sqlite3_system_errno(handle)
        default: 0
        }
    }

    /// No room on the disk, in a quota (setquota(8)), or below the limit on a file's size (setrlimit(2)).
    static func isFull(_ system: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(system) }

    /// SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ: of these the system's word may be an older one.
    private static func isRead(_ code: Int32) -> Bool { [1, 2].contains(code >> 8) }
}

extension StorageFailure {
    /// Of a call of the system that failed.
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
