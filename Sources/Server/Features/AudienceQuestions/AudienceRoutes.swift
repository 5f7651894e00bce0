import Meetings
import Wire

extension RouteTable {
    /// The routes for questions from the audience. Closures call the `@concurrent` handlers, for the reason
    /// given at `exports`.
    static let audienceQuestions: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/audience-settings", .memberOrAttendee,
            does: "Show a session's settings for questions from the audience",
            gives: .json(AudienceSettingsBody.self), Audience.settings),
        Route(
            .patch, "/api/v1/sessions/{id}/audience-settings", .member(.host, of: .session),
            does: "Open or close questions from the audience, or change how they are asked",
            reading: AudienceSettingsRequest.self, gives: .json(AudienceSettingsBody.self),
            Audience.editSettings),
        Route(
            .get, "/api/v1/sessions/{id}/audience-questions", .memberOrAttendee,
            does: "List questions from the audience, by votes",
            query: .page(.questionStatus, .own), gives: .json(Page<AudienceQuestionBody>.self),
            Audience.list),
        Route(
            .post, "/api/v1/sessions/{id}/audience-questions", .memberOrAttendee,
            does: "Ask the host a question, or write one down as a host",
            reading: AskRequest.self, gives: .json(AudienceQuestionBody.self, status: 201),
            logsAddress: false,
            refuses: [.audienceQuestionsClosed, .anonymityChanged, .limitReached], Audience.ask),
        Route(
            .patch, "/api/v1/sessions/{id}/audience-questions/{questionId}", .member(.host, of: .session),
            does: "Show, hide, pin or answer a question from the audience",
            reading: ModerateQuestionRequest.self, gives: .json(AudienceQuestionBody.self),
            refuses: [.alreadyMerged], Audience.moderate),
        Route(
            .post, "/api/v1/sessions/{id}/audience-questions/{questionId}/merge",
            .member(.host, of: .session),
            does: "Merge a question from the audience into another one",
            reading: MergeQuestionsRequest.self, gives: .json(AudienceQuestionBody.self),
            refuses: [.alreadyMerged, .limitReached, .versionMismatch], Audience.merge),
        Route(
            .put, "/api/v1/sessions/{id}/audience-questions/{questionId}/vote", .attendee,
            does: "Vote for a question, once",
            gives: .json(VoteBody.self), logsAddress: false, refuses: [.audienceQuestionsClosed],
            Audience.vote),
        Route(
            .delete, "/api/v1/sessions/{id}/audience-questions/{questionId}/vote", .attendee,
            does: "Remove the attendee's vote",
            gives: .json(VoteBody.self), logsAddress: false,
            refuses: [.audienceQuestionsClosed, .limitReached],
            Audience.removeVote),
        Route(
            .get, "/api/v1/sessions/{id}/audience-questions.csv", .member(.viewer, of: .session),
            does: "Export questions from the audience as CSV",
            query: QueryParameter.tableForm, gives: .file("text/csv"), refuses: .ofScan
        ) { context in try await context.alone { try await AudienceFiles.table(context) } },
        Route(
            .get, "/api/v1/sessions/{id}/audience-questions.json", .member(.viewer, of: .session),
            does: "Export questions from the audience as JSON",
            gives: .json(AudienceFileBody.self), refuses: .ofScan
        ) { context in try await context.alone { try await AudienceFiles.json(context) } },
        Route(
            .get, "/api/v1/meetings/{id}/held-words", .member(.host, of: .meeting),
            does: "Show the held words", gives: .json(HeldWords.self),
            Audience.heldWords),
        Route(
            .put, "/api/v1/meetings/{id}/held-words", .member(.host, of: .meeting),
            does: "Replace the held words", reading: HeldWordsRequest.self,
            gives: .json(HeldWords.self), Audience.editHeldWords),
    ]

    /// The attendee's page for questions from the audience.
    static let audiencePages: [Route] = [
        Route(
            .get, "/me/{id}/questions", .anyone, does: "Show questions from the audience, to ask and to vote",
            query: [.who, .questionOrder], gives: .page, logsAddress: false, refuses: [.receiptNotValid],
            AudiencePage.open),
        Route(
            .post, "/me/{id}/questions", .anyone, does: "Ask a question or vote, by the form", body: .form,
            gives: .page, logsAddress: false,
            refuses: [
                .receiptNotValid, .originNotAllowed, .tooManyAttempts, .audienceQuestionsClosed,
                .anonymityChanged, .limitReached,
            ],
            AudiencePage.submit),
    ]
}
