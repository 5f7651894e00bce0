import Meetings
import Wire

extension RouteTable {
    /// The routes for the server's health, metrics and descriptions.
    static let operations: [Route] = [
        Route(
            .get, "/healthz", .anyone, does: "Check that the process is alive", gives: .file("text/plain"),
            Operations.alive),
        Route(
            .get, "/readyz", .anyone, does: "Check that the storage can be reached",
            gives: .file("text/plain"),
            refuses: [.storageFull], Operations.ready),
        Route(
            .get, "/metrics", .anyone, does: "Show the counters as Prometheus text, to this machine only",
            gives: .file("text/plain"),
            refuses: [.notFound, .notAllowed], Operations.metrics),
        Route(
            .get, "/openapi.json", .anyone, does: "Describe the HTTP API", gives: .document,
            Description.openAPI),
        Route(
            .get, "/asyncapi.json", .anyone, does: "Describe the rooms", gives: .document,
            Description.asyncAPI),
        Route(
            .get, "/rooms", .anyone, does: "Open a websocket to the rooms", gives: .webSocket,
            refuses: [.upgradeRefused]
        ) { _ in throw RequestError(.upgradeRefused) },
    ]
}
