import CSQLite
import Foundation
package import Journal
package import Meetings

/// What can be seen of a data folder from outside, for whoever says what is wrong with it. Looks, and changes
/// nothing.
package struct Examination: Sendable {
    package struct Entry: Sendable {
        package let path: String
        /// The permission bits.
        package let mode: UInt32
        package let owner: UInt32
        package let bytes: Int
        package let isFolder: Bool
    }

    package enum Database: Sendable {
        case none
        /// With the zones that its meetings are in, and the time of the newest event.
        case readable(schema: Int, known: Int, zones: [String], newestEvent: Instant?)
        case failed(StorageFailure)
    }

    /// Nil where there is none yet.
    package let folder: Entry?
    /// The database, its log, its index, its mark, its lock, and old copies; not the secret.
    package let files: [Entry]
    package let secret: Entry?
    package let database: Database
    /// Acknowledged commits that are missing, oldest first: those that starts have recorded, and those that
    /// the next start will find.
    package let losses: [LostCommits]
    /// The process that serves from the folder, as it wrote it down; empty where it did not, nil where nobody
    /// does.
    package let holder: String?
    package let restoreIsUnfinished: Bool

    package static let secretLength = Backup.secretLength
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
    /// STRICT tables came with 3.37 (stricttables.html).
    package static var sqliteIsNewEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }

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
    /// Tries a shared lock for a moment. A server that starts in just that moment would find the folder in
    /// use; none of the ways to ask without that risk sees a lock of another container.
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
