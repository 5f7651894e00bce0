/// The content of an imported file: a question set, or a part of one.
package struct ImportedQuestions: Hashable, Sendable {
    /// The questions of the file; nil if the file gives only texts and settings.
    package let questions: [Question]?
    /// The set's texts that the file gives.
    package let about: QuestionSet.About
    /// The set's promise, if the file states it.
    package let promise: ChosenPromise
    /// The language of a file in one language. Nil if the file marks the language of each text, or if the
    /// language is unknown.
    package let language: String?

    package init(
        questions: [Question]?, about: QuestionSet.About = .init(), promise: ChosenPromise = .unchanged,
        language: String? = nil
    ) {
        self.questions = questions
        self.about = about
        self.promise = promise
        self.language = language
    }

    /// Returns the questions for a set that already contains the questions `known`.
    ///
    /// If the file begins with the same questions as `known`, these questions get the ids of `known`, so that
    /// existing answers still belong to their questions. A file in one language then adds its language to the
    /// texts. If the file asks other questions, its own ids are used. A question whose id is in `known` then
    /// remains the same question.
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
    /// Returns this question with the languages added that only `other` has.
    fileprivate func adding(wordsOf other: Question) -> Question {
        var both = self
        both.title = title.adding(other.title)
        both.detail = detail.adding(other.detail)
        both.placeholder = placeholder.adding(other.placeholder)
        both.kind = kind.definition.changingTexts(beside: other.kind) { own, added in
            added.map(own.adding) ?? own
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
    /// Returns this text with the languages added that only `other` has.
    package func adding(_ other: LocalizedText) -> LocalizedText {
        LocalizedText(texts.merging(other.texts) { own, _ in own })
    }
}
