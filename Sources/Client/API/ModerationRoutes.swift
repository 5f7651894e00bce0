package import Meetings
package import Wire

/// The moderation of texts that attendees write as answers.
extension APIClient {
    /// Returns when a host decides about the texts of a set.
    package func textModeration(of session: SessionID, set: String) async throws(APIError)
        -> TextModerationBody
    {
        try await get("/api/v1/sessions/\(session)/sets/\(set)/moderation", [:])
    }

    /// Sets when a host decides about the texts of a set.
    package func setTextModeration(_ moderation: TextModeration, of session: SessionID, set: String)
        async throws(APIError) -> TextModerationBody
    {
        let call = APICall(
            "PATCH", "/api/v1/sessions/\(session)/sets/\(set)/moderation",
            body: ["moderation": moderation.rawValue])
        return try decode(TextModerationBody.self, from: try await send(call))
    }

    /// Returns all published texts that answer a question, the newest first, with their ids and statuses.
    package func allTexts(answering question: QuestionID) async throws(APIError) -> [TextAnswerBody] {
        var found: [TextAnswerBody] = []
        var cursor: String?
        repeat {
            let page: Page<TextAnswerBody> = try await get(
                "/api/v1/questions/\(question)/answers", ["limit": "200", "cursor": cursor])
            found += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return found
    }

    /// Shows, holds back or hides a text.
    /// - Parameters:
    ///   - id: the id in the list of answers.
    ///   - note: the host's reason.
    package func moderateText(
        _ id: String, answering question: QuestionID, to status: TextStatus, note: String? = nil
    ) async throws(APIError) -> TextAnswerBody {
        var change = ["status": status.rawValue]
        change["note"] = note
        let call = APICall("PATCH", "/api/v1/questions/\(question)/answers/\(id)", body: change)
        return try decode(TextAnswerBody.self, from: try await send(call))
    }
}
