import CSQLite
import FoundationEssentials
import Glibc
package import Journal
package import Meetings
import SQLJournal

/// The state of a data folder, for diagnosis. Examining a folder changes no file.
package struct Examination: Sendable {
    /// A file or folder of the data folder.
    package struct Entry: Sendable {
        package let path: String
        /// The permission bits of the file.
        package let mode: UInt32
        /// The user id of the file's owner.
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

    /// The data folder; nil if it does not exist.
    package let folder: Entry?
    /// The database, its log, its index, its mark, its lock, and old copies, but not the secret.
    package let files: [Entry]
    /// The file of the secret; nil if it does not exist.
    package let secret: Entry?
    package let database: Database
    /// The lost commits: acknowledged commits that the database does not have. The list contains the losses
    /// that earlier starts recorded, oldest first, and then the loss that the next start will detect.
    package let losses: [LostCommits]
    /// The id of the process that has locked the folder; empty if the id is unknown; nil if no process has
    /// locked it.
    package let holder: String?
    /// Whether an interrupted restore left the folder unfinished.
    package let restoreIsUnfinished: Bool

    /// The free disk space that a rewrite of the database file needs, in bytes; 0 if there is no database.
    package var bytesForRewrite: Int {
        let database = files.first { $0.path.hasSuffix("/journal.db") }?.bytes ?? 0
        return database > 0 ? database + SQLiteFileRewrite.reserve : 0
    }

    /// The length of the server's secret in bytes.
    package static let secretLength = Backup.secretLength
    /// The version of the SQLite library.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
    /// Whether the library supports STRICT tables, which exist since version 3.37 (stricttables.html).
    package static var sqliteIsNewEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }

    /// Examines the folder at `path`. Failures become part of the result.
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
            let connection = try Connection.looking(at: data.databasePath)
            defer { connection.close() }
            try connection.execute("BEGIN", "look")
            if try connection.checkKind() {
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
                schema: try connection.schemaVersion, known: Migrations.sqlite.newest,
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
    /// The id of the process that has locked the folder; nil if no process has locked it. The function tries
    /// a shared lock for a moment. If a server starts at exactly this moment, the server finds the folder in
    /// use. Every function without this risk would miss the lock of a process in another container.
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

/// The reason why an operator's command on a data folder failed. Nothing was changed, unless a case says
/// otherwise.
package enum OperatingError: Error, Hashable, Sendable {
    case storage(StorageFailure)
    /// The database or the backup is damaged; `detail` is SQLite's message.
    case damaged(path: String, detail: String)
    /// The path already exists. The command never overwrites an existing file.
    case exists(path: String)
    /// The folder holds no database.
    case noData(folder: String)
    /// The folder holds data, and the caller did not allow the command to replace it.
    case hasData(folder: String)
    /// A server has locked the folder.
    case inUse(folder: String)
    /// The folder has no secret.
    case noSecret(path: String)
    /// The secret has the wrong length or cannot be read.
    case secretDamaged(path: String)
    /// The secret was rotated while the backup was made.
    case secretReplaced(path: String)
    /// The file is not a backup of QRing.
    case notABackup(path: String)
    /// The backup is encrypted, and the caller gave no key.
    case encrypted(path: String)
    /// The backup was encrypted to another key.
    case otherKey(path: String)
    /// A newer version has encrypted the backup.
    case newerBackup(path: String)
    /// There is no file at the path.
    case noFile(path: String)
    /// The command cannot open the file; `detail` is the system's message.
    case notReadable(path: String, detail: String)
    /// The database of another engine cannot be read, or its copy is not equal to it.
    case database(CopyError)
    /// The command cannot write the backup into the folder.
    case notWritable(folder: String, StorageFailure)
    /// The caller cancelled the command.
    case cancelled
}

extension OperatingError {
    /// Makes the operator's error for a failure at `path`.
    package init(_ error: JournalError, path: String) {
        switch error {
        case .failed(let failure) where failure.reason == .damaged:
            self = .damaged(path: path, detail: failure.detail)
        case .failed(let failure): self = .storage(failure)
        // Only commands of the journal can be refused, and an operator's command is not one of them.
        case .refused(let refusal): self = .storage(StorageFailure(.other, operation: "\(refusal)"))
        }
    }
}

/// Runs `body` and converts its error to an operator's error.
func operating<Value>(on path: String, _ body: () throws(JournalError) -> Value) throws(OperatingError)
    -> Value
{
    do throws(JournalError) { return try body() } catch { throw OperatingError(error, path: path) }
}

/// Runs `body`, which reads a database of another engine, and converts its error to an operator's error.
func operating<Value>(_ body: () throws(CopyError) -> Value) throws(OperatingError) -> Value {
    do throws(CopyError) { return try body() } catch {
        switch error {
        case .cancelled: throw .cancelled
        case .storage(let failure, .folder): throw .storage(failure)
        default: throw .database(error)
        }
    }
}

extension DataFolder {
    /// Returns the folder at `path`, which has a database.
    /// - Throws: `.noData` if there is none; `.notReadable` if this user may not read the folder; `.storage`
    ///   if other files prove that there was one.
    static func withData(at path: String) throws(OperatingError) -> DataFolder {
        let data = DataFolder(path: path)
        if access(path, R_OK | X_OK) != 0, errno == EACCES {
            throw .notReadable(path: path, detail: String(cString: strerror(EACCES)))
        }
        try operating(on: path) { () throws(JournalError) in try data.checkDatabaseExists() }
        guard let size = PrivateFile.size(data.databasePath), size > 0 else { throw .noData(folder: path) }
        return data
    }
}
