import Client
import CommandLine
import Meetings
import Phrases
import Terminal
import Wire

/// Prints questions as lines, with their rules.
enum QuestionText {
    private typealias Messages = CommandPhrases.Messages
    private typealias Forms = CommandPhrases.Forms

    static func show(_ set: QuestionSetBody, _ call: Invocation) {
        if let title = set.title { call.out(TerminalEscaping.safe(title)) }
        if let description = set.description { call.out(TerminalEscaping.safe(description)) }
        if set.questions.isEmpty { call.note(Messages.nothing) }
        for (index, question) in set.questions.enumerated() {
            let marks = [question.required ? Messages.required : nil, question.isHidden ? Forms.hidden : nil]
                .compactMap(\.self)
            let marked = marks.isEmpty ? "" : " (\(marks.map { call.text($0) }.joined(separator: ", ")))"
            call.out("\(index + 1). \(text(question.title, call)) [\(kind(question.kind, call))]\(marked)")
            if !question.detail.isEmpty { call.out("   \(text(question.detail, call))") }
            if case .multipleChoice(let choices, _, _) = question.kind {
                for choice in choices {
                    call.out(
                        "   \(TerminalEscaping.safe(choice.id))  "
                            + "\(text(choice.label, call))\(choice.isOther ? " …" : "")"
                    )
                }
            }
            if case .scale(_, let labels) = question.kind {
                for (point, label) in labels.sorted(by: { $0.key < $1.key }) {
                    call.out("   \(point)  \(text(label, call))")
                }
            }
            for rule in rules(of: question, call) { call.out("   ! \(rule)") }
            for rule in question.eligibility { call.out("   ⊘ \(said(rule, call))") }
            for branch in question.branches { call.out("   → \(branch.next)") }
        }
        if let next = set.next { call.out("→ \(next)") }
    }

    static func text(_ text: LocalizedText, _ call: Invocation) -> String {
        TerminalEscaping.safe(text.text(in: call.language.rawValue))
    }

    /// Returns the question's kind and limits: `stars, 1–5`, `number 0–120`, `choose 1–2`.
    private static func kind(_ kind: Question.Kind, _ call: Invocation) -> String {
        typealias Words = CommandPhrases.Words
        switch kind {
        case .multipleChoice(_, let least, let most):
            return call.text(
                Words.multipleChoice, ["count": most > least ? "\(least)–\(most)" : String(least)])
        case .shortAnswer(let most): return call.text(Words.shortAnswer, ["max": String(most)])
        case .rating(let scale): return call.text(Words.rating, ["scale": String(scale)])
        case .scale(let points, _): return call.text(Words.scale, ["points": String(points)])
        case .yesNo: return call.text(Words.yesNo)
        case .wordCloud(let most): return call.text(Words.words, ["count": String(most)])
        case .date: return call.text(Words.date)
        case .number(nil, nil, _): return call.text(Words.number)
        case .number(let least, let most, _):
            return call.text(
                Words.numberBetween,
                ["least": least.map(Amount.text) ?? "", "most": most.map(Amount.text) ?? ""])
        }
    }

    /// Returns one sentence for each rule of the question: the host's message, or else the server's.
    static func rules(of question: Question, _ call: Invocation) -> [String] {
        var said: [String] = []
        for rule in question.rules {
            // Several rules may have the same message.
            let sentence = self.said(rule, call)
            if !said.contains(sentence) { said.append(sentence) }
        }
        return said
    }

    private static func said(_ rule: Rule, _ call: Invocation) -> String {
        let sentence = TerminalEscaping.safe(
            FieldProblem(FieldError("", .rule(rule)), in: call.language).message)
        if case .pattern(let pattern) = rule.test, rule.message.isEmpty {
            return "\(sentence) (\(TerminalEscaping.safe(pattern)))"
        }
        return sentence
    }
}

extension CommandPhrases.Forms {
    static let hidden = Phrase("hidden")
}

extension CommandPhrases {
    /// The words that tables show for the kinds of questions.
    enum Words {
        static let multipleChoice = Phrase("choose {count}")
        static let shortAnswer = Phrase("text, at most {max} characters")
        static let rating = Phrase("stars, 1–{scale}")
        static let scale = Phrase("points, 1–{points}")
        static let yesNo = Phrase("yes or no")
        static let words = Phrase("word cloud, at most {count} {count|word|words}")
        static let date = Phrase("day")
        static let number = Phrase("number", context: "kind of question")
        static let numberBetween = Phrase("number {least}–{most}")
    }
}

/// Example questions: one question of each kind, in all languages.
enum SampleQuestions {
    /// - Parameter language: the language for attendees whose language the questions do not have.
    static func all(in language: Language) -> [QuestionDraft] {
        typealias Sample = CommandPhrases.Sample
        func question(_ kind: Question.KindName, _ title: Phrase) -> QuestionDraft {
            var draft = QuestionDraft(kind, title.text(in: language))
            draft.titles = byLanguage(title)
            return draft
        }
        var rating = question(.rating, Sample.rating)
        rating.required = true
        rating.scale = 5
        var choice = question(.multipleChoice, Sample.choice)
        choice.choices = Sample.choices.map { label in
            var choice = QuestionDraft.Choice(label.text(in: language))
            choice.labels = byLanguage(label)
            return choice
        }
        choice.maxSelections = 2
        return [rating, choice, question(.shortAnswer, Sample.text)]
    }

    private static func byLanguage(_ phrase: Phrase) -> [String: String] {
        Dictionary(uniqueKeysWithValues: Language.forHosts.map { ($0.rawValue, phrase.text(in: $0)) })
    }
}
