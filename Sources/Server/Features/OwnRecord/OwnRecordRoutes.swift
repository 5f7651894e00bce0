import Meetings
import Wire

extension RouteTable {
    /// An attendee's own record, by the API.
    static let ownRecord: [Route] = [
        Route(
            .get, "/api/v1/check-ins/current", .attendee, does: "Show one's own record",
            gives: .json(OwnRecordBody.self), OwnRecord.current),
        Route(
            .patch, "/api/v1/check-ins/current", .attendee, does: "Mend one's own name",
            reading: RenameRequest.self,
            gives: .json(OwnRecordBody.self), OwnRecord.mend),
        Route(
            .delete, "/api/v1/check-ins/current", .attendee, does: "Withdraw one's check-in, and erase it",
            gives: .noContent,
            OwnRecord.withdraw),
    ]

    /// An attendee's own pages.
    static let ownRecordPages: [Route] = [
        Route(
            .get, "/me/{id}", .anyone,
            does: "Show one's own page of a session: what to answer, and what is shared", gives: .page,
            refuses: [.receiptNotValid], OwnPage.open),
        Route(
            .get, "/me/{id}/record", .anyone, does: "Show one's own attendance", gives: .page,
            refuses: [.receiptNotValid],
            OwnRecordPage.open),
        Route(
            .post, "/me/{id}/record", .anyone, does: "Mend one's name, or withdraw, by the form", body: .form,
            gives: .page,
            refuses: [.receiptNotValid, .originNotAllowed, .tooManyAttempts], OwnRecordPage.submit),
    ]
}
