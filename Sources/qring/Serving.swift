import Client
import Dispatch
import FoundationEssentials
import FrontDoor
import Glibc
import Journal
import Meetings
import Outbound
import Patterns
import PostgresJournal
import SQLiteJournal
import Secrets
import Server
import Synchronization
import Wire

/// The server with the database engine, the pattern engine and the HTTP client of this program.
struct Serving: Sendable {
    let server: QRingServer
    let storage: Storage
    let epochRenewal: EpochRenewal?

    /// Prepares the server. It accepts connections after `open` is called.
    /// - Parameter satellite: the offline door that this server is; nil for a real server.
    init(
        _ settings: ServerSettings, clock: any ServerClock = SystemClock(), satellite: OwnSatellite? = nil
    ) throws {
        let database = try ServerDatabase(
            folder: settings.dataFolder, database: settings.database,
            as: .server(listen: settings.listen, isRestart: settings.inheritedSocket != nil))
        epochRenewal = database.epochRenewal
        storage = Storage(
            engine: database.engine, patterns: Matching(), limits: settings.limits, satellite: satellite
        ) { clock.now }
        var settings = settings
        settings.documents = OutsideDocuments(alsoFrom: settings.importFrom)
        settings.backups.writer = EngineBackups(of: settings)
        // On PostgreSQL, commands use the database beside the servers.
        if settings.database == nil {
            settings.operatorCommands = ServedCommands(folder: settings.dataFolder)
        }
        server = try QRingServer(settings: settings, storage: storage, clock: clock)
    }

    /// Serves requests until SIGTERM or SIGINT, and then drains the connections. On SIGHUP, the server
    /// reopens its log file and compares its settings. On SIGUSR2, it makes way for a new process.
    /// - Parameters:
    ///   - compare: reads the settings again. Returns a sentence about the changed ones, or the reason why no
    ///     server could start with them.
    ///   - fault: returns the reason why a new process could not take the place of this one; nil if it could.
    /// - Returns: the listening socket for the new process; nil to end.
    func run(
        _ supervisor: Supervisor, comparing compare: @escaping @Sendable () -> Result<String?, Fault>,
        findingFault fault: @escaping @Sendable () -> String?
    ) async -> CInt? {
        let ending = Ending()
        let hangups = Signals.each(SIGHUP) {
            supervisor.notifyReloading()
            server.reopenLog()
            switch compare() {
            case .success(let changes): if let changes { server.note("SIGHUP: \(changes)") }
            case .failure(let fault):
                server.note("SIGHUP: no server could start with the new settings: \(fault.reason)")
            }
            supervisor.notify("READY=1")
        }
        let restarts = Signals.each(SIGUSR2) {
            if let reason = fault() {
                return server.note("SIGUSR2: the server keeps running and does not restart: \(reason)")
            }
            _ = ending.begin(.restart)
        }
        let watchdog = Task {
            guard let time = supervisor.watchdogTime else { return }
            while !Task.isCancelled {
                supervisor.notify("WATCHDOG=1")
                try? await Task.sleep(for: time / 3)
            }
        }
        // Open the server only after the signals are caught, because a program may stop the server as soon as
        // it sees the message that the server listens.
        let stops = await Signals.catch([SIGTERM, SIGINT]) { number in
            // A second signal ends a server that is slow to end.
            guard !ending.begin(.stop) else { return }
            signal(number, SIG_DFL)
            kill(getpid(), number)
        }
        defer { for source in [hangups, restarts] + stops { source.cancel() } }
        server.open()
        supervisor.notify("READY=1", "STATUS=\(server.address.url)")
        let listener = await ending.begun() == .restart ? server.duplicateListener() : nil
        if listener == nil { supervisor.notify("STOPPING=1") } else { supervisor.notifyReloading() }
        await server.drain()
        watchdog.cancel()
        guard let listener, ending.kind == .stop else { return listener }
        supervisor.notify("STOPPING=1")
        close(listener)
        return nil
    }

    /// How the server ends. A stop also ends a restart whose connections still drain.
    private final class Ending: Sendable {
        enum Kind { case stop, restart }

        private struct State {
            var kind: Kind?
            var waiter: CheckedContinuation<Kind, Never>?
        }
        private let state = Mutex(State())

        var kind: Kind? { state.withLock(\.kind) }

        /// Begins the end. Returns false if that changes nothing.
        func begin(_ kind: Kind) -> Bool {
            let (isNew, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Kind, Never>?) in
                guard state.kind == nil || state.kind == .restart && kind == .stop else {
                    return (false, nil)
                }
                defer { state.waiter = nil }
                state.kind = kind
                return (true, state.waiter)
            }
            waiter?.resume(returning: kind)
            return isNew
        }

