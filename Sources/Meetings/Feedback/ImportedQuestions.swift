/// The question set that an imported file describes.
package struct ImportedQuestions: Hashable, Sendable {
    /// Nil if the file gives only the fields below.
    package let questions: [Question]?
    /// The set's texts, if the file gives them.
    package let about: QuestionSet.About
    /// Whether the set is anonymous, if the file says so.
    package let anonymous: Bool?
    /// The language of a file in one language. Nil if the file marks its languages itself, or if the language
    /// is unknown.
    package let language: String?

    package init(
        questions: [Question]?, about: QuestionSet.About = .init(), anonymous: Bool? = nil,
        language: String? = nil
    ) {
        self.questions = questions
        self.about = about
        self.anonymous = anonymous
        self.language = language
    }

    /// Returns the questions for a set that already has the questions `known`.
    ///
    /// If both ask the same, the ids of `known` stay, so that existing answers keep their questions, and a
    /// file in one language adds that language. Otherwise a question keeps its id if `known` has a question
    /// with this id.
    package func questions(over known: [Question]) -> [Question] {
        guard let questions else { return known }
        if !known.isEmpty, questions.count >= known.count {
            var ids = Dictionary(questions.map { ($0.id, $0.id) }) { first, _ in first }
            for (old, new) in zip(known, questions) { ids[new.id] = old.id }
            let renamed = questions.map { $0.renamed(by: ids) }
            if zip(known, renamed).allSatisfy({ $0.asksTheSame(as: $1) }),
                Set(renamed.map(\.id)).count == renamed.count
            {
                guard language != nil else { return renamed }
                return zip(known, renamed).map { $1.adding(wordsOf: $0) } + renamed.dropFirst(known.count)
            }
        }
        return questions
    }
}

extension Question {
    /// Returns the question with the languages added that only `other` has.
    fileprivate func adding(wordsOf other: Question) -> Question {
        var both = self
        both.title = title.adding(other.title)
        both.detail = detail.adding(other.detail)
        both.placeholder = placeholder.adding(other.placeholder)
        if case .multipleChoice(var choices, let least, let most) = kind,
            case .multipleChoice(let others, _, _) = other.kind
        {
            for index in choices.indices where index < others.count {
                choices[index].label = choices[index].label.adding(others[index].label)
            }
            both.kind = .multipleChoice(choices: choices, minSelections: least, maxSelections: most)
        }
        for (index, rule) in other.rules.enumerated() where index < rules.count {
            both.rules[index].message = rules[index].message.adding(rule.message)
        }
        for (index, rule) in other.eligibility.enumerated() where index < eligibility.count {
            both.eligibility[index].message = eligibility[index].message.adding(rule.message)
        }
        return both
    }
}

extension LocalizedText {
    /// Returns the text with the languages added that only `other` has.
    package func adding(_ other: LocalizedText) -> LocalizedText {
        LocalizedText(texts.merging(other.texts) { own, _ in own })
    }
}
