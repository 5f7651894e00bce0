import Meetings
import Wire

extension RouteTable {
    /// The routes for check-in by the API.
    static let checkIn: [Route] = [
        Route(
            .post, "/api/v1/grants", .anyone, does: "Exchange a code for a grant", reading: GrantRequest.self,
            gives: .json(GrantBody.self, status: 201),
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts],
            keys: .ignored(.secret), CheckIns.grant),
        Route(
            .post, "/api/v1/check-ins", .anyone, does: "Check in", reading: CheckInRequest.self,
            gives: .jsonNewOrKnown(CheckInBody.self),
            refuses: [
                .codeNotValid, .grantNotValid, .grantExpired, .grantUsedUp, .receiptNotValid,
                .checkInNotOpen,
                .checkInClosed, .limitReached, .tooManyAttempts, .notFound,
            ],
            isShort: true, CheckIns.checkIn),
    ]

    /// The routes for check-in by the pages, whose forms need no script.
    static let checkInPages: [Route] = [
        Route(
            .get, "/", .anyone, does: "Show the page for typing a join code", query: [.another], gives: .page,
            JoinPages.front),
        Route(
            .get, "/{code}", .anyone, does: "Open the check-in form of a join code", gives: .pageOrOwn,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts], JoinPages.open),
        Route(
            .post, "/", .anyone, does: "Open the check-in form of a typed join code",
            body: .form, query: [.another], gives: .pageOrOwn,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts], JoinPages.join),
        Route(
            .get, "/C/{code}", .anyone,
            does: "Exchange a scanned code for a grant, and show the check-in form",
            query: [.another, .who], gives: .pageOrOwn,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts],
            fromMemory: CheckInPages.openFromMemory, CheckInPages.open),
        Route(
            .post, "/C/{code}", .anyone, does: "Check in by the form", body: .form, gives: .pageOrOwn,
            refuses: [
                .grantNotValid, .grantUsedUp, .checkInNotOpen, .checkInClosed,
                .limitReached, .tooManyAttempts,
            ],
            CheckInPages.submit),
        Route(
            .get, "/M/{code}", .anyone,
            does: "Open the check-in form of a meeting's open session, from its poster", gives: .page,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts],
            CheckInPages.openMeeting),
    ]
}
