package import Meetings
package import Wire

/// A question that a host has written. A question without an id is new. The server assigns ids to choices
/// that have none.
package struct QuestionDraft: Codable, Hashable, Sendable {
    package var id: String?
    package var kind: String
    package var title: String
    package var detail: String?
    package var required: Bool?
    package var choices: [Choice]?
    package var minSelections: Int?
    package var maxSelections: Int?
    package var maxLength: Int?
    package var scale: Int?

    /// A choice of a question. A choice without an id is new.
    package struct Choice: Codable, Hashable, Sendable {
        package var id: String?
        package var label: String

        package init(_ label: String) { self.label = label }
    }

    package init(_ kind: Question.KindName, _ title: String) {
        self.kind = kind.rawValue
        self.title = title
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

    /// Changes a set: opens or closes the set, shares its results, makes it anonymous or not, or publishes it
    /// as the form `publishedAs`. A nil parameter leaves the property unchanged.
    package func editSet(
        _ set: String, of id: SessionID, open: Bool? = nil, shared: Bool? = nil, anonymous: Bool? = nil,
        publishedAs: String? = nil,
        seen: Seen
    ) async throws(APIError) -> QuestionSetBody {
        struct Change: Encodable {
            let open: Bool?
            let shared: Bool?
            let anonymous: Bool?
            let publishedAs: String?
        }
        let call = APICall(
            "PATCH", "/api/v1/sessions/\(id)/sets/\(set)",
            body: Change(open: open, shared: shared, anonymous: anonymous, publishedAs: publishedAs))
        return try decode(QuestionSetBody.self, from: try await send(call.editing(seen)))
    }

    /// Sends an attendee's response. The bearer must be the attendee's receipt. `anonymous` is the setting
    /// that the form showed. The server rejects the response if the setting has changed since.
    package func respond(
        in id: SessionID, set: String? = nil, _ answers: Answers, anonymous: Bool
    ) async throws(APIError) -> ResponseBody {
        struct Response: Encodable {
            let set: String?
            let answers: [String: Answer]
            let anonymous: Bool
        }
        let named = Dictionary(uniqueKeysWithValues: answers.map { ($0.key.text, $0.value) })
        return try await post(
            "/api/v1/sessions/\(id)/responses", Response(set: set, answers: named, anonymous: anonymous))
    }

    /// Returns the results of a set, or of the feedback set if `set` is nil.
    package func results(of id: SessionID, set: String? = nil) async throws(APIError) -> ResultsBody {
        try await get("/api/v1/sessions/\(id)/results", ["set": set])
    }
}
