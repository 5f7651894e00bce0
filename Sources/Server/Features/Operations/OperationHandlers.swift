import HTTPServer
import Journal
import Meetings
import WebSockets
import Wire

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
        let storage = context.services.storage
        try storage.checkFiles()
        if let failure = storage.lastFailure { throw JournalError.failed(failure) }
        if let status = storage.nodeStatus {
            if let failure = status.wrongClock(during: "compare clocks") {
                throw JournalError.failed(failure)
            }
            guard !status.isCutOff else {
                throw JournalError.failed(StorageFailure(.unreachable, operation: "follow other servers"))
            }
        }
        _ = try await context.storage.read { rows throws(JournalError) in try rows.accountCount() }
        if let free = FreeSpace.bytes(at: context.services.settings.dataFolder), free < FreeSpace.least {
            throw Problem(
                code: .storageFull, in: context.language, ["least": "\(FreeSpace.least / 1_000_000) MB"],
                saying: ProblemCode.storageLow)
        }
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
        return metrics(of: context.services)
    }

    static func metrics(of services: Services) -> HTTPResponse {
        let text = services.metrics.text(
            writer: services.storage.statistics, losses: services.storage.losses(),
            check: services.storage.fileCheck,
            nodes: services.storage.nodeStatus,
            codes: OutgoingMail.Channel.ofCodes.map {
                services.codeBudgets.report(on: $0, at: services.clock.now)
            },
            rooms: services.live.counts, sockets: services.network.sockets.statistics,
            version: ProductVersion.text)
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store"),
            ],
            body: Array(
                (text + services.network.text() + services.unnamedProxies.text(at: services.clock.now)).utf8))
    }
}
