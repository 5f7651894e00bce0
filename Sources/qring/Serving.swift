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
    /// reopens its log file.
    func run() async {
        let hangups = Signals.each(SIGHUP) { server.reopenLog() }
        defer { hangups.cancel() }
        // Open the server only after the signals are caught, because a program may stop the server as soon as
        // it sees the message that the server listens.
        await Signals.first(of: [SIGTERM, SIGINT]) { server.open() }
        await server.drain()
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
