internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Asks one question at a terminal and repeats it until the person skips the question or gives a valid
/// answer.
enum Asking {
    private typealias Messages = CommandPhrases.Messages

    /// Returns the person's answer; nil if the person skipped an optional question.
    static func answer(
        to question: Question, _ number: String, beside others: Answers, _ call: Invocation
    ) async throws(CommandFailure) -> Answer? {
        let hint = call.text(question.required ? Messages.required : Messages.optional)
        call.console.errLine("\n\(number) \(QuestionText.text(question.title, call)) (\(hint))")
        if !question.detail.isEmpty { call.console.errLine(QuestionText.text(question.detail, call)) }
        if case .multipleChoice(let choices, _, _) = question.kind {
            for (index, choice) in choices.enumerated() {
                call.console.errLine(
                    "  \(letter(index)) \(QuestionText.text(choice.label, call))\(choice.isOther ? " …" : "")"
                )
            }
        }
        if case .scale(_, let labels) = question.kind {
            for (point, label) in labels.sorted(by: { $0.key < $1.key }) {
                call.console.errLine("  \(point) \(QuestionText.text(label, call))")
            }
        }
        for rule in QuestionText.rules(of: question, call) { call.console.errLine("  ! \(rule)") }
        while true {
            guard let typed = await call.console.ask(prompt(call, question), hidden: false) else {
                throw .failed(CommandPhrases.Fail.inputEnded)
            }
            let isEmpty = typed.allSatisfy(\.isWhitespace)
            if isEmpty, !question.required { return nil }
            guard !isEmpty, let read = Asking.answer(typed, to: question) else {
                call.note(Messages.again)
                continue
            }
            let answer = try await withOther(read, to: question, call)
            guard let broken = brokenRule(answer, of: question, beside: others) else { return answer }
            call.console.errLine(
                "  " + FieldProblem(FieldError("", .rule(broken)), in: call.language).message)
        }
    }

    /// Asks for the person's own text if the answer includes the choice "other". The text is nil if the
    /// person types nothing.
    private static func withOther(_ answer: Answer, to question: Question, _ call: Invocation)
        async throws(CommandFailure) -> Answer
    {
        guard case .choices(let ids, _) = answer, let other = question.other, ids.contains(other.id) else {
            return answer
        }
        guard let typed = await call.console.ask(call.text(CommandPhrases.Forms.otherText), hidden: false)
        else {
            throw .failed(CommandPhrases.Fail.inputEnded)
        }
        return .choices(ids, other: typed.allSatisfy(\.isWhitespace) ? nil : typed)
    }

    /// Returns the first rule that the answer violates; nil if there is none. Only the server checks
    /// patterns.
    private static func brokenRule(_ answer: Answer, of question: Question, beside others: Answers) -> Rule? {
        question.rules.first { !$0.test.holds(for: answer, beside: others, by: AnyPattern()) }
    }

    private static func prompt(_ call: Invocation, _ question: Question) -> String {
        switch question.kind {
        case .multipleChoice(_, let min, let max):
            max == 1
                ? call.text(Messages.chooseOne)
                : call.text(Messages.chooseSome, ["min": String(min), "max": String(max)])
        case .shortAnswer(let maxLength): call.text(Messages.text, ["max": String(maxLength)])
        case .rating(let scale): call.text(Messages.stars, ["scale": String(scale)])
        case .scale(let points, _): call.text(Messages.points, ["points": String(points)])
        case .yesNo: call.text(Messages.yesNo)
        case .wordCloud(let most): call.text(Messages.words, ["count": String(most)])
        case .date: call.text(Messages.date)
        case .number(let min, let max, _):
            call.text(
                Messages.numberAnswer,
                [
                    "min": Amount.text(min ?? Amount.bounds.lowerBound),
                    "max": Amount.text(max ?? Amount.bounds.upperBound),
                ])
        }
    }

    private static func letter(_ index: Int) -> String {
        index < 26 ? String(Character(UnicodeScalar(UInt8(97 + index)))) : String(index + 1)
    }

    /// Returns the typed text as an answer; nil if it does not suit the question. The server checks the
    /// answer again.
    static func answer(_ typed: String, to question: Question) -> Answer? {
        let words = typed.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
        switch question.kind {
        case .multipleChoice(let choices, let min, let max):
            // People may type a choice's letter, its number (from 1) or its id.
            let indices = words.map { word in
                choices.indices.first { letter($0) == word || String($0 + 1) == word }
                    ?? choices.firstIndex { $0.id.lowercased() == word }
            }
            let known = indices.compactMap(\.self)
            guard known.count == words.count, Set(known).count == known.count,
                (min...max).contains(known.count)
            else { return nil }
            return .choices(known.map { choices[$0].id })
        case .shortAnswer(let maxLength): return typed.count <= maxLength ? .text(typed) : nil
        case .scale(let points, _):
            return words.count == 1
                ? Int(words[0]).flatMap { (1...points).contains($0) ? .number(Double($0)) : nil } : nil
        case .yesNo: return words.count == 1 ? yesNo(words[0]).map { .choices([$0.rawValue]) } : nil
        case .wordCloud(let most):
            let words = CloudWord.words(in: typed)
            return (1...most).contains(words.count) ? .choices(words) : nil
        case .date: return CivilDate(CloudWord.trimmed(typed)).map { .text($0.text) }
        case .rating(let scale):
            return words.count == 1
                ? Int(words[0]).flatMap { (1...scale).contains($0) ? .rating($0) : nil } : nil
        case .number(let min, let max, let decimals):
            let number = words.count == 1 ? Double(words[0]) : nil
            return number.flatMap { number in
                let isWithin = number >= min ?? -.infinity && number <= max ?? .infinity
                return isWithin && Amount.units(number, decimals: decimals) != nil ? .number(number) : nil
            }
        }
    }
}

extension Asking {
    /// Returns the answer that begins with the typed text, in one of the languages.
    fileprivate static func yesNo(_ typed: String) -> YesNo? {
        YesNo.allCases.first { choice in
            Language.allCases.contains { choice.phrase.text(in: $0).lowercased().hasPrefix(typed) }
        }
    }
}

/// Accepts every text, because this program has no engine for patterns and the server checks them.
struct AnyPattern: PatternMatching {
    func refusal(of pattern: String) -> String? { nil }
    func matches(_ text: String, _ pattern: String) -> Bool { true }
}

extension CommandPhrases.Forms {
    static let otherText = Phrase("Please specify: ")
}

extension CommandPhrases.Messages {
    static let optional = Phrase("optional; press Enter to skip")
    static let chooseOne = Phrase("Letter: ")
    static let chooseSome = Phrase("Letters, {min} to {max} (such as a,c): ")
    static let numberAnswer = Phrase("A number from {min} to {max}:")
    static let points = Phrase("A point from 1 to {points}: ")
    static let yesNo = Phrase("Yes or no (y/n): ")
    static let words = Phrase("At most {count} {count|word|words}, separated by commas: ")
    static let date = Phrase("A day such as 2026-11-22: ")
    static let stars = Phrase("Stars, 1 to {scale}: ")
    static let text = Phrase("Text, at most {max} characters: ")
    static let again = Phrase("This answer is not valid. Try again.")
}
