package import Meetings

/// The request by which an attendee asks a question, or by which a host writes one down.
package struct AskRequest: Readable, Sendable {
    package let text: String
    /// The promise that the form showed; nil if the client showed none. `anonymous: true` is the same as
    /// `promise: hidden`.
    package let promise: AudienceQuestion.Promise?

    package init(reading fields: Fields) {
        text = fields.name("text", required: true, most: AudienceQuestion.mostCharacters.text) ?? ""
        let promise = fields.choice("promise", of: AudienceQuestion.Promise.self)
        let anonymous = fields.bool("anonymous")
        self.promise = promise ?? anonymous.map { $0 ? .hidden : .named }
    }
}

/// The request by which a host changes a question. Absent fields keep their values.
package struct ModerateQuestionRequest: Readable, Sendable {
    package let status: AudienceQuestion.Status?
    package let pinned: Bool?
    /// The written answer. An empty text deletes the present answer.
    package let answer: String?
    package let note: String?

    package init(reading fields: Fields) {
        status = fields.choice("status", of: AudienceQuestion.Status.self)
        pinned = fields.bool("pinned")
        answer = fields.text("answer", 0...AudienceQuestion.mostCharacters.answer)
        note = fields.line("note", most: noteLength)
    }
}

/// The request that merges a question into another question of the same session.
package struct MergeQuestionsRequest: Readable, Sendable {
    package let into: AudienceQuestionID
    package let note: String?

    package init(reading fields: Fields) {
        into = fields.id("into", of: AudienceQuestion.self, required: true) ?? ID(high: 0, low: 0)
        note = fields.line("note", most: noteLength)
    }
}

/// The request that changes a session's settings for questions from the audience. Absent fields keep their
/// values.
package struct AudienceSettingsRequest: Readable, Sendable {
    package let open: Bool?
    package let promise: AudienceQuestion.Promise?
    package let moderation: AudienceSettings.Moderation?

    package init(reading fields: Fields) {
        open = fields.bool("open")
        promise = fields.choice("promise", of: AudienceQuestion.Promise.self)
        moderation = fields.choice("moderation", of: AudienceSettings.Moderation.self)
    }
}

/// The request that replaces a meeting's list of words.
package struct HeldWordsRequest: Readable, Sendable {
    package let words: [String]

    package init(reading fields: Fields) {
        words =
            fields.names(
                "words", required: true, 0...HeldWords.most.words, characters: HeldWords.most.characters)
            ?? []
    }
}
