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
            gives: .json(SubveyAnswerBody.self),
            refuses: [.noQuestions, .feedbackNotOpen, .feedbackClosed, .limitReached, .tooManyAttempts],
            forAnyOrigin: true,
            PublishedForms.answer),
        OtherOrigins.preflight("/api/answers/{typeID}", allowed: "OPTIONS, POST"),
    ]
}
