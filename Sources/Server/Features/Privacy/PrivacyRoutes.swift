import Meetings
import Wire

extension RouteTable {
    /// The routes for exports and erasures of a person's data, and for the action log.
    static let privacy: [Route] = [
        Route(
            .get, "/api/v1/me/export", .signedIn, does: "Export all data about the caller's account",
            gives: .json(PersonalDataBody.self), refuses: [.tooManyAttempts] + .ofScan,
            allowsUnverified: true, Privacy.ofAccount),
        Route(
            .get, "/api/v1/me/export.html", .signedIn,
            does: "Show all data about the caller's account as a page",
            gives: .file("text/html"), refuses: [.tooManyAttempts] + .ofScan, allowsUnverified: true,
            Privacy.ofAccountPage),
        Route(
            .get, "/api/v1/check-ins/current/export", .attendee, does: "Export all data about the check-in",
            gives: .json(PersonalDataBody.self), Privacy.ofCheckIn),
        Route(
            .get, "/api/v1/meetings/{id}/roster/{personId}/export", .member(.host, of: .meeting),
            does: "Export all data about a person of the roster",
            gives: .json(PersonalDataBody.self), refuses: [.tooManyAttempts] + .ofScan, Privacy.ofPerson),
        Route(
            .get, "/api/v1/meetings/{id}/roster/{personId}/export.html", .member(.host, of: .meeting),
            does: "Show all data about a person of the roster as a page",
            gives: .file("text/html"), refuses: [.tooManyAttempts] + .ofScan, Privacy.ofPersonPage),
        Route(
            .post, "/api/v1/meetings/{id}/roster/{personId}/erase", .member(.host, of: .meeting),
            does: "Erase a person from the roster, with all records of the meeting's sessions",
            gives: .noContent, refuses: .ofScan, keys: .ignored(.changesNothing), Privacy.erasePerson),
        Route(
            .get, "/api/v1/meetings/{id}/actions", .member(.host, of: .meeting),
            does: "List who changed members, links and personal data of a meeting", query: .page(),
            gives: .json(Page<ActionBody>.self), Privacy.actionsOfMeeting),
        Route(
            .get, "/api/v1/actions", .operator,
            does: "List who changed accounts, members, links and personal data", query: .page(),
            gives: .json(Page<ActionBody>.self), Privacy.actionsOfServer),
    ]

    /// The pages by which the holder of a receipt sees all data about the check-in.
    static let privacyPages: [Route] = [
        Route(
            .get, "/me/{id}/data", .anyone, does: "Show all data about the attendee as a page",
            query: [.who], gives: .page, refuses: [.receiptNotValid, .tooManyAttempts], Privacy.ofPhone),
        Route(
            .get, "/me/{id}/data.json", .anyone, does: "Download all data about the attendee",
            query: [.who], gives: .file("application/json"), refuses: [.receiptNotValid, .tooManyAttempts],
            Privacy.fileOfPhone),
    ]
}
