import CSQLite
import Foundation
package import Journal
package import Meetings

/// The state of a data folder as seen from outside, for diagnosis. It changes nothing.
package struct Examination: Sendable {
    /// A file or folder.
    package struct Entry: Sendable {
        package let path: String
        /// The permission bits.
        package let mode: UInt32
        /// The user id of the owner.
        package let owner: UInt32
        package let bytes: Int
        package let isFolder: Bool
    }

    /// The state of the database.
    package enum Database: Sendable {
        /// There is no database yet.
        case none
        /// The database can be read: its schema, the newest schema that this program knows, the time zones of
        /// its meetings, and the time of its newest event.
        case readable(schema: Int, known: Int, zones: [String], newestEvent: Instant?)
        /// The database cannot be read.
        case failed(StorageFailure)
    }

    /// Nil if the folder does not exist.
    package let folder: Entry?
    /// The database, its log, its index, its mark, its lock, and old copies, but not the secret.
    package let files: [Entry]
    /// Nil if there is no secret.
    package let secret: Entry?
    package let database: Database
    /// Acknowledged commits that are missing, oldest first: those that earlier starts recorded, and those
    /// that the next start will detect.
    package let losses: [LostCommits]
    /// The id of the process that serves the folder; empty if it is unknown; nil if no process does.
    package let holder: String?
    /// Whether a restore was interrupted.
    package let restoreIsUnfinished: Bool

    /// The length of the secret in bytes.
    package static let secretLength = Backup.secretLength
    /// The version of the SQLite library.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
    /// Whether the library has STRICT tables, which came with 3.37 (stricttables.html).
    package static var sqliteIsNewEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }

    /// Examines the folder at `path`. Failures are part of the result.
    package init(of path: String) {
        let data = DataFolder(path: path)
        folder = Self.entry(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        files = names.sorted().filter { $0.hasPrefix("journal.") }.compactMap { Self.entry("\(path)/\($0)") }
        secret = Self.entry(data.secretPath)
        holder = data.holder
        restoreIsUnfinished = PrivateFile.exists(data.unfinishedPath)
        (database, losses) = Self.database(data)
    }

    private static func entry(_ path: String) -> Entry? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Entry(
            path: path, mode: status.st_mode & 0o7777, owner: status.st_uid, bytes: Int(status.st_size),
            isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }

    private static let zones = Query("list zones", "SELECT DISTINCT time_zone FROM meetings ORDER BY 1")
    private static let newest = Query(
        "find the newest event",
        "SELECT max(e.at) FROM sessions s JOIN events e ON e.session = s.id AND e.sequence = s.sequence")

    private static func database(_ data: DataFolder) -> (Database, [LostCommits]) {
        do throws(JournalError) {
            try data.checkDatabaseExists()
            guard let size = PrivateFile.size(data.databasePath), size > 0 else { return (.none, []) }
            let mark = MarkFile.look(at: data.markPath)?.mark
            let connection = try Connection(path: data.databasePath, for: .looking)
            defer { connection.close() }
            try connection.execute("BEGIN", "look")
            if try connection.checkKind(known: Migration.all.count) {
                try data.checkNoTraces()
                return (.none, [])
            }
            if size <= SQLiteEngine.Options().mostBytesToCheckFirst,
                let fault = try connection.structuralFault()
            {
                throw .failed(StorageFailure(.damaged, operation: "check the file", detail: fault))
            }
            let newest = try connection.first(newest) { $0.instantIfAny(0) }
            let database = Database.readable(
                schema: try connection.schemaVersion, known: Migration.all.count,
                zones: try connection.all(zones) { $0.text(0) },
                newestEvent: newest.flatMap(\.self))
            return (database, try data.losses(connection, mark: mark))
        } catch {
            if case .failed(let failure) = error { return (.failed(failure), LossRecord.all(in: data.path)) }
            return (.failed(StorageFailure(.other, operation: "look", detail: "\(error)")), [])
        }
    }
}

extension DataFolder {
    /// The id of the process that holds the folder's lock; nil if none does. It tries a shared lock for a
    /// moment, so that a server that starts at exactly that moment would find the folder in use. Every way
    /// without that risk misses a lock of another container.
    var holder: String? {
        let file = open(lockPath, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var text = [UInt8](repeating: 0, count: 20)
        let count = max(0, read(file, &text, text.count))
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}

/// The reason why an operator's command on a data folder was not done. Nothing was changed, unless a case
/// says otherwise.
package enum OperatingError: Error, Hashable, Sendable {
    case storage(StorageFailure)
    /// The database or the backup is damaged; `detail` is SQLite's message.
    case damaged(path: String, detail: String)
    /// The path exists already, and is never overwritten.
    case exists(path: String)
    /// The folder holds no database.
    case noData(folder: String)
    /// The folder holds data, and the caller did not allow to replace it.
    case hasData(folder: String)
    /// A server holds the folder.
    case inUse(folder: String)
    /// The folder has no secret.
    case noSecret(path: String)
    /// The secret has the wrong length or cannot be read.
    case secretDamaged(path: String)
    /// The file is not a backup of QRing.
    case notABackup(path: String)
    /// There is no file at the path.
    case noFile(path: String)
    /// The file cannot be opened; `detail` is the system's message.
    case notReadable(path: String, detail: String)
    /// The caller cancelled the command.
    case cancelled
}

extension OperatingError {
    /// The operator's error for a failure at `path`.
    init(_ error: JournalError, path: String) {
        switch error {
        case .failed(let failure) where failure.reason == .damaged:
            self = .damaged(path: path, detail: failure.detail)
        case .failed(let failure): self = .storage(failure)
        // Only commands of the journal are refused, and this is none.
        case .refused(let refusal): self = .storage(StorageFailure(.other, operation: "\(refusal)"))
        }
    }
}

/// Runs `body` and converts its error.
func operating<Value>(on path: String, _ body: () throws(JournalError) -> Value) throws(OperatingError)
    -> Value
{
    do throws(JournalError) { return try body() } catch { throw OperatingError(error, path: path) }
}
