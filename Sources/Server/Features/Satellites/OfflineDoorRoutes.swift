import HTTPServer
import Wire

extension RouteTable {
    /// The routes by which offline doors meet.
    static let offlineDoors: [Route] = [
        Route(
            .get, "/api/v1/offline-door", .anyone, does: "Name the offline door that this server is",
            gives: .json(OfflineIdentityBody.self), refuses: [.notFound]
        ) { try OfflineDoorHandlers.identity($0) },
        Route(
            .post, "/api/v1/offline-door/entries", .anyone,
            does: "Exchange entries with another offline door", reading: SealedExchangeRequest.self,
            gives: .json(SealedExchangeBody.self), refuses: [.notFound, .satelliteRevoked],
            keys: .ignored(.changesNothing), OfflineDoorHandlers.exchange),
    ]

    /// The routes of a server that is an offline door: its doors, the sign-in of phones, and exchanges.
    /// Everything else would need the real server.
    static let ofOfflineDoors: [Route] = all.filter { route in
        let path = route.pattern
        return path.hasPrefix("/api/v1/offline-door") || path == "/api/v1/doors" || path == "/door"
            || path == "/api/v1/sessions/{id}/door" || path.hasPrefix("/api/v1/sessions/{id}/door/")
            || ["/host/sign-in", "/host/renew", "/host/sign-out", "/healthz", "/readyz"].contains(path)
            || path == "/api/v1/tokens" || path == "/api/v1/tokens/refresh"
    }
}
