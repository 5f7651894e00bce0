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
        for question in asked {
            let field = "/answers/\(question.id)"
            if let reason = unusable.values[question.id] {
                errors.append(FieldError(field, reason))
                continue
            }
            guard let answer = answers[question.id], !answer.isEmpty else {
                if question.required { errors.append(FieldError(field, question.missingReason)) }
                continue
            }
            switch question.checked(answer) {
            case .success(let answer): checkedAnswers[question.id] = answer
            case .failure(let error): errors.append(FieldError(field, error.reason))
            }
        }
        // Check the rules after the kinds of all answers, because a rule can refer to another answer.
        for question in asked {
            guard let answer = checkedAnswers[question.id],
                let broken = question.rules.first(where: {
                    !$0.test.holds(for: answer, beside: checkedAnswers, by: patterns)
                })
            else { continue }
            errors.append(FieldError("/answers/\(question.id)", .rule(broken)))
        }
        let known = Set(asked.map(\.id))
        let others = Set(answers.keys).union(unusable.values.keys).subtracting(known).map(\.text)
        for name in Set(others).union(unusable.names).sorted() {
            errors.append(FieldError("/answers/\(JSONPointer.escaped(name))", .unknownQuestion))
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

    fileprivate func checked(_ answer: Answer) -> Result<Answer, FieldError> {
        func wrong(_ reason: FieldReason) -> Result<Answer, FieldError> { .failure(FieldError("", reason)) }
        switch (kind, answer) {
        case (
            .multipleChoice(let choices, let minSelections, let maxSelections), .choices(let ids, let text)
        ):
            guard Set(ids).count == ids.count else { return wrong(.repeated) }
            guard ids.allSatisfy({ id in choices.contains { $0.id == id } }) else {
                return wrong(.unknownChoice)
            }
            guard (minSelections...maxSelections).contains(ids.count) else {
                return wrong(.count(min: minSelections, max: maxSelections))
            }
            var other = text.flatMap { $0.isVisible ? $0 : nil }
            if let written = other {
                guard let taking = self.other, ids.contains(taking.id) else { return wrong(.otherNotChosen) }
                do throws(FieldReason) {
                    other = try PersonalText.checked(written, limit: Choice.mostOtherCharacters)
                } catch { return wrong(error) }
            }
            // Sort the choices in the order of the question, so that the order of clicks reveals nothing.
            return .success(.choices(choices.map(\.id).filter(ids.contains), other: other))
        case (.shortAnswer(let maxLength), .text(let text)):
            guard text.count <= maxLength else { return wrong(.length(min: 1, max: maxLength)) }
            return text.hasUnfitForLines ? wrong(.notText) : .success(.text(text))
        case (.rating(let scale), .number(let stars)):
            guard stars == stars.rounded() else { return wrong(.wrongType(expected: "integer")) }
            return (1...Double(scale)).contains(stars) ? .success(answer) : wrong(.range(min: 1, max: scale))
        case (.number(let min, let max, let decimals), .number(let number)):
            let bounds = (min ?? Amount.bounds.lowerBound)...(max ?? Amount.bounds.upperBound)
            guard bounds.contains(number) else {
                return wrong(.between(min: bounds.lowerBound, max: bounds.upperBound))
            }
            guard let steps = Amount.units(number, decimals: decimals) else {
                return wrong(.decimals(most: decimals))
            }
            return .success(.number(Amount.number(steps, decimals: decimals)))
        case (.wordCloud(let most), .text(let text)): return words(CloudWord.words(in: text), most)
        case (.wordCloud(let most), .choices(let words, _)):
            return self.words(words.map(CloudWord.trimmed).filter(\.isVisible), most)
        case (.scale(let points, _), .number(let point)):
            guard point == point.rounded() else { return wrong(.wrongType(expected: "integer")) }
            return (1...Double(points)).contains(point)
                ? .success(answer) : wrong(.range(min: 1, max: points))
        case (.yesNo, .text(let text)):
            return YesNo(rawValue: text).map { .success(.choices([$0.rawValue])) } ?? wrong(.unknownChoice)
        case (.yesNo, .choices(let ids, nil)):
            guard ids.allSatisfy({ YesNo(rawValue: $0) != nil }) else { return wrong(.unknownChoice) }
            return ids.count == 1 ? .success(answer) : wrong(.count(min: 1, max: 1))
        case (.date(let earliest, let latest), .text(let text)):
            guard let date = CivilDate(CloudWord.trimmed(text)) else { return wrong(.notADate) }
            let day = date.daysSince1970
            guard day >= earliest?.daysSince1970 ?? .min, day <= latest?.daysSince1970 ?? .max else {
                return wrong(.dateOutside(earliest: earliest?.text ?? "–", latest: latest?.text ?? "–"))
            }
            return .success(.text(date.text))
        case (.multipleChoice, _): return wrong(.wrongType(expected: "array"))
        case (.wordCloud, _): return wrong(.wrongType(expected: "array"))
        case (.scale, _): return wrong(.wrongType(expected: "integer"))
        case (.yesNo, _), (.date, _): return wrong(.wrongType(expected: "string"))
        case (.shortAnswer, _): return wrong(.wrongType(expected: "string"))
        case (.rating, _): return wrong(.wrongType(expected: "integer"))
        case (.number, _): return wrong(.wrongType(expected: "number"))
        }
    }

    /// Checks the words for a word cloud. A word that is given twice counts once.
    private func words(_ words: [String], _ most: Int) -> Result<Answer, FieldError> {
        var keys: Set<String> = []
        let different = words.filter { keys.insert(CloudWord.key($0)).inserted }
        guard (1...most).contains(different.count) else {
            return .failure(FieldError("", .count(min: 1, max: most)))
        }
        do throws(FieldReason) {
            let checked = try different.map { word throws(FieldReason) in
                let checked = try PersonalText.checked(word, limit: CloudWord.mostCharacters)
                guard CloudWord.key(checked).utf8.count <= CloudWord.mostBytes else {
                    throw .length(min: 1, max: CloudWord.mostCharacters)
                }
                return checked
            }
            return .success(.choices(checked))
        } catch { return .failure(FieldError("", error)) }
    }
}
