import Foundation
import Journal
import Meetings
import SQLJournal

/// The high-water mark: the number of commits in the database at the last writing of the mark. It is in the
/// file `journal.mark`, beside the database.
///
/// If an operator replaces the database with yesterday's copy, the copy looks intact. The server would then
/// assign sequences a second time under the epoch that clients know. The mark shows that the database had
/// more commits. The database counts its commits in `meta`, and the file repeats the count after each commit.
struct HighWaterMark: Hashable {
    let epoch: String
    /// The number of durable commits when this mark was written. The writer writes the mark after the commit,
    /// so that the mark is never ahead of an intact database. After a crash, the mark can be behind the
    /// database.
    let count: Int64
    /// The time of writing, in milliseconds since 1970.
    let writtenAt: Int64

    /// The content of the file: always 84 bytes, so that it lies within one sector. The checksum detects a
    /// torn write.
    var line: String {
        let text = "\(epoch) \(Self.padded(count)) \(Self.padded(writtenAt))"
        return "\(text) \(Self.sum(text))\n"
    }

    init(epoch: String, count: Int64, writtenAt: Int64) {
        self.epoch = epoch
        self.count = count
        self.writtenAt = writtenAt
    }

    /// Parses the content of the file. Returns nil if `line` is malformed or its checksum is wrong.
    init?(line: String) {
        let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard parts.count == 4, Self.sum(parts[0...2].joined(separator: " ")) == parts[3],
            let count = Int64(parts[1]),
            let writtenAt = Int64(parts[2])
        else { return nil }
        self.init(epoch: parts[0], count: count, writtenAt: writtenAt)
    }

    private static func padded(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 17 - digits.utf8.count)) + digits
    }

    /// Returns the FNV-1a checksum of 64 bits. It detects torn writes, but no manipulation.
    private static func sum(_ text: String) -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The number of commits that the database itself counts. Each commit increments it in its own transaction.
struct CommitCount: Hashable {
    let count: Int64
    /// The time of the last commit. Nil if the last commit was made by a version that did not store this
    /// time.
    let at: Instant?

    /// Returns the commits that the mark counts but the database does not have. Returns nil if no commit is
    /// missing.
    func loss(by mark: HighWaterMark) -> LostCommits? {
        guard mark.count > count else { return nil }
        return LostCommits(
            commits: mark.count - count, since: at, until: Instant(milliseconds: mark.writtenAt), copy: nil)
    }
}

/// The reason why an opening gave the database a new epoch. If the database may be an older copy, the server
/// could otherwise assign sequences that clients know a second time.
package enum EpochRenewal: Hashable, Sendable {
    /// The database has fewer commits than its mark. The value is the number of missing commits.
    case older(commits: Int64)
    /// The mark is missing, although the database had one.
    case markMissing
    /// The mark belongs to another database.
    case markOfAnother
    /// Somebody copied, restored or touched the mark after it was written, and probably the database too.
    case copied

    /// The largest allowed difference between the clock of the file system and the clock that the server
    /// reads, in milliseconds.
    static let tolerance: Int64 = 60_000

    /// Returns the reason for a new epoch; nil if the database and its mark belong together.
    /// - Parameters:
    ///   - counted: the number of commits that the database counts; nil if the database has never had a mark.
    ///   - found: the mark in the file; nil if the file does not exist or cannot be read.
    ///   - changedAt: the time of the last change of the file's inode, which no program can set; in
    ///     milliseconds since 1970.
    static func needed(epoch: String, counted: Int64?, found: HighWaterMark?, changedAt: Int64)
        -> EpochRenewal?
    {
        guard let counted else { return nil }
        guard let found else { return .markMissing }
        if found.epoch != epoch { return .markOfAnother }
        if found.count > counted { return .older(commits: found.count - counted) }
        return abs(changedAt - found.writtenAt) > tolerance ? .copied : nil
    }
}

/// The open file of the mark. Writing the mark is one `pwrite` into the page cache and takes about a
/// microsecond for each commit. The written mark remains even if the process crashes. After a power cut, the
/// mark can be behind and detects fewer losses. The file is synced when it is opened and closed.
///
/// `@unchecked Sendable`: the descriptor does not change until `close`. Only two threads use this object: the
/// writer on its queue, and after the writer has ended, the closing thread.
final class MarkFile: @unchecked Sendable {
    private var descriptor: Int32

