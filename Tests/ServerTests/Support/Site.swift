import Foundation
import HTTPServer
import Journal
import Meetings
import PostgresCluster
import PostgresJournal
import SQLiteJournal
import Secrets
import Synchronization
import Testing

@testable import Server

/// A server on a free port of this machine, with a clock that only the test moves. Its database is SQLite's
/// in a new folder, or with QRING_ENGINE=postgres a new schema of PostgreSQL.
final class Site: Sendable {
    let server: QRingServer
    let storage: Storage
    let clock: HandClock
    let log: Lines

    var services: Services { server.services }
    var keys: Keys { server.services.keys }
    var port: UInt16 { server.port }

    private init(folder: String, edited: (inout ServerSettings) -> Void) throws {
        let clock = HandClock(start)
        let log = Lines()
        var settings = ServerSettings(dataFolder: folder)
        settings.listen = "127.0.0.1:0"
        settings.logFormat = .json
        settings.logSink = { log.add($0) }
        settings.signUp = .open
        settings.drainTime = .seconds(2)
        edited(&settings)
        storage = Storage(engine: try Self.engine(in: folder), patterns: Matching()) { clock.now }
        server = try QRingServer(settings: settings, storage: storage, clock: clock)
        self.clock = clock
        self.log = log
    }

    private static let isOnPostgres = ProcessInfo.processInfo.environment["QRING_ENGINE"] == "postgres"
    /// The settings of the schema of each folder.
    private static let schemas = Mutex<[String: String]>([:])

    private static func engine(in folder: String) throws -> any Engine {
        guard isOnPostgres else { return try SQLiteEngine(folder: folder) }
        // The secret belongs to the folder.
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let settings = try schemas.withLock { schemas in
            if let settings = schemas[folder] { return settings }
            let settings = try Cluster.shared.get().makeSchema().settings
            schemas[folder] = settings
            return settings
        }
        // Many tests run at the same time.
        var options = PostgresEngine.Options()
        (options.readers, options.scanners) = (1, 1)
        return try PostgresEngine(settings: settings, options)
    }

    /// Runs `body` with an open server, and drains the server afterwards.
    static func open<Result>(
        _ edited: (inout ServerSettings) -> Void = { _ in }, _ body: (Site) async throws -> Result
    ) async throws -> Result {
        try await inFolder { try await open(in: $0, edited, body) }
    }

    /// Runs `body` with a folder for several servers, one after the other.
    static func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "qring-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    static func open<Result>(
        in folder: String, _ edited: (inout ServerSettings) -> Void = { _ in },
        _ body: (Site) async throws -> Result
    ) async throws -> Result {
        let site = try Site(folder: folder, edited: edited)
        site.server.open()
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(site)) } catch { result = .failure(error) }
        await site.server.drain()
        return try result.get()
    }

    /// Moves the clock, and does the server's work of each second.
    func pass(to now: Instant) async {
        let before = clock.now
        clock.set(now)
        await server.pass(from: before, to: now)
    }
}

/// The moment when the sample session begins: 18 November 2026, 11:06:40 UTC.
let start = Instant(milliseconds: 1_795_000_000_000)

func at(_ minutes: Int) -> Instant { start + .minutes(minutes) }

final class HandClock: ServerClock {
    private let hands: Mutex<(wall: Instant, steady: Duration)>
    private let waited = Mutex<[Duration]>([])

    /// The pauses that the server made. A pause ends at once.
    var pauses: [Duration] { waited.withLock { $0 } }

    /// The moment to which every pause sets the clock; nil if pauses do not move the clock.
    private let pauseEnd = Mutex<Instant?>(nil)

    func pause(for duration: Duration) async {
        waited.withLock { $0.append(duration) }
        if let end = pauseEnd.withLock({ $0 }) { set(end) }
    }

    /// Makes every pause from now on set the clock to this moment.
    func endPauses(at moment: Instant) { pauseEnd.withLock { $0 = moment } }

    init(_ moment: Instant) { hands = Mutex((moment, .milliseconds(moment.milliseconds))) }

    var now: Instant { hands.withLock { $0.wall } }
    var elapsed: Duration { hands.withLock { $0.steady } }

    /// Sets the wall clock, and moves the steady clock by the same duration, also backwards.
    func set(_ new: Instant) {
        hands.withLock { hands in
            hands.steady += new.since(hands.wall)
            hands.wall = new
        }
    }

    /// Sets the wall clock only, as a person may do. The steady clock is unchanged.
    func jump(to new: Instant) { hands.withLock { $0.wall = new } }
}

/// Stores the lines that the server logged.
final class Lines: Sendable {
    private let kept = Mutex<[String]>([])

    var all: [String] { kept.withLock { $0 } }

    func add(_ line: [UInt8]) { kept.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}

/// Waits until the condition is true. Gives up after two minutes, because other programs may leave little of
/// the processors to the tests.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ isSo: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while try await !isSo() {
        if ContinuousClock.now > deadline {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
