package import Journal
package import Meetings
package import Secrets

/// The operator's settings of the backups that the server writes by itself.
package struct BackupSettings: Sendable {
    /// The folder for the backups; nil to write none.
    package var folder: String?
    /// The time between two backups, a minute to 30 days.
    package var every = Duration.hours(6)
    package var keep = BackupRetention()
    /// The public key to which backups are encrypted; nil to write them readably.
    package var key: SealingKey?
    /// Writes backups; nil in servers of tests that write none.
    package var writer: (any BackupWriting)?

    package static let rangeOfEvery = Duration.minutes(1)...Duration.hours(30 * 24)

    package init() {}
}

/// Writes backups of the database that a server has open. Its functions block.
package protocol BackupWriting: Sendable {
    /// The note that the servers of a database share; nil if the database has one server, which uses a file.
    var note: (any SharedBackupNote)? { get }
    /// Writes and verifies a backup at a new path, which then has all of it or nothing.
    /// - Parameters:
    ///   - key: the public key to which the backup is encrypted; nil for none.
    ///   - judge: decides whether the backup may be made of this content; false ends it.
    /// - Returns: the size of the backup in bytes; nil if `judge` or `interrupt` ended it.
    /// - Throws: a sentence for the log.
    func write(
        to path: String, encryptedTo key: SealingKey?, at now: Instant, if judge: (BackupContent) -> Bool
    ) throws(BackupFailure) -> Int?
    /// Removes unfinished files of backups whose process has ended: those with this beginning of their name
    /// in the folder, and those in the data folder.
    func removeLeftovers(named prefix: String, in folder: String)
    /// Ends a running backup, and all later ones, without waiting for its end. Any thread may call it.
    func interrupt()
}

/// The note about the last backup of a database that several servers share. Otherwise, the backups of two
/// servers could be compared. Its functions block.
package protocol SharedBackupNote: Sendable {
    func read() throws(BackupFailure) -> String?
    /// Stores the note. Returns false if another server has replaced `old` meanwhile.
    /// - Throws: a sentence for the log.
    func write(_ note: String, replacing old: String?) throws(BackupFailure) -> Bool
}

/// The reason why a backup could not be written.
package struct BackupFailure: Error {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// The file of a backup that the server has written: `qring-SERVER-20261129T174500Z.backup`.
package struct BackupFile: Hashable, Sendable {
    /// The id of the server, so that several servers can use one folder.
    package let server: String
    /// The time at which the backup was made, in whole seconds.
    package let at: Instant

    package init(server: String, at: Instant) {
        self.server = server
        self.at = Instant(milliseconds: at.milliseconds / 1000 * 1000)
    }

    /// Reads the name of a file. Returns nil if it is not exactly the name of a backup of this server.
    package init?(name: String, server: String) {
        let prefix = Self.prefix(server)
        guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return nil }
        let time = Array(name.dropFirst(prefix.count).dropLast(Self.suffix.count))
        guard time.count == 16 else { return nil }
        func part(_ range: Range<Int>) -> String { String(time[range]) }
        guard
            let at = Instant(
                rfc3339: "\(part(0..<4))-\(part(4..<6))-\(part(6..<11)):\(part(11..<13)):\(part(13..<16))")
        else { return nil }
        self.init(server: server, at: at)
        guard self.name == name else { return nil }
    }

    package var name: String {
        let time = at.rfc3339.replacing("-", with: "").replacing(":", with: "")
        return Self.prefix(server) + time + Self.suffix
    }

    /// The beginning of the names of all files of this server.
    package static func prefix(_ server: String) -> String { "qring-\(server)-" }
    private static let suffix = ".backup"
}

