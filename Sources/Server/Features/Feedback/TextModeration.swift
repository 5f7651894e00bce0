import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for the moderation of texts.
enum ModeratedTexts {
    static func moderation(_ context: RequestContext) async throws -> HTTPResponse {
        let (session, set) = (context.record.session.id, context.parameters["set"] ?? "")
        let found = try await context.storage.read { rows throws(JournalError) -> TextModeration? in
            guard try rows.questionSet(set, of: session) != nil else { return nil }
            return try rows.textModeration(of: session, set: set)
        }
        guard let found else { throw Refusal.notFound(.questionSet) }
        return .json(TextModerationBody(set: set, moderation: found))
    }

    static func setModeration(_ context: RequestContext, _ request: TextModerationRequest) async throws
        -> HTTPResponse
    {
        let set = context.parameters["set"] ?? ""
        try await context.storage.perform(
            SetTextModeration(
                session: context.record.session.id, set: set, moderation: request.moderation,
                actor: context.accountID))
        return .json(TextModerationBody(set: set, moderation: request.moderation))
    }

    static func moderate(_ context: RequestContext, _ request: ModerateTextRequest) async throws
        -> HTTPResponse
    {
        guard let place = context.parameters["answerId"].flatMap(TextPlace.init(id:)) else {
            throw Refusal.notFound(.response)
        }
        let text = try await context.storage.perform(
            ModerateText(
                question: try context.id(Question.self, .question), place: place, status: request.status,
                note: request.note, actor: context.accountID))
        return .json(TextAnswerBody(text: text, at: place.at, id: place.id, status: request.status))
    }
}

extension TextPlace {
    /// The place as the id of a text in the API.
    var id: String { Cursor(String(at.milliseconds), response.text).text }

    init?(id: String) {
        guard let cursor = Cursor(id), cursor.words.count == 2, let at = cursor.integer(0),
            let response = ResponseID(cursor.words[1])
        else { return nil }
        self.init(at: Instant(milliseconds: at), response: response)
    }
}
