package import Meetings
internal import Outbound
package import Wire

/// The change of a session's settings for questions from the audience. A nil field does not change.
package struct AudienceChange: Encodable, Hashable, Sendable {
    package var open: Bool?
    package var promise: AudienceQuestion.Promise?
    package var moderation: AudienceSettings.Moderation?

    package init(
        open: Bool? = nil, promise: AudienceQuestion.Promise? = nil,
        moderation: AudienceSettings.Moderation? = nil
    ) {
        self.open = open
        self.promise = promise
        self.moderation = moderation
    }
}

/// A host's change of a question. A nil field does not change.
package struct QuestionChange: Encodable, Hashable, Sendable {
    package var status: AudienceQuestion.Status?
    package var pinned: Bool?
    package var answer: String?
    package var note: String?

    package init(
        status: AudienceQuestion.Status? = nil, pinned: Bool? = nil, answer: String? = nil,
        note: String? = nil
    ) {
        self.status = status
        self.pinned = pinned
        self.answer = answer
        self.note = note
    }
}

extension APIClient {
    private func path(_ session: SessionID, _ question: AudienceQuestionID? = nil) -> String {
        "/api/v1/sessions/\(session)/audience-questions" + (question.map { "/\($0)" } ?? "")
    }

    /// Returns the settings. Members and attendees may call this route.
    package func audienceSettings(of session: SessionID) async throws(APIError) -> AudienceSettingsBody {
        try await get("/api/v1/sessions/\(session)/audience-settings")
    }

    /// Changes the settings, and returns the new ones.
    package func editAudience(of session: SessionID, _ change: AudienceChange, seen: Seen)
        async throws(APIError) -> AudienceSettingsBody
    {
        let call = APICall("PATCH", "/api/v1/sessions/\(session)/audience-settings", body: change)
        return try decode(AudienceSettingsBody.self, from: try await send(call.editing(seen)))
    }

    /// Returns one page of the questions, with 200 at most. Members get all questions, and attendees the
    /// visible and answered ones.
    /// - Parameter status: the status of the questions; nil for every status.
    package func audienceQuestions(
        of session: SessionID, status: String? = nil, own: Bool = false, after cursor: String? = nil
    ) async throws(APIError) -> Page<AudienceQuestionBody> {
        try await get(
            path(session),
            ["limit": "200", "status": status, "own": own ? "true" : nil, "cursor": cursor])
    }

    /// Returns all questions, at most `AudienceQuestion.mostInSession`.
    package func allAudienceQuestions(of session: SessionID, status: String? = nil) async throws(APIError)
        -> [AudienceQuestionBody]
    {
        var found: [AudienceQuestionBody] = []
        var cursor: String?
        repeat {
            let page = try await audienceQuestions(of: session, status: status, after: cursor)
            found += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return found
    }

    /// Asks a question. The bearer is an attendee's receipt, or a host who writes a question down.
    /// - Parameter promise: the promise that the attendee saw; nil for a host.
    package func ask(
        _ text: String, in session: SessionID, promise: AudienceQuestion.Promise?,
        idempotencyKey: String = APICall.randomKey()
    ) async throws(APIError) -> AudienceQuestionBody {
        struct Ask: Encodable {
            let text: String
            let promise: AudienceQuestion.Promise?
        }
        return try await post(
            path(session), Ask(text: text, promise: promise), headers: [("Idempotency-Key", idempotencyKey)])
    }

    /// Votes for a question, or removes the vote. The bearer must be an attendee's receipt.
    package func vote(for question: AudienceQuestionID, in session: SessionID, votes: Bool = true)
        async throws(APIError) -> VoteBody
    {
        let call = APICall(votes ? "PUT" : "DELETE", path(session, question) + "/vote")
        return try decode(VoteBody.self, from: try await send(call))
    }

    /// Shows, hides, pins or answers a question, and returns the new version.
    package func moderate(
        _ question: AudienceQuestionID, in session: SessionID, _ change: QuestionChange, seen: Seen
    ) async throws(APIError) -> AudienceQuestionBody {
        let call = APICall("PATCH", path(session, question), body: change)
        return try decode(AudienceQuestionBody.self, from: try await send(call.editing(seen)))
    }

    /// Merges a question into another one, and returns the question that absorbed it.
    package func merge(
        _ question: AudienceQuestionID, into root: AudienceQuestionID, in session: SessionID, note: String?
    ) async throws(APIError) -> AudienceQuestionBody {
        struct Merge: Encodable {
            let into: AudienceQuestionID
            let note: String?
        }
        return try await post(path(session, question) + "/merge", Merge(into: root, note: note))
    }

    /// Returns the questions as a file.
    /// - Parameter format: `csv` or `json`.
    package func audienceFile(of session: SessionID, format: String, _ table: TableQuery)
        async throws(APIError) -> [UInt8]
    {
        let call = APICall("GET", "\(path(session)).\(format)", table.fields)
        return try await send(call).body
    }

    /// Returns the meeting's list of words that hold questions back.
    package func heldWords(of meeting: MeetingID) async throws(APIError) -> HeldWords {
        try await get("/api/v1/meetings/\(meeting)/held-words")
    }

    /// Replaces the meeting's list of words.
    package func setHeldWords(_ words: [String], of meeting: MeetingID, seen: Seen) async throws(APIError)
        -> HeldWords
    {
        struct Words: Encodable { let words: [String] }
        let call = APICall("PUT", "/api/v1/meetings/\(meeting)/held-words", body: Words(words: words))
        return try decode(HeldWords.self, from: try await send(call.editing(seen)))
    }
}
