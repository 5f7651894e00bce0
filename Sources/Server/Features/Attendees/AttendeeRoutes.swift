import Meetings
import Wire

extension RouteTable {
    /// The routes for a session's attendees, arrivals and events.
    static let attendees: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/attendees", .member(.viewer, of: .session),
            does: "List a session's attendees",
            query: .page(.status, .search), gives: .json(Page<AttendeeBody>.self),
            refuses: .ofScan, Attendees.list),
        Route(
            .get, "/api/v1/sessions/{id}/arrivals", .member(.viewer, of: .session),
            does: "Count a session's check-ins per minute",
            gives: .json(ArrivalsBody.self), refuses: .ofScan, Attendees.arrivals),
        Route(
            .get, "/api/v1/sessions/{id}/presence", .member(.viewer, of: .session),
            does: "Count the attendees who are inside, have left, or were partially present",
            gives: .json(PresenceBody.self), refuses: .ofScan, Attendees.presence),
        Route(
            .get, "/api/v1/sessions/{id}/journal", .member(.viewer, of: .session),
            does: "List a session's events in order",
            query: .page(.since), gives: .json(Page<EventBody>.self), Attendees.journal),
    ]

    /// The route for the review of a session's check-ins.
    static let review: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/review", .member(.host, of: .session),
            does: "Show unusual patterns among a session's check-ins",
            gives: .json(ReviewBody.self), refuses: .ofScan, Attendees.review)
    ]

    /// The routes for a host's corrections of attendance.
    static let corrections: [Route] = [
        Route(
            .get, "/api/v1/attendees/{id}", .member(.viewer, of: .attendee), does: "Show an attendee",
            gives: .json(AttendeeBody.self),
            Corrections.show),
        Route(
            .patch, "/api/v1/attendees/{id}", .member(.host, of: .attendee),
            does: "Correct an attendee's name, status, time or note, or revoke the receipt",
            reading: CorrectAttendeeRequest.self, gives: .json(AttendeeBody.self),
            refuses: [.namesDeleted], Corrections.correct),
        Route(
            .delete, "/api/v1/attendees/{id}", .member(.host, of: .attendee),
            does: "Remove or erase an attendee", query: [.erase, .note], gives: .noContent,
            refuses: [.versionMismatch, .namesDeleted], Corrections.remove),
        Route(
            .post, "/api/v1/attendees/{id}/merge", .member(.host, of: .attendee),
            does: "Merge an attendee into another",
            reading: MergeRequest.self, gives: .json(AttendeeBody.self),
            refuses: [.versionMismatch, .namesDeleted], Corrections.merge),
        Route(
            .post, "/api/v1/attendees/{id}/leave", .member(.host, of: .attendee),
            does: "Record that an attendee leaves", gives: .json(AttendeeBody.self),
            refuses: [.checkOutOff, .notCheckedIn, .sessionOver, .namesDeleted], Corrections.leave),
        Route(
            .post, "/api/v1/attendees/{id}/return", .member(.host, of: .attendee),
            does: "Record that an attendee returns", gives: .json(AttendeeBody.self),
            refuses: [.checkOutOff, .notCheckedIn, .sessionOver, .namesDeleted, .limitReached],
            Corrections.enterAgain),
        Route(
            .post, "/api/v1/sessions/{id}/attendees", .member(.host, of: .session),
            does: "Add an attendee by hand",
            reading: AddAttendeeRequest.self, gives: .json(AttendeeBody.self, status: 201),
            refuses: [.attendeeExists, .limitReached, .namesDeleted], Corrections.add),
        Route(
            .post, "/api/v1/sessions/{id}/undo", .member(.host, of: .session),
            does: "Undo a correction, named by its event's sequence, or the latest one",
            reading: UndoRequest.self, gives: .json(UndoneBody.self),
            refuses: [
                .cannotBeUndone, .changedSince, .nothingToUndo, .sessionOver, .sessionOverlap, .namesDeleted,
                .oneAtATime,
            ],
            Corrections.undo),
        Route(
            .post, "/api/v1/sessions/{id}/redo", .member(.host, of: .session),
            does: "Redo the correction that was undone last",
            reading: RedoRequest.self, gives: .json(UndoneBody.self),
            refuses: [
                .changedSince, .nothingToRedo, .sessionOver, .sessionOverlap, .namesDeleted, .oneAtATime,
            ],
            Corrections.redo),
    ]
}
