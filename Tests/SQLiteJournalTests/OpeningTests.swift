import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct OpeningTests {
    private let account = Account(
        id: .make(at: now), email: "a@example.org", name: "A", passwordHash: "x", createdAt: now)

    @Test func `a new opening finds the committed data and the same epoch`() async throws {
        try await withFolder { folder in
            let first = try SQLiteEngine(folder: folder)
            let rows = try first.openWriter()
            try rows.begin()
            try rows.insert(account)
            try rows.commit()
            try rows.begin()
            try rows.insert(
                Account(
                    id: .make(at: now), email: "b@example.org", name: "B", passwordHash: "x", createdAt: now))
            // The batch is not committed, so closing discards it.
            first.close()
            let second = try SQLiteEngine(folder: folder)
            defer { second.close() }
            #expect(second.epoch == first.epoch)
            let found = try await second.read { [id = account.id] rows throws(JournalError) in
                try rows.account(id)
            }
            let count = try await second.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(found == account)
            #expect(count == 1)
        }
    }

    @Test func `a copy of a running engine's files, as after a crash, contains the committed data`()
        async throws
    {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try engine.openWriter()
            try rows.begin()
            try rows.insert(account)
            try rows.commit()
            try await withFolder { copy in
                try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
                for name in ["journal.db", "journal.db-wal"] {
                    try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
                }
                let after = try SQLiteEngine(folder: copy)
                defer { after.close() }
                let count = try await after.read { rows throws(JournalError) in try rows.accountCount() }
                #expect(count == 1)
            }
        }
    }

    @Test func `every database has its own epoch`() async throws {
        try await withEngine { one in
            try await withEngine { other in #expect(one.epoch != other.epoch) }
        }
    }

    @Test func `a second opening is refused with its reason until the first engine is closed`() async throws {
        try await withFolder { folder in
            let first = try SQLiteEngine(folder: folder)
            let refused = #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder) }
            guard case .failed(let failure) = refused else {
                Issue.record("refused with \(String(describing: refused))")
                return
            }
            #expect(failure.reason == .busy)
            #expect(failure.detail.contains(folder))
            #expect(failure.detail.contains("\(ProcessInfo.processInfo.processIdentifier)"))
            first.close()
            try SQLiteEngine(folder: folder).close()
        }
    }

    @Test func `only the owner may read the files`() async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try engine.openWriter()
            try rows.begin()
            try rows.insert(account)
            try rows.commit()
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.contains("journal.db-wal"))
            for name in names { #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)") }
        }
    }

    @Test func `a file of another program, or a file that is no database, is refused`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = Data("dear diary, this is long enough to be no database at all".utf8)
            try text.write(to: URL(fileURLWithPath: folder + "/journal.db"))
            #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db")) == text)
        }
        try await withFolder { folder in
            try DataFolder(path: folder).makeFolder()
            try DataFolder(path: folder).makeDatabase()
            let other = try Connection(path: folder + "/journal.db")
            try other.execute("CREATE TABLE t (a)", "test")
            other.close()
            #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder) }
        }
    }

    @Test func `a commit is on the disk when it returns, and erased bytes are overwritten`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func setting(_ name: String) throws -> Int? {
                try rows.connection.first(Query("test", "PRAGMA \(name)")) { $0.int(0) }
            }
            #expect(try setting("synchronous") == 2)
            #expect(try setting("secure_delete") == 1)
            #expect(try setting("foreign_keys") == 1)
            #expect(try setting("page_size") == 2048)
            #expect(try rows.connection.first(Query("test", "PRAGMA journal_mode")) { $0.text(0) } == "wal")
            let reading = try await engine.read { rows throws(JournalError) in
                guard let rows = rows as? SQLiteRows else { return 0 }
                return try rows.connection.first(Query("test", "PRAGMA query_only")) { $0.int(0) } ?? 0
            }
            #expect(reading == 1)
        }
    }
}

let now = Instant(milliseconds: 1_795_000_000_000)