    init(path: String) throws(JournalError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(path)")) }
    }

    deinit { close() }

    func close() {
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Returns the mark and the time at which the file's inode changed, in milliseconds since 1970. Returns
    /// nil if the file holds no mark.
    func read() -> (mark: HighWaterMark, changedAt: Int64)? { Self.read(descriptor) }

    /// Returns the mark and the change time of the file at `path`, without opening the file for writing.
    /// Returns nil if the file does not exist or holds no mark.
    static func look(at path: String) -> (mark: HighWaterMark, changedAt: Int64)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        return read(file)
    }

    private static func read(_ descriptor: Int32) -> (mark: HighWaterMark, changedAt: Int64)? {
        var status = stat()
        var bytes = [UInt8](repeating: 0, count: 200)
        guard fstat(descriptor, &status) == 0 else { return nil }
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let mark = HighWaterMark(line: String(decoding: bytes.prefix(count), as: UTF8.self))
        else { return nil }
        return (mark, Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000)
    }

    /// Writes the mark to the file. A failed write is ignored: the file then holds an older mark, which
    /// detects fewer losses but does no other harm.
    func write(epoch: String, count: Int64, at now: Instant) {
        let line = Array(HighWaterMark(epoch: epoch, count: count, writtenAt: now.milliseconds).line.utf8)
        _ = pwrite(descriptor, line, line.count, 0)
    }

    /// The present time of the wall clock. The file system uses this clock for the times of files.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    func sync() { fsync(descriptor) }
}

extension Connection {
    private static let epoch = Query("read the epoch", "SELECT value FROM meta WHERE key = 'epoch'")
    // The value is the count and, in newer databases, a space and the time of the commit. The cast reads the
    // leading digits.
    private static let commitCount = Query(
        "read the count of commits",
        """
        SELECT CAST(value AS INTEGER),
            CASE WHEN instr(value, ' ') THEN CAST(substr(value, instr(value, ' ') + 1) AS INTEGER) END
        FROM meta WHERE key = 'mark'
        """)
    private static let saveCount = Query(
        "save the count of commits",
        "INSERT INTO meta VALUES ('mark', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    private static let count = Query(
        "count the commit",
        "UPDATE meta SET value = (CAST(value AS INTEGER) + 1) || ' ' || ? WHERE key = 'mark' RETURNING "
            + "CAST(value AS INTEGER)"
    )
    private static let renew = Query(
        "renew the epoch", "UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'epoch'")

    func epoch() throws(JournalError) -> String {
        guard let epoch = try first(Self.epoch, read: { $0.text(0) }) else {
            throw .failed(StorageFailure(.damaged, operation: "read the epoch"))
        }
        return epoch
    }

    func renewEpoch() throws(JournalError) { try run(Self.renew) }

    /// Increments the count of commits. Within a batch, the caller must call this function before the batch's
    /// commit.
    func countCommit(at now: Instant) throws(JournalError) -> Int64 {
        try first(Self.count, now) { $0.int64(0) } ?? 0
    }

    /// Returns the count of commits. Returns nil if the database has never had a mark.
    func commitCount() throws(JournalError) -> CommitCount? {
        try first(Self.commitCount) { CommitCount(count: $0.int64(0), at: $0.instantIfAny(1)) }
    }

    /// Renews the epoch if there is a reason, and sets the database and its mark to the same count.
    /// count.
    /// The new epoch and the count are in the database file itself before the mark repeats them. If the log
    /// is lost later, the next start still finds the epoch and a count in the database file. Therefore the
    /// start detects the loss.
    func settle(_ file: MarkFile, _ renewal: EpochRenewal?) throws(JournalError) {
        let next = max(try commitCount()?.count ?? 0, file.read()?.mark.count ?? 0) + 1
        let now = MarkFile.now
        try begin()
        do {
            if renewal != nil { try renewEpoch() }
            try run(Self.saveCount, "\(next) \(now.milliseconds)")
            try commit()
        } catch {
            rollBack()
            throw error
        }
        // No other connection is open yet, so no other connection can need the log.
        guard try emptyLog(waiting: true) else {
            throw .failed(StorageFailure(.busy, operation: "checkpoint"))
        }
        file.write(epoch: try epoch(), count: next, at: now)
        file.sync()
    }
}
