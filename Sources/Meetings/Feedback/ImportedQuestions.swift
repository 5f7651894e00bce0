/// What a file says of a question set.
package struct ImportedQuestions: Hashable, Sendable {
    /// Nil where the file says only what follows.
    package let questions: [Question]?
    package let about: QuestionSet.About
    package let anonymous: Bool?
    /// The one language of a file that has one; nil where it tells its languages itself, or nobody knows.
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

    /// The questions as a set takes them that has `known`. Where both ask the same, the ids stay, so that
    /// answers keep their questions, and a file in one language adds that one; otherwise a question that is
    /// known by its id keeps it.
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
    /// With the languages that `other` has and this one has not.
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
    /// With the languages that `other` has and this one has not.
    package func adding(_ other: LocalizedText) -> LocalizedText {
        LocalizedText(texts.merging(other.texts) { own, _ in own })
    }
}
