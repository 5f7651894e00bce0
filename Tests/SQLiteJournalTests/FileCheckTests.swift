import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct FileCheckTests {
    private func reason(_ body: () throws -> Void) -> StorageFailure.Reason? {
        guard case .failed(let failure) = #expect(throws: JournalError.self, performing: body) else {
            return nil
        }
        return failure.reason
    }

    /// Makes a folder as after an unclean stop, with invalid bytes in one page of an index.
    private func damage(_ hall: Hall, into folder: String) async throws {
        try await hall.open { storage in
            try await hall.checkIn(100, in: storage)
            try FileManager.default.copyItem(atPath: hall.folder, toPath: folder)
        }
        let path = folder + "/journal.db"
        let connection = try Connection(path: path, for: .looking)
        let root = try connection.first(
            Query("test", "SELECT rootpage FROM sqlite_schema WHERE name = 'tokens_by_expiry'")
        ) { $0.int(0) }
        connection.close()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.seek(toOffset: UInt64((try #require(root) - 1) * 2048))
        try file.write(contentsOf: Data(repeating: 0xAB, count: 2048))
        try file.close()
    }

    @Test
    func
        `after an unclean stop a damaged file is refused if small, and served until its check if large`()
        async throws
    {
        try await withHall { hall in
            try await withFolder { folder in
                try await damage(hall, into: folder)
                #expect(reason { _ = try SQLiteEngine(folder: folder) } == .damaged)
                var options = SQLiteEngine.Options()
                (options.mostBytesToCheckFirst, options.mostBytesToCheckWholly) = (0, 0)
                let engine = try SQLiteEngine(folder: folder, options)
                defer { engine.close() }
                let check = try #require(engine.check)
                check.wait()
                #expect(engine.fileCheck?.state == .damaged)
                #expect(reason { try engine.checkFiles() } == .damageFound)
                let rows = try engine.openWriter()
                #expect(reason { try rows.begin() } == .damageFound)
                #expect(reason { try rows.shuffle() } == .damageFound)
                // Data in undamaged pages can still be read.
                #expect(try await engine.read { rows throws(JournalError) in try rows.accountCount() } == 1)
            }
        }
    }

    @Test func `a batch that finds damage is not committed`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            try rows.begin()
            try rows.insert(
                Account(
                    id: .make(at: now), email: "a@example.org", name: "A", passwordHash: "x", createdAt: now))
            _ = rows.connection.failure("test", 11)
            #expect(reason { try rows.commit() } == .damageFound)
            #expect(try rows.accountCount() == 0)
            #expect(reason { try rows.begin() } == .damageFound)
        }
    }

    @Test func `a large undamaged file is served at once, and can be closed during its check`()
        async throws
    {
        try await withHall { hall in
            try await withFolder { folder in
                try await hall.open { _ in
                    try FileManager.default.copyItem(atPath: hall.folder, toPath: folder)
                }
                var options = SQLiteEngine.Options()
                (options.mostBytesToCheckFirst, options.mostBytesToCheckWholly) = (0, 0)
                let engine = try SQLiteEngine(folder: folder, options)
                #expect(engine.check != nil)
                try engine.checkFiles()
                engine.close()
                // The next start checks it again, also after a clean stop.
                let again = try SQLiteEngine(folder: folder, options)
                try #require(again.check).wait()
                #expect(again.fileCheck?.state == .sound)
                again.close()
            }
        }
    }

    @Test func `after a clean stop a row that its index does not have is found`() async throws {
        try await withHall { hall in
            let connection = try Connection(path: hall.database)
            let root = try connection.first(
                Query("test", "SELECT rootpage FROM sqlite_schema WHERE name = 'attendees_by_status'")
            ) { $0.int(0) }
            connection.close()
            let file = try #require(FileHandle(forUpdatingAtPath: hall.database))
            // The number of cells on the page (fileformat2.html §1.6).
            try file.seek(toOffset: UInt64((try #require(root) - 1) * 2048 + 3))
            try file.write(contentsOf: Data([0, 1]))
            try file.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: hall.database))
            #expect(reason { _ = try SQLiteEngine(folder: hall.folder) } == .damaged)
            #expect(try Data(contentsOf: URL(fileURLWithPath: hall.database)) == before)
            var options = SQLiteEngine.Options()
            options.mostBytesToCheckWholly = 0
            let engine = try SQLiteEngine(folder: hall.folder, options)
            defer { engine.close() }
            try #require(engine.check).wait()
            #expect(reason { try engine.checkFiles() } == .damageFound)
        }
    }

    @Test func `the check goes on with the new file if a rewrite replaces the file`() async throws {
        try await withHall { hall in
            var options = SQLiteEngine.Options()
            options.mostBytesToCheckWholly = 0
            let storage = Storage(engine: try SQLiteEngine(folder: hall.folder, options)) { now }
            try storage.open()
            try await storage.rewriteFile()
            await storage.close()
            #expect(storage.fileCheck?.state == .sound || storage.fileCheck?.state == .unfinished)
        }
    }

    @Test func `the next commit adds the missing time to an older version's count of commits`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            try rows.connection.execute("UPDATE meta SET value = '41' WHERE key = 'mark'", "test")
            #expect(try rows.connection.commitCount() == CommitCount(count: 41, at: nil))
            try rows.begin()
            #expect(try rows.connection.countCommit(at: now) == 42)
            #expect(try rows.connection.commitCount() == CommitCount(count: 42, at: now))
            rows.rollBack()
            let mark = HighWaterMark(epoch: engine.epoch, count: 45, writtenAt: now.milliseconds)
            #expect(CommitCount(count: 45, at: now).loss(by: mark) == nil)
            #expect(
                CommitCount(count: 42, at: nil).loss(by: mark)
                    == LostCommits(commits: 3, since: nil, until: now, copy: nil))
        }
    }
}
