import Meetings
import Wire

extension RouteTable {
    /// Questions and results as files, and forms that anybody may answer. Concurrent handlers stand in
    /// closures, as in `exports`.
    static let forms: [Route] = [
        Route(
            .post, "/api/v1/sessions/{id}/questions/import", .member(.host, of: .session),
            does: "Import questions from a file or an address",
            body: .upload(limit: QuestionFile.mostBytes, json: ImportQuestionsRequest.self, files: []),
            gives: .json(QuestionSetBody.self, status: 201),
            refuses: [
                .questionsLocked, .anonymityFixed, .limitReached, .versionMismatch, .addressNotFetched,
                .tooManyAttempts,
            ]
        ) { try await QuestionFiles.take($0) },
        Route(
            .get, "/api/v1/sessions/{id}/questions/export", .member(.viewer, of: .session),
            does: "Export questions as a file",
            gives: .file("application/json"), QuestionFiles.export),
        Route(
            .get, "/api/v1/sessions/{id}/results.csv", .member(.viewer, of: .session),
            does: "Give a set's responses for a spreadsheet",
            gives: .file("text/csv")
        ) { try await ResultFiles.table($0) },
        Route(
            .get, "/api/v1/sessions/{id}/results.json", .member(.viewer, of: .session),
            does: "Give a set's results and responses",
            gives: .json(ResultsFileBody.self)
        ) { try await ResultFiles.json($0) },
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
