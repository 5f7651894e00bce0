import Meetings
import Wire

extension RouteTable {
    /// The routes for a meeting's roster: the people whom the meeting expects.
    static let roster: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/roster", .member(.host, of: .meeting),
            does: "List the people on a meeting's roster",
            query: .page(.search, .archived, .absentInARow),
            gives: .json(Page<PersonBody>.self, tagged: true), refuses: .ofScan, RosterHandlers.list),
        Route(
            .post, "/api/v1/meetings/{id}/roster", .member(.host, of: .meeting),
            does: "Add a person or a walk-in to the roster",
            reading: AddPersonRequest.self, gives: .json(PersonBody.self, status: 201, located: true),
            refuses: [
                .alreadyOnRoster, .nameOnRoster, .limitReached, .oneAtATime, .namesDeleted,
            ], RosterHandlers.add),
        Route(
            .post, "/api/v1/meetings/{id}/roster/keep", .member(.host, of: .meeting),
            does: "Add everybody who came to a session to the roster",
            reading: KeepRequest.self, gives: .json(KeptBody.self),
            refuses: [.limitReached, .namesDeleted] + .ofScan, RosterHandlers.keep),
        Route(
            .put, "/api/v1/meetings/{id}/roster", .member(.host, of: .meeting),
            does: "Replace the roster from JSON or CSV, or show what that would change",
            body: .upload(limit: 4 << 20, json: RosterRequest.self, files: ["text/csv"]),
            query: [.dryRun],
            gives: .json(RosterImportBody.self),
            refuses: [.limitReached] + .ofScan, mayBeLong: true
        ) { context in try await context.inBackground { try await RosterHandlers.replace(context) } },
        Route(
            .patch, "/api/v1/meetings/{id}/roster/{personId}", .member(.host, of: .meeting),
            does: "Edit or archive a person of the roster",
            reading: EditPersonRequest.self, gives: .json(PersonBody.self),
            refuses: [.alreadyOnRoster, .limitReached, .oneAtATime], RosterHandlers.edit
        ),
        Route(
            .delete, "/api/v1/meetings/{id}/roster/{personId}", .member(.host, of: .meeting),
            does: "Erase a person from the roster",
            gives: .noContent, refuses: [.oneAtATime], RosterHandlers.remove),
    ]
}
