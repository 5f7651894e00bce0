import Journal
import Meetings
import Testing

@testable import Server

@Suite struct BackupRulesTests {
    private static let day = Duration.hours(24)

    private func files(_ hours: some Sequence<Int>) -> [BackupFile] {
        hours.map { BackupFile(server: "s", at: at(0) + .hours($0)) }
    }

    // MARK: Names

    @Test func `the name of a backup has its server and its time, and other names are foreign`() throws {
        let moment = try #require(Instant(rfc3339: "2026-11-29T17:45:09.123Z"))
        let file = BackupFile(server: "abc", at: moment)
        #expect(file.name == "qring-abc-20261129T174509Z.backup")
        #expect(BackupFile(name: file.name, server: "abc") == file)
        for name in [
            "qring-abd-20261129T174509Z.backup", "qring-abc-20261129T174509Z.backup.partial-7",
            "qring-abc-20261129T174509Z.backup2", "qring-abc-20261129T174509.backup",
            "qring-abc-20261329T174509Z.backup", "qring-abc-monday.backup", "qring-abc-.backup", "notes.txt",
            "xqring-abc-20261129T174509Z.backup", "qring-abc-2026 129T174509Z.backup", "",
        ] {
            #expect(BackupFile(name: name, server: "abc") == nil, "\(name)")
        }
    }

    // MARK: Retention

    @Test func `the text of a retention is read, and any other text is not`() {
        #expect(BackupRetention().text == "7d,4w,6m")
        #expect(BackupRetention("6m, 7d,4w") == BackupRetention())
        #expect(BackupRetention("24h")?.text == "24h")
        for text in ["", "7", "d", "0d", "-1d", "1000d", "7d,7d", "7d,", "7y", "7 d", "٣d"] {
            #expect(BackupRetention(text) == nil, "\(text)")
        }
    }

    @Test func `a year of backups every six hours leaves days, weeks and months`() {
        var stored: [BackupFile] = []
        for hours in stride(from: 0, through: 365 * 24, by: 6) {
            let now = at(0) + .hours(hours)
            stored.append(BackupFile(server: "s", at: now))
            let expired = Set(BackupRetention().expired(stored, at: now))
            stored.removeAll(where: expired.contains)
        }
        let today = stored[stored.count - 1].at.milliseconds / 86_400_000
        let days = stored.map { Int(today - $0.at.milliseconds / 86_400_000) }
        #expect(Array(days.suffix(7)) == [6, 5, 4, 3, 2, 1, 0])
        #expect((10...17).contains(stored.count))
        #expect(days.contains { (14...28).contains($0) })
        #expect((days.first ?? 0) >= 120)
    }

    @Test(arguments: 0..<200)
    func `whatever is stored and whatever the clock says, a retention deletes nothing that it must keep`(
        seed: Int
    ) throws {
        var random = Numbers(seed: UInt64(seed))
        let units = ["h", "d", "w", "m"].filter { _ in Bool.random(using: &random) } + ["d"]
        let text = Set(units).map { "\(Int.random(in: 1...9, using: &random))\($0)" }.joined(separator: ",")
        let retention = try #require(BackupRetention(text))
        let span = [50, 5000, 20_000][seed % 3]
        let stored = Array(
            Set(
                files(
                    (0..<Int.random(in: 0...80, using: &random)).map { _ in
                        Int.random(in: -span...span, using: &random)
                    })))
        let now = at(0) + .hours(Int.random(in: -span...span, using: &random))
        let expired = retention.expired(stored.shuffled(using: &random), at: now)
        let kept = stored.filter { !expired.contains($0) }
        // The newest one that is not from the future stays, and so do all of the future.
        if let last = stored.filter({ $0.at <= now + Self.day }).max(by: { $0.at < $1.at }) {
            #expect(kept.contains(last))
        }
        #expect(!expired.contains { $0.at > now + Self.day })
        // Only stored files are deleted, each once, and a second look deletes nothing.
        #expect(Set(expired).isSubset(of: stored) && Set(expired).count == expired.count)
        #expect(retention.expired(kept, at: now).isEmpty)
        // A clock that jumps forward deletes no more than the right one.
        let far = retention.expired(stored.filter { $0.at <= now }, at: now + .hours(100_000))
        #expect(Set(far) == Set(retention.expired(stored.filter { $0.at <= now }, at: now)))
    }

    // MARK: Successive backups

    private let session = SessionID.makeTimeless()

