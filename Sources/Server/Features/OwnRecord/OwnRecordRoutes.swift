import Meetings
import Wire

extension RouteTable {
    /// The routes for an attendee's own record, by the API.
    static let ownRecord: [Route] = [
        Route(
            .get, "/api/v1/check-ins/current", .attendee, does: "Show the attendee's own record",
            gives: .json(OwnRecordBody.self), OwnRecord.current),
        Route(
            .patch, "/api/v1/check-ins/current", .attendee,
            does: "Change the attendee's own name, address or number",
            reading: RenameRequest.self,
            gives: .json(OwnRecordBody.self),
            refuses: [.renamedTooOften, .addressInUse, .grantUsedUp, .namesDeleted], OwnRecord.rename),
        Route(
            .post, "/api/v1/check-ins/current/leave", .attendee,
            does: "Record that the attendee leaves", gives: .json(OwnRecordBody.self), logsAddress: false,
            refuses: [.checkOutOff, .notCheckedIn, .sessionOver], OwnRecord.leave),
        Route(
            .post, "/api/v1/check-ins/current/return", .attendee,
            does: "Record that the attendee returns", gives: .json(OwnRecordBody.self), logsAddress: false,
            refuses: [.checkOutOff, .notCheckedIn, .sessionOver, .limitReached], OwnRecord.enterAgain),
        Route(
            .delete, "/api/v1/check-ins/current", .attendee,
            does: "Withdraw and erase the attendee's check-in",
            gives: .noContent,
            OwnRecord.withdraw),
    ]

    /// The routes for an attendee's own pages.
    static let ownRecordPages: [Route] = [
        Route(
            .get, "/me/{id}", .anyone,
            does: "Show the attendee's own page: questions to answer, and shared results",
            query: [.who, .part], gives: .page, refuses: [.receiptNotValid], OwnPage.open),
        Route(
            .get, "/me/{id}/calendar.ics", .anyone,
            does: "Download the attendee's session as a calendar file",
            gives: .file("text/calendar"), refuses: [.receiptNotValid], OwnPage.calendar),
        Route(
            .get, "/me/{id}/picture", .anyone,
            does: "Show the meeting's image to a phone that has scanned the code or checked in",
            gives: .cachedFile(["image/jpeg", "image/png"]), refuses: [.receiptNotValid],
            OwnPage.picture),
        Route(
            .get, "/me/{id}/record", .anyone, does: "Show the attendee's own record as a page",
            query: [.who], gives: .page, refuses: [.receiptNotValid], OwnRecordPage.open),
        Route(
            .post, "/me/{id}/record", .anyone,
            does: "Change the name, leave, return or withdraw, by the form", body: .form,
            gives: .page,
            refuses: [
                .receiptNotValid, .originNotAllowed, .renamedTooOften, .namesDeleted, .tooManyAttempts,
                .checkOutOff, .notCheckedIn, .sessionOver, .limitReached,
            ],
            OwnRecordPage.submit),
    ]
}
