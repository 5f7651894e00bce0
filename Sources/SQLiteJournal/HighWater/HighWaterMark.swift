import CSQLite
import FoundationEssentials
import Glibc
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

    /// The place of the file that held this mark; nil if an older version wrote it.
    let place: MarkPlace?

    /// The content of the file: always 120 bytes, so that it lies within one sector. The checksum detects a
    /// torn write.
    var line: String {
        var text = "\(epoch) \(Self.padded(count)) \(Self.padded(writtenAt))"
        if let place { text += " \(place.file) \(place.boot)" }
        return "\(text) \(Self.sum(text))\n"
    }

    init(epoch: String, count: Int64, writtenAt: Int64, place: MarkPlace? = nil) {
        self.epoch = epoch
        self.count = count
        self.writtenAt = writtenAt
        self.place = place
    }

    /// Parses the content of the file. Returns nil if `line` is malformed or its checksum is wrong.
    init?(line: String) {
        let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard [4, 6].contains(parts.count), let last = parts.last,
            Self.sum(parts.dropLast().joined(separator: " ")) == last,
            let count = Int64(parts[1]),
            let writtenAt = Int64(parts[2])
        else { return nil }
        self.init(
            epoch: parts[0], count: count, writtenAt: writtenAt,
            place: parts.count == 6 ? MarkPlace(file: parts[3], boot: parts[4]) : nil)
    }

    private static func padded(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 17 - digits.utf8.count)) + digits
    }

    /// Returns the FNV-1a checksum of 64 bits. It detects torn writes, but no manipulation.
    fileprivate static func sum(_ text: String) -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The place of the mark's file. A copy of the folder has the same content, but another place.
struct MarkPlace: Hashable {
    /// The checksum of the inode's number and of its birth time, which no program can set. A file system
    /// without birth times has only the number.
    let file: String
    /// The checksum of the system's boot id. All digits are zero if the id is unknown, or if the file
    /// system has another clock than this machine, such as that of a file server.
    let boot: String

    static let unknownBoot = String(repeating: "0", count: 16)

    /// The boot of this machine (random(4), "boot_id").
    static let currentBoot: String = {
        let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return id.map(HighWaterMark.sum) ?? unknownBoot
    }()

    init(file: String, boot: String) { (self.file, self.boot) = (file, boot) }

