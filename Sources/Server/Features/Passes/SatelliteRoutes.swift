import Meetings
import Wire

extension RouteTable {
    /// The routes for offline doors: those of hosts, and those of the laptops.
    static let satellites: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/satellites", .member(.host, of: .session),
            does: "List the offline doors of a session", gives: .json(SatellitesBody.self),
            SatelliteHandlers.list),
        Route(
            .post, "/api/v1/sessions/{id}/satellites", .member(.host, of: .session),
            does: "Add an offline door, and get the code by which a laptop joins",
            reading: CreateSatelliteRequest.self, gives: .json(SatelliteCreatedBody.self, status: 201),
            refuses: [.limitReached, .sessionOver, .meetingIsBusy], keys: .ignored(.secret),
            SatelliteHandlers.add),
        Route(
            .delete, "/api/v1/sessions/{id}/satellites/{satelliteId}", .member(.host, of: .session),
            does: "Revoke an offline door at once", gives: .noContent, SatelliteHandlers.revoke),
        Route(
            .get, "/api/v1/sessions/{id}/satellites/doubles", .member(.host, of: .session),
            does: "List the people who came in twice, with both doors", query: .page(),
            gives: .json(Page<DoorDoubleBody>.self), SatelliteHandlers.doubles),
        Route(
            .post, "/api/v1/sessions/{id}/satellites/{satelliteId}/held", .member(.host, of: .session),
            does: "Accept or reject what a revoked offline door has sent late",
            reading: HeldEntriesRequest.self, gives: .json(HeldEntriesBody.self),
            refuses: [.meetingIsBusy], keys: .ignored(.changesNothing), SatelliteHandlers.decide),
        Route(
            .post, "/api/v1/satellites", .anyone, does: "Join as an offline door, once, by a host's code",
            reading: JoinSatelliteRequest.self, gives: .json(SatelliteJoinedBody.self, status: 201),
            refuses: [.satelliteCodeNotValid, .tooManyAttempts], keys: .ignored(.secret),
            SatelliteHandlers.join),
        Route(
            .get, "/api/v1/satellite/snapshot", .satellite,
            does: "Show all that an offline door may know of its session",
            gives: .cachedJSON(SatelliteSnapshot.self), refuses: [.limitReached] + .ofScan,
            SatelliteHandlers.snapshot),
        Route(
            .post, "/api/v1/satellite/entries", .satellite,
            does: "Give the entries of offline doors, and take those that the caller lacks",
            reading: DoorExchangeRequest.self, gives: .json(DoorExchangeBody.self),
            refuses: [.doorEntriesDiffer, .meetingIsBusy], keys: .ignored(.changesNothing),
            SatelliteHandlers.exchange),
    ]
}
