extension QuestionSet {
    /// Checks answers and returns them in their stored form. An empty text or an empty choice counts as no
    /// answer.
    /// - Parameters:
    ///   - answers: the given answers.
    ///   - unusable: values of the same request that cannot be answers; they are reported together with all
    ///     other errors.
    ///   - patterns: the engine for rules that contain a pattern.
    ///   - mayBeEmpty: whether there may be no answer at all, if all questions are optional.
    /// - Throws: `invalid` with every error, in the order of the questions.
    package func checked(
        _ answers: Answers, besides unusable: UnusableAnswers = .none,
        by patterns: any PatternMatching = NoPatterns(), mayBeEmpty: Bool = false
    ) throws(Refusal) -> Answers {
        var errors: [FieldError] = []
        var checkedAnswers: Answers = [:]
        let asked = asked
        var found = 0
        for question in asked {
            func refuse(_ reason: FieldReason) {
                errors.append(FieldError("/answers/\(question.id)", reason))
            }
            if let reason = unusable.values[question.id] {
                refuse(reason)
                continue
            }
            let given = answers[question.id]
            if given != nil { found += 1 }
            guard let answer = given, !answer.isEmpty else {
                if question.required { refuse(question.missingReason) }
                continue
            }
            switch question.kind.definition.checked(answer) {
            case .success(let answer): checkedAnswers[question.id] = answer
            case .failure(let error): refuse(error.reason)
            }
        }
        // Check the rules after the kinds of all answers, because a rule can refer to another answer.
        for question in asked {
            guard !question.rules.isEmpty, let answer = checkedAnswers[question.id],
                let broken = question.rules.first(where: {
                    !$0.test.holds(for: answer, beside: checkedAnswers, by: patterns)
                })
            else { continue }
            errors.append(FieldError("/answers/\(question.id)", .rule(broken)))
        }
        // Nearly always each answer has a question.
        if found < answers.count || !unusable.isEmpty {
            let known = Set(asked.map(\.id))
            let others = Set(answers.keys).union(unusable.values.keys).subtracting(known).map(\.text)
            for name in Set(others).union(unusable.names).sorted() {
                errors.append(FieldError("/answers/\(JSONPointer.escaped(name))", .unknownQuestion))
            }
        }
        if checkedAnswers.isEmpty, errors.isEmpty, !mayBeEmpty {
            errors.append(FieldError("/answers", .noAnswers))
        }
        guard errors.isEmpty else { throw .invalid(inOrder(errors)) }
        return checkedAnswers
    }

    /// Sorts errors in the order of the questions, which is the order on the attendee's screen.
    private func inOrder(_ errors: [FieldError]) -> [FieldError] {
        let positions = Dictionary(
            uniqueKeysWithValues: questions.enumerated().map { ("/answers/\($1.id)", $0) })
        return errors.enumerated().sorted {
            let (left, right) = (positions[$0.element.field] ?? .max, positions[$1.element.field] ?? .max)
            return left == right ? $0.offset < $1.offset : left < right
        }.map(\.element)
    }
}

extension Answer {
    fileprivate var isEmpty: Bool {
        switch self {
        case .choices(let ids, _): ids.isEmpty
        case .text(let text): !text.isVisible
        case .number: false
        }
    }
}

extension Question {
    /// The error for a missing answer. If one of the host's rules excludes an empty answer, the error
    /// contains that rule's message.
    fileprivate var missingReason: FieldReason {
        let rule = rules.first { rule in
            switch rule.test {
            case .not(.text("")): true
            case .minMaxLength(let min?, _): min > 0
            default: false
            }
        }
        return rule.map { $0.message.isEmpty ? .missing : .missingWithMessage($0.message) } ?? .missing
    }
}
