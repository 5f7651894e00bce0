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
        Route(
            .post, "/rooms/tickets", .anyone, does: "Exchange a token for the ticket of an event stream",
            gives: .json(TicketBody.self, status: 201),
            refuses: [.notSignedIn, .originNotAllowed, .tooManyAttempts], keys: .ignored(.secret),
            Tickets.issue),
        Route(
            .get, "/rooms/events", .anyone, does: "Open a stream of a room's frames",
            query: [.ticket, .room, .position], gives: .eventStream,
            refuses: [.streamRefused, .notSignedIn, .ticketNotValid, .unknownRoom, .tooManyAttempts]
        ) { _ in throw RequestError(.streamRefused) },
        Route(
            .get, "/socket.io", .anyone, does: "Poll a session of Socket.IO (Engine.IO 3 or 4)",
            query: [.eio, .transport, .sid], gives: .file("text/plain"), waits: true,
            EnginePolling.answer),
        Route(
            .post, "/socket.io", .anyone, does: "Send packets of Socket.IO (Engine.IO 3 or 4)",
            body: .packets, query: [.eio, .transport, .sid], gives: .file("text/html"),
            keys: .ignored(.changesNothing), EnginePolling.answer),
    ]
}
