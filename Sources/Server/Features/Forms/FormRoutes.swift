import Meetings
import Wire

extension RouteTable {
    /// The routes for published forms, which anybody may answer.
    static let forms: [Route] = [
        Route(
            .get, "/api/question/{typeID}", .anyone, does: "Show a published form",
            gives: .json(SubveyBody.self),
            refuses: [.tooManyAttempts], forAnyOrigin: true, PublishedForms.show),
        OtherOrigins.preflight("/api/question/{typeID}", allowed: "GET, HEAD, OPTIONS"),
        Route(
            .post, "/api/answers/{typeID}", .anyone, does: "Answer a published form",
            body: .json(FormAnswersRequest.self),
            gives: .json(SubveyAnswerBody.self), logsAddress: false,
            refuses: [
                .noQuestions, .feedbackNotOpen, .feedbackClosed, .alreadyResponded, .deviceNotRecognized,
                .limitReached, .tooManyAttempts,
            ],
            forAnyOrigin: true,
            PublishedForms.answer),
        OtherOrigins.preflight("/api/answers/{typeID}", allowed: "OPTIONS, POST"),
    ]

    /// The routes for the page of a published form.
    static let formPages: [Route] = [
        Route(
            .get, "/form/{typeID}", .anyone, does: "Show the page of a published form", gives: .page,
            refuses: [
                .noQuestions, .feedbackNotOpen, .feedbackClosed, .alreadyResponded, .tooManyAttempts,
            ], FormPages.show),
        Route(
            .post, "/form/{typeID}", .anyone, does: "Answer a published form by its page", body: .form,
            gives: .page, logsAddress: false,
            refuses: [
                .noQuestions, .feedbackNotOpen, .feedbackClosed, .alreadyResponded, .deviceNotRecognized,
                .limitReached, .tooManyAttempts,
            ],
            FormPages.submit),
    ]
}
