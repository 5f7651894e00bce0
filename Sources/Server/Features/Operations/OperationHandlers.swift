import HTTPServer
import Journal
import Meetings
import Phrases
import WebSockets
import Wire

/// A cause for which a server is not ready, although it answers.
enum UnreadyCause: String, CaseIterable {
    /// The database's files were moved, replaced or damaged.
    case files
    /// The last write failed.
    case write
    /// The clocks of this machine and of the database differ.
    case clock
    /// The server does not reach the database that it shares with other servers.
    case nodes
    /// The disk is nearly full.
    case disk

    /// - Throws: the problem, if the server is not ready for this cause.
    func check(_ services: Services, _ language: Language) throws {
        let storage = services.storage
        switch self {
        case .files: try storage.checkFiles()
        case .write: if let failure = storage.lastFailure { throw JournalError.failed(failure) }
        case .clock:
            if let failure = storage.nodeStatus?.wrongClock(during: "compare clocks") {
                throw JournalError.failed(failure)
            }
        case .nodes:
            guard storage.nodeStatus?.isCutOff != true else {
                throw JournalError.failed(StorageFailure(.unreachable, operation: "follow other servers"))
            }
        case .disk:
            if let free = FreeSpace.bytes(at: services.settings.dataFolder), free < FreeSpace.least {
                throw Problem(
                    code: .storageFull, in: language, ["least": "\(FreeSpace.least / 1_000_000) MB"],
                    saying: ProblemCode.storageLow)
            }
        }
    }

    /// Whether the server is not ready for this cause.
    func applies(to services: Services) -> Bool {
        do { try check(services, .english) } catch { return true }
        return false
    }
}

/// The handlers for health, readiness and metrics, for operators.
enum Operations {
    /// The answer to `/healthz`. The event loop sends it, so that the check succeeds even if the storage does
    /// not respond.
    static let aliveAnswer = HTTPResponse(
        status: 200, headers: [("Content-Type", "text/plain"), ("Cache-Control", "no-store")],
        body: Array("ok\n".utf8))

    static func alive(_ context: RequestContext) async throws -> HTTPResponse { aliveAnswer }

    static func ready(_ context: RequestContext) async throws -> HTTPResponse {
        // The responder answers an error thrown here with 503.
        for cause in UnreadyCause.allCases { try cause.check(context.services, context.language) }
        _ = try await context.storage.read { rows throws(JournalError) in try rows.accountCount() }
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "text/plain"), ("Cache-Control", "no-store")],
            body: Array("ready\n".utf8))
    }

    /// Returns the metrics to clients on this machine only, because metrics reveal how many people are
    /// connected.
    static func metrics(_ context: RequestContext) async throws -> HTTPResponse {
        // The metrics have their own listener, so the main port does not serve them.
        guard context.services.settings.metricsListen == nil else { throw Refusal.notFound(.page) }
        let client = context.client
        // A request from this machine may have been forwarded by a local proxy for a client elsewhere.
        // Trusted proxies are handled before. Any other proxy is detected by one of these headers, or by a
        // `Host` that does not name this machine.
        let signs = [
            "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded", "x-real-ip", "via",
        ]
        let isPassedOn =
            context.forwarded != nil || signs.contains { context.request.headers.first($0) != nil }
        let host = PublicAddress(url: "http://\(context.request.headers.first("host") ?? "")")
        guard !isPassedOn, host?.isLoopback == true, client.hasPrefix("127.") || client == "::1" else {
            throw Refusal.notAllowed
        }
        return await metrics(of: context.services)
    }

    /// Returns the metrics. Without an answer of the database, those of the queue of mails are missing.
    static func metrics(of services: Services) async -> HTTPResponse {
        let now = services.clock.now
        let mails = try? await services.storage.read { rows throws(JournalError) in
            try Metrics.Mails(rows, at: now)
        }
        let text = services.metrics.text(
            writer: services.storage.statistics, losses: services.storage.losses(),
            check: services.storage.fileCheck,
            nodes: services.storage.nodeStatus,
            codes: OutgoingMail.Channel.ofCodes.map {
                services.codeBudgets.report(on: $0, at: now)
            },
            backups: services.backups?.report, now: now, rooms: services.live.counts, mails: mails,
            sockets: services.network.sockets.statistics,
            notReady: UnreadyCause.allCases.map { ($0.rawValue, $0.applies(to: services)) },
            freeBytes: FreeSpace.bytes(at: services.settings.dataFolder), version: ProductVersion.text,
            commit: ProductVersion.commit)
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
            ],
            body: Array(
                (text + services.network.text() + services.unnamedProxies.text(at: now)).utf8))
    }
}