    private func content(_ sets: [String: Int], over: Set<String> = [], epoch: String = "e") -> BackupContent
    {
        BackupContent(
            epoch: epoch,
            sets: sets.map {
                AnonymousSetState(
                    session: session, set: $0.key, responses: $0.value, isOver: over.contains($0.key))
            })
    }

    private func areUnlinkable(
        _ content: BackupContent, after last: BackupContent?, hasEarlier: Bool = true
    ) -> Bool {
        var known = LastBackup(server: "s")
        if let last { known.note(last) }
        return SuccessiveBackups.areUnlinkable(content, after: known, hasEarlier: hasEarlier)
    }

    @Test(arguments: [(10, 10, true), (10, 11, false), (10, 12, false), (10, 13, true), (10, 9, false)])
    func `two backups of an open set differ by no answer or by at least three`(
        before: Int, now: Int, isAllowed: Bool
    ) {
        #expect(areUnlinkable(content(["a": now]), after: content(["a": before])) == isAllowed)
        // One set that would link somebody is enough.
        #expect(
            areUnlinkable(content(["a": now, "b": 5]), after: content(["a": before, "b": 5])) == isAllowed)
        // The last answers of a set that is over are shown anyway.
        #expect(areUnlinkable(content(["a": now], over: ["a"]), after: content(["a": before])))
    }

    @Test func `a set counts from zero in the first backup, and if it was empty at the last one`() {
        #expect(!areUnlinkable(content(["a": 2]), after: content([:])))
        #expect(areUnlinkable(content(["a": 3]), after: content([:])))
        #expect(!areUnlinkable(content(["a": 2]), after: nil, hasEarlier: false))
        #expect(areUnlinkable(content(["a": 3]), after: nil, hasEarlier: false))
    }

    @Test func `the last answers of a set are shown in one backup only, also if a host opens the set again`()
    {
        var known = LastBackup(server: "s")
        known.note(content(["a": 10], over: ["a"]))
        func mayFollow(_ responses: Int, over: Set<String>) -> Bool {
            SuccessiveBackups.areUnlinkable(
                content(["a": responses], over: over), after: known, hasEarlier: true)
        }
        #expect(mayFollow(10, over: ["a"]) && mayFollow(13, over: ["a"]))
        #expect(!mayFollow(11, over: ["a"]))
        known.note(content(["a": 11]))
        #expect(!mayFollow(12, over: ["a"]), "it was over before it was opened again")
    }

    @Test func `a new set of the same name counts from zero`() {
        let session = SessionID(high: 1, low: 1)
        func content(_ question: String) -> BackupContent {
            let set = AnonymousSetState(
                session: session, set: "a", question: question, responses: 2, isOver: false)
            return BackupContent(epoch: "epoch", sets: [set])
        }
        #expect(areUnlinkable(content("1"), after: content("1")))
        #expect(!areUnlinkable(content("2"), after: content("1")))
    }

    @Test func `a readable backup is also compared with the last readable one`() {
        var known = LastBackup(server: "s")
        known.note(content(["a": 5]), isEncrypted: false)
        known.note(content(["a": 6]), isEncrypted: true)
        func mayFollow(isEncrypted: Bool) -> Bool {
            SuccessiveBackups.areUnlinkable(
                content(["a": 6]), after: known, hasEarlier: true, isEncrypted: isEncrypted)
        }
        #expect(mayFollow(isEncrypted: true) && !mayFollow(isEncrypted: false))
    }

    @Test func `without knowledge of the last backup, no set is comparable`() {
        #expect(!areUnlinkable(content(["a": 9]), after: nil))
        #expect(!areUnlinkable(content(["a": 9]), after: content(["a": 9], epoch: "before the restore")))
        #expect(areUnlinkable(content(["a": 9], over: ["a"]), after: nil))
        #expect(areUnlinkable(content([:]), after: nil))
    }

    @Test func `only an encrypted backup is made after a day of waiting, and a wrong clock waits anew`() {
        func mayEnd(_ hours: Int, isEncrypted: Bool) -> Bool {
            SuccessiveBackups.hasWaitedLongEnough(
                since: at(0), isEncrypted: isEncrypted, at: at(0) + .hours(hours))
        }
        #expect(mayEnd(24, isEncrypted: true) && !mayEnd(23, isEncrypted: true))
        #expect(!mayEnd(24, isEncrypted: false) && !mayEnd(-1, isEncrypted: true))
        #expect(!SuccessiveBackups.hasWaitedLongEnough(since: nil, isEncrypted: true, at: at(0)))
    }
}

/// Random numbers that a seed decides (splitmix64).
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
