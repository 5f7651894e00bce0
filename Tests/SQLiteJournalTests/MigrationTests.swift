import Foundation
import Journal
import Meetings
import Testing

@testable import SQLiteJournal

@Suite struct MigrationTests {
    private let second = Migration("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO later VALUES (7);")

    private func version(_ folder: String, file: String = "journal.db") throws -> Int {
        let connection = try Connection(path: "\(folder)/\(file)")
        defer { connection.close() }
        return try connection.schemaVersion
    }

    private func fill(_ folder: String) throws {
        let engine = try SQLiteEngine(folder: folder, migrations: [schema1])
        defer { engine.close() }
        let rows = try engine.openWriter()
        try rows.begin()
        try rows.insert(Account(id: .make(at: now), email: "a@example.org", name: "A", passwordHash: "x", createdAt: now))
        try rows.commit()
    }

    private func names(_ folder: String) throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }

    @Test func `an empty folder gets the whole schema, and no backup`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder).close()
            #expect(try version(folder) == Migration.all.count)
            #expect(try names(folder) == ["journal.db", "journal.lock", "journal.mark"])
        }
    }

    @Test func `an older database is copied, then migrated, and keeps its rows and epoch`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let engine = try SQLiteEngine(folder: folder, migrations: [schema1, second])
            let count = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            engine.close()
            #expect(count == 1)
            #expect(try version(folder) == 2)
            #expect(try names(folder) == ["journal.db", "journal.db.version-1.backup", "journal.lock", "journal.mark"])
            #expect(try version(folder, file: "journal.db.version-1.backup") == 1)
            let backup = try Connection(path: folder + "/journal.db.version-1.backup")
            defer { backup.close() }
            #expect(try backup.first(Query("test", "SELECT count(*) FROM accounts")) { $0.int(0) } == 1)
            #expect(try backup.first(Query("test", "SELECT value FROM meta WHERE key = 'epoch'")) { $0.text(0) } == engine.epoch)
            // Opened again there is nothing to do.
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
        }
    }

    @Test func `a migration that fails leaves the old schema as it was`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let broken = Migration("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
            #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder, migrations: [schema1, broken]) }
            #expect(try version(folder) == 1)
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
            #expect(try version(folder) == 2)
        }
    }

    @Test func `a newer schema is refused, and the file is left alone`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db"))
            let refused = #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder, migrations: [schema1]) }
            guard case .failed(let failure) = refused else {
                Issue.record("refused with \(String(describing: refused))")
                return
            }
            #expect(failure.reason == .newerSchema(found: 2, known: 1))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db")) == before)
        }
    }
}
