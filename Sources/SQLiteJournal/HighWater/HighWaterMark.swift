import Journal
import Meetings

/// How far a database had got when the mark was written, kept in a file beside it: `journal.mark`.
///
/// A database that is copied back from yesterday looks whole, and would give out sequences a second time
/// under the epoch that clients know. Its mark says that it had got further. The database counts its commits
/// in `meta`; the file repeats the count after each of them.
struct HighWaterMark: Hashable {
    let epoch: String
    /// Commits that were durable when the mark was written. The file is written after the commit, so that it
    /// is never ahead of a database that nobody took back, whatever was lost on the way: at worst it is
    /// behind.
    let count: Int64
    /// Milliseconds since 1970, when it was written.
    let writtenAt: Int64

    /// 84 bytes, always: within one sector, so that a torn write is one that the sum finds.
    var line: String {
        let text = "\(epoch) \(Self.padded(count)) \(Self.padded(writtenAt))"
        return "\(text) \(Self.sum(text))\n"
    }

    init(epoch: String, count: Int64, writtenAt: Int64) {
        self.epoch = epoch
        self.count = count
        self.writtenAt = writtenAt
    }

    /// Nil for anything else than what `line` gives.
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

    /// FNV-1a, 64 bits: against torn writes, not against people.
    private static func sum(_ text: String) -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// The database's own count of commits. Each commit increments it in its transaction.
struct KeptCount: Hashable {
    let count: Int64
    /// When the last commit was made; nil in a database that was last written by a version without this time.
    let at: Instant?

    /// The commits that the mark knows and the database does not; nil if there are none.
    func loss(by mark: HighWaterMark) -> LostCommits? {
        guard mark.count > count else { return nil }
        return LostCommits(
            commits: mark.count - count, since: at, until: Instant(milliseconds: mark.writtenAt), copy: nil)
    }
}

/// Why an opening gave the database a new epoch: it may have been taken back in time, and sequences that
/// clients know may come again.
package enum EpochRenewal: Hashable, Sendable {
    /// The database is older than its mark, by so many commits.
    case older(commits: Int64)
    /// The database came without the mark that it once had.
    case markMissing
    /// The mark is another database's.
    case markOfAnother
    /// The mark itself was copied, restored or touched after it was written, and its database probably with
    /// it.
    case copied

    /// How far the clock that stamps files may differ from the one that is read.
    static let tolerance: Int64 = 60_000

    /// - Parameters:
    ///   - kept: the database's own count; nil where it has never had a mark.
    ///   - found: the file's; nil where there is none, or none that can be read.
    ///   - changedAt: when the file's inode was last changed, which no program can set.
    static func needed(epoch: String, kept: Int64?, found: HighWaterMark?, changedAt: Int64) -> EpochRenewal?
    {
        guard let kept else { return nil }
        guard let found else { return .markMissing }
        if found.epoch != epoch { return .markOfAnother }
        if found.count > kept { return .older(commits: found.count - kept) }
        return abs(changedAt - found.writtenAt) > tolerance ? .copied : nil
    }
}
