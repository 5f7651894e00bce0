import Foundation
import Journal
import Meetings
import Secrets
import Synchronization
import Testing

@testable import Server

/// The backups of a server, written by a writer that stores a few bytes and shows its calls.
@Suite struct BackupsTests {
    @Test func `a backup is due when the newest one is old enough, also after a restart`() async throws {
        try await withBackups { backups, writer, clock in
            #expect(backups.look() == .minutes(1))
            #expect(writer.stored.count == 1 && backups.report.newest?.bytes == 3)
            clock.set(clock.now + .hours(6) - .seconds(30))
            #expect(backups.look() == .seconds(30))
            #expect(writer.stored.count == 1)
            clock.set(clock.now + .seconds(30))
            let restarted = try writer.restarted()
            #expect(restarted.look() == .minutes(1))
            #expect(writer.calls == 2)
            let again = try writer.restarted()
            #expect(again.look() == .minutes(1))
            #expect(writer.calls == 2)
        }
    }

    @Test func `a clock that was ahead for a while delays no backup, and its files stay`() async throws {
        try await withBackups { backups, writer, clock in
            let right = clock.now
            clock.set(right + .hours(24 * 365))
            _ = backups.look()
            let wrong = writer.stored
            clock.set(right)
            for _ in 0..<60 {
                _ = backups.look()
                clock.set(clock.now + .hours(6))
            }
            #expect(wrong.isSubset(of: writer.stored))
            #expect(writer.calls == 61)
            #expect((8...12).contains(writer.stored.count))
        }
    }

    @Test func `the retention deletes only this server's own backups, and the newest never`() async throws {
        try await withBackups(keep: "1h") { backups, writer, clock in
            _ = backups.look()
            let first = try #require(writer.stored.first)
            let foreign = [
                "qring-other000-20200101T000000Z.backup", "notes.txt", "\(first).gz", "qring-monday.backup",
            ]
            for name in foreign { try Data([1]).write(to: URL(filePath: "\(writer.folder)/\(name)")) }
            for _ in 0..<3 {
                clock.set(clock.now + .hours(6))
                _ = backups.look()
            }
            let left = Set(try FileManager.default.contentsOfDirectory(atPath: writer.folder))
            #expect(left.subtracting(foreign).count == 1 && left.isSuperset(of: foreign))
            // A failure deletes nothing.
            writer.failure = "the disk is full"
            clock.set(clock.now + .hours(12))
            #expect(backups.look() == .minutes(10))
            #expect(writer.stored.subtracting(foreign) == left.subtracting(foreign))
        }
    }

