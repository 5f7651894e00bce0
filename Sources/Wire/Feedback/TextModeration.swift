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

/// The request that shows, holds back or hides the text of one answer.
package struct ModerateTextRequest: Readable, Sendable {
    package let status: TextStatus
    package let note: String?

    package init(reading fields: Fields) {
        status = fields.choice("status", of: TextStatus.self, required: true) ?? .visible
        note = fields.line("note", most: noteLength)
    }
}
