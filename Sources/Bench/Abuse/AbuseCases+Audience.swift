internal import Wire

extension AbuseCases {
    /// The routes for questions from the audience and for moderation. The hall has
    /// `AbuseStage.audienceQuestions`.
    static let audience: [AbuseCase] = [
        .same("GET /api/v1/sessions/{id}/audience-settings", "one row") {
            get("/api/v1/sessions/\($0.hall.session)/audience-settings")
        },
        .same("GET /api/v1/sessions/{id}/audience-questions", "a page of 200 questions, by an attendee") {
            stage throws(BenchError) in
            get(
                "/api/v1/sessions/\(stage.hall.session)/audience-questions?limit=200",
                .bearer(try stage.guest().receipt))
        },
        .each("POST /api/v1/sessions/{id}/audience-questions", "the longest question, checked for 200 words")
        {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/sessions/\(stage.hall.session)/audience-questions",
                    #"{"text":"\#(String(repeating: "가", count: 500))"}"#,
                    .bearer(try stage.guest().receipt))
            }
        },
        .same("PATCH /api/v1/sessions/{id}/audience-questions/{questionId}", "an answer of 1,000 characters")
        {
            stage in
            ["가", "나"].map {
                send(
                    "PATCH",
                    "/api/v1/sessions/\(stage.hall.session)/audience-questions/\(stage.audienceQuestions[0])",
                    #"{"answer":"\#(String(repeating: $0, count: 1000))"}"#)
            }
        },
        .each("PUT /api/v1/sessions/{id}/audience-questions/{questionId}/vote", "a first vote") {
            stage throws(BenchError) in try votes("PUT", stage)
        },
        .each("DELETE /api/v1/sessions/{id}/audience-questions/{questionId}/vote", "no vote to remove") {
            stage throws(BenchError) in try votes("DELETE", stage)
        },
        .each("POST /api/v1/sessions/{id}/audience-questions/{questionId}/merge", "two questions with votes")
        {
            stage throws(BenchError) in
            let list = "/api/v1/sessions/\(stage.hall.session)/audience-questions"
            return try many(stage, 20) { number throws(BenchError) in
                send(
                    "POST", "\(list)/\(stage.audienceQuestions[number + 1])/merge",
                    #"{"into":"\#(stage.audienceQuestions[0])"}"#)
            }
        },
        .same("GET /api/v1/sessions/{id}/audience-questions.csv", "all questions") {
            get("/api/v1/sessions/\($0.hall.session)/audience-questions.csv")
        },
        .same("GET /api/v1/sessions/{id}/audience-questions.json", "all questions") {
            get("/api/v1/sessions/\($0.hall.session)/audience-questions.json")
        },
        .same("GET /api/v1/sessions/{id}/sets/{set}/moderation", "one row") {
            get("/api/v1/sessions/\($0.hall.session)/sets/feedback/moderation")
        },
        .same("PATCH /api/v1/sessions/{id}/sets/{set}/moderation", "a set whose texts are held back again") {
            stage in
            ["none", "after"].map {
                send(
                    "PATCH", "/api/v1/sessions/\(stage.hall.session)/sets/feedback/moderation",
                    #"{"moderation":"\#($0)"}"#)
            }
        },
        .same("PATCH /api/v1/questions/{id}/answers/{answerId}", "one text, hidden and shown again") {
            stage throws(BenchError) in
            let answers = "/api/v1/questions/\(stage.questions[7])/answers"
            let page = try stage.call(AbuseRequest(method: "GET", path: answers))
            let text = page["items"]?.elements.first?["id"]?.string ?? "none"
            return ["hidden", "visible"].map {
                send("PATCH", "\(answers)/\(text)", #"{"status":"\#($0)"}"#)
            }
        },
        .same("GET /api/v1/meetings/{id}/held-words", "200 words") {
            get("/api/v1/meetings/\($0.hall.meeting)/held-words")
        },
        .same("PUT /api/v1/meetings/{id}/held-words", "200 words of 40 characters") { stage in
            ["x", "y"].map {
                send("PUT", "/api/v1/meetings/\(stage.hall.meeting)/held-words", AbuseTexts.words($0))
            }
        },
        // The last one, because it may leave the questions closed.
        .same("PATCH /api/v1/sessions/{id}/audience-settings", "questions that are closed and opened again") {
            stage in
            ["false", "true"].map {
                send(
                    "PATCH", "/api/v1/sessions/\(stage.hall.session)/audience-settings", #"{"open":\#($0)}"#)
            }
        },
    ]

    private static func votes(_ method: String, _ stage: AbuseStage) throws(BenchError) -> [AbuseRequest] {
        try many(stage) { _ throws(BenchError) in
            AbuseRequest(
                method: method,
                path: "/api/v1/sessions/\(stage.hall.session)/audience-questions/"
                    + "\(stage.audienceQuestions[30])/vote",
                caller: .bearer(try stage.guest().receipt))
        }
    }
}
