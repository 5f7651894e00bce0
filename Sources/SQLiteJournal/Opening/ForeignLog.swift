import CSQLite
import FoundationEssentials
import Journal
import Meetings
import SQLJournal

/// A log beside a database to which it does not belong: the log of another database, or of an older or newer
/// copy of this one. SQLite would apply it, because a log does not name its database (fileformat2.html §4),
/// and would so overwrite pages of this database.
struct ForeignLog {
    /// The number of commits in the log.
    let commits: Int64
    /// The count of commits of the database without the log; nil if it has never had a mark.
    let counted: CommitCount?
    /// The time of the last commit in the log; nil if it is unknown.
    let until: Instant?

    /// Returns the record of this log, and of the commits that `mark` counts but the database does not have.
    func loss(epoch: String, _ mark: HighWaterMark?) -> LostCommits {
        let missing = mark.flatMap { $0.epoch == epoch ? counted?.loss(by: $0) : nil }
        return LostCommits(
            commits: missing?.commits ?? 0, since: counted?.at,
            until: missing?.until ?? until ?? counted?.at ?? MarkFile.now, copy: nil, inForeignLog: commits)
    }
}

extension DataFolder {
    /// Returns the log if it does not belong to the database. The caller must know that no process has the
    /// database open. SQLite does not see the files meanwhile, except the database without its log.
    ///
    /// Each commit of a server changes the page of the table `meta`, with the epoch and the count of commits.
    /// So the log belongs to the database if both have the same epoch, and if the log's first commit is at
    /// most the next one after the database's last commit. The database may have all commits of the log, but
    /// no later one. The renewal of the epoch is the last commit of its log (`Connection.settle`).
    ///
    /// Returns nil if the log has no commit, if the database has no tables yet, or if a page cannot be read.
    /// Other checks find a damaged database.
    func foreignLog() -> ForeignLog? {
        guard let log = LogPages(logPath) else { return nil }
        guard let (page, size) = try? metaPage(), let decoder = try? MetaPage.Decoder(pageSize: size),
            let own = page.flatMap(decoder.decode)
        else { return nil }
        func foreign(_ last: MetaPage?) -> ForeignLog {
            ForeignLog(commits: Int64(log.commits), counted: own.count, until: last?.count?.at)
        }
        guard log.pageSize == size else { return foreign(nil) }
        guard let images = log.images(of: rootOfMeta) else {
            // A migration and a person's SQLite shell leave `meta` unchanged. In a database of another age,
            // the table can have another place.
            return log.metaElsewhere(decoder).flatMap { $0.epoch == own.epoch ? nil : foreign($0) }
        }
        guard let first = decoder.decode(images.first), let last = decoder.decode(images.last) else {
            return foreign(nil)
        }
        return own.isContinued(from: first, to: last) ? nil : foreign(last)
    }

    /// The first page of the table `meta`, which is the first table of every database (`firstSchema`).
    private var rootOfMeta: UInt32 { 2 }

    /// Returns the page of `meta` without the log, and the size of the pages. The page is nil if the file is
    /// too short.
    private func metaPage() throws(JournalError) -> (page: [UInt8]?, size: Int) {
        let connection = try Connection(path: databasePath, for: .ignoringLog)
        let size: Int
        do {
            defer { connection.close() }
            size = try connection.first(Query("find the page size", "PRAGMA page_size")) { $0.int(0) } ?? 0
        }
        return (PrivateFile.read(databasePath, count: size, at: (Int(rootOfMeta) - 1) * size), size)
    }
}

/// The content of the table `meta`, which fits on one page.
private struct MetaPage {
    let epoch: String
    let count: CommitCount?
    /// The epoch before the last renewal, and the count of the commit that renewed it.
    let renewed: (from: String, count: Int64)?

    /// Whether a log with these states of the page, after its first and its last commit, continues from the
    /// database with this state.
    func isContinued(from first: MetaPage, to last: MetaPage) -> Bool {
        guard let count = count?.count, let begin = first.count?.count, let end = last.count?.count else {
            // A restored database has no count before its first opening.
            return last.epoch == epoch || last.renewed?.from == epoch
        }
        guard count <= end else { return false }
        if last.epoch == epoch { return begin <= count + 1 }
        // The process ended between the renewal and the emptying of the log.
        guard let renewed = last.renewed, renewed.from == epoch, renewed.count == end else { return false }
        // The renewal sets the count to that of the mark, which can be ahead.
        return begin == end || first.epoch == epoch && begin <= count + 1
    }

    /// Reads pages of `meta` with SQLite: puts each page into a small database in memory.
    final class Decoder {
        private let connection: Connection
        private let template: [UInt8]

        private static let rows = Query("read a page of meta", "SELECT key, value FROM meta")

        init(pageSize: Int) throws(JournalError) {
            connection = try Connection(path: ":memory:")
            try connection.execute(
                "PRAGMA page_size = \(pageSize); CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, "
                    + "value TEXT NOT NULL) STRICT, WITHOUT ROWID", "make a page of meta")
            var size: sqlite3_int64 = 0
            guard let bytes = sqlite3_serialize(connection.handle, "main", &size, 0) else {
                throw .failed(StorageFailure(.outOfMemory, operation: "make a page of meta"))
            }
            defer { sqlite3_free(bytes) }
            template = Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
        }

