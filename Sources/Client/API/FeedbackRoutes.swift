package import Meetings
package import Wire

/// A question that a host has written. A question without an id is new. The server assigns ids to choices
/// that have none.
package struct QuestionDraft: Codable, Hashable, Sendable {
    package var id: String?
    package var kind: String
    package var title: String
    /// The titles by language, such as `ko`. Attendees with another language see `title`.
    package var titles: [String: String]?
    package var detail: String?
    package var required: Bool?
    package var choices: [Choice]?
    package var minSelections: Int?
    package var maxSelections: Int?
    package var maxLength: Int?
    package var scale: Int?
    package var most: Int?

    /// A choice of a question. A choice without an id is new.
    package struct Choice: Codable, Hashable, Sendable {
        package var id: String?
        package var label: String
        /// The labels by language.
        package var labels: [String: String]?

        package init(_ label: String) { self.label = label }
    }

    package init(_ kind: Question.KindName, _ title: String) {
        self.kind = kind.rawValue
        self.title = title
    }
}

/// A change of a question set. A nil property stays unchanged.
package struct SetChange: Encodable, Sendable {
    package var open: Bool?
    package var shared: Bool?
    package var anonymous: Bool?
    package var promise: AnswerPromise?
    package var changeable: Bool?
    /// The set's new place among the sets besides `feedback`, from 1.
    package var position: Int?
    /// The name of the published form.
    package var publishedAs: String?
    /// Whether the published form takes one response from each device.
    package var oncePerDevice: Bool?

    package init(
        open: Bool? = nil, shared: Bool? = nil, anonymous: Bool? = nil, promise: AnswerPromise? = nil,
        changeable: Bool? = nil, position: Int? = nil, publishedAs: String? = nil,
        oncePerDevice: Bool? = nil
    ) {
        self.open = open
        self.shared = shared
        self.anonymous = anonymous
        self.promise = promise
        self.changeable = changeable
        self.position = position
        self.publishedAs = publishedAs
        self.oncePerDevice = oncePerDevice
    }
}

/// A poll to add: with questions, or with the questions of the set `copyOf`.
package struct NewPoll: Encodable, Sendable {
    package var questions: [QuestionDraft]?
    package var copyOf: String?
    package var promise: AnswerPromise?
    package var open: Bool
    package var shared: Bool

    package init(
        questions: [QuestionDraft]? = nil, copyOf: String? = nil, promise: AnswerPromise? = nil,
        open: Bool = false, shared: Bool = false
    ) {
        self.questions = questions
        self.copyOf = copyOf
        self.promise = promise
        self.open = open
        self.shared = shared
    }
}

extension APIClient {
    /// Returns a set of questions, or the feedback set if `set` is nil. Members and attendees may call this
    /// route.
    package func questions(of id: SessionID, set: String? = nil) async throws(APIError) -> Versioned<
        QuestionSetBody
    > {
        try await versioned(APICall("GET", "/api/v1/sessions/\(id)/questions", ["set": set]))
    }

    /// Changes a set. Nil properties of `change` stay unchanged.
    package func editSet(
        _ set: String, of id: SessionID, _ change: SetChange, seen: Seen
    ) async throws(APIError) -> QuestionSetBody {
        let call = APICall("PATCH", "/api/v1/sessions/\(id)/sets/\(set)", body: change)
        return try decode(QuestionSetBody.self, from: try await send(call.editing(seen)))
    }

    /// Adds a poll.
    package func createPoll(in id: SessionID, _ poll: NewPoll) async throws(APIError) -> QuestionSetBody {
        try await post("/api/v1/sessions/\(id)/polls", poll)
    }

    /// Deletes a set.
    /// - Parameter confirmation: the set's name. Needed if the set has responses.
    package func deleteSet(_ set: String, of id: SessionID, confirmation: String?) async throws(APIError) {
        _ = try await send(
            APICall("DELETE", "/api/v1/sessions/\(id)/sets/\(set)", ["confirm": confirmation]))
    }

    /// Sends an attendee's response. The bearer must be the attendee's receipt. `promise` is the promise that
    /// the form showed. The server rejects the response if the promise has changed since.
    package func respond(
        in id: SessionID, set: String? = nil, _ answers: Answers, promise: AnswerPromise
    ) async throws(APIError) -> ResponseBody {
        struct Response: Encodable {
            let set: String?
            let answers: [String: Answer]
            let promise: AnswerPromise
        }
        let named = Dictionary(uniqueKeysWithValues: answers.map { ($0.key.text, $0.value) })
        return try await post(
            "/api/v1/sessions/\(id)/responses", Response(set: set, answers: named, promise: promise))
    }

    /// Returns a page of the texts that answer a question: short answers, or the texts of the choice "other".
    /// - Parameter cursor: `nextCursor` of the previous page, or nil for the first page.
    package func textAnswers(
        to question: QuestionID, after cursor: String? = nil
    ) async throws(APIError) -> Page<TextAnswerBody> {
        try await get("/api/v1/questions/\(question)/answers", ["limit": "200", "cursor": cursor])
    }

    /// Returns the results of a set, or of the feedback set if `set` is nil.
    package func results(of id: SessionID, set: String? = nil, order: ResultOrder? = nil)
        async throws(APIError) -> ResultsBody
    {
        try await get("/api/v1/sessions/\(id)/results", ["set": set, "order": order?.rawValue])
    }
}
