import HTTPServer
import Journal
import Meetings
import Secrets
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
        let (keys, question) = (context.services.keys, try context.id(Question.self, .question))
        guard let id = context.parameters["answerId"], let cursor = Cursor(id) else {
            throw Refusal.notFound(.response)
        }
        if cursor.words.first == CloudWord.mark {
            return try await moderateWord(id, of: question, request, context)
        }
        guard let place = TextPlace(cursor, keys: keys) else { throw Refusal.notFound(.response) }
        let found = try await context.storage.read { rows throws(JournalError) -> QuestionSet? in
            guard let location = try rows.location(of: question) else { return nil }
            return try rows.questionSet(location.set, of: location.session)
        }
        guard let set = found else { throw Refusal.notFound(.question) }
        let text = try await context.storage.perform(
            ModerateText(
                question: question, place: place, status: request.status, note: request.note,
                actor: context.accountID))
        return .json(TextAnswerBody(text: text, at: place.at, in: set, id: id, status: request.status))
    }

    private static func moderateWord(
        _ id: String, of question: QuestionID, _ request: ModerateTextRequest, _ context: RequestContext
    ) async throws -> HTTPResponse {
        let keys = context.services.keys
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.words(of: question, limit: CloudWord.mostListed).first {
                CloudWord.id(of: $0.word, to: question, keys) == id
            }
        }
        guard let word = found?.word else { throw Refusal.notFound(.response) }
        let count = try await context.storage.perform(
            ModerateWord(
                question: question, word: word, status: request.status, note: request.note,
                actor: context.accountID))
        return .json(TextAnswerBody(word: word, count: count, id: id, status: request.status))
    }
}

extension TextPlace {
    /// Returns the place as the id of a text in the API, and as the position at which a list continues. The
    /// time is masked, because only its hour is shown if the set hides names.
    func id(keys: Keys) -> String {
        Cursor(String(at.milliseconds ^ Self.mask(of: response, keys)), response.text).text
    }

    init?(_ cursor: Cursor, keys: Keys) {
        guard cursor.words.count == 2, let masked = cursor.integer(0),
            let response = ResponseID(cursor.words[1])
        else { return nil }
        self.init(at: Instant(milliseconds: masked ^ Self.mask(of: response, keys)), response: response)
    }

    /// 48 bits, in which every time until the year 10,000 fits. Each response has its own mask.
    private static func mask(of response: ResponseID, _ keys: Keys) -> Int64 {
        keys.textPlace.mac(response.bytes).prefix(6).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension CloudWord {
    /// The first part of the id of a word.
    fileprivate static let mark = "word"

    /// Returns the id of a word in the API. It is a keyed hash, so that no log or address has the word.
    static func id(of word: String, to question: QuestionID, _ keys: Keys) -> String {
        let mac = keys.textPlace.mac(Array(question.bytes) + Array(word.utf8), length: 16)
        return Cursor(mark, Crockford.encode(mac)).text
    }
}

extension ModeratedWord {
    /// Returns the word as members see it.
    func body(of question: QuestionID, _ moderation: TextModeration, _ keys: Keys) -> TextAnswerBody {
        TextAnswerBody(
            word: word, count: count, id: CloudWord.id(of: word, to: question, keys),
            status: status(moderation))
    }
}

extension Response {
    var place: TextPlace { TextPlace(at: at, response: id) }
}
