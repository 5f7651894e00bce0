import Foundation
import Journal
import JournalContract
import Meetings
import Seeds
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct BackupTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `a restored backup holds everything and the secret, under a new epoch`() async throws {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            let backup = try Backup.make(of: hall.folder, at: file, now: now)
            #expect(try mode(file) == 0o600)
            #expect(backup.epoch == (try hall.epoch))
            #expect(backup.bytes == PrivateFile.size(file))
            try await withFolder { folder in
                let restore = try Restore.run(file, to: folder, mayReplace: false, now: now)
                #expect(restore.madeAt == now)
                #expect(restore.replaced == nil)
                #expect(restore.epoch != backup.epoch)
                #expect(FileManager.default.contents(atPath: folder + "/secret") == Data(Hall.secret))
                #expect(try mode(folder + "/secret") == 0o600)
                #expect(try mode(folder + "/journal.db") == 0o600)
                #expect(try Verification.run(on: folder).faults == [])
                #expect(try Verification.run(on: folder).counts == Verification.run(on: hall.folder).counts)
                let engine = try SQLiteEngine(folder: folder)
                defer { engine.close() }
                #expect(engine.epoch == restore.epoch)
                #expect(engine.epochRenewal == nil)
                // The secret must no longer be in the database.
                let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db"))
                #expect(bytes.firstRange(of: Data(Hall.secret)) == nil)
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: hall.folder).filter {
                    $0.contains("partial")
                } == [])
        }
    }

    @Test(arguments: [64, 32])
    func `a backup after a rotation has the lasting keys, too, and only for its own folder`(length: Int)
        async throws
    {
        try await withHall { hall in
            let (file, lasting) = (hall.folder + "/b.backup", [UInt8](repeating: 9, count: length))
            let plain = hall.folder + "/plain.backup"
            _ = try Backup.make(of: hall.folder, at: plain, now: now)
            try PrivateFile.make(hall.folder + "/secret.lasting", lasting)
            _ = try Backup.make(of: hall.folder, at: file, now: now)
            try await withFolder { folder in
                let path = folder + "/secret.lasting"
                _ = try Restore.run(file, to: folder, mayReplace: false, now: now)
                #expect(PrivateFile.read(path, count: length) == lasting)
                #expect(try mode(path) == 0o600)
                #expect(PrivateFile.read(folder + "/secret", count: 32) == Hall.secret)
                // The restored server has never been rotated.
                _ = try Restore.run(plain, to: folder, mayReplace: true, now: now)
                #expect(!PrivateFile.exists(path))
            }
            try PrivateFile.make(hall.folder + "/other", [1])
            try FileManager.default.removeItem(atPath: hall.folder + "/secret.lasting")
            try FileManager.default.moveItem(
                atPath: hall.folder + "/other", toPath: hall.folder + "/secret.lasting")
            #expect(throws: OperatingError.secretDamaged(path: hall.folder + "/secret.lasting")) {
                _ = try Backup.make(of: hall.folder, at: hall.folder + "/c.backup", now: now)
            }
        }
    }

    @Test(arguments: ["secret", "secret.lasting"])
    func `a rotation during a backup leaves no backup with the wrong secret`(name: String) async throws {
        try await withHall { hall in
            let (file, path) = (hall.folder + "/b.backup", hall.folder + "/" + name)
            #expect(throws: OperatingError.secretReplaced(path: hall.folder + "/secret")) {
                _ = try Backup.make(of: hall.folder, at: file, now: now) { _ in
                    try? FileManager.default.removeItem(atPath: path)
                    try? PrivateFile.make(path, [UInt8](repeating: 8, count: 32))
                    return true
                }
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: hall.folder)
            #expect(left.filter { $0.contains("backup") || $0.contains("partial") } == [])
            _ = try Backup.make(of: hall.folder, at: file, now: now)
        }
    }

    @Test
    func `a backup of a running server holds all acknowledged data, and ends although commits continue`()
        async throws
    {
        try await withHall { hall in
            try await hall.open { storage in
                for number in 100..<120 { try await hall.checkIn(number, in: storage) }
                let file = hall.folder + "/b.backup"
                // Without a read transaction, a commit between two steps would restart the copy each time,
                // and the copy would not end.
                let writer = Task {
                    var number = 1000
                    while !Task.isCancelled {
                        try await hall.checkIn(number, in: storage)
                        number += 1
                    }
                    return number - 1000
                }
                let backup: Result<Backup, any Error> = await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(
                            returning: Result { try Backup.make(of: hall.folder, at: file, now: now) })
                    }
                }
                writer.cancel()
                _ = try backup.get()
                let written = try await writer.value
                try await withFolder { folder in
                    _ = try Restore.run(file, to: folder, mayReplace: false, now: now)
                    let verification = try Verification.run(on: folder)
                    #expect(verification.faults == [])
                    #expect((27...27 + written).contains(verification.counts.attendees))
                }
            }
        }
    }

    @Test func `a backup overwrites no file, and a cancelled backup leaves no file`() async throws {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
            #expect(throws: OperatingError.exists(path: file)) {
                _ = try Backup.make(of: hall.folder, at: file, now: now)
            }
            #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
            let other = hall.folder + "/c.backup"
            #expect(throws: OperatingError.cancelled) {
                _ = try Backup.make(of: hall.folder, at: other, now: now, progress: { _, _ in false })
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: hall.folder).filter { $0.hasPrefix("c.") }
                    == [])
        }
    }

    @Test func `a backup without data or without the secret is refused`() async throws {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            try FileManager.default.removeItem(atPath: hall.folder + "/secret")
            #expect(throws: OperatingError.noSecret(path: hall.folder + "/secret")) {
                _ = try Backup.make(of: hall.folder, at: file, now: now)
            }
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: hall.folder + "/secret"))
            #expect(throws: OperatingError.secretDamaged(path: hall.folder + "/secret")) {
                _ = try Backup.make(of: hall.folder, at: file, now: now)
            }
            try await withFolder { folder in
                #expect(throws: OperatingError.noData(folder: folder)) {
                    _ = try Backup.make(of: folder, at: file, now: now)
                }
            }
            #expect(!PrivateFile.exists(file))
        }
    }

    @Test func `a restore moves existing data aside only if the caller allows it`() async throws {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            _ = try Backup.make(of: hall.folder, at: file, now: now)
            try await hall.open { storage in try await hall.checkIn(100, in: storage) }
            #expect(throws: OperatingError.hasData(folder: hall.folder)) {
                _ = try Restore.run(file, to: hall.folder, mayReplace: false, now: now)
            }
            #expect(try Verification.run(on: hall.folder).counts.attendees == 8)
            let restore = try Restore.run(file, to: hall.folder, mayReplace: true, now: now)
            #expect(try Verification.run(on: hall.folder).counts.attendees == 7)
            let replaced = try #require(restore.replaced)
            #expect(try Verification.run(on: replaced).counts.attendees == 8)
            #expect(PrivateFile.read(replaced + "/secret", count: 32) == Hall.secret)
            #expect(try await hall.open { $0.epoch } == restore.epoch)
        }
    }

    @Test func `a restore refuses a folder in use, a damaged backup and another file without a change`()
        async throws
    {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            _ = try Backup.make(of: hall.folder, at: file, now: now)
            try await hall.open { _ in
                #expect(throws: OperatingError.inUse(folder: hall.folder)) {
                    _ = try Restore.run(file, to: hall.folder, mayReplace: true, now: now)
                }
            }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xAB, count: 4096))
            let damaged = hall.folder + "/damaged.backup"
            try bytes.write(to: URL(fileURLWithPath: damaged))
            let text = hall.folder + "/text"
            try Data("dear diary, this is long enough to be no database at all".utf8).write(
                to: URL(fileURLWithPath: text))
            let before = FileManager.default.contents(atPath: hall.database)
            let refused = #expect(throws: OperatingError.self) {
                _ = try Restore.run(damaged, to: hall.folder, mayReplace: true, now: now)
            }
            guard case .damaged(damaged, _) = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
            #expect(throws: OperatingError.notABackup(path: text)) {
                _ = try Restore.run(text, to: hall.folder, mayReplace: true, now: now)
            }
            #expect(throws: OperatingError.notABackup(path: "/dev/null")) {
                _ = try Restore.run("/dev/null", to: hall.folder, mayReplace: true, now: now)
            }
            #expect(FileManager.default.contents(atPath: hall.database) == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: hall.folder)
            #expect(names.filter { $0.hasPrefix("restore") || $0.hasPrefix("replaced") } == [])
        }
    }

    @Test func `a backup and a folder with an unfinished restore are not served`() async throws {
        try await withHall { hall in
            func reason() -> StorageFailure.Reason? {
                guard
                    case .failed(let failure) = #expect(
                        throws: JournalError.self, performing: { _ = try SQLiteEngine(folder: hall.folder) })
                else { return nil }
                return failure.reason
            }
            let file = hall.folder + "/b.backup"
            _ = try Backup.make(of: hall.folder, at: file, now: now)
            let unfinished = hall.folder + "/restore.unfinished"
            try PrivateFile.make(unfinished)
            #expect(reason() == .restoreUnfinished)
            try FileManager.default.removeItem(atPath: hall.database)
            try FileManager.default.copyItem(atPath: file, toPath: hall.database)
            // A second restore completes the unfinished one.
            _ = try Restore.run(file, to: hall.folder, mayReplace: true, now: now)
            #expect(!PrivateFile.exists(unfinished))
            #expect(try Verification.run(on: hall.folder).faults == [])
            try FileManager.default.removeItem(atPath: hall.database)
            try FileManager.default.copyItem(atPath: file, toPath: hall.database)
            #expect(reason() == .isBackup)
        }
    }

    @Test func `a copy from before a migration is restored with the folder's secret`() async throws {
        try await withHall { hall in
            let file = hall.folder + "/journal.db.version-1.backup"
            let connection = try Connection(path: hall.database)
            try connection.run(Query("test", "VACUUM INTO ?"), file)
            connection.close()
            let restore = try Restore.run(file, to: hall.folder, mayReplace: true, now: now)
            #expect(restore.madeAt == nil)
            #expect(PrivateFile.read(hall.folder + "/secret", count: 32) == Hall.secret)
            #expect(try Verification.run(on: hall.folder).faults == [])
            try await withFolder { folder in
                #expect(throws: OperatingError.noSecret(path: folder + "/secret")) {
                    _ = try Restore.run(file, to: folder, mayReplace: true, now: now)
                }
            }
        }
    }

    // MARK: The order of rows

    @Test(arguments: 1...3)
    func `backups of the same rows, written in two orders, have the same bytes`(seed: UInt64) async throws {
        try await withHall { hall in
            var random = SeededNumbers(seed: seed)
            let rows = (0..<400).map { _ in
                (0..<4).map { _ in (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) } }
            }
            try await withFolder { other in
                try FileManager.default.copyItem(atPath: hall.folder, toPath: other)
                for folder in [hall.folder, other] {
                    let connection = try Connection(path: folder + "/journal.db")
                    defer { connection.close() }
                    // A table without row numbers, one with them, and one with an index.
                    for ids in rows.shuffled(using: &random) {
                        try connection.run(
                            Query("test", "INSERT INTO answered VALUES (?, 'feedback')"), ids[0])
                        try connection.run(
                            Query("test", "INSERT INTO questions VALUES (?, ?, 'a', 1, '{}')"), ids[1], ids[2]
                        )
                        try connection.run(
                            Query("test", "INSERT INTO responses VALUES (?, 'a', 5, ?, NULL, '{}', 0, 0)"),
                            ids[2], ids[3])
                    }
                }
                var backups: [Data] = []
                for folder in [hall.folder, other] {
                    let file = folder + "/b.backup"
                    _ = try Backup.make(of: folder, at: file, now: now)
                    backups.append(try Data(contentsOf: URL(fileURLWithPath: file)))
                }
                #expect(backups[0].count > 50_000)
                #expect(backups[0] == backups[1])
                let files = try [hall.folder, other].map {
                    try Data(contentsOf: URL(fileURLWithPath: $0 + "/journal.db"))
                }
                #expect(files[0] != files[1])
            }
        }
    }

    @Test func `a backup shows its anonymous sets to a judge, and makes nothing if the judge refuses`()
        async throws
    {
        try await withHall { hall in
            for (time, isOver) in [(now, false), (now + .hours(24 * 30), true)] {
                var seen: BackupContent?
                #expect(throws: OperatingError.cancelled) {
                    _ = try Backup.make(
                        of: hall.folder, at: hall.folder + "/b.backup", now: time,
                        judging: { content in
                            seen = content
                            return false
                        })
                }
                let question = try #require(seen?.sets.first?.question)
                #expect(!question.isEmpty)
                let set = AnonymousSetState(
                    session: hall.session, set: QuestionSet.feedback, question: question, responses: 5,
                    isOver: isOver)
                #expect(try seen == BackupContent(epoch: hall.epoch, sets: [set]))
            }
            // A set that a host opens by hand takes answers after its window.
            try hall.damage("UPDATE question_sets SET open_by_hand = 1")
            var isOver: [Bool] = []
            _ = try Backup.make(
                of: hall.folder, at: hall.folder + "/b.backup", now: now + .hours(24 * 30),
                judging: { content in
                    isOver = content.sets.map(\.isOver)
                    return true
                })
            #expect(isOver == [false])
        }
    }

    // MARK: Encrypted backups

    private func leftovers(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("partial") }
    }

    /// Inverts every bit, in place of an encryption.
    private static let invert: BackupStep = { source, target, goesOn throws(OperatingError) in
        guard goesOn() else { throw .cancelled }
        let bytes = FileManager.default.contents(atPath: source) ?? Data()
        _ = FileManager.default.createFile(
            atPath: target, contents: Data(bytes.map { ~$0 }), attributes: [.posixPermissions: 0o600])
    }

    @Test func `an encrypted backup is restored after a decryption, and leaves no readable copy`()
        async throws
    {
        try await withHall { hall in
            let file = hall.folder + "/b.backup"
            var options = Backup.Options()
            options.seal = Self.invert
            options.isPaced = true
            let backup = try Backup.make(of: hall.folder, at: file, now: now, options)
            #expect(backup.bytes == PrivateFile.size(file))
            #expect(try mode(file) == 0o600)
            #expect(try leftovers(hall.folder) == [])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(bytes.firstRange(of: Data("SQLite".utf8)) == nil)
            #expect(bytes.firstRange(of: Data(Hall.secret)) == nil)
            let before = FileManager.default.contents(atPath: hall.database)
            #expect(throws: OperatingError.notABackup(path: file)) {
                _ = try Restore.run(file, to: hall.folder, mayReplace: true, now: now)
            }
            #expect(throws: OperatingError.otherKey(path: file)) {
                _ = try Restore.run(
                    file, to: hall.folder,
                    decryptedBy: { source, _, _ throws(OperatingError) in throw .otherKey(path: source) },
                    mayReplace: true, now: now)
            }
            #expect(FileManager.default.contents(atPath: hall.database) == before)
            #expect(try leftovers(hall.folder) == [])
            try await withFolder { folder in
                let restore = try Restore.run(
                    file, to: folder, decryptedBy: Self.invert, mayReplace: false, now: now)
                #expect(restore.madeAt == now)
                #expect(try leftovers(folder) == [])
                #expect(try Verification.run(on: folder).faults == [])
                #expect(try Verification.run(on: folder).counts == Verification.run(on: hall.folder).counts)
                #expect(FileManager.default.contents(atPath: folder + "/secret") == Data(Hall.secret))
            }
        }
    }

    // MARK: Interruptions

    @Test(arguments: [true, false])
    func `a backup on a disk without room, or that is interrupted, leaves nothing`(isEncrypted: Bool)
        async throws
    {
        try await withHall { hall in
            var options = Backup.Options()
            options.seal = isEncrypted ? Self.invert : nil
            (options.reserve, options.sharesDisk) = (1 << 60, true)
            let refused = #expect(throws: OperatingError.self) {
                _ = try Backup.make(of: hall.folder, at: hall.folder + "/b.backup", now: now, options)
            }
            guard case .notWritable(hall.folder, let failure) = refused, failure.reason == .full else {
                Issue.record("\(String(describing: refused))")
                return
            }
            options.reserve = 0
            // An interruption after each step: the judge, the copy, and what follows.
            for step in 0..<3 {
                let interruption = BackupInterruption()
                options.interruption = interruption
                #expect(throws: OperatingError.cancelled, "\(step)") {
                    _ = try Backup.make(
                        of: hall.folder, at: hall.folder + "/b.backup", now: now, options,
                        judging: { _ in
                            if step == 0 { interruption.interrupt() }
                            return true
                        },
                        progress: { done, all in
                            if step == 1 || step == 2 && done == all { interruption.interrupt() }
                            return true
                        })
                }
            }
            let left = try leftovers(hall.folder)
            #expect(left == [])
            #expect(!PrivateFile.exists(hall.folder + "/b.backup"))
        }
    }

    @Test func `leftovers of processes that have ended are removed, and no other file`() async throws {
        try await withFolder { folder in
            try DataFolder(path: folder).makeFolder()
            // No process has this id, because it is larger than the kernel allows.
            let ended = 1 << 30
            let gone = ["qring-a-1.backup.partial-\(ended)", "qring-a-1.backup.partial-\(ended)-journal"]
            let kept = [
                "qring-b-1.backup.partial-\(ended)", "qring-a-1.backup", "qring-a-1.partial-x",
                "qring-a-1.backup.partial-\(getppid())",
            ]
            for name in gone + kept { try PrivateFile.make("\(folder)/\(name)") }
            Backup.removeLeftovers(named: "qring-a-", in: folder)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(left) == Set(kept))
        }
    }
}
