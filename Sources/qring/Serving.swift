import Client
import Dispatch
import FrontDoor
import Glibc
import Journal
import Meetings
import Patterns
import SQLiteJournal
import Secrets
import Server

/// The server with the engine that this binary has: where the implementations meet.
struct Serving: Sendable {
    let server: QRingServer
    let epochRenewal: EpochRenewal?

    /// Ready, and listening once `open` is called.
    init(_ settings: ServerSettings) throws {
        let clock = SystemClock()
        let engine = try SQLiteEngine(serverFolder: settings.dataFolder)
        epochRenewal = engine.epochRenewal
        let storage = Storage(engine: engine, patterns: Matching()) { clock.now }
        var settings = settings
        settings.documents = OutsideDocuments(alsoFrom: settings.importFrom)
        server = try QRingServer(settings: settings, storage: storage, clock: clock)
    }

    /// Serves until SIGTERM or SIGINT, then drains. SIGHUP opens the log's file again.
    func run() async {
        let hangups = Signals.each(SIGHUP) { server.reopenLog() }
        defer { hangups.cancel() }
        // Whoever reads that the server listens may stop it at once.
        await Signals.first(of: [SIGTERM, SIGINT]) { server.open() }
        await server.drain()
    }
}

/// Hosts' patterns on RE2. The wrapper knows nothing of questions, and the rules nothing of the engine.
struct Matching: PatternMatching {
    private let patterns = Patterns()

    func refusal(of pattern: String) -> String? { patterns.refusal(of: pattern) }
    func matches(_ text: String, _ pattern: String) -> Bool { patterns.matches(text, pattern) }
}

extension SQLiteEngine {
    /// Opens the data folder of a server: a first start makes its secret, and a folder that has lost its
    /// secret is refused.
    convenience init(serverFolder folder: String) throws(JournalError) {
        var options = Options()
        options.makeSecret = { () throws(JournalError) in
            do throws(SecretsError) {
                _ = try ServerSecret.loadOrCreate(at: "\(folder)/secret")
            } catch { throw .failed(StorageFailure(error)) }
        }
        try self.init(folder: folder, options)
    }
}

extension StorageFailure {
    /// Of a secret that could not be made.
    fileprivate init(_ error: SecretsError) {
        if case .file(let operation, let path, let code) = error {
            self.init(errno: code, operation: "\(operation) \(path)")
        } else {
            self.init(.other, operation: "make the secret", detail: "\(error)")
        }
    }
}
