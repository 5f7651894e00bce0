import FoundationEssentials
import Glibc
import Journal
package import Meetings
import Secrets
import Synchronization
import Threads

/// The file of the data folder with what the server remembers of its last backup.
struct LastBackupFile: Sendable {
    private let path: String

    init(dataFolder: String) { path = "\(dataFolder)/backups.state" }

    /// Returns the stored value; nil if the file is missing or damaged.
    func read() -> LastBackup? {
        FileManager.default.contents(atPath: path).flatMap {
            try? JSONDecoder().decode(LastBackup.self, from: $0)
        }
    }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Replaces the value, which is on the disk afterwards.
    func write(_ last: LastBackup) throws(BackupFailure) {
        func failure() -> BackupFailure {
            BackupFailure(reason: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        guard let bytes = try? JSONEncoder().encode(last) else { throw failure() }
        let draft = "\(path).new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        defer { close(file) }
        let isWritten = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == bytes.count
        guard isWritten, fsync(file) == 0, rename(draft, path) == 0 else { throw failure() }
        // After a power cut, an older value would compare the next backup with an older one.
        let folder = open(String(path.dropLast("/backups.state".count)), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw failure() }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure() }
    }
}

/// The backups of a server in a folder.
package struct StoredBackups: Sendable {
    package let files: [BackupFile]
    /// Whether the folder has backups of any server.
    package let hasAny: Bool
    private let folder: String

    /// Lists the backups of the server with this data folder.
    /// - Throws: the reason why the folder cannot be read.
    package init(of dataFolder: String, in folder: String) throws(BackupFailure) {
        try self.init(server: LastBackupFile(dataFolder: dataFolder).read()?.server, in: folder)
    }

    init(server: String?, in folder: String) throws(BackupFailure) {
        self.folder = folder
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            let reason =
                access(folder, R_OK | X_OK) == 0 ? "it is no folder" : String(cString: strerror(errno))
            throw BackupFailure(reason: "the folder \(folder) cannot be read: \(reason)")
        }
        hasAny = names.contains { $0.hasPrefix("qring-") && $0.hasSuffix(".backup") }
        files = names.compactMap { name in server.flatMap { BackupFile(name: name, server: $0) } }
    }

    /// Returns the newest backup. A backup from the future was made while the clock was wrong, and tells no
    /// age.
    package func newest(at now: Instant) -> (file: BackupFile, bytes: Int)? {
        guard let file = files.filter({ $0.at <= now }).max(by: { $0.at < $1.at }) else { return nil }
        var status = stat()
        let isThere = stat("\(folder)/\(file.name)", &status) == 0
        return (file, isThere ? Int(status.st_size) : 0)
    }

    /// Whether the folder is on the same disk as the data folder.
    package static func isOnDisk(of dataFolder: String, _ folder: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(dataFolder, &one) == 0 && stat(folder, &other) == 0 && one.st_dev == other.st_dev
    }
}

/// The state of the backups, for metrics.
struct BackupReport: Sendable {
    /// The time and the size of the last good backup; nil if there is none.
    var newest: (at: Instant, bytes: Int)?
    var failures = 0
    /// Whether the last try failed.
    var isFailing = false
    /// Whether a due backup waits for more answers.
    var isWaiting = false
}

/// Writes the backups of `--backup-to`, on a thread of low priority. A look at the folder decides whether one
/// is due, so that a restart changes nothing.
final class Backups: Sendable {
    private static let lookInterval = Duration.minutes(1)
    private static let pauseAfterFailure = Duration.minutes(10)

    private struct State {
        /// The time of the next look, by the clock that nobody can set.
        var nextLook = Duration.zero
        var report = BackupReport()
        /// The last sentence about a failure or a wait. Each is logged once.
        var said: String?
    }

    private let folder: String
    private let dataFolder: String
    private let settings: BackupSettings
    private let writer: any BackupWriting
    private let file: LastBackupFile
    private let clock: any ServerClock
    private let log: RequestLog
    private let task = SingleTask()
    private let state = Mutex(State())

