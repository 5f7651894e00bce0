import Meetings
import Wire

extension RouteTable {
    /// The routes for personal passes, and the check of a pass at the door.
    static let passes: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/passes", .member(.host, of: .meeting),
            does: "List the personal passes of the people on the roster", query: .page(.person),
            gives: .json(Page<PassBody>.self), refuses: .ofScan, PassHandlers.list),
        Route(
            .post, "/api/v1/meetings/{id}/passes", .member(.host, of: .meeting),
            does: "Give a personal pass to one person, or to everybody on the roster without one",
            reading: CreatePassesRequest.self, gives: .json(PassesCreatedBody.self),
            refuses: [.limitReached, .meetingIsBusy] + .ofScan, keys: .ignored(.changesNothing),
            PassHandlers.create),
        Route(
            .post, "/api/v1/meetings/{id}/passes/renew", .member(.host, of: .meeting),
            does: "Replace all personal passes of the meeting, which end at once",
            reading: RenewPassesRequest.self, gives: .json(PassesRenewedBody.self),
            refuses: [.limitReached] + .ofScan, keys: .ignored(.changesNothing), PassHandlers.renewAll),
        Route(
            .delete, "/api/v1/meetings/{id}/passes/{passId}", .member(.host, of: .meeting),
            does: "Revoke a personal pass", gives: .noContent, PassHandlers.revoke),
        Route(
            .post, "/api/v1/meetings/{id}/passes/{passId}/renew", .member(.host, of: .meeting),
            does: "Replace a lost pass, which ends at once", gives: .json(PassBody.self, status: 201),
            refuses: [.limitReached], PassHandlers.renew),
        Route(
            .post, "/api/v1/meetings/{id}/pass-keys", .member(.host, of: .meeting),
            does: "Sign the next passes with another key", gives: .json(PassKeyBody.self, status: 201),
            refuses: [.limitReached], PassHandlers.replaceKey),
    ]

    /// The page of a phone that scans a pass, and the page of a door.
    static let passPages: [Route] = [
        Route(
            .get, "/P/{code}", .anyone, does: "Say what a personal pass is for", gives: .page,
            logsAddress: false
        ) { PassPages.about($0) },
        Route(.get, "/door", .anyone, does: "Show the door on phones and tablets", gives: .page) {
            DoorPage.open($0)
        },
    ]
}
