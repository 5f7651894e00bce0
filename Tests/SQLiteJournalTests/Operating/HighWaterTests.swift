import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct HighWaterTests {
    private func renewal(_ hall: Hall) async throws -> EpochRenewal? {
        let engine = try SQLiteEngine(folder: hall.folder)
        defer { engine.close() }
        return engine.epochRenewal
    }

    private func copy(_ hall: Hall, _ name: String, to path: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: "\(hall.folder)/\(name)", toPath: path)
    }

    @Test func `a restart does not change the epoch`() async throws {
        try await withHall { hall in
            let epoch = try hall.epoch
            for _ in 0..<3 {
                #expect(try await renewal(hall) == nil)
                try await hall.open { storage in #expect(storage.epoch == epoch) }
            }
        }
    }

    @Test
    func `an older database that is copied back gets a new epoch once, with the number of missing commits`()
        async throws
    {
        try await withHall { hall in
            let epoch = try hall.epoch
            let kept = hall.folder + "/kept"
            try copy(hall, "journal.db", to: kept)
            try await hall.open { storage in
                for number in 100..<105 { try await hall.checkIn(number, in: storage) }
            }
            try FileManager.default.removeItem(atPath: hall.database)
            try FileManager.default.copyItem(atPath: kept, toPath: hall.database)
            // The missing commits are five check-ins and the opening itself.
            #expect(try await renewal(hall) == .older(commits: 6))
            #expect(try hall.epoch != epoch)
            #expect(try await renewal(hall) == nil)
        }
    }

    @Test func `one missing commit is detected, even if the server was killed`() async throws {
        try await withHall { hall in
            try await withFolder { other in
                let running = Storage(engine: try SQLiteEngine(folder: hall.folder)) { now + .minutes(1) }
                try running.open()
                try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
                for name in ["journal.db", "journal.db-wal"] { try copy(hall, name, to: "\(other)/\(name)") }
                try await hall.checkIn(100, in: running)
                // The folder has the files of a killed server, except that its database is the older copy.
                let mark = try #require(FileManager.default.contents(atPath: hall.folder + "/journal.mark"))
                try mark.write(to: URL(fileURLWithPath: other + "/journal.mark"))
                await running.close()
                let engine = try SQLiteEngine(folder: other)
                defer { engine.close() }
                #expect(engine.epochRenewal == .older(commits: 1))
            }
        }
    }

    @Test func `a database without its mark, or with another database's mark, gets a new epoch`() async throws
    {
        try await withHall { hall in
            let epoch = try hall.epoch
            try FileManager.default.removeItem(atPath: hall.folder + "/journal.mark")
            #expect(try await renewal(hall) == .markMissing)
            #expect(try hall.epoch != epoch)
            try await withHall { other in
                try copy(other, "journal.mark", to: hall.folder + "/journal.mark")
                #expect(try await renewal(hall) == .markOfAnother)
            }
            try Data("torn".utf8).write(to: URL(fileURLWithPath: hall.folder + "/journal.mark"))
            #expect(try await renewal(hall) == .markMissing)
            #expect(try await renewal(hall) == nil)
        }
    }

    @Test func `a mark round-trips, and malformed marks are rejected`() {
        let mark = HighWaterMark(
            epoch: String(repeating: "a", count: 32), count: 12, writtenAt: now.milliseconds)
        #expect(HighWaterMark(line: mark.line) == mark)
        #expect(mark.line.utf8.count == 86)
        #expect(HighWaterMark(line: mark.line.replacing("12 ", with: "13 ")) == nil)
        #expect(HighWaterMark(line: String(mark.line.dropLast(3))) == nil)
        #expect(HighWaterMark(line: "") == nil)
    }

    @Test func `a mark whose inode changed long after it was written counts as copied`() {
        let mark = HighWaterMark(epoch: "e", count: 5, writtenAt: 1_000_000)
        func needed(counted: Int64?, changedAt: Int64) -> EpochRenewal? {
            EpochRenewal.needed(epoch: "e", counted: counted, found: mark, changedAt: changedAt)
        }
        #expect(needed(counted: 5, changedAt: 1_060_000) == nil)
        #expect(needed(counted: 5, changedAt: 1_060_001) == .copied)
        #expect(needed(counted: 5, changedAt: 939_999) == .copied)
        // This is the state after a crash between a commit and the writing of its mark.
        #expect(needed(counted: 6, changedAt: 1_000_000) == nil)
        #expect(needed(counted: 4, changedAt: 1_000_000) == .older(commits: 1))
        #expect(needed(counted: nil, changedAt: 0) == nil)
    }

    @Test func `a failed batch is not counted`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let kept = Query("test", "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'mark'")
            let before = try rows.connection.first(kept) { $0.int(0) }
            try rows.begin()
            try rows.connection.execute("PRAGMA defer_foreign_keys = ON", "test")
            let nobody = Token(
                hash: [1], accountID: .make(at: now), kind: .access, signIn: .make(at: now), createdAt: now,
                expiresAt: now, client: "")
            try rows.insert(nobody)
            #expect(throws: JournalError.self) { try rows.commit() }
            #expect(try rows.connection.first(kept) { $0.int(0) } == before)
        }
    }
}
