import Meetings
import Wire

extension RouteTable {
    /// The routes for presenter links, with which the screen of a hall shows a session.
    static let presenters: [Route] = [
        Route(
            .post, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "Create a presenter link",
            gives: .json(PresenterLinkBody.self, status: 201), refuses: [.sessionOver, .limitReached],
            keys: .ignored(.secret)
        ) { try await Presenters.add(.hall, $0) },
        Route(
            .get, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "List the presenter links",
            query: .page(), gives: .json(Page<PresenterLinkSummary>.self), Presenters.list),
        Route(
            .delete, "/api/v1/sessions/{id}/presenter-links/{linkId}", .member(.host, of: .session),
            does: "Revoke a presenter link", gives: .noContent, Presenters.revoke),
    ]

    /// The route for the page that the screen of a hall shows.
    static let projectorPage: [Route] = [
        Route(
            .get, "/present/{id}", .anyone, does: "Show the projector page", gives: .page,
            ProjectorPage.open)
    ]
}
