import Wire

extension RouteTable {
    /// For people with a phone; forms without JavaScript.
    static let pages: [Route] = [
        Route(
            .get, "/", .anyone, does: "Show the page where a join code can be typed", gives: .page,
            JoinPages.front),
        Route(
            .post, "/", .anyone, does: "Go to the check-in page of a typed join code", body: .form,
            gives: .page,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts], JoinPages.join),
        Route(
            .get, "/C/{code}", .anyone,
            does: "Exchange a scanned code for a grant, and show the check-in form", gives: .page,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts], CheckInPages.open),
        Route(
            .post, "/C/{code}", .anyone, does: "Check in by the form", body: .form, gives: .page,
            refuses: [.grantNotValid, .checkInNotOpen, .checkInClosed, .limitReached, .tooManyAttempts],
            CheckInPages.submit),
        Route(
            .get, "/M/{code}", .anyone,
            does: "Lead from a meeting's poster to the session that is open for check-in", gives: .page,
            refuses: [.codeNotValid, .checkInNotOpen, .checkInClosed, .tooManyAttempts],
            CheckInPages.openMeeting),
        Route(
            .post, "/feedback", .anyone, does: "Answer by the form", body: .form, gives: .page,
            refuses: [
                .receiptNotValid, .alreadyResponded, .feedbackNotOpen, .feedbackClosed, .noQuestions,
                .tooManyAttempts,
            ],
            FeedbackPages.submit),
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
        Route(
            .get, "/present/{id}", .anyone, does: "Show the page for a hall's screen", gives: .page,
            ProjectorPage.open),
    ]
}
