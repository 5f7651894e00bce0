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

    /// The kinds of questions.
    package enum Kind: Hashable, Sendable {
        /// A question with 2–50 choices. An attendee chooses from `minSelections` to `maxSelections` of them.
        case multipleChoice(choices: [Choice], minSelections: Int, maxSelections: Int)
        /// A question for a text of 1–`maxLength` characters, as people count them; `maxLength` is 1–5,000.
        case shortAnswer(maxLength: Int)
        /// A question for 1–`scale` stars; `scale` is 2–10.
        case rating(scale: Int)
        /// A question for a number from `min` to `max`, both included, with at most `decimals` digits (0–4)
        /// after the decimal point. A nil bound means no limit, but all numbers are within `Amount.bounds`.
        case number(min: Double?, max: Double?, decimals: Int)
        /// A question for 1–`most` words, which results show as a word cloud (`CloudWord`); `most` is 1–3.
        case wordCloud(most: Int)
        /// A question for a point from 1 to `points`; `points` is 2–10. Each point can have a label of 1–200
        /// characters in each language.
        case scale(points: Int, labels: [Int: LocalizedText])
        /// A question for yes or no (`YesNo`).
        case yesNo
        /// A question for a day from `earliest` to `latest`, both included. Nil means no limit, but all days
        /// are in the years 1900–2199.
        case date(earliest: CivilDate?, latest: CivilDate?)
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

    /// The choice "other", for which an attendee can write a text; nil if the question has no such choice.
    package var other: Choice? {
        guard case .multipleChoice(let choices, _, _) = kind else { return nil }
        return choices.first(where: \.isOther)
    }

    /// Whether answers to the question can contain texts. The results list these texts.
    package var takesTexts: Bool { kindName == .shortAnswer || other != nil }

    /// Returns whether answers to `other` are also valid answers to this question. The questions may differ
    /// only in texts for people and in `isHidden`.
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
        case (.scale(let points, _), .scale(let others, _)): return points == others
        default: return kind == other.kind
        }
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
