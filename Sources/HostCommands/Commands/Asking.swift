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
        let kind = question.kind.inTerminal
        for option in kind.options {
            call.console.errLine(
                "  \(option.typed) \(QuestionText.text(option.label, call))\(option.isOther ? " …" : "")")
        }
        for rule in QuestionText.rules(of: question, call) { call.console.errLine("  ! \(rule)") }
        while true {
            guard let typed = await call.console.ask(kind.prompt(call), hidden: false) else {
                throw .failed(CommandPhrases.Fail.inputEnded)
            }
            let isEmpty = typed.allSatisfy(\.isWhitespace)
            if isEmpty, !question.required { return nil }
            guard !isEmpty, let read = kind.read(typed) else {
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
    static let ranking = Phrase("Letters in your order, the best first, at most {max} (such as b,a,c): ")
    static let numberAnswer = Phrase("A number from {min} to {max}:")
    static let points = Phrase("A point from 1 to {points}: ")
    static let yesNo = Phrase("Yes or no (y/n): ")
    static let words = Phrase("At most {count} {count|word|words}, separated by commas: ")
    static let date = Phrase("A day such as 2026-11-22: ")
    static let stars = Phrase("Stars, 1 to {scale}: ")
    static let text = Phrase("Text, at most {max} characters: ")
    static let again = Phrase("This answer is not valid. Try again.")
}
