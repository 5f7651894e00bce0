import Meetings
import Wire

extension RouteTable {
    /// The routes for the sessions of a meeting.
    static let sessionsOfMeetings: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/sessions", .member(.viewer, of: .meeting),
            does: "List a meeting's sessions, newest first",
            query: .page(.search), gives: .json(Page<SessionBody>.self), SessionHandlers.list),
        Route(
            .post, "/api/v1/meetings/{id}/sessions", .member(.host, of: .meeting),
            does: "Continue a meeting with its next session",
            reading: ContinueRequest.self,
            gives: .json(SessionBody.self, status: 201, located: true),
            refuses: [.sessionOverlap, .limitReached, .questionSetsTooLarge, .sessionHasAttendees] + .ofScan,
            mayBeLong: true,
            SessionHandlers.proceed),
        Route(
            .post, "/api/v1/meetings/{id}/sessions/repeat", .member(.host, of: .meeting),
            does: "Plan a meeting's next sessions by a rule",
            reading: RepeatRequest.self, gives: .json(Page<SessionBody>.self, status: 201),
            refuses: [.sessionHasAttendees, .sessionOverlap, .limitReached, .questionSetsTooLarge] + .ofScan,
            mayBeLong: true,
            SessionHandlers.plan),
    ]

    /// The routes for sessions by their id or by time.
    static let sessions: [Route] = [
        Route(
            .get, "/api/v1/sessions", .signedIn,
            does: "List the caller's sessions of a day, by default today, in each meeting's zone",
            query: .page(.day), gives: .json(Page<SessionBody>.self), namedTokens: .ofAllMeetings,
            SessionHandlers.ofDay),
        Route(
            .get, "/api/v1/sessions/nearest", .signedIn, does: "Show the running or next session",
            gives: .jsonOrNothing(SessionBody.self), namedTokens: .all, SessionHandlers.nearest),
        Route(
            .post, "/api/v1/sessions/overlap", .signedIn,
            does: "List the caller's sessions that a time would overlap",
            reading: OverlapRequest.self, gives: .json(OverlapsBody.self), keys: .ignored(.changesNothing),
            namedTokens: .ofAllMeetings, SessionHandlers.overlap),
        Route(
            .get, "/api/v1/sessions/{id}", .member(.viewer, of: .session), does: "Show a session",
            gives: .json(SessionBody.self),
            fromMemory: SessionHandlers.shown, SessionHandlers.show),
        Route(
            .patch, "/api/v1/sessions/{id}", .member(.host, of: .session),
            does: "Edit a session, or renew its code",
            reading: EditSessionRequest.self, gives: .json(SessionBody.self),
            refuses: [.sessionOver, .sessionOverlap, .namesDeleted, .oneAtATime], mayBeLong: true,
            SessionHandlers.edit
        ),
        Route(
            .delete, "/api/v1/sessions/{id}", .member(.host, of: .session), does: "Delete a session",
            query: [.confirm], gives: .noContent,
            refuses: [.confirmationNeeded], SessionHandlers.delete),
    ]
}
