import Meetings
import Wire

extension RouteTable {
    /// One round, and the people in it.
    static let sessions: [Route] = [
        Route(
            .get, "/api/v1/sessions/nearest", .signedIn, does: "Show the session that runs now or comes next",
            gives: .jsonOrNothing(SessionBody.self), SessionHandlers.nearest),
        Route(
            .post, "/api/v1/sessions/overlap", .signedIn,
            does: "List one's sessions that a time would overlap",
            reading: OverlapRequest.self, gives: .json(OverlapsBody.self), keys: .passedOver(.changesNothing),
            SessionHandlers.overlap),
        Route(
            .get, "/api/v1/sessions/{id}", .member(.viewer, of: .session), does: "Show a session",
            gives: .json(SessionBody.self),
            SessionHandlers.show),
        Route(
            .patch, "/api/v1/sessions/{id}", .member(.host, of: .session),
            does: "Edit a session, or renew its code",
            reading: EditSessionRequest.self, gives: .json(SessionBody.self),
            refuses: [.sessionOver, .sessionOverlap], SessionHandlers.edit
        ),
        Route(
            .delete, "/api/v1/sessions/{id}", .member(.host, of: .session), does: "Delete a session",
            gives: .noContent,
            refuses: [.confirmationNeeded], SessionHandlers.delete),
        Route(
            .get, "/api/v1/sessions/{id}/qr.png", .memberOrPresenter,
            does: "Draw the current check-in code as PNG",
            gives: .file("image/png"), Pictures.session(.png)),
        Route(
            .get, "/api/v1/sessions/{id}/qr.svg", .memberOrPresenter,
            does: "Draw the current check-in code as SVG",
            gives: .file("image/svg+xml"), Pictures.session(.svg)),
        Route(
            .get, "/api/v1/sessions/{id}/qr.txt", .memberOrPresenter,
            does: "Draw the current check-in code as text",
            gives: .file("text/plain"), Pictures.session(.txt)),
        Route(
            .post, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "Make a link for a hall's screen",
            gives: .json(PresenterLinkBody.self, status: 201), refuses: [.sessionOver, .limitReached],
            keys: .passedOver(.secret), SessionHandlers.present),
        Route(
            .get, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session),
            does: "List the links for halls' screens",
            gives: .json(Page<PresenterLinkSummary>.self), SessionHandlers.presenterLinks),
        Route(
            .delete, "/api/v1/sessions/{id}/presenter-links/{linkId}", .member(.host, of: .session),
            does: "Revoke a link for a hall's screen", gives: .noContent, SessionHandlers.stopPresenting),
        Route(
            .get, "/api/v1/sessions/{id}/attendees", .member(.viewer, of: .session),
            does: "List a session's attendees",
            gives: .json(Page<AttendeeBody>.self), SessionHandlers.attendees),
        Route(
            .get, "/api/v1/sessions/{id}/arrivals", .member(.viewer, of: .session),
            does: "Count a session's check-ins by the minute",
            gives: .json(ArrivalsBody.self), Arrivals.byMinute),
        Route(
            .get, "/api/v1/sessions/{id}/journal", .member(.viewer, of: .session),
            does: "List a session's events in order",
            gives: .json(Page<EventBody>.self), SessionHandlers.journal),
    ]
}