        /// Waits until the end has begun.
        func begun() async -> Kind {
            await withCheckedContinuation { waiter in
                let kind = state.withLock { state in
                    if state.kind == nil { state.waiter = waiter }
                    return state.kind
                }
                if let kind { waiter.resume(returning: kind) }
            }
        }
    }

    /// The reason why no server could start with the settings.
    struct Fault: Error {
        let reason: String
    }
}

/// Checks hosts' patterns with RE2. It connects the module `Patterns`, which knows no questions, with the
/// rules, which know no engine.
struct Matching: PatternMatching {
    private let patterns = Patterns()

    func refusal(of pattern: String) -> String? { patterns.refusal(of: pattern) }
    func matches(_ text: String, _ pattern: String) -> Bool { patterns.matches(text, pattern) }
}

/// Writes backups of the data that the server has open. The server module knows no engine.
struct EngineBackups: BackupWriting {
    private let folder: String
    private let database: String?
    private let interruption = BackupInterruption()

    init(of settings: ServerSettings) { (folder, database) = (settings.dataFolder, settings.database) }

    var note: (any SharedBackupNote)? { database.map(DatabaseBackupNote.init) }

    func write(
        to path: String, encryptedTo key: SealingKey?, at now: Instant, if judge: (BackupContent) -> Bool
    ) throws(BackupFailure) -> Int? {
        var options = Backup.Options()
        (options.seal, options.isPaced) = (key.map(encrypting), true)
        options.interruption = interruption
        let target = URL(filePath: path).deletingLastPathComponent().path
        // The space that a rewrite of the database file needs.
        options.reserve = Backup.reserveOfServer
        options.sharesDisk = StoredBackups.isOnDisk(of: folder, target)
        do throws(OperatingError) {
            let snapshot = snapshot(of: database, secretIn: folder)
            return try Backup.make(of: folder, from: snapshot, at: path, now: now, options, judging: judge)
                .bytes
        } catch {
            switch error {
            case .cancelled: return nil
            case .notWritable(let folder, let failure):
                throw BackupFailure(reason: "\(folder) cannot be written: \(failure.detail)")
            case .storage(let failure), .database(.storage(let failure, _)):
                throw BackupFailure(reason: "\(failure.operation): \(failure.detail)")
            case .damaged(let path, let detail):
                throw BackupFailure(reason: "\(path) is damaged: \(detail)")
            case .noSecret(let path): throw BackupFailure(reason: "\(path) is missing")
            case .secretDamaged(let path): throw BackupFailure(reason: "\(path) is damaged")
            case .secretReplaced(let path):
                throw BackupFailure(reason: "\(path) was replaced during the backup")
            case .exists(let path): throw BackupFailure(reason: "\(path) exists already")
            default: throw BackupFailure(reason: "\(error)")
            }
        }
    }

    func removeLeftovers(named prefix: String, in target: String) {
        Backup.removeLeftovers(named: prefix, in: target)
        Backup.removeLeftovers(named: "backup", in: folder)
    }

    func interrupt() { interruption.interrupt() }
}

/// The note about the last backup in a PostgreSQL database.
private struct DatabaseBackupNote: SharedBackupNote {
    let settings: String

    func read() throws(BackupFailure) -> String? {
        do throws(JournalError) { return try BackupNote.read(in: settings) } catch { throw failure(error) }
    }

    func write(_ note: String, replacing old: String?) throws(BackupFailure) -> Bool {
        do throws(JournalError) {
            return try BackupNote.write(note, replacing: old, in: settings)
        } catch { throw failure(error) }
    }

    private func failure(_ error: JournalError) -> BackupFailure {
        guard case .failed(let failure) = error else { return BackupFailure(reason: "\(error)") }
        return BackupFailure(reason: "\(failure.operation): \(failure.detail)")
    }
}

/// Downloads the files that hosts import from the web. It uses libcurl, because the server module itself
/// sends no requests.
struct OutsideDocuments: DocumentFetching {
    private let fetching: PublicFetcher

    init(alsoFrom ranges: AddressRanges) {
        fetching = PublicFetcher(
            userAgent: ProductVersion.userAgent,
            alsoFrom: { bytes in
                NumericAddress(bytes: bytes).map { ranges.contains($0) } ?? false
            })
    }

    func fetch(_ url: String, mostBytes: Int) async throws(DocumentFetchFailure) -> [UInt8] {
        let answer: OutboundResponse
        do throws(TransportError) {
            answer = try await fetching.fetch(url, mostBytes: mostBytes)
        } catch {
            switch error {
            case .addressRefused: throw .addressNotAllowed
            case .timedOut: throw .timedOut
            case .responseTooLarge: throw .tooLarge
            case .unreachable, .cancelled, .mailNotTaken: throw .unreachable
            }
        }
        guard (200..<300).contains(answer.status) else { throw .answered(status: answer.status) }
        return answer.body
    }
}