    /// The place of an open file. `clocksAgree` tells whether its file system has this machine's clock.
    init(of descriptor: Int32, clocksAgree: Bool = true) {
        let born = qring_birth_time(descriptor)
        var status = stat()
        fstat(descriptor, &status)
        self.init(
            file: HighWaterMark.sum("\(status.st_ino) \(born)"),
            boot: clocksAgree ? Self.currentBoot : Self.unknownBoot)
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

    /// The largest allowed difference between the mark's time and the change time of its inode, in
    /// milliseconds. The writer reads the clock just before it writes.
    static let tolerance: Int64 = 1_000
    /// The same, if the machine has been started again since the mark was written, or if the file system
    /// has another clock. After a power cut, the inode on the disk can be half a minute newer than the
    /// content.
    static let looseTolerance: Int64 = 60_000

    /// Returns the reason for a new epoch; nil if the database and its mark belong together.
    /// - Parameters:
    ///   - counted: the number of commits that the database counts; nil if the database has never had a mark.
    ///   - found: the mark in the file; nil if the file does not exist or cannot be read.
    ///   - place: the present place of the file.
    ///   - changedAt: the time of the last change of the file's inode, which no program can set; in
    ///     milliseconds since 1970.
    static func needed(
        epoch: String, counted: Int64?, found: HighWaterMark?, place: MarkPlace?, changedAt: Int64
    ) -> EpochRenewal? {
        guard let counted else { return nil }
        guard let found else { return .markMissing }
        if found.epoch != epoch { return .markOfAnother }
        if found.count > counted { return .older(commits: found.count - counted) }
        var allowed = looseTolerance
        if let before = found.place, let place {
            if before.file != place.file { return .copied }
            if before.boot == place.boot, before.boot != MarkPlace.unknownBoot { allowed = tolerance }
        }
        return abs(changedAt - found.writtenAt) > allowed ? .copied : nil
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
    private var place: MarkPlace

    init(path: String) throws(JournalError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .failed(StorageFailure(errno: errno, operation: "open \(path)")) }
        place = MarkPlace(of: descriptor)
    }

    deinit { close() }

    func close() {
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// A mark, with the present place of its file, and the time at which the file's inode changed, in
    /// milliseconds since 1970.
    typealias Found = (mark: HighWaterMark, place: MarkPlace, changedAt: Int64)

    /// Returns the mark in the file; nil if the file holds none.
    func read() -> Found? { Self.read(descriptor) }

    /// Returns the mark in the file at `path`, without opening the file for writing. Returns nil if the file
    /// does not exist or holds no mark.
    static func look(at path: String) -> Found? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { Glibc.close(file) }
        return read(file)
    }

    private static func read(_ descriptor: Int32) -> Found? {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let mark = HighWaterMark(line: String(decoding: bytes.prefix(count), as: UTF8.self))
        else { return nil }
        return changedAt(descriptor).map { (mark, MarkPlace(of: descriptor), $0) }
    }

    private static func changedAt(_ descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
    }

    /// Writes the mark to the file, with the present time. A failed write is ignored: the file then holds an
    /// older mark, which detects fewer losses but does no other harm.
    func write(epoch: String, count: Int64) {
        let mark = HighWaterMark(
            epoch: epoch, count: count, writtenAt: Self.now.milliseconds, place: place)
        let line = Array(mark.line.utf8)
        _ = pwrite(descriptor, line, line.count, 0)
    }

    /// Writes the mark, compares the file system's clock with this machine's, and syncs the file. If the
    /// clocks differ, later marks say so.
    func begin(epoch: String, count: Int64) {
        write(epoch: epoch, count: count)
        if let changed = Self.changedAt(descriptor),
            abs(changed - Self.now.milliseconds) > EpochRenewal.tolerance / 2
        {
            place = MarkPlace(of: descriptor, clocksAgree: false)
            write(epoch: epoch, count: count)
        }
        fsync(descriptor)
    }

    /// The present time of the wall clock. The file system uses this clock for the times of files.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

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
    private static let noteRenewal = Query(
        "note the renewal",
        """
        INSERT INTO meta SELECT 'renewed', value || ' ' || ? FROM meta WHERE key = 'epoch'
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
        """)

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

    /// Renews the epoch if there is a reason, and sets the database and its mark to the same count. The
    /// database notes which commit renewed which epoch, because this commit is in the log for a moment while
    /// the file still has the old epoch (`ForeignLog`).
    ///
    /// The new epoch and the count are in the database file itself before the mark repeats them. If the log
    /// is lost later, the next start still finds the epoch and a count in the database file. Therefore the
    /// start detects the loss.
    ///
    /// - Parameter mayLeaveLog: whether a full disk may prevent the emptying of the log. The epoch must not
    ///   change then.
    func settle(
        _ file: MarkFile, _ renewal: EpochRenewal?, mayLeaveLog: Bool = false
    ) throws(JournalError) {
        let next = max(try commitCount()?.count ?? 0, file.read()?.mark.count ?? 0) + 1
        try begin()
        do {
            if renewal != nil {
                try run(Self.noteRenewal, next)
                try renewEpoch()
            }
            try run(Self.saveCount, "\(next) \(MarkFile.now.milliseconds)")
            try commit()
        } catch {
            rollBack()
            throw error
        }
        do throws(JournalError) {
            // No other connection is open yet, so no other connection can need the log.
            guard try emptyLog(waiting: true) else {
                throw .failed(StorageFailure(.busy, operation: "checkpoint"))
            }
        } catch {
            guard mayLeaveLog, renewal == nil, case .failed(let failure) = error, failure.reason == .full
            else { throw error }
        }
        file.begin(epoch: try epoch(), count: next)
    }
}
