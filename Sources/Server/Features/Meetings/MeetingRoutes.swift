import Meetings
import Wire

extension RouteTable {
    /// The routes for meetings.
    static let meetings: [Route] = [
        Route(
            .post, "/api/v1/meetings", .signedIn, does: "Create a meeting with its first session",
            reading: CreateMeetingRequest.self,
            gives: .json(NewMeetingBody.self, status: 201, located: true),
            refuses: [.sessionOverlap, .limitReached, .questionSetsTooLarge, .notFound],
            namedTokens: .ofAllMeetings, MeetingHandlers.create),
        Route(
            .get, "/api/v1/meetings", .signedIn,
            does: "List the caller's meetings: running and upcoming first, then ended",
            query: .page(), gives: .json(Page<MeetingBody>.self), namedTokens: .all, MeetingHandlers.list),
        Route(
            .get, "/api/v1/meetings/{id}", .member(.viewer, of: .meeting),
            does: "Show a meeting with its latest session",
            gives: .json(MeetingBody.self), MeetingHandlers.show),
        Route(
            .patch, "/api/v1/meetings/{id}", .member(.host, of: .meeting),
            does: "Edit a meeting, or renew its code or all codes",
            reading: EditMeetingRequest.self, gives: .json(MeetingBody.self),
            refuses: [.sessionHasAttendees, .limitReached] + .ofScan, mayBeLong: true,
            MeetingHandlers.edit),
        Route(
            .get, "/api/v1/meetings/{id}/consents", .member(.viewer, of: .meeting),
            does: "List the texts to which attendees of a meeting had to agree",
            gives: .json(ConsentsBody.self), MeetingHandlers.consents),
        Route(
            .delete, "/api/v1/meetings/{id}", .member(.owner, of: .meeting),
            does: "Delete a meeting with all its sessions",
            query: [.confirm], gives: .noContent, refuses: [.confirmationNeeded], MeetingHandlers.delete),
    ]

    /// The routes for a meeting's image.
    static let meetingImages: [Route] = [
        Route(
            .put, "/api/v1/meetings/{id}/image", .member(.host, of: .meeting),
            does: "Set a meeting's image", body: .image,
            gives: .noContent, refuses: [.imageNotUsable, .versionMismatch], sends: [.fileTag],
            MeetingImages.put),
        Route(
            .get, "/api/v1/meetings/{id}/image", .member(.viewer, of: .meeting),
            does: "Show a meeting's image",
            gives: .cachedFile(["image/jpeg", "image/png"]), MeetingImages.get),
        Route(
            .delete, "/api/v1/meetings/{id}/image", .member(.host, of: .meeting),
            does: "Delete a meeting's image", gives: .noContent,
            refuses: [.versionMismatch], MeetingImages.remove),
    ]
}
