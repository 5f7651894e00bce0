import Meetings
import Wire

extension RouteTable {
    /// The routes for questions, responses and results.
    static let feedback: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/questions", .memberOrAttendee, does: "List the questions of a set",
            query: [.set], gives: .json(QuestionSetBody.self), refuses: [.feedbackNotOpen], Feedback.questions
        ),
        Route(
            .put, "/api/v1/sessions/{id}/questions", .member(.host, of: .session),
            does: "Replace the questions of a set",
            reading: SetQuestionsRequest.self,
            query: [.set], gives: .json(QuestionSetBody.self),
            refuses: [
                .questionsLocked, .answersHeldBack, .anonymityFixed, .limitReached, .questionSetsTooLarge,
            ],
            Feedback.setQuestions),
        Route(
            .get, "/api/v1/sessions/{id}/sets", .member(.viewer, of: .session),
            does: "List a session's question sets",
            gives: .json(QuestionSetsBody.self), QuestionSets.list),
        Route(
            .post, "/api/v1/sessions/{id}/questions/copy", .member(.host, of: .session),
            does: "Copy question sets from another session",
            reading: CopyQuestionsRequest.self, gives: .json(QuestionSetsBody.self, status: 201),
            refuses: [
                .questionsLocked, .anonymityFixed, .limitReached, .questionSetsTooLarge, .tooMuchAtOnce,
            ],
            QuestionSets.copy),
        Route(
            .patch, "/api/v1/sessions/{id}/sets/{set}", .member(.host, of: .session),
            does: "Open, close, share or move a question set, or change its promise",
            reading: EditQuestionSetRequest.self,
            gives: .json(QuestionSetBody.self),
            refuses: [.questionsLocked, .anonymityFixed, .questionSetsTooLarge], Feedback.editSet),
        Route(
            .delete, "/api/v1/sessions/{id}/sets/{set}", .member(.host, of: .session),
            does: "Delete a question set with its responses", query: [.confirm], gives: .noContent,
            refuses: [.confirmationNeeded, .oneAtATime, .invalidFields], QuestionSets.delete),
        Route(
            .post, "/api/v1/sessions/{id}/polls", .member(.host, of: .session),
            does: "Add a poll, and open it at once if wanted", reading: CreatePollRequest.self,
            gives: .json(QuestionSetBody.self, status: 201), refuses: [.limitReached, .questionSetsTooLarge],
            QuestionSets.createPoll),
        Route(
            .post, "/api/v1/sessions/{id}/responses", .attendee,
            does: "Answer a question set, or change the answers",
            reading: RespondRequest.self,
            gives: .jsonNewOrKnown(ResponseBody.self), logsAddress: false,
            refuses: [
                .alreadyResponded, .anonymityChanged, .feedbackNotOpen, .feedbackClosed, .noQuestions,
                .limitReached,
            ], isShort: true, Feedback.respond),
        Route(
            .get, "/api/v1/sessions/{id}/results", .member(.viewer, of: .session),
            does: "Show the results of a question set",
            query: [.set, .order], gives: .json(ResultsBody.self), refuses: .ofScan,
            fromMemory: KnownResults.answer, Feedback.results),
        Route(
            .get, "/api/v1/questions/{id}/answers", .member(.viewer, of: .question),
            does: "List the texts that answer a question",
            query: .page(), gives: .json(Page<TextAnswerBody>.self), Feedback.answers),
    ]

    /// The routes for responses by the form, which needs no script.
    static let feedbackPages: [Route] = [
        Route(
            .post, "/feedback", .anyone, does: "Answer a question set by the form", body: .form, gives: .page,
            logsAddress: false,
            refuses: [
                .receiptNotValid, .alreadyResponded, .feedbackNotOpen, .feedbackClosed, .noQuestions,
                .tooManyAttempts,
            ],
            FeedbackPages.submit)
    ]

    /// The routes for questions as files. A closure calls the `@concurrent` handler, for the reason given at
    /// `exports`.
    static let questionFiles: [Route] = [
        Route(
            .post, "/api/v1/sessions/{id}/questions/import", .member(.host, of: .session),
            does: "Import questions from a file or an address",
            body: .upload(limit: QuestionFile.mostBytes, json: ImportQuestionsRequest.self, files: []),
            query: [.set, .language], gives: .json(QuestionSetBody.self, status: 201),
            refuses: [
                .questionsLocked, .answersHeldBack, .anonymityFixed, .limitReached, .questionSetsTooLarge,
                .versionMismatch,
                .addressNotFetched, .tooManyAttempts,
            ]
        ) { try await QuestionFiles.take($0) },
        Route(
            .get, "/api/v1/sessions/{id}/questions/export", .member(.viewer, of: .session),
            does: "Export questions as a file",
            query: [.set, .format, .language], gives: .file("application/json"), QuestionFiles.export),
    ]

    /// The routes for the moderation of texts that attendees write as answers.
    static let textModeration: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/sets/{set}/moderation", .member(.viewer, of: .session),
            does: "Show when a host decides about the texts of a set", gives: .json(TextModerationBody.self),
            ModeratedTexts.moderation),
        Route(
            .patch, "/api/v1/sessions/{id}/sets/{set}/moderation", .member(.host, of: .session),
            does: "Set when a host decides about the texts of a set", reading: TextModerationRequest.self,
            gives: .json(TextModerationBody.self), ModeratedTexts.setModeration),
        Route(
            .patch, "/api/v1/questions/{id}/answers/{answerId}", .member(.host, of: .question),
            does: "Show, hold back or hide the text of an answer", reading: ModerateTextRequest.self,
            gives: .json(TextAnswerBody.self), ModeratedTexts.moderate),
    ]
}
