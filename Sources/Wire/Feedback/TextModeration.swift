package import Meetings

/// The request that sets when a host decides about the texts of a set.
package struct TextModerationRequest: Readable, Sendable {
    package let moderation: TextModeration

    package init(reading fields: Fields) {
        moderation = fields.choice("moderation", of: TextModeration.self, required: true) ?? .none
    }
}

/// When a host decides about the texts of a set.
package struct TextModerationBody: Codable, Hashable, Sendable {
    package let set: String
    package let moderation: TextModeration

    package init(set: String, moderation: TextModeration) {
        self.set = set
        self.moderation = moderation
    }
}

/// The texts that answer one question, as the room of the members sends them: the changes, or all.
package struct ModeratedTextsFrame: Codable, Hashable, Sendable {
    package let set: String
    package let questionId: QuestionID
    /// When a host decides about the texts of the set.
    package let moderation: TextModeration
    /// Whether `items` replaces all texts of the question that the client knows. If not, each item replaces
    /// the text with its id, or is new.
    package let complete: Bool
    /// The texts with their ids and statuses.
    package let items: [TextAnswerBody]
    /// The ids of the texts that left the list.
    package let removed: [String]

    /// The highest number of texts of one status in a room: the newest ones.
    package static let mostItems = 20

    package init(
        set: String, questionId: QuestionID, moderation: TextModeration, complete: Bool,
        items: [TextAnswerBody], removed: [String]
    ) {
        self.set = set
        self.questionId = questionId
        self.moderation = moderation
        self.complete = complete
        self.items = items
        self.removed = removed
    }
}

/// The request that shows, holds back or hides the text of one answer.
package struct ModerateTextRequest: Readable, Sendable {
    package let status: TextStatus
    package let note: String?

    package init(reading fields: Fields) {
        status = fields.choice("status", of: TextStatus.self, required: true) ?? .visible
        note = fields.line("note", most: noteLength)
    }
}