    /// Returns nil if the operator wants no backups.
    init?(_ settings: ServerSettings, _ clock: any ServerClock, _ log: RequestLog) {
        guard let folder = settings.backups.folder, let writer = settings.backups.writer else { return nil }
        (self.folder, self.writer, self.settings) = (folder, writer, settings.backups)
        (self.clock, self.log) = (clock, log)
        dataFolder = settings.dataFolder
        file = LastBackupFile(dataFolder: settings.dataFolder)
    }

    var report: BackupReport { state.withLock { $0.report } }

    /// Says what the operator should know at the start.
    func noteStart() {
        log.note(
            "backups go to \(folder), every \(text(settings.every)), kept for \(settings.keep.text), "
                + (settings.key == nil ? "not encrypted (see --backup-key)" : "encrypted"))
        if StoredBackups.isOnDisk(of: dataFolder, folder) {
            log.note("the backups are on the same disk as the data, and are lost with it: see --backup-to")
        }
    }

    /// Begins a look at the folder if it is time for one.
    /// - Parameter isRewriting: whether the database file is being rewritten. The backup then waits, because
    ///   each would delay the other.
    func tick(isRewriting: Bool) {
        let elapsed = clock.elapsed
        let isDue = { !isRewriting && self.state.withLock { elapsed >= $0.nextLook } }
        task.begin(if: isDue) {
            let pause = await self.onThread { $0.look() }
            self.state.withLock { $0.nextLook = self.clock.elapsed + pause }
        }
    }

    /// Ends a running backup. It leaves no file.
    func interrupt() { writer.interrupt() }

    /// Waits until a running backup has ended, for three seconds at most: its disk may not answer.
    func drain() async {
        let (ends, ending) = AsyncStream<Void>.makeStream()
        Task {
            await task.drain()
            ending.finish()
        }
        Task {
            try? await Task.sleep(for: .seconds(3))
            ending.finish()
        }
        for await _ in ends {}
    }

    private func onThread(_ body: @escaping @Sendable (Backups) -> Duration) async -> Duration {
        await withCheckedContinuation { continuation in
            do throws(ThreadNotStarted) {
                try LoopThread(named: "backup").start {
                    LoopThread.lowerPriority()
                    continuation.resume(returning: body(self))
                }
            } catch { continuation.resume(returning: Self.lookInterval) }
        }
    }

    /// Writes a backup if one is due. Returns the time until the next look.
    func look() -> Duration {
        let now = clock.now
        do throws(BackupFailure) {
            return try writeIfDue(at: now)
        } catch {
            let newest = state.withLock { state in
                state.report.failures += 1
                state.report.isFailing = true
                return state.report.newest
            }
            let age =
                newest.map { "the last one is \(text(now.since($0.at))) old" } ?? "there is no earlier backup"
            say("no backup could be written, and \(age): \(error.reason)", once: error.reason)
            return min(Self.pauseAfterFailure, settings.every)
        }
    }

