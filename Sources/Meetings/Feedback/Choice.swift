extension Question {
    package struct Choice: Hashable, Sendable {
        /// 1–40 characters, unique in its question.
        package let id: String
        /// 1–200 characters in each language.
        package var label: LocalizedText
        /// "Other": who chooses it may say what, in 1–200 characters. At most one choice of a question is.
        package var isOther: Bool
        /// Chosen when the form is opened.
        package var isChecked: Bool

        package static let mostOtherCharacters = 200

        package init(id: String, label: LocalizedText, isOther: Bool = false, isChecked: Bool = false) {
            self.id = id
            self.label = label
            self.isOther = isOther
            self.isChecked = isChecked
        }

        package init(id: String, label: String) { self.init(id: id, label: LocalizedText(label)) }
    }
}

extension Question.Choice: Codable {
    private enum Key: String, CodingKey {
        case id, label, labels, other, checked
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            label: try container.localized(.label, .labels),
            isOther: try container.decodeIfPresent(Bool.self, forKey: .other) ?? false,
            isChecked: try container.decodeIfPresent(Bool.self, forKey: .checked) ?? false)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(label, .label, .labels)
        if isOther { try container.encode(true, forKey: .other) }
        if isChecked { try container.encode(true, forKey: .checked) }
    }
}
