import Foundation
import Journal
import Meetings

/// The high-water mark: the number of commits that a database had reached when the mark was written. It is in
/// a file beside the database: `journal.mark`.
///
/// A database that is copied back from yesterday looks intact, and would assign sequences a second time under
/// the epoch that clients know. Its mark shows that it had more commits. The database counts its commits in
/// `meta`, and the file repeats the count after each commit.
struct HighWaterMark: Hashable {
    let epoch: String
    /// The commits that were durable when the mark was written. The mark is written after the commit, so that
    /// it is never ahead of an intact database. After a crash it can be behind.
    let count: Int64
    /// When the mark was written, in milliseconds since 1970.
    let writtenAt: Int64

    /// The content of the file: always 84 bytes, within one sector. The checksum detects a torn write.
    var line: String {
        let text = "\(epoch) \(Self.padded(count)) \(Self.padded(writtenAt))"
        return "\(text) \(Self.sum(text))\n"
    }

    init(epoch: String, count: Int64, writtenAt: Int64) {
        self.epoch = epoch
        self.count = count
        self.writtenAt = writtenAt
    }

    /// Parses `line`. Nil if it is malformed or its checksum is wrong.
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

    /// FNV-1a, 64 bits: it detects torn writes, not manipulation.
    private static func sum(_ text: String) -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The database's own count of commits. Each commit increments it in its transaction.
struct CommitCount: Hashable {
    let count: Int64
    /// When the last commit was made. Nil in a database that was last written by a version that did not store
    /// this time.
    let at: Instant?

    /// Returns the commits that the mark counts and the database does not have; nil if there are none.
    func loss(by mark: HighWaterMark) -> LostCommits? {
        guard mark.count > count else { return nil }
        return LostCommits(
            commits: mark.count - count, since: at, until: Instant(milliseconds: mark.writtenAt), copy: nil)
    }
}

/// The reason why an opening gave the database a new epoch: the database may be an older copy, and then
/// sequences that clients know could be assigned again.
package enum EpochRenewal: Hashable, Sendable {
    /// The database has fewer commits than its mark: so many are missing.
    case older(commits: Int64)
    /// The mark is missing, although the database had one.
    case markMissing
    /// The mark belongs to another database.
    case markOfAnother
    /// The mark was copied, restored or touched after it was written, and probably its database too.
    case copied

    /// The largest difference between the clock of the file system and the clock that is read, in
    /// milliseconds.
    static let tolerance: Int64 = 60_000

    /// Returns the reason for a new epoch; nil if the database and its mark belong together.
    /// - Parameters:
    ///   - kept: the database's own count; nil if it has never had a mark.
    ///   - found: the mark in the file; nil if there is none or it cannot be read.
    ///   - changedAt: when the file's inode was last changed, which no program can set; in milliseconds since
    ///     1970.
    static func needed(epoch: String, kept: Int64?, found: HighWaterMark?, changedAt: Int64) -> EpochRenewal?
    {
        guard let kept else { return nil }
        guard let found else { return .markMissing }
        if found.epoch != epoch { return .markOfAnother }
        if found.count > kept { return .older(commits: found.count - kept) }
        return abs(changedAt - found.writtenAt) > tolerance ? .copied : nil
    }
}

/// The open file of the mark. Writing it is one `pwrite` into the page cache, about a microsecond for each
/// commit. It survives the process, however that ends. After a power cut the mark can be behind, and then
/// detects fewer losses. It is synced at opening and closing.
///
/// `@unchecked Sendable`: the descriptor does not change until `close`. Only the writer uses it, on its
/// queue, or the closing thread after the writer has ended.
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

    /// Returns the mark and when its inode was changed, in milliseconds since 1970. Nil if the file holds no
    /// mark.
    func read() -> (mark: HighWaterMark, changedAt: Int64)? { Self.read(descriptor) }

    /// Does the same for the file at `path`, without opening it for writing. Nil if there is no file.
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

    /// Writes the mark. A failure is ignored, because a mark that is behind only detects fewer losses.
    func write(epoch: String, count: Int64, at now: Instant) {
        let line = Array(HighWaterMark(epoch: epoch, count: count, writtenAt: now.milliseconds).line.utf8)
        _ = pwrite(descriptor, line, line.count, 0)
    }

    /// The wall clock, which the file system uses for the times of files.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    func sync() { fsync(descriptor) }
}

extension Connection {
    private static let epoch = Query("read the epoch", "SELECT value FROM meta WHERE key = 'epoch'")
    // The count and, in newer databases, a space and the time of the commit. The cast reads the leading
    // digits.
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

    /// Increments the count of commits; within a batch, before its commit.
    func countCommit(at now: Instant) throws(JournalError) -> Int64 {
        try first(Self.count, now) { $0.int64(0) } ?? 0
    }

    /// Returns the count of commits. Nil in a database that has never had a mark.
    func commitCount() throws(JournalError) -> CommitCount? {
        try first(Self.commitCount) { CommitCount(count: $0.int64(0), at: $0.instantIfAny(1)) }
    }

    /// Renews the epoch if there is a reason, and lets the database and its mark continue from the same
    /// count.
    ///
    /// Both are in the database file itself before the mark repeats them. If the log is lost later, the next
    /// start still finds the epoch and a count, and so detects the loss.
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
        // No other connection is open yet, so nothing can hold the log.
        guard try emptyLog(waiting: true) else {
            throw .failed(StorageFailure(.busy, operation: "checkpoint"))
        }
        file.write(epoch: try epoch(), count: next, at: now)
        file.sync()
    }
}
