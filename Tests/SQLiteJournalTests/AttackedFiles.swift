import AnonymityAttacks
import Foundation
import Journal
import Meetings

@testable import SQLJournal
@testable import SQLiteJournal

/// The files of an SQLite database, as somebody with a copy of the folder can read them.
struct AttackedFiles: AttackedSQLDatabase {
    static let numberType = "INTEGER"
    static let idType = "BLOB"

    let engine: any Engine
    private let folder: String

    init(folder: String) throws {
        self.folder = folder
        engine = try SQLiteEngine(folder: folder)
    }

    func connection(of rows: any ReadableRows) throws(JournalError) -> Connection {
        guard let rows = rows as? SQLiteRows else { preconditionFailure("rows of SQLite") }
        return rows.connection
    }

    func sight(
        of set: String, in session: SessionID, attendees: [AttendeeID], hasPlainTables: Bool,
        _ rows: any ReadableRows
    ) throws(JournalError) -> DatabaseSight {
        let connection = try connection(of: rows)
        func answers(_ order: String) throws(JournalError) -> [String] {
            markers(
                in: try connection.all(
                    Query(
                        "test", "SELECT answers FROM responses WHERE session = ? AND set_name = ? \(order)"),
                    session, set
                ) { $0.text(0) })
        }
        let root = try connection.first(
            Query("test", "SELECT rootpage FROM sqlite_schema WHERE name = 'answered'")
        ) { $0.int(0) }
        let marked = try connection.all(
            Query("test", "SELECT attendee FROM answered WHERE set_name = ?"), set
        ) { row throws(JournalError) in try row.id(0) as AttendeeID }
        let files = files(attendees, root: root ?? 0)
        var sight = try self.sight(
            of: set, in: session,
            [
                .init("rows of responses", try answers("ORDER BY NULL")),
                .init("responses by id", try answers("ORDER BY id")),
                .init("responses by hour", try answers("ORDER BY at")),
                .init("bytes of the file", files.bytes),
            ], [.init("rows of answered", marked), .init("bytes of answered", files.people)],
            hasPlainTables: hasPlainTables, rows)
        sight.logged = files.log
        return sight
    }

    /// Reads the files without SQLite.
    private func files(
        _ attendees: [AttendeeID], root: Int
    ) -> (bytes: [String], log: [String], people: [AttendeeID]) {
        do {
            let path = "\(folder)/journal.db"
            let order = try FileForensics(database: path).order(of: attendees.map(\.bytes), inTreeAt: root)
            return (
                markers(in: try Data(contentsOf: URL(fileURLWithPath: path))),
                markers(in: try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))),
                order.map { attendees[$0] }
            )
        } catch {
            preconditionFailure("the files cannot be read: \(error)")
        }
    }
}

struct AttackedFolders: AttackedDatabases {
    func withDatabase<Result>(
        _ body: (any AttackedDatabase) async throws -> Result
    ) async throws -> Result {
        try await withFolder { try await body(try AttackedFiles(folder: $0)) }
    }
}