    @Test func `a failure is counted and logged once, and the next backup ends it`() async throws {
        try await withBackups { backups, writer, clock in
            _ = backups.look()
            clock.set(clock.now + .hours(7))
            writer.failure = "the disk is full"
            for _ in 0..<3 { #expect(backups.look() == .minutes(10)) }
            #expect(backups.report.failures == 3 && backups.report.isFailing)
            #expect(writer.lines.count { $0.contains("the disk is full") } == 1)
            #expect(writer.lines.contains { $0.contains("the last one is 7 h old") })
            writer.failure = nil
            _ = backups.look()
            #expect(!backups.report.isFailing && backups.report.failures == 3)
            // A folder that is gone, such as a disk that is not mounted, is not made.
            try FileManager.default.removeItem(atPath: writer.folder)
            #expect(backups.look() == .minutes(10))
            #expect(!FileManager.default.fileExists(atPath: writer.folder))
            #expect(writer.lines.contains { $0.contains("No such file") })
        }
    }

    @Test(arguments: [true, false])
    func `a backup that would link an answer waits, and is made after a day only if it is encrypted`(
        isEncrypted: Bool
    ) async throws {
        try await withBackups(isEncrypted: isEncrypted) { backups, writer, clock in
            writer.responses = 5
            _ = backups.look()
            writer.responses = 6
            clock.set(clock.now + .hours(6))
            for _ in 0..<10 { #expect(backups.look() == .minutes(1)) }
            #expect(writer.stored.count == 1 && backups.report.isWaiting)
            #expect(writer.lines.count { $0.contains("is due and waits") } == 1)
            // The wait survives a restart.
            clock.set(clock.now + .hours(24))
            let restarted = try writer.restarted()
            _ = restarted.look()
            #expect(writer.stored.count == (isEncrypted ? 2 : 1))
            #expect(restarted.report.isWaiting == !isEncrypted)
            // Two more answers: three since the first backup, and two since an encrypted one.
            writer.responses = 8
            clock.set(clock.now + .hours(6))
            _ = restarted.look()
            #expect(writer.stored.count == 2)
            #expect(restarted.report.isWaiting == isEncrypted)
        }
    }

    @Test func `a backup that failed after it was allowed lets no later one link an answer`() async throws {
        try await withBackups { backups, writer, clock in
            writer.responses = 5
            _ = backups.look()
            clock.set(clock.now + .hours(6))
            (writer.responses, writer.failsLate) = (8, true)
            _ = backups.look()
            writer.failsLate = false
            writer.responses = 9
            _ = backups.look()
            #expect(writer.stored.count == 1 && backups.report.isWaiting)
        }
    }

    @Test func `a damaged memory of the last backup makes the next one wait`() async throws {
        try await withBackups { backups, writer, clock in
            writer.responses = 5
            _ = backups.look()
            try Data("{".utf8).write(to: URL(filePath: writer.dataFolder + "/backups.state"))
            clock.set(clock.now + .hours(6))
            _ = backups.look()
            #expect(writer.stored.count == 1 && backups.report.isWaiting)
        }
    }

    @Test func `servers of one database compare their backups with each other's`() async throws {
        try await withBackups { one, writer, clock in
            let note = StoredNote()
            writer.sharedNote = note
            writer.responses = 5
            _ = one.look()
            #expect(writer.stored.count == 1)
            // The other server has its own data folder, and so its own id.
            try FileManager.default.removeItem(atPath: writer.dataFolder + "/backups.state")
            let other = try writer.restarted()
            writer.responses = 6
            _ = other.look()
            #expect(writer.stored.count == 1 && other.report.isWaiting)
            writer.responses = 8
            // The first server is faster with its own backup. That is no failure.
            note.meanwhile = { note.text = "{}" }
            #expect(other.look() == .minutes(1))
            #expect(writer.stored.count == 1 && other.report.failures == 0 && !other.report.isFailing)
            // The text is no note, so nobody knows which answers that backup has.
            _ = other.look()
            #expect(writer.stored.count == 1 && other.report.isWaiting)
        }
    }

    private func withBackups(
        keep: String = "7d,4w,6m", isEncrypted: Bool = false,
        _ body: (Backups, StoringWriter, HandClock) async throws -> Void
    ) async throws {
        try await Site.inFolder { folder in
            let (clock, files) = (HandClock(start), FileManager.default)
            for name in ["data", "backups"] {
                try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            let writer = StoringWriter(in: folder, clock)
            writer.settings.backups.keep = try #require(BackupRetention(keep))
            writer.settings.backups.key = isEncrypted ? OpeningKey().sealingKey : nil
            try await body(try writer.restarted(), writer, clock)
        }
    }
}

/// Stores three bytes as a backup.
///
/// `@unchecked Sendable`: the test and `Backups.look` use it on one thread; `lines` has a lock.
private final class StoringWriter: BackupWriting, @unchecked Sendable {
    let folder: String
    let dataFolder: String
    var settings: ServerSettings
    /// The number of responses of one open anonymous set.
    var responses = 0
    var failure: String?
    var failsLate = false
    /// The note of all servers of the database; nil if this server is the only one.
    var sharedNote: StoredNote?
    var calls = 0
    private let clock: HandClock
    private let logged = Mutex<[String]>([])
    private let session = SessionID.makeTimeless()

    init(in folder: String, _ clock: HandClock) {
        (self.folder, dataFolder, self.clock) = (folder + "/backups", folder + "/data", clock)
        settings = ServerSettings(dataFolder: folder + "/data")
        settings.backups.folder = folder + "/backups"
    }

    var lines: [String] { logged.withLock { $0 } }

    var stored: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(names.filter { $0.hasPrefix("qring-") })
    }

    /// Makes the backups of a server that has just started.
    func restarted() throws -> Backups {
        var settings = settings
        settings.backups.writer = self
        let log = RequestLog(
            .text, clock: clock,
            sink: { line in
                self.logged.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            })
        return try #require(Backups(settings, clock, log))
    }

    func write(
        to path: String, encryptedTo key: SealingKey?, at now: Instant, if judge: (BackupContent) -> Bool
    ) throws(BackupFailure) -> Int? {
        calls += 1
        if let failure { throw BackupFailure(reason: failure) }
        let set = AnonymousSetState(session: session, set: "a", responses: responses, isOver: false)
        guard judge(BackupContent(epoch: "e", sets: responses > 0 ? [set] : [])) else { return nil }
        if failsLate { throw BackupFailure(reason: "the disk is full") }
        guard FileManager.default.createFile(atPath: path, contents: Data([1, 2, 3])) else {
            throw BackupFailure(reason: "no file")
        }
        return 3
    }

    func removeLeftovers(named prefix: String, in folder: String) {}
    func interrupt() {}
    var note: (any SharedBackupNote)? { sharedNote }
}

/// The note that two servers share.
///
/// `@unchecked Sendable`: one thread uses it.
private final class StoredNote: SharedBackupNote, @unchecked Sendable {
    var text: String?
    /// Runs before the next write, as another server would.
    var meanwhile: (() -> Void)?

    func read() -> String? { text }

    func write(_ note: String, replacing old: String?) -> Bool {
        let before = meanwhile
        meanwhile = nil
        before?()
        guard text == old else { return false }
        text = note
        return true
    }
}
