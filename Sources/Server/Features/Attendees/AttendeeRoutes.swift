import Meetings
import Wire

extension RouteTable {
    /// What hosts set right, and the journal that says so.
    static let corrections: [Route] = [
        Route(
            .get, "/api/v1/attendees/{id}", .member(.viewer, of: .attendee), does: "Show an attendee",
            gives: .json(AttendeeBody.self),
            Corrections.show),
        Route(
            .patch, "/api/v1/attendees/{id}", .member(.host, of: .attendee),
            does: "Correct an attendee's name, status, time or note",
            reading: CorrectAttendeeRequest.self, gives: .json(AttendeeBody.self), Corrections.correct),
        Route(
            .delete, "/api/v1/attendees/{id}", .member(.host, of: .attendee),
            does: "Remove an attendee, or erase them", gives: .noContent,
            refuses: [.versionMismatch], Corrections.remove),
        Route(
            .post, "/api/v1/attendees/{id}/merge", .member(.host, of: .attendee),
            does: "Merge an attendee into another",
            reading: MergeRequest.self, gives: .json(AttendeeBody.self), refuses: [.versionMismatch],
            Corrections.merge),
        Route(
            .post, "/api/v1/sessions/{id}/attendees", .member(.host, of: .session),
            does: "Add an attendee by hand",
            reading: AddAttendeeRequest.self, gives: .json(AttendeeBody.self, status: 201),
            refuses: [.attendeeExists, .limitReached],
            Corrections.add),
        Route(
            .post, "/api/v1/sessions/{id}/undo", .member(.host, of: .session),
            does: "Undo a correction by its event's sequence",
            reading: UndoRequest.self, gives: .json(UndoneBody.self),
            refuses: [.cannotBeUndone, .changedSince, .sessionOver, .sessionOverlap], Corrections.undo),
    ]
}
