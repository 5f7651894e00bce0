/// One question of a question set.
package struct Question: Hashable, Sendable {
    package let id: QuestionID
    /// The question's name for other programs: 1–40 characters, unique in its set; nil if it has no name.
    package var name: String?
    /// The question's text: 1–200 characters in each language.
    package var title: LocalizedText
    /// An explanation below the title: at most 1,000 characters in each language; empty if there is no
    /// explanation.
    package var detail: LocalizedText
    /// The hint that an empty field shows: at most 200 characters in each language.
    package var placeholder: LocalizedText
    /// Whether an attendee must answer the question.
    package var required: Bool
    /// Whether the form no longer shows the question. The results still show its answers.
    package var isHidden: Bool
    /// The kind of the question, with the limits of its answers.
    package var kind: Kind
    /// The conditions for an answer. They are checked in this order; at most `mostRules`.
    package var rules: [Rule]
    /// The conditions under which the form is meant for this attendee. If an answer breaks one of them, the
    /// form ends with the rule's message and the server stores no response. This is not an error. At most
    /// `mostRules`.
    package var eligibility: [Rule]
    /// The sets that follow certain answers. The first branch whose condition holds decides which set
    /// follows. At most `mostRules`.
    package var branches: [Branch]

    /// The largest number of rules of a question. The same limit applies to eligibility rules and to
    /// branches.
    package static let mostRules = 10

    package init(
        id: QuestionID, name: String? = nil, title: LocalizedText, detail: LocalizedText = .none,
        placeholder: LocalizedText = .none,
        required: Bool = false, isHidden: Bool = false, kind: Kind, rules: [Rule] = [],
        eligibility: [Rule] = [], branches: [Branch] = []
    ) {
        self.id = id
        self.name = name
        self.title = title
        self.detail = detail
        self.placeholder = placeholder
        self.required = required
        self.isHidden = isHidden
        self.kind = kind
        self.rules = rules
        self.eligibility = eligibility
        self.branches = branches
    }

    /// Returns whether answers to `other` are also valid answers to this question. The questions may differ
    /// only in texts for people and in `isHidden`.
    package func asksTheSame(as other: Question) -> Bool {
        guard id == other.id, name == other.name, required == other.required, branches == other.branches,
            rules.map(\.test) == other.rules.map(\.test),
            eligibility.map(\.test) == other.eligibility.map(\.test)
        else { return false }
        return kind.definition.asksTheSame(as: other.kind)
    }
}

/// A condition for an answer, and the set that follows if the condition holds.
package struct Branch: Hashable, Sendable {
    package let test: Rule.Test
    /// The name of the following set, which belongs to the same session.
    package let next: String

    package init(_ test: Rule.Test, next: String) {
        self.test = test
        self.next = next
    }
}

extension Question {
    /// One choice of a multiple-choice question.
    package struct Choice: Hashable, Sendable {
        /// The choice's id: 1–40 characters, unique in its question.
        package let id: String
        /// The choice's value for other programs: 1–40 characters; nil if the host or the file gave none. An
        /// imported questionnaire may give a choice a value beside its id. Answers use the id.
        package var value: String?
        /// The choice's text: 1–200 characters in each language.
        package var label: LocalizedText
        /// Whether this is the choice "other". An attendee who chooses it may add a text of 1–200 characters.
        /// A question has at most one choice "other".
        package var isOther: Bool
        /// Whether the form selects this choice when it opens.
        package var isChecked: Bool

        /// The largest number of characters of the text for the choice "other".
        package static let mostOtherCharacters = 200

        package init(
            id: String, value: String? = nil, label: LocalizedText, isOther: Bool = false,
            isChecked: Bool = false
        ) {
            self.id = id
            self.value = value
            self.label = label
            self.isOther = isOther
            self.isChecked = isChecked
        }

        /// Makes a choice whose label has no language.
        package init(id: String, label: String) { self.init(id: id, label: LocalizedText(label)) }
    }
}

extension Question.Choice: Codable {
    private enum Key: String, CodingKey {
        case id, value, label, labels, other, checked
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            value: try container.decodeIfPresent(String.self, forKey: .value),
            label: try container.localized(.label, .labels),
            isOther: try container.decodeIfPresent(Bool.self, forKey: .other) ?? false,
            isChecked: try container.decodeIfPresent(Bool.self, forKey: .checked) ?? false)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encode(label, .label, .labels)
        if isOther { try container.encode(true, forKey: .other) }
        if isChecked { try container.encode(true, forKey: .checked) }
    }
}
