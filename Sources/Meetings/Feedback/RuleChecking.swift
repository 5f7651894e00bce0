extension Rule.Test {
    /// Whether `answer` is what the test asks for. True where the test says nothing of such an answer: an
    /// answer to another question that was not given is not the same, and neither is a number as a text.
    package func holds(for answer: Answer, beside answers: Answers, by patterns: any PatternMatching) -> Bool
    {
        switch self {
        case .not(let value): !value.isGiven(in: answer)
        case .sameAs(let value): value.isGiven(in: answer)
        case .sameAsQuestion(let id, _): answers[id] == answer
        case .minMax(let min, let max):
            if case .number(let number) = answer {
                number >= min ?? -.infinity && number <= max ?? .infinity
            } else {
                true
            }
        case .minMaxLength(let min, let max):
            answer.length.map { $0 >= min ?? 0 && $0 <= max ?? .max } ?? true
        case .pattern(let pattern):
            if case .text(let text) = answer { patterns.matches(text, pattern) } else { true }
        }
    }
}

extension Rule.Value {
    fileprivate func isGiven(in answer: Answer) -> Bool {
        switch (self, answer) {
        case (.text(let id), .choices(let ids, _)): ids.contains(id)
        case (.text(let text), .text(let given)): text == given
        case (.number(let number), .number(let given)): number == given
        default: false
        }
    }
}

extension Answer {
    /// Characters as people count them (grapheme clusters, UAX #29), or choices; nil for a number.
    fileprivate var length: Int? {
        switch self {
        case .text(let text): text.count
        case .choices(let ids, _): ids.count
        case .number: nil
        }
    }
}

// MARK: Where a form ends, and where it goes on

extension QuestionSet {
    /// The first rule by which the form is not meant for who answered so; nil where it is. `answers` have
    /// been checked.
    package func ending(for answers: Answers, by patterns: any PatternMatching) -> Rule? {
        for question in asked {
            guard let answer = answers[question.id] else { continue }
            if let rule = question.eligibility.first(where: {
                !$0.test.holds(for: answer, beside: answers, by: patterns)
            }) {
                return rule
            }
        }
        return nil
    }

    /// The set that these answers lead to: by the first branch that holds, else the set's own `next`.
    package func next(after answers: Answers, by patterns: any PatternMatching) -> String? {
        for question in asked {
            guard let answer = answers[question.id] else { continue }
            if let branch = question.branches.first(where: {
                $0.test.holds(for: answer, beside: answers, by: patterns)
            }) {
                return branch.next
            }
        }
        return next
    }

    /// Every set that some answer to this one can lead to.
    package var leadsTo: Set<String> {
        Set(questions.flatMap { $0.branches.map(\.next) } + [next].compactMap { $0 })
    }
}
