import Foundation
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct GatheredLogTests {
    private static let insert = Query("insert", "INSERT INTO rows VALUES (?, randomblob(1500))")
    private static let count = Query("count", "SELECT count(*), coalesce(sum(length(content)), 0) FROM rows")
    private static let check = Query("check", "PRAGMA integrity_check")

    /// Runs `body` with a connection to a new database with pages of 2,048 bytes, and the database's path.
    private func withLog(_ settings: String, _ body: (Connection, String) throws -> Void) async throws {
        try await withFolder { folder in
            let path = folder + "/test.db"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try PrivateFile.make(path)
            let connection = try Connection(path: path)
            defer { connection.close() }
            try connection.execute(
                "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; \(settings)"
                    + "CREATE TABLE rows (number INTEGER PRIMARY KEY, content BLOB)", "set up")
            try body(connection, path)
        }
    }

    private func insert(_ numbers: ClosedRange<Int>, _ connection: Connection) throws {
        for number in numbers { try connection.run(Self.insert, number) }
    }

    /// Returns the number of rows that the connection sees, after a look at each row.
    private func rows(_ connection: Connection) throws -> Int {
        let (count, bytes) = try #require(try connection.first(Self.count) { ($0.int(0), $0.int(1)) })
        #expect(bytes == count * 1500)
        #expect(try connection.first(Self.check) { $0.text(0) } == "ok")
        return count
    }

    /// The number of the calling thread's system calls that wrote something.
    private func writes() throws -> Int {
        let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
        let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
        return try #require(Int(line.dropFirst("syscw: ".count)))
    }

    @Test func `a commit of 100 pages reaches the log in a few writes`() async throws {
        try await withLog("PRAGMA synchronous = FULL;") { connection, _ in
            try connection.begin()
            try insert(1...100, connection)
            let before = try writes()
            try connection.commit()
            let count = try writes() - before
            // 207 KB fill one buffer and a part of another. The header and the page of the last frame are a
            // write each.
            #expect((1...6).contains(count), "\(count) writes")
            #expect(try rows(connection) == 100)
        }
    }

    /// Without flushes, no call of SQLite but the last write of a commit can make the frames visible.
    @Test(arguments: ["OFF", "NORMAL", "FULL"])
    func `other connections read a commit at once, even if SQLite does not flush it`(level: String)
        async throws
    {
        try await withLog("PRAGMA synchronous = \(level);") { connection, path in
            let reader = try Connection(path: path)
            defer { reader.close() }
            for batch in 0..<5 {
                try connection.begin()
                try insert(batch * 40 + 1...batch * 40 + 40, connection)
                try connection.commit()
                #expect(try rows(reader) == batch * 40 + 40)
            }
        }
    }

    @Test func `a batch larger than the cache reads its own pages, and its rollback leaves none`()
        async throws
    {
        try await withLog("PRAGMA synchronous = FULL; PRAGMA cache_size = 10;") { connection, path in
            let reader = try Connection(path: path)
            defer { reader.close() }
            for isKept in [true, false, true] {
                let kept = try rows(connection)
                try connection.begin()
                try insert(kept + 1...kept + 300, connection)
                #expect(try rows(connection) == kept + 300)
                #expect(try rows(reader) == kept)
                if isKept { try connection.commit() } else { connection.rollBack() }
                #expect(try rows(connection) == kept + (isKept ? 300 : 0))
                #expect(try rows(reader) == kept + (isKept ? 300 : 0))
            }
        }
    }

    /// After a rollback, the next commit of any connection uses the same part of the log.
    @Test
    func `a rolled back batch larger than the cache does not damage the next commit of others`()
        async throws
    {
        try await withLog("PRAGMA synchronous = FULL; PRAGMA cache_size = 10;") { connection, path in
            try connection.begin()
            try insert(1...100, connection)
            try connection.commit()
            #expect(try connection.emptyLog(waiting: true))
            try connection.begin()
            try connection.execute("UPDATE rows SET content = randomblob(1500)", "change")
            connection.rollBack()
            let other = try Connection(path: path)
            defer { other.close() }
            try insert(101...160, other)
            #expect(try rows(connection) == 160)
            #expect(try connection.emptyLog(waiting: true))
            #expect(try rows(connection) == 160)
        }
    }
}
