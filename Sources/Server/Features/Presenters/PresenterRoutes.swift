import Meetings
import Wire

extension RouteTable {
    /// Links by which the screen of a hall shows a session.
    static let presenters: [Route] = [
        Route(
            .post, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "Make a link for a hall's screen",
            gives: .json(PresenterLinkBody.self, status: 201), refuses: [.sessionOver, .limitReached],
            keys: .passedOver(.secret), Presenters.add),
        Route(
            .get, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "List the links for halls' screens",
            query: .page(), gives: .json(Page<PresenterLinkSummary>.self), Presenters.list),
        Route(
            .delete, "/api/v1/sessions/{id}/presenter-links/{linkId}", .member(.host, of: .session),
            does: "Revoke a link for a hall's screen", gives: .noContent, Presenters.revoke),
    ]

    /// The page for that screen.
    static let projectorPage: [Route] = [
        Route(
            .get, "/present/{id}", .anyone, does: "Show the page for a hall's screen", gives: .page,
            ProjectorPage.open)
    ]
}
