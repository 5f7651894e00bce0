import Client
import Dispatch
import FrontDoor
import Glibc
import Journal
import Meetings
import Outbound
import Patterns
import SQLiteJournal
import Server
import Synchronization
import Wire

/// The server with the database engine, the pattern engine and the HTTP client of this program.
struct Serving: Sendable {
    let server: QRingServer
    let epochRenewal: EpochRenewal?

    /// Prepares the server. It accepts connections after `open` is called.
    init(_ settings: ServerSettings) throws {
        let clock = SystemClock()
        let database = try ServerDatabase(
            folder: settings.dataFolder, database: settings.database, as: .server(listen: settings.listen))
        epochRenewal = database.epochRenewal
        let storage = Storage(engine: database.engine, patterns: Matching(), limits: settings.limits) {
            clock.now
        }
        var settings = settings
        settings.documents = OutsideDocuments(alsoFrom: settings.importFrom)
        server = try QRingServer(settings: settings, storage: storage, clock: clock)
    }

    /// Serves requests until SIGTERM or SIGINT, and then drains the connections. On SIGHUP, the server
    /// reopens its log file and compares its settings. On SIGUSR2, it makes way for a new process.
    /// - Parameter compare: reads the settings again. Returns a sentence about the changed ones, or the
    ///   reason why no server could start with them.
    /// - Returns: the listening socket for the new process; nil to end.
    func run(
        _ supervisor: Supervisor, comparing compare: @escaping @Sendable () -> Result<String?, Fault>
    ) async -> CInt? {
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
        let mayContinue = Atomic(false)
        let restarts = Signals.each(SIGUSR2) {
            if case .failure(let fault) = compare() {
                return server.note(
                    "SIGUSR2: the server goes on, because no server could start: \(fault.reason)")
            }
            if let reason = Supervisor.restartFault {
                return server.note("SIGUSR2: the server goes on, because it could not start again: \(reason)")
            }
            // A second SIGTERM would end the process at once.
            guard !mayContinue.exchange(true, ordering: .acquiringAndReleasing) else { return }
            kill(getpid(), SIGTERM)
        }
        defer { hangups.cancel() }
        let signsOfLife = Task {
            guard let time = supervisor.watchdogTime else { return }
            while !Task.isCancelled {
                supervisor.notify("WATCHDOG=1")
                try? await Task.sleep(for: time / 3)
            }
        }
        // Open the server only after the signals are caught, because a program may stop the server as soon as
        // it sees the message that the server listens.
        await Signals.first(of: [SIGTERM, SIGINT]) {
            server.open()
            supervisor.notify("READY=1", "STATUS=\(server.address.url)")
        }
        // From here on, SIGUSR2 is ignored.
        restarts.cancel()
        let listener = mayContinue.load(ordering: .acquiring) ? server.duplicateListener() : nil
        if listener == nil { supervisor.notify("STOPPING=1") } else { supervisor.notifyReloading() }
        await server.drain()
        signsOfLife.cancel()
        return listener
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
