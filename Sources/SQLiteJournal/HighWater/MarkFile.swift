import Foundation
import Journal
import Meetings

/// The open file of the mark. Writing it is one `pwrite` into the page cache: about a microsecond a commit.
/// It outlives the process, however that ends; after a power cut it may be behind, and then finds less. It is
/// synced at opening and closing.
///
/// `@unchecked Sendable`: the descriptor never changes until `close`, and both are the writer's, on its queue
/// or after that has ended.
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

    /// The mark and when its inode was changed, in milliseconds since 1970; nil for what is no mark.
    func read() -> (mark: HighWaterMark, changedAt: Int64)? { Self.read(descriptor) }

    /// The same of the file at `path`, without opening it for writing; nil if there is none.
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

    /// A failure is passed over: a mark that is behind finds less, and nothing else.
    func write(epoch: String, count: Int64, at now: Instant) {
        let line = Array(HighWaterMark(epoch: epoch, count: count, writtenAt: now.milliseconds).line.utf8)
        _ = pwrite(descriptor, line, line.count, 0)
    }

    /// The wall clock, which the file system stamps files with.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    func sync() { fsync(descriptor) }
}

extension Connection {
    private static let epoch = Query("read the epoch", "SELECT value FROM meta WHERE key = 'epoch'")
    // The count, and since it is kept the time of the commit, with a space between. A cast reads the digits
    // at the beginning.
    private static let kept = Query(
        "read the mark",
        """
        SELECT CAST(value AS INTEGER), CASE WHEN instr(value, ' ') THEN CAST(substr(value, instr(value, ' ') + 1) AS INTEGER) END
        FROM meta WHERE key = 'mark'
        """)
    private static let keep = Query(
        "keep the mark",
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

    /// Within a batch, before its commit.
    func countCommit(at now: Instant) throws(JournalError) -> Int64 {
        try first(Self.count, now) { $0.int64(0) } ?? 0
    }

    /// Nil in a database that has never had a mark.
    func kept() throws(JournalError) -> KeptCount? {
        try first(Self.kept) { KeptCount(count: $0.int64(0), at: $0.instantIfAny(1)) }
    }

    /// Renews the epoch if the database and its mark do not belong together, and lets both continue from the
    /// same count.
    ///
    /// Both are in the database file itself before the mark has them: if the log is lost later, the next
    /// start still finds the same epoch and a count, and so the loss.
    func settle(_ file: MarkFile, _ renewal: EpochRenewal?) throws(JournalError) {
        let next = max(try kept()?.count ?? 0, file.read()?.mark.count ?? 0) + 1
        let now = MarkFile.now
        try begin()
        do {
            if renewal != nil { try renewEpoch() }
            try run(Self.keep, "\(next) \(now.milliseconds)")
            try commit()
        } catch {
            rollBack()
            throw error
        }
        // No other connection is open yet, so that nothing can hinder it.
        guard try emptyLog(waiting: true) else {
            throw .failed(StorageFailure(.busy, operation: "checkpoint"))
        }
        file.write(epoch: try epoch(), count: next, at: now)
        file.sync()
    }
}
