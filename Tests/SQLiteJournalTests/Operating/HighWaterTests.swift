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

    /// Replaces the folder's files by copies of `kept`, as an operator does.
    private func putBack(_ kept: String, _ hall: Hall, inPlace: Bool) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: hall.folder) {
            if !inPlace { try FileManager.default.removeItem(atPath: "\(hall.folder)/\(name)") }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: kept) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(kept)/\(name)"))
            let file = open("\(hall.folder)/\(name)", O_CREAT | O_WRONLY | O_TRUNC, 0o600)
            #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress, bytes.count) } == bytes.count)
            close(file)
        }
    }

    @Test func `an older copy of the whole folder that is put back at once gets a new epoch`() async throws {
        try await withHall { hall in
            try await withFolder { kept in
                try FileManager.default.copyItem(atPath: hall.folder, toPath: kept)
                let epoch = try hall.epoch
                try await hall.open { storage in try await hall.checkIn(100, in: storage) }
                try putBack(kept, hall, inPlace: false)
                #expect(try await renewal(hall) == .copied)
                #expect(try hall.epoch != epoch)
                #expect(try await renewal(hall) == nil)
            }
        }
    }

    @Test func `an older copy that overwrites the files gets a new epoch, if it is older than a second`()
        async throws
    {
        try await withHall { hall in
            try await withFolder { kept in
                try FileManager.default.copyItem(atPath: hall.folder, toPath: kept)
                try await hall.open { storage in try await hall.checkIn(100, in: storage) }
                // The copy is two seconds old.
                let path = kept + "/journal.mark"
                let mark = try #require(
                    HighWaterMark(line: try String(contentsOfFile: path, encoding: .utf8)))
                let older = HighWaterMark(
                    epoch: mark.epoch, count: mark.count, writtenAt: mark.writtenAt - 2_000,
                    place: mark.place)
                try older.line.write(toFile: path, atomically: false, encoding: .utf8)
                try putBack(kept, hall, inPlace: true)
                #expect(try await renewal(hall) == .copied)
            }
        }
    }

    @Test func `a mark of an older version is accepted, and the next one has the place of its file`()
        async throws
    {
        try await withHall { hall in
            let path = hall.folder + "/journal.mark"
            let mark = try #require(HighWaterMark(line: try String(contentsOfFile: path, encoding: .utf8)))
            #expect(mark.place != nil)
            let old = HighWaterMark(epoch: mark.epoch, count: mark.count, writtenAt: mark.writtenAt)
            try old.line.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try await renewal(hall) == nil)
            let next = try #require(HighWaterMark(line: try String(contentsOfFile: path, encoding: .utf8)))
            #expect(next.place == mark.place)
            #expect(next.line.utf8.count == 120)
        }
    }

    @Test func `a mark round-trips, and malformed marks are rejected`() {
        let mark = HighWaterMark(
            epoch: String(repeating: "a", count: 32), count: 12, writtenAt: now.milliseconds)
        #expect(HighWaterMark(line: mark.line) == mark)
        #expect(mark.line.utf8.count == 86)
        let placed = HighWaterMark(
            epoch: mark.epoch, count: 12, writtenAt: 1, place: MarkPlace(file: "f", boot: "b"))
        #expect(HighWaterMark(line: placed.line) == placed)
        #expect(HighWaterMark(line: mark.line.replacing("12 ", with: "13 ")) == nil)
        #expect(HighWaterMark(line: String(mark.line.dropLast(3))) == nil)
        #expect(HighWaterMark(line: "") == nil)
    }

    @Test func `a mark whose inode changed long after it was written counts as copied`() {
        let mark = HighWaterMark(epoch: "e", count: 5, writtenAt: 1_000_000)
        func needed(counted: Int64?, changedAt: Int64) -> EpochRenewal? {
            EpochRenewal.needed(
                epoch: "e", counted: counted, found: mark, place: nil, changedAt: changedAt)
        }
        func placed(_ written: (String, String), _ found: (String, String), after: Int64) -> EpochRenewal? {
            let mark = HighWaterMark(
                epoch: "e", count: 5, writtenAt: 0, place: MarkPlace(file: written.0, boot: written.1))
            return EpochRenewal.needed(
                epoch: "e", counted: 5, found: mark, place: MarkPlace(file: found.0, boot: found.1),
                changedAt: after)
        }
        #expect(placed(("f", "b"), ("f", "b"), after: 1_000) == nil)
        #expect(placed(("f", "b"), ("f", "b"), after: 1_001) == .copied)
        #expect(placed(("f", "b"), ("g", "b"), after: 0) == .copied)
        // After a power cut, the inode can be newer than the content.
        #expect(placed(("f", "b"), ("f", "c"), after: 60_000) == nil)
        #expect(placed(("f", "b"), ("f", "c"), after: 60_001) == .copied)
        let unknown = MarkPlace.unknownBoot
        #expect(placed(("f", unknown), ("f", unknown), after: 60_000) == nil)
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