    private func writeIfDue(at now: Instant) throws(BackupFailure) -> Duration {
        var last = try remembered()
        let stored = try StoredBackups(server: last.server, in: folder)
        let newest = stored.newest(at: now)
        state.withLock { $0.report.newest = newest.map { ($0.file.at, $0.bytes) } }
        if let newest, now.since(newest.file.at) < settings.every {
            return min(Self.lookInterval, settings.every - now.since(newest.file.at))
        }
        writer.removeLeftovers(named: BackupFile.prefix(last.server), in: folder)
        let note = try writer.note?.read()
        if writer.note != nil { last = shared(note, own: last) }
        let fresh = BackupFile(server: last.server, at: now)
        let isEncrypted = settings.key != nil
        let before = last
        var notStored: BackupFailure?
        var (hasWaited, wasOvertaken) = (false, false)
        let began = clock.elapsed
        let bytes = try writer.write(to: "\(folder)/\(fresh.name)", encryptedTo: settings.key, at: now) {
            content in
            let isSafe = SuccessiveBackups.areUnlinkable(
                content, after: last, hasEarlier: stored.hasAny, isEncrypted: isEncrypted)
            let isAllowed =
                isSafe
                || SuccessiveBackups.hasWaitedLongEnough(
                    since: last.waitingSince, isEncrypted: isEncrypted, at: now)
            hasWaited = !isAllowed
            if isAllowed {
                // Stored before the backup exists, so that no crash can make the next one compare with an
                // older one.
                last.note(content, isEncrypted: isEncrypted)
            } else if last.waitingSince.map({ $0 > now }) ?? true {
                last.waitingSince = now
            }
            guard last != before else { return isAllowed }
            do throws(BackupFailure) {
                wasOvertaken = try !store(last, replacing: note, isAllowed: isAllowed)
            } catch { notStored = error }
            return isAllowed && notStored == nil && !wasOvertaken
        }
        if let notStored { throw notStored }
        // Another server of the database has just written a backup, with which this one must be compared.
        if wasOvertaken { return Self.lookInterval }
        state.withLock { state in
            state.report.isWaiting = hasWaited
            if hasWaited { state.report.isFailing = false }
        }
        if hasWaited {
            say(
                "a backup is due and waits: too few people have answered an open anonymous set since the "
                    + "last one, and a comparison could show who"
                    + (settings.key == nil ? "; with --backup-key it would wait at most a day" : ""),
                once: "waits")
        }
        guard let bytes else { return Self.lookInterval }
        state.withLock { state in
            state.report.newest = (fresh.at, bytes)
            state.report.isFailing = false
            state.said = nil
        }
        let expired = settings.keep.expired(stored.files + [fresh], at: now).filter { $0 != fresh }
        let deleted = expired.count { unlink("\(folder)/\($0.name)") == 0 }
        log.note(
            "backup written and verified: \(fresh.name), \(bytes / 1000) kB in "
                + "\(Int((clock.elapsed - began) / .milliseconds(1))) ms, "
                + (settings.key == nil ? "not encrypted" : "encrypted")
                + "; \(stored.files.count + 1 - deleted) stored, \(deleted) old ones deleted")
        return min(Self.lookInterval, settings.every)
    }

    /// Returns what is known of the last backup. The first call chooses the server's id.
    private func remembered() throws(BackupFailure) -> LastBackup {
        if let last = file.read() { return last }
        var last = LastBackup(server: Crockford.encode(Secrets.randomBytes(5)).lowercased())
        // Nobody knows which answers the last backup had if the file is damaged.
        if file.exists { last.epoch = "" }
        try file.write(last)
        return last
    }

    /// Reads the note that the servers of a database share. Any text but a note tells that nobody knows which
    /// answers the last backup had. Each server has its own id and its own wait.
    private func shared(_ note: String?, own: LastBackup) -> LastBackup {
        var last = LastBackup(server: own.server)
        if let note {
            do { last = try JSONDecoder().decode(LastBackup.self, from: Data(note.utf8)) } catch {
                last.epoch = ""
            }
        }
        (last.server, last.waitingSince) = (own.server, own.waitingSince)
        return last
    }

    /// - Parameter isAllowed: whether a backup follows. Otherwise only the wait has changed.
    /// - Returns: false if another server of the database has stored its note first.
    private func store(
        _ last: LastBackup, replacing note: String?, isAllowed: Bool
    ) throws(BackupFailure) -> Bool {
        if let shared = writer.note, isAllowed {
            guard let new = try? JSONEncoder().encode(last) else {
                throw BackupFailure(reason: "the note about the last backup cannot be written")
            }
            guard try shared.write(String(decoding: new, as: UTF8.self), replacing: note) else {
                return false
            }
        }
        try file.write(last)
        return true
    }

    private func say(_ sentence: String, once key: String) {
        let isNew = state.withLock { state in
            defer { state.said = key }
            return state.said != key
        }
        if isNew { log.note(sentence) }
    }

    private func text(_ time: Duration) -> String {
        let minutes = Int(time / .seconds(60))
        return minutes < 120 ? "\(minutes) min" : minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) d"
    }
}
