/// One question of a question set.
package struct Question: Hashable, Sendable {
    package let id: QuestionID
    /// The name for other programs, 1–40 characters, unique in its set; nil if it has none.
    package var name: String?
    /// 1–200 characters in each language.
    package var title: LocalizedText
    /// An explanation, at most 1,000 characters in each language; empty if there is none.
    package var detail: LocalizedText
    /// The hint in an empty field: at most 200 characters in each language.
    package var placeholder: LocalizedText
    /// Whether the question must be answered.
    package var required: Bool
    /// Whether the question is no longer asked. Its answers stay in the results.
    package var isHidden: Bool
    /// The kind of answer, with its limits.
    package var kind: Kind
    /// The conditions for an answer, tried in this order; at most `mostRules`.
    package var rules: [Rule]
    /// The conditions under which the form is meant for this attendee. If an answer breaks one, the form ends
    /// with the rule's message; no response is stored, and this is not an error. At most `mostRules`.
    package var eligibility: [Rule]
    /// The sets that follow certain answers; the first branch whose condition holds decides. At most
    /// `mostRules`.
    package var branches: [Branch]

    /// The largest number of rules, of eligibility rules, and of branches of a question.
    package static let mostRules = 10

    /// The kinds of questions.
    package enum Kind: Hashable, Sendable {
        /// 2–50 choices. An answer chooses from `minSelections` to `maxSelections` of them.
        case multipleChoice(choices: [Choice], minSelections: Int, maxSelections: Int)
        /// A text of 1–`maxLength` characters, as people count them; `maxLength` is 1–5,000.
        case shortAnswer(maxLength: Int)
        /// 1–`scale` stars; `scale` is 2–10.
        case rating(scale: Int)
        /// A number from `min` to `max`, both included, with at most `decimals` digits after the decimal
        /// point (0–4). A nil bound is open; all numbers are within `Amount.bounds`.
        case number(min: Double?, max: Double?, decimals: Int)
    }

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

    /// The choice "other", which takes a text; nil if there is none.
    package var other: Choice? {
        guard case .multipleChoice(let choices, _, _) = kind else { return nil }
        return choices.first(where: \.isOther)
    }

    /// Whether its answers contain texts, which results list.
    package var takesTexts: Bool { kindName == .shortAnswer || other != nil }

    /// Returns whether answers to `other` are also valid answers to this question: only texts for people and
    /// hiding may differ.
    package func asksTheSame(as other: Question) -> Bool {
        guard id == other.id, name == other.name, required == other.required, branches == other.branches,
            rules.map(\.test) == other.rules.map(\.test),
            eligibility.map(\.test) == other.eligibility.map(\.test)
        else { return false }
        switch (kind, other.kind) {
        case (
            .multipleChoice(let choices, let min, let max),
            .multipleChoice(let others, let otherMin, let otherMax)
        ):
            return choices.map(\.id) == others.map(\.id) && choices.map(\.isOther) == others.map(\.isOther)
                && min == otherMin
                && max == otherMax
        default: return kind == other.kind
        }
    }
}

/// A condition under which a certain set follows.
package struct Branch: Hashable, Sendable {
    package let test: Rule.Test
    /// The name of the following set, of the same session.
    package let next: String

    package init(_ test: Rule.Test, next: String) {
        self.test = test
        self.next = next
    }
}

extension Question {
    /// One choice of a multiple-choice question.
    package struct Choice: Hashable, Sendable {
        /// 1–40 characters, unique in its question.
        package let id: String
        /// 1–200 characters in each language.
        package var label: LocalizedText
        /// Whether this is the choice "other": an attendee who chooses it may add a text of 1–200 characters.
        /// At most one choice of a question is.
        package var isOther: Bool
        /// Whether it is preselected when the form opens.
        package var isChecked: Bool

        /// The largest number of characters of the text for "other".
        package static let mostOtherCharacters = 200

        package init(id: String, label: LocalizedText, isOther: Bool = false, isChecked: Bool = false) {
            self.id = id
            self.label = label
            self.isOther = isOther
            self.isChecked = isChecked
        }

        /// A choice whose label has no language.
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
