import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests logs beside a database to which they do not belong. Each folder has the files of a killed server:
/// they are copied while the server runs.
@Suite struct ForeignLogTests {
    /// Copies the hall's folder after `count` more check-ins, which are only in the log.
    private func kill(_ hall: Hall, into folder: String, from first: Int, count: Int) async throws {
        try await hall.open { storage in
            for number in first..<first + count { try await hall.checkIn(number, in: storage) }
            try FileManager.default.copyItem(atPath: hall.folder, toPath: folder)
        }
    }

    private func replace(_ name: String, of folder: String, from other: String) throws {
        try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try FileManager.default.copyItem(atPath: "\(other)/\(name)", toPath: "\(folder)/\(name)")
    }

    private func bytes(_ folder: String, _ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func attendees(_ folder: String) throws -> Int {
        let connection = try Connection.looking(at: folder + "/journal.db")
        defer { connection.close() }
        return try connection.first(Query("test", "SELECT count(*) FROM attendees")) { $0.int(0) } ?? 0
    }

    /// Opens the folder. Checks that the log was not applied, that the files are in `lost-…` as they were
    /// found, and that the loss is reported before and after the opening.
    private func expectForeign(_ folder: String, commits: Int64, inLog: Int64, attendees expected: Int)
        throws
    {
        let names = ["journal.db", "journal.db-wal", "journal.mark"].filter {
            PrivateFile.exists("\(folder)/\($0)")
        }
        let found = try names.map { try bytes(folder, $0) }
        func reported() throws -> [String] {
            let faults = try Verification.run(on: folder).faults.filter { $0.kind == .foreignLog }
            return faults.map { "\($0.values["commits"] ?? "") \($0.values["foreign"] ?? "")" }
        }
        #expect(try reported() == ["\(commits) \(inLog)"])
        #expect(Examination(of: folder).losses.map(\.inForeignLog) == [inLog])
        #expect(try attendees(folder) == expected)
        #expect(try names.map { try bytes(folder, $0) } == found)
        for _ in 1...2 {
            let engine = try SQLiteEngine(folder: folder)
            let loss = try #require(engine.losses().first)
            #expect(engine.losses().count == 1)
            #expect(loss.commits == commits && loss.inForeignLog == inLog)
            let copy = try #require(loss.copy)
            #expect(try names.map { try bytes(copy, $0) } == found)
            engine.close()
            #expect(try attendees(folder) == expected)
            #expect(try reported() == ["\(commits) \(inLog)"])
        }
    }

    /// Opens the folder. Checks that the log was applied.
    private func expectOwn(_ folder: String, attendees expected: Int) throws {
        #expect(DataFolder(path: folder).foreignLog() == nil)
        let engine = try SQLiteEngine(folder: folder)
        #expect(engine.losses() == [])
        engine.close()
        #expect(try attendees(folder) == expected)
    }

    @Test(arguments: ["journal.db-wal", "journal.db", "journal.db-wal without a mark"])
    func `files of another server are not mixed with those of this one`(_ what: String) async throws {
        try await withHall { one in
            try await withHall { other in
                try await withFolder { killed in
                    try await withFolder { foreign in
                        try await kill(one, into: killed, from: 100, count: 5)
                        try await kill(other, into: foreign, from: 100, count: 3)
                        let isDatabase = what == "journal.db"
                        try replace(
                            isDatabase ? what : "journal.db-wal", of: killed, from: foreign)
                        if what.hasSuffix("mark") {
                            try FileManager.default.removeItem(atPath: killed + "/journal.mark")
                        }
                        // The index of the log holds no data.
                        if isDatabase {
                            try? FileManager.default.removeItem(atPath: killed + "/journal.db-shm")
                        }
                        try expectForeign(
                            killed, commits: what == "journal.db-wal" ? 5 : 0, inLog: isDatabase ? 5 : 3,
                            attendees: 7)
                    }
                }
            }
        }
    }

    @Test func `an older log of the same database is not applied`() async throws {
        try await withHall { hall in
            try await withFolder { older in
                try await withFolder { killed in
                    try await kill(hall, into: older, from: 100, count: 4)
                    try await kill(hall, into: killed, from: 200, count: 2)
                    try replace("journal.db-wal", of: killed, from: older)
                    try expectForeign(killed, commits: 2, inLog: 4, attendees: 11)
                }
            }
        }
    }

    @Test func `a log is not applied to an older copy of its database`() async throws {
        try await withHall { hall in
            try await withFolder { older in
                try await withFolder { killed in
                    try FileManager.default.copyItem(atPath: hall.folder, toPath: older)
                    try await hall.open { storage in try await hall.checkIn(50, in: storage) }
                    try await kill(hall, into: killed, from: 100, count: 4)
                    try replace("journal.db", of: killed, from: older)
                    // Two openings, one check-in and four in the log are missing.
                    try expectForeign(killed, commits: 7, inLog: 4, attendees: 7)
                }
            }
        }
    }

    @Test func `the log of a copy that went its own way is not applied`() async throws {
        try await withHall { hall in
            try await withFolder { copy in
                try await withFolder { killed in
                    try await withFolder { foreign in
                        try FileManager.default.copyItem(atPath: hall.folder, toPath: copy)
                        try await kill(hall, into: killed, from: 100, count: 3)
                        let engine = try SQLiteEngine(folder: copy)
                        #expect(engine.epochRenewal == .copied)
                        let rows = try #require(try engine.openWriter() as? SQLiteRows)
                        try rows.begin()
                        try rows.commit()
                        try FileManager.default.copyItem(atPath: copy, toPath: foreign)
                        engine.close()
                        try replace("journal.db-wal", of: killed, from: foreign)
                        try expectForeign(killed, commits: 3, inLog: 1, attendees: 7)
                    }
                }
            }
        }
    }

    @Test func `the own log is applied, with any mark, and after a part of it was copied into the file`()
        async throws
    {
        try await withHall { hall in
            try await withHall { other in
                for mark in ["own", "of another", "missing"] {
                    try await withFolder { killed in
                        let present = try attendees(hall.folder)
                        try await hall.open { storage in
                            let first = 1000 + present
                            try await hall.checkIn(first, in: storage)
                            let connection = try Connection(path: hall.database)
                            try connection.checkpoint("main")
                            try connection.leaveLog(true)
                            for number in first + 1..<first + 3 {
                                try await hall.checkIn(number, in: storage)
                            }
                            try FileManager.default.copyItem(atPath: hall.folder, toPath: killed)
                            connection.close()
                        }
                        if mark == "of another" {
                            try replace("journal.mark", of: killed, from: other.folder)
                        } else if mark == "missing" {
                            try FileManager.default.removeItem(atPath: killed + "/journal.mark")
                        }
                        try expectOwn(killed, attendees: present + 3)
                    }
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a server that was killed while it renewed the epoch finds its own log`(isCopied: Bool)
        async throws
    {
        try await withHall { hall in
            try await withFolder { killed in
                try await withFolder { copied in
                    // The log has older commits, or the renewal alone.
                    let folder = isCopied ? copied : hall.folder
                    if isCopied { try await kill(hall, into: copied, from: 100, count: 2) }
                    let connection = try Connection(path: folder + "/journal.db")
                    try connection.leaveLog(true)
                    try connection.execute(
                        """
                        BEGIN;
                        INSERT INTO meta SELECT 'renewed', (SELECT value FROM meta WHERE key = 'epoch') || ' '
                            || (CAST(value AS INTEGER) + 1) FROM meta WHERE key = 'mark';
                        UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'epoch';
                        UPDATE meta SET value = (CAST(value AS INTEGER) + 1) || ' 1' WHERE key = 'mark';
                        COMMIT
                        """, "test")
                    try FileManager.default.copyItem(atPath: folder, toPath: killed)
                    connection.close()
                    #expect(PrivateFile.size(killed + "/journal.db-wal") ?? 0 > 0)
                    try expectOwn(killed, attendees: isCopied ? 9 : 7)
                }
            }
        }
    }
}
