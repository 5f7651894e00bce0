import Meetings
import Wire

extension RouteTable {
    /// Coming in.
    static let checkIns: [Route] = [
        Route(
            .post, "/api/v1/grants", .anyone, does: "Exchange a code for a grant", reading: GrantRequest.self,
            gives: .json(GrantBody.self, status: 201),
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts],
            keys: .passedOver(.secret), CheckIns.grant),
        Route(
            .post, "/api/v1/check-ins", .anyone, does: "Check in", reading: CheckInRequest.self,
            gives: .jsonNewOrKnown(CheckInBody.self),
            refuses: [
                .codeNotValid, .grantNotValid, .checkInNotOpen, .checkInClosed, .limitReached,
                .tooManyAttempts, .notFound,
            ],
            CheckIns.checkIn),
        Route(
            .get, "/api/v1/check-ins/current", .attendee, does: "Show one's own record",
            gives: .json(OwnRecordBody.self), CheckIns.current),
        Route(
            .patch, "/api/v1/check-ins/current", .attendee, does: "Mend one's own name",
            reading: MendNameRequest.self,
            gives: .json(OwnRecordBody.self), CheckIns.mend),
        Route(
            .delete, "/api/v1/check-ins/current", .attendee, does: "Withdraw one's check-in, and erase it",
            gives: .noContent,
            CheckIns.withdraw),
    ]
}
