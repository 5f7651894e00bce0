import CSQLite
import Journal

extension StorageFailure.Reason {
    /// Of a result code, primary or extended (rescode.html).
    init(sqlite code: Int32) {
        switch code {
        // The extended codes are macros of arithmetic that Swift does not import: SQLITE_IOERR | (12 << 8).
        case SQLITE_IOERR | 12 << 8: self = .outOfMemory
        default:
            switch code & 0xFF {
            case SQLITE_FULL: self = .full
            case SQLITE_READONLY: self = .readOnly
            case SQLITE_IOERR, SQLITE_CANTOPEN: self = .inputOutput
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
            case SQLITE_NOMEM: self = .outOfMemory
            case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
            default: self = .other
            }
        }
    }
}
