import HTTPServer
import Journal
import Meetings
import WebSockets
import Wire

/// For whoever runs the server.
enum Operations {
    static func ready(_ context: RequestContext) async throws -> HTTPResponse {
        // A read that fails is thrown, and becomes 503.
        _ = try await context.storage.read { rows throws(JournalError) in try rows.accountCount() }
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "text/plain"), ("Cache-Control", "no-store")], body: Array("ready\n".utf8))
    }

    /// To this machine only: counters tell how many people are where.
    static func metrics(_ context: RequestContext) async throws -> HTTPResponse {
        let peer = context.request.peer
        // What a proxy on this machine passes on comes from elsewhere, and says so, or asks for a host that is not this machine.
        let isPassedOn = context.request.headers.first("x-forwarded-for") != nil || context.request.headers.first("forwarded") != nil
        let host = PublicAddress(url: "http://\(context.request.headers.first("host") ?? "")")
        guard !isPassedOn, host?.isLoopback == true, peer.hasPrefix("127.") || peer == "::1" else { throw Refusal.notAllowed }
        let services = context.services
        let text = services.metrics.text(
            writer: services.storage.statistics, rooms: services.live.counts, sockets: services.sockets?.statistics ?? .init(),
            version: ProductVersion.text)
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(text.utf8))
    }
}