        deinit { connection.close() }

        /// Returns the content of the page; nil if it is not the only page of `meta`.
        func decode(_ page: [UInt8]) -> MetaPage? {
            let size = template.count
            guard size == 2 * page.count, let memory = sqlite3_malloc64(sqlite3_uint64(size)) else {
                return nil
            }
            memory.copyMemory(from: template, byteCount: size)
            (memory + page.count).copyMemory(from: page, byteCount: page.count)
            // SQLite frees the memory, even if the function fails.
            let code = sqlite3_deserialize(
                connection.handle, "main", memory.assumingMemoryBound(to: UInt8.self), sqlite3_int64(size),
                sqlite3_int64(size),
                UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
            guard code == SQLITE_OK,
                let rows = try? connection.all(Self.rows, read: { ($0.text(0), $0.text(1)) })
            else { return nil }
            let values = Dictionary(rows) { first, _ in first }
            guard let epoch = values["epoch"] else { return nil }
            func numbers(_ key: String) -> [Substring] { values[key]?.split(separator: " ") ?? [] }
            let mark = numbers("mark")
            let renewed = numbers("renewed")
            return MetaPage(
                epoch: epoch,
                count: mark.first.flatMap { Int64($0) }.map { count in
                    CommitCount(
                        count: count,
                        at: mark.dropFirst().first.flatMap { Int64($0) }.map {
                            Instant(milliseconds: $0)
                        })
                },
                renewed: renewed.count == 2
                    ? Int64(renewed[1]).map { (from: String(renewed[0]), count: $0) } : nil)
        }
    }
}

/// The committed pages of a log, as SQLite would apply them: "the salt values … match the header" and "the
/// checksum values … exactly match" (fileformat2.html §4.2). Reading 4 MB takes about 5 ms.
private struct LogPages {
    let pageSize: Int
    /// The number of commits.
    let commits: Int
    private let bytes: [UInt8]
    /// The positions of the frames up to the last commit.
    private let frames: Range<Int>

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// Reads the log at `path`. Returns nil if it has no commit.
    init?(_ path: String) {
        guard (PrivateFile.size(path) ?? 0) > Self.headerSize,
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init)
        else { return nil }
        var size = 0
        var commits = 0
        var end = 0
        bytes.withUnsafeBytes { bytes in
            func word(_ offset: Int) -> UInt32 {
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            let magic = word(0)
            guard magic & ~1 == 0x377f_0682 else { return }
            var sums = (UInt32(0), UInt32(0))
            /// Adds the words between two positions, in the order of bytes that the header names (§4.2).
            func add(_ range: Range<Int>) {
                var (first, second) = sums
                let isBig = magic & 1 == 1
                for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                    let low = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let high = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    first &+= (isBig ? UInt32(bigEndian: low) : UInt32(littleEndian: low)) &+ second
                    second &+= (isBig ? UInt32(bigEndian: high) : UInt32(littleEndian: high)) &+ first
                }
                sums = (first, second)
            }
            add(0..<24)
            guard sums == (word(24), word(28)) else { return }
            size = Int(word(8))
            guard (512...65_536).contains(size), size & (size - 1) == 0 else { return }
            var offset = Self.headerSize
            while offset + Self.frameHeaderSize + size <= bytes.count {
                guard word(offset + 8) == word(16), word(offset + 12) == word(20) else { return }
                add(offset..<offset + 8)
                add(offset + Self.frameHeaderSize..<offset + Self.frameHeaderSize + size)
                guard sums == (word(offset + 16), word(offset + 20)) else { return }
                let isCommit = word(offset + 4) != 0
                offset += Self.frameHeaderSize + size
                if isCommit { (commits, end) = (commits + 1, offset) }
            }
        }
        guard commits > 0 else { return nil }
        (self.bytes, self.commits, pageSize) = (bytes, commits, size)
        frames = Self.headerSize..<end
    }

    private var positions: StrideTo<Int> {
        stride(from: frames.lowerBound, to: frames.upperBound, by: Self.frameHeaderSize + pageSize)
    }

    private func page(_ frame: Int) -> [UInt8] {
        Array(bytes[frame + Self.frameHeaderSize..<frame + Self.frameHeaderSize + pageSize])
    }

    /// Returns the first and the last image of a page; nil if the log has none.
    func images(of number: UInt32) -> (first: [UInt8], last: [UInt8])? {
        let found = bytes.withUnsafeBytes { bytes in
            positions.filter {
                UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)) == number
            }
        }
        guard let first = found.first, let last = found.last else { return nil }
        return (page(first), page(last))
    }

    /// Returns the last page of the log that is a page of `meta`, at any place; nil if there is none.
    func metaElsewhere(_ decoder: MetaPage.Decoder) -> MetaPage? {
        let name = Array("epoch".utf8)
        var found: MetaPage?
        for frame in positions {
            let end = frame + Self.frameHeaderSize + pageSize
            if bytes[frame..<end].contains(name) { found = decoder.decode(page(frame)) ?? found }
        }
        return found
    }
}
