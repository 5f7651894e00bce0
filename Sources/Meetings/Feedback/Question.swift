/// One question of a session's question set.
package struct Question: Hashable, Sendable {
    package let id: QuestionID
    /// What other programs call it, 1–40 characters, unique in its set; nil where nobody does.
    package var name: String?
    /// 1–200 characters in each language.
    package var title: LocalizedText
    /// At most 1,000 characters in each language; empty where there is none.
    package var detail: LocalizedText
    /// Shown in an empty field: at most 200 characters in each language.
    package var placeholder: LocalizedText
    package var required: Bool
    /// Asked no more; what was answered stays in the results.
    package var isHidden: Bool
    package var kind: Kind
    /// What an answer must be, in the order in which it is tried; at most `mostRules`.
    package var rules: [Rule]
    /// What an answer must be for the form to be meant for this person. Where one says no, the form ends with
    /// its message, nothing is kept, and nothing is wrong. At most `mostRules`.
    package var eligibility: [Rule]
    /// Where an answer leads; the first that holds counts. At most `mostRules`.
    package var branches: [Branch]

    package static let mostRules = 10

    package enum Kind: Hashable, Sendable {
        /// 2–50 choices; between `minSelections` and `maxSelections` of them are an answer.
        case multipleChoice(choices: [Choice], minSelections: Int, maxSelections: Int)
        /// A text of 1–`maxLength` characters, as people count them; `maxLength` is 1–5,000.
        case shortAnswer(maxLength: Int)
        /// 1–`scale` stars; `scale` is 2–10.
        case rating(scale: Int)
        /// From `min` to `max`, both included, nil where open, with at most `decimals` digits behind the
        /// point (0–4). All within `Amount.bounds`.
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

    /// The choice that takes a text.
    package var other: Choice? {
        guard case .multipleChoice(let choices, _, _) = kind else { return nil }
        return choices.first(where: \.isOther)
    }

    /// Whether its answers hold texts that results show.
    package var takesTexts: Bool { kindName == .shortAnswer || other != nil }

    /// Whether answers to `other` are answers to this one too: nothing but words and hiding differ.
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

/// An answer that leads to a further set of questions.
package struct Branch: Hashable, Sendable {
    package let test: Rule.Test
    /// The name of a set of the same session.
    package let next: String

    package init(_ test: Rule.Test, next: String) {
        self.test = test
        self.next = next
    }
}
