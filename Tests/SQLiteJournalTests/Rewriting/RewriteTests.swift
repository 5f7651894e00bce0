import Foundation
import Journal
import JournalContract
import Meetings
import Seeds
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the rewrite of the file (`SQLiteFileRewrite`) together with commits, queries and failures.
@Suite struct RewriteTests {
    private func account(_ number: Int) -> Account {
        Account(
            id: .make(at: now + .seconds(number)), email: "\(number)@example.org", name: "A",
            passwordHash: "x",
            createdAt: now)
    }

    private func commit(_ number: Int, _ rows: any WritableRows) throws(JournalError) {
        try rows.begin()
        do throws(JournalError) { try rows.insert(account(number)) } catch {
            rows.rollBack()
            throw error
        }
        try rows.commit()
    }

    private func begin(_ rows: any WritableRows) throws -> SQLiteFileRewrite {
        try #require(try rows.beginRewrite() as? SQLiteFileRewrite)
    }

    private func reason(_ body: () throws -> Void) -> StorageFailure.Reason? {
        guard case .failed(let failure) = #expect(throws: JournalError.self, performing: body) else {
            return nil
        }
        return failure.reason
    }

    private static let tables = Query(
        "test", "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'")

    /// Returns the names of the tables whose rows differ between the new file and the database.
    private static func differences(_ copy: Connection) throws(JournalError) -> [String] {
        var found: [String] = []
        for name in try copy.all(tables, read: { $0.text(0) }) {
            let differ = Query(
                "test",
                """
                SELECT EXISTS (SELECT * FROM main."\(name)" EXCEPT SELECT * FROM old."\(name)")
                    OR EXISTS (SELECT * FROM old."\(name)" EXCEPT SELECT * FROM main."\(name)")
                    OR (SELECT count(*) FROM main."\(name)") <> (SELECT count(*) FROM old."\(name)")
                """)
            if try copy.first(differ, read: { $0.bool(0) }) ?? true { found.append(name) }
        }
        return found
    }

    /// Tables of each kind, with a second unique column, so that a row can take the value of another one.
    private static let kinds = """
        CREATE TABLE by_rowid (id INTEGER PRIMARY KEY, unique_value INT UNIQUE, text TEXT) STRICT;
        CREATE TABLE by_blob (id BLOB NOT NULL PRIMARY KEY, unique_value INT UNIQUE, text TEXT) STRICT;
        CREATE TABLE by_two (text TEXT, id ANY NOT NULL, part INT NOT NULL, unique_value INT UNIQUE,
            PRIMARY KEY (part, id)) STRICT, WITHOUT ROWID;
        CREATE TABLE children (id TEXT NOT NULL PRIMARY KEY,
            parent BLOB REFERENCES by_blob (id) ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE INDEX children_by_parent ON children (parent);
        """

    private func randomChange(_ random: inout some RandomNumberGenerator) -> String {
        let id = Int.random(in: 0..<60, using: &random)
        let value = Int.random(in: 0..<80, using: &random)
        let other = Int.random(in: 0..<60, using: &random)
        let blob = "CAST('\(id)' AS BLOB)"
        let mixed = id % 2 == 0 ? "\(id)" : "'\(id)'"
        return [
            "INSERT OR REPLACE INTO by_rowid VALUES (\(id), \(value), 'text \(other)')",
            "DELETE FROM by_rowid WHERE id = \(id)",
            "UPDATE OR REPLACE by_rowid SET id = \(other) WHERE id = \(id)",
            "UPDATE OR IGNORE by_rowid SET unique_value = \(value) WHERE id = \(id)",
            "INSERT OR REPLACE INTO by_blob VALUES (\(blob), \(value), 'text \(other)')",
            "INSERT INTO by_blob VALUES (\(blob), \(id), '') ON CONFLICT DO UPDATE SET text = text || 'x'",
            "DELETE FROM by_blob WHERE id = \(blob)",
            "INSERT OR REPLACE INTO by_two VALUES ('t', \(mixed), \(other % 3), \(value))",
            "UPDATE OR REPLACE by_two SET part = \(other % 3), id = \(other).5 WHERE part = 1 AND id = \(id)",
            "DELETE FROM by_two WHERE unique_value = \(value)",
            "INSERT OR IGNORE INTO children SELECT 'child \(other)', id FROM by_blob WHERE id >= \(blob) "
                + "LIMIT 1",
        ].randomElement(using: &random) ?? ""
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `whatever is written between the slices, the copy equals the database`(seed: UInt64) async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            try rows.connection.execute(Self.kinds, "test")
            var random = SeededNumbers(seed: seed)
            func write(_ count: Int) throws(JournalError) {
                try rows.begin()
                for _ in 0..<count { try rows.connection.execute(randomChange(&random), "test") }
                if Int.random(in: 0..<5, using: &random) == 0 { return rows.rollBack() }
                try rows.commit()
            }
            for _ in 0..<10 { try write(30) }
            let rewrite = try begin(rows)
            rewrite.mostRowsInSlice = 4
            rewrite.onSlice = { () throws(JournalError) in try write(4) }
            try rewrite.copyUntilFewAreLeft()
            try write(8)
            var differences: [String]?
            rewrite.onStep = { step throws(JournalError) in
                if step == .copied, let copy = rewrite.copy { differences = try Self.differences(copy) }
            }
            #expect(try rewrite.finish())
            #expect(differences == [])
            #expect(try rows.connection.integrityFaults().isEmpty)
            try write(30)
        }
    }

    @Test func `every table has a primary key, without which the file cannot be rewritten`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let count = try rows.connection.all(Self.tables) { $0.text(0) }.count
            #expect(try CopiedTable.all(rows.connection).count == count)
            try rows.connection.execute("CREATE TABLE plain (value INT)", "test")
            let error = #expect(throws: JournalError.self) { _ = try rows.beginRewrite() }
            #expect("\(String(describing: error))".contains("no primary key: plain"))
        }
    }

    @Test func `the new file has the schema and the settings of the old one`() async throws {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func settings() throws -> [String] {
                try [
                    "page_size", "auto_vacuum", "encoding", "user_version", "application_id", "journal_mode",
                    "secure_delete", "synchronous", "foreign_keys", "wal_autocheckpoint",
                    "journal_size_limit",
                ].map { name in
                    try rows.connection.first(Query("test", "PRAGMA \(name)")) { "\(name) \($0.text(0))" }
                        ?? ""
                }
            }
            func schema() throws -> [String] {
                try rows.connection.all(
                    Query("test", "SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY rowid")
                ) { $0.text(0) }
            }
            let before = (try settings(), try schema())
            try rows.shuffle()
            #expect(try settings() == before.0)
            #expect(try schema() == before.1)
        }
    }

    @Test func `check-ins go on during a rewrite, and all of them are in the new file`() async throws {
        try await withHall { hall in
            try await hall.open { storage in
                async let rewrites: Void = {
                    for _ in 1...3 { try await storage.rewriteFile() }
                }()
                for number in 100..<200 { try await hall.checkIn(number, in: storage) }
                try await rewrites
                let record = try await storage.session(hall.session)
                #expect(record?.headCount.present == Hall.people - 1 + 100)
            }
            #expect(try Verification.run(on: hall.folder).faults == [])
            try await hall.open { storage in
                let list = try await storage.read { rows throws(JournalError) in
                    try rows.session(hall.session)?.headCount.present
                }
                #expect(list == Hall.people - 1 + 100)
            }
        }
    }

    @Test(arguments: SQLiteFileRewrite.Step.allCases)
    func `a crash at any step of the exchange loses no commit`(step: SQLiteFileRewrite.Step) async throws {
        try await withHall { hall in
            try await withFolder { crashed in
                let engine = try SQLiteEngine(folder: hall.folder)
                defer { engine.close() }
                let rows = try engine.openWriter()
                try commit(1, rows)
                let rewrite = try begin(rows)
                rewrite.onStep = { reached throws(JournalError) in
                    if reached == step {
                        try? FileManager.default.copyItem(atPath: hall.folder, toPath: crashed)
                    }
                }
                try rewrite.copyUntilFewAreLeft()
                try commit(2, rows)
                #expect(try rewrite.finish())
                // The mark file records the place of the database. This copy is elsewhere, so write the mark
                // again.
                let mark = try MarkFile(path: crashed + "/journal.mark")
                let written = try #require(mark.read()?.mark)
                mark.write(epoch: written.epoch, count: written.count)
                mark.close()
                let after = try SQLiteEngine(folder: crashed)
                #expect(after.epoch == engine.epoch)
                #expect(after.losses() == [])
                let count = try await after.read { rows throws(JournalError) in try rows.accountCount() }
                #expect(count == 3)
                after.close()
                #expect(try Verification.run(on: crashed).faults == [])
                let names = try FileManager.default.contentsOfDirectory(atPath: crashed)
                #expect(!names.contains { $0.contains("rewriting") || $0.hasPrefix("lost-") })
            }
        }
    }

    @Test(arguments: SQLiteFileRewrite.Step.allCases)
    func `a failure at any step of the exchange loses no commit`(step: SQLiteFileRewrite.Step) async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            let rows = try engine.openWriter()
            try commit(1, rows)
            let rewrite = try begin(rows)
            try rewrite.copyUntilFewAreLeft()
            try commit(2, rows)
            rewrite.onStep = { reached throws(JournalError) in
                if reached == step { throw .failed(StorageFailure(.inputOutput, operation: "test")) }
            }
            #expect(reason { _ = try rewrite.finish() } == .inputOutput)
            rewrite.abandon()
            rewrite.releaseFiles()
            // Before the rename, the old file stays in use. After it, nothing is saved until a restart,
            // and the caller of every command hears of it.
            let isBefore = [.copied, .logEmptied, .copySynced, .logSynced].contains(step)
            if isBefore {
                try commit(3, rows)
                try rows.shuffle()
                try commit(4, rows)
            } else {
                #expect(reason { try commit(3, rows) } == .moved)
            }
            #expect(try await engine.read { rows throws(JournalError) in try rows.accountCount() } >= 2)
            engine.close()
            let after = try SQLiteEngine(folder: folder)
            defer { after.close() }
            let count = try await after.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(count == (isBefore ? 4 : 2))
            #expect(after.losses() == [])
        }
    }

    @Test func `a query that needs the log delays the exchange, and sees its own state until its end`()
        async throws
    {
        try await withEngine { engine in
            let rows = try engine.openWriter()
            try commit(1, rows)
            let rewrite = try begin(rows)
            try rewrite.copyUntilFewAreLeft()
            let path = try #require(rows as? SQLiteRows).databasePath
            let other = try Connection(path: path)
            defer { other.close() }
            try commit(2, rows)
            try other.execute("BEGIN", "test")
            let count = Query("test", "SELECT count(*) FROM accounts")
            #expect(try other.first(count) { $0.int(0) } == 2)
            try commit(3, rows)
            #expect(try !rewrite.finish())
            #expect(try other.first(count) { $0.int(0) } == 2)
            try other.execute("COMMIT", "test")
            try commit(4, rows)
            try rewrite.copyUntilFewAreLeft()
            #expect(try rewrite.finish())
            try commit(5, rows)
            let seen = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(seen == 5)
            await rewrite.release()
            let command = try Connection.looking(at: path)
            defer { command.close() }
            #expect(try command.first(count) { $0.int(0) } == 5)
        }
    }

    @Test func `a rewrite that began before an erasure does not count as the rewrite after it`() async throws
    {
        try await withEngine { engine in
            let rows = try engine.openWriter()
            try commit(1, rows)
            func erase() throws {
                try rows.begin()
                try (rows as? SQLiteRows)?.noteErasure()
                try rows.commit()
            }
            try erase()
            let rewrite = try begin(rows)
            try rewrite.copyUntilFewAreLeft()
            try erase()
            #expect(try rewrite.finish())
            #expect(try rows.awaitsShuffle())
            try rows.shuffle()
            #expect(try !rows.awaitsShuffle())
        }
    }

    @Test func `after a host closes a set, a rewrite is due although the set holds answers back`()
        async throws
    {
        try await withHall { hall in
            try await hall.open { storage in
                try await storage.rewriteFile()
                #expect(try await !storage.awaitsShuffle())
                let host = try await storage.read { rows throws(JournalError) in
                    try rows.account(email: IdentityKey("host@example.org"))
                }
                let set = try await storage.perform(
                    EditQuestionSet(
                        session: hall.session, set: QuestionSet.feedback, .init(open: false),
                        actor: try #require(host).id))
                #expect(set.publishedResponses < set.responses)
                #expect(try await storage.shuffleAfterErasure())
                #expect(try await !storage.shuffleAfterErasure())
            }
        }
    }

    @Test func `a cancelled rewrite leaves no file, and a disk without room is reported`() async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try engine.openWriter()
            let rewrite = try begin(rows)
            rewrite.onSlice = { () throws(JournalError) in rewrite.cancel() }
            #expect(reason { try rewrite.copyUntilFewAreLeft() } == .closed)
            #expect(PrivateFile.exists(folder + "/journal.db.rewriting"))
            rewrite.abandon()
            await rewrite.release()
            #expect(!PrivateFile.exists(folder + "/journal.db.rewriting"))
            #expect(
                reason { try SQLiteFileRewrite.checkRoom(in: DataFolder(path: folder), for: 1 << 60) }
                    == .full)
        }
    }

    @Test func `if the writer changes more rows than fit into memory, the rewrite ends`() {
        let changed = ChangedKeys()
        let length = 1 << 20
        for number in 0..<ChangedKeys.mostBytes / length {
            #expect(changed.count == number)
            changed.add([RowKey(table: 0, values: [UInt8](repeating: UInt8(number), count: length))])
        }
        #expect(reason { _ = try changed.take() } == .busy)
        #expect(changed.bytes == 0)
    }
}
