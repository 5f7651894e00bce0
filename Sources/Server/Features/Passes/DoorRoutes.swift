import Meetings
import Wire

extension RouteTable {
    /// The routes for the doors of sessions.
    static let doors: [Route] = [
        Route(
            .get, "/api/v1/doors", .signedIn,
            does: "List the sessions of the next day whose door the caller may keep",
            gives: .json(Page<DoorSessionBody>.self), namedTokens: .all, DoorHandlers.list),
        Route(
            .get, "/api/v1/sessions/{id}/door", .member(.steward, of: .session),
            does: "Show a session with its counts, for the screen of a door", query: [.door],
            gives: .json(DoorSessionBody.self), DoorHandlers.show),
        Route(
            .get, "/api/v1/sessions/{id}/door/people", .member(.steward, of: .session),
            does: "Find people by a part of their name", query: [.search],
            gives: .json(DoorPeopleBody.self), refuses: .ofScan, DoorHandlers.people),
        Route(
            .post, "/api/v1/sessions/{id}/door", .member(.steward, of: .session),
            does: "Let a person in or out, or ask whether the person may come in",
            reading: DoorRequest.self, gives: .json(DoorBody.self),
            refuses: [
                .checkInNotOpen, .checkInClosed, .limitReached, .checkOutOff, .notCheckedIn, .sessionOver,
                .walkInOffline,
            ], DoorHandlers.admit),
        Route(
            .post, "/api/v1/sessions/{id}/door/undo", .member(.steward, of: .session),
            does: "Undo what the caller has done at a door a moment ago",
            reading: UndoAdmissionRequest.self, gives: .noContent,
            refuses: [.cannotBeUndone, .changedSince, .namesDeleted], DoorHandlers.undo),
    ]
}
