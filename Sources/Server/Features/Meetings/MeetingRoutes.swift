import Meetings
import Wire

extension RouteTable {
    /// Series, and their rounds.
    static let meetings: [Route] = [
        Route(
            .post, "/api/v1/meetings", .signedIn, does: "Create a meeting with its first session",
            reading: CreateMeetingRequest.self,
            gives: .json(NewMeetingBody.self, status: 201, located: true),
            refuses: [.sessionOverlap, .notFound], MeetingHandlers.create),
        Route(
            .get, "/api/v1/meetings", .signedIn,
            does: "List one's meetings: running and upcoming first, then ended",
            gives: .json(Page<MeetingBody>.self), MeetingHandlers.list),
        Route(
            .get, "/api/v1/meetings/{id}", .member(.viewer, of: .meeting),
            does: "Show a meeting with its latest session",
            gives: .json(MeetingBody.self), MeetingHandlers.show),
        Route(
            .patch, "/api/v1/meetings/{id}", .member(.host, of: .meeting),
            does: "Edit a meeting, or renew its code",
            reading: EditMeetingRequest.self, gives: .json(MeetingBody.self), refuses: [.sessionHasAttendees],
            MeetingHandlers.edit),
        Route(
            .delete, "/api/v1/meetings/{id}", .member(.owner, of: .meeting),
            does: "Delete a meeting with all its sessions",
            gives: .noContent, refuses: [.confirmationNeeded], MeetingHandlers.delete),
        Route(
            .get, "/api/v1/meetings/{id}/qr.png", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as PNG",
            gives: .file("image/png"), Pictures.meeting(.png)),
        Route(
            .get, "/api/v1/meetings/{id}/qr.svg", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as SVG",
            gives: .file("image/svg+xml"), Pictures.meeting(.svg)),
        Route(
            .get, "/api/v1/meetings/{id}/qr.txt", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as text",
            gives: .file("text/plain"), Pictures.meeting(.txt)),
        Route(
            .get, "/api/v1/meetings/{id}/sessions", .member(.viewer, of: .meeting),
            does: "List a meeting's sessions, newest first",
            gives: .json(Page<SessionBody>.self), RoundHandlers.list),
        Route(
            .post, "/api/v1/meetings/{id}/sessions", .member(.host, of: .meeting),
            does: "Continue a meeting with its next session",
            reading: SessionRequest.self,
            gives: .json(SessionBody.self, status: 201, located: true),
            refuses: [.sessionOverlap, .limitReached], MeetingHandlers.proceed),
        Route(
            .post, "/api/v1/meetings/{id}/sessions/repeat", .member(.host, of: .meeting),
            does: "Plan a meeting's next sessions by a rule",
            reading: RepeatRequest.self, gives: .json(Page<SessionBody>.self, status: 201),
            refuses: [.sessionOverlap, .limitReached],
            RoundHandlers.plan),
    ]
}