/// How many backups are stored: such as `7d,4w,6m`, the newest one of each of the last 7 days, 4 weeks and
/// 6 months that have a backup. Days, weeks (from Monday) and months are those of UTC.
package struct BackupRetention: Hashable, Sendable {
    private enum Unit: String, CaseIterable {
        case hour = "h"
        case day = "d"
        case week = "w"
        case month = "m"

        /// The longest time of one day, week or month.
        var longest: Duration {
            switch self {
            case .hour: .hours(1)
            case .day: .hours(24)
            case .week: .hours(7 * 24)
            case .month: .hours(31 * 24)
            }
        }

        /// Returns the same text for all moments of the same day, week or month.
        func period(of moment: Instant) -> String {
            switch self {
            case .hour: String(moment.rfc3339.prefix(13))
            case .day: String(moment.rfc3339.prefix(10))
            case .month: String(moment.rfc3339.prefix(7))
            // The first of January 1970 was a Thursday.
            case .week: "\((moment.milliseconds + 3 * 86_400_000) / (7 * 86_400_000))"
            }
        }
    }

    private var counts: [Unit: Int] = [.day: 7, .week: 4, .month: 6]

    /// The clock of a server may be wrong by this time. Backups from later than this are from a clock that
    /// was set back since.
    private static let tolerance = Duration.hours(24)
    private static let mostOfUnit = 999

    /// 7 days, 4 weeks, 6 months.
    package init() {}

    /// Reads numbers with the units h, d, w and m, between commas. Returns nil for any other text.
    package init?(_ text: String) {
        counts = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = part.trimmingPrefix { $0 == " " }
            guard let unit = Unit(rawValue: String(word.suffix(1))), counts[unit] == nil,
                word.dropLast().allSatisfy(\.isASCII), let count = Int(word.dropLast()),
                (1...Self.mostOfUnit).contains(count)
            else { return nil }
            counts[unit] = count
        }
    }

    package var text: String {
        Unit.allCases.compactMap { unit in counts[unit].map { "\($0)\(unit.rawValue)" } }.joined(
            separator: ",")
    }

    /// The time for which a backup can be stored.
    package var longest: Duration {
        counts.map { unit, count in unit.longest * count }.max() ?? .zero
    }

    /// Returns the backups to delete. The newest one is never among them, and neither are backups from the
    /// future, which a wrong clock has made: nobody knows how old they are.
    package func expired(_ backups: [BackupFile], at now: Instant) -> [BackupFile] {
        let known = backups.filter { $0.at <= now + Self.tolerance }.sorted { $0.at > $1.at }
        var kept = Set(known.prefix(1))
        for (unit, count) in counts {
            var periods: Set<String> = []
            for backup in known where periods.insert(unit.period(of: backup.at)).inserted {
                guard periods.count <= count else { break }
                kept.insert(backup)
            }
        }
        return known.filter { !kept.contains($0) }
    }
}

/// What the server remembers of its last backup, in a file of the data folder. It has counts only. Servers of
/// one database share everything but `server` and `waitingSince`.
struct LastBackup: Codable, Hashable, Sendable {
    /// The id of the server in the names of its backups.
    var server: String
    /// The epoch of the last backup's database; nil if no backup was made.
    var epoch: String?
    /// The numbers of responses of the anonymous sets in the last backup, by session and set.
    var responses: [String: Int] = [:]
    /// The same for the last backup that was not encrypted; nil if all were.
    var readable: [String: Int]?
    /// The sets that were over in an earlier backup.
    var finished: Set<String> = []
    /// The time since when a due backup waits; nil if none waits.
    var waitingSince: Instant?

    static func key(_ set: AnonymousSetState) -> String { "\(set.session.text)/\(set.set)/\(set.question)" }

    mutating func note(_ content: BackupContent, isEncrypted: Bool = true) {
        epoch = content.epoch
        responses = Dictionary(uniqueKeysWithValues: content.sets.map { (Self.key($0), $0.responses) })
        if !isEncrypted { readable = responses }
        finished = finished.intersection(responses.keys).union(
            content.sets.filter(\.isOver).map { Self.key($0) })
        waitingSince = nil
    }
}

/// Decides whether a backup may be made although earlier backups exist.
///
/// A person with two backups can compare them: the new answers of an anonymous set, and the people who are
/// newly marked as having answered it. If that is one or two, the comparison links them. So a backup waits
/// until none, or at least three, have answered each open anonymous set since the last backup. After a day of
/// waiting, it is made if it is encrypted.
enum SuccessiveBackups {
    static let longestWait = Duration.hours(24)
    private static let smallestGroup = 3

    /// Whether a comparison with the last backup would link nothing.
    /// - Parameters:
    ///   - hasEarlier: whether there are backups, also if nothing is known of them.
    ///   - isEncrypted: whether the new one is. A readable one is also compared with the last readable one.
    static func areUnlinkable(
        _ content: BackupContent, after last: LastBackup, hasEarlier: Bool, isEncrypted: Bool = true
    ) -> Bool {
        // The first backup is compared with nothing: its one or two answers would be linked by themselves.
        // After a restore, nobody knows which answers the last backup had.
        let isComparable = last.epoch == content.epoch || last.epoch == nil && !hasEarlier
        return content.sets.allSatisfy { set in
            let key = LastBackup.key(set)
            // The last answers are shown once, as in the results.
            guard !set.isOver || last.finished.contains(key) else { return true }
            guard isComparable else { return false }
            let before = [last.responses] + (isEncrypted ? [] : last.readable.map { [$0] } ?? [])
            return before.allSatisfy { responses in
                let change = set.responses - (responses[key] ?? 0)
                return change == 0 || change >= smallestGroup
            }
        }
    }

    /// Whether a backup that has waited since `since` may be made at last.
    static func hasWaitedLongEnough(since: Instant?, isEncrypted: Bool, at now: Instant) -> Bool {
        guard isEncrypted, let since, since <= now else { return false }
        return now.since(since) >= longestWait
    }
}
