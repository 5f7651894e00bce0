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
            let kind = question.kind.inTerminal
            let marks = [question.required ? Messages.required : nil, question.isHidden ? Forms.hidden : nil]
                .compactMap(\.self)
            let marked = marks.isEmpty ? "" : " (\(marks.map { call.text($0) }.joined(separator: ", ")))"
            call.out("\(index + 1). \(text(question.title, call)) [\(kind.described(call))]\(marked)")
            if !question.detail.isEmpty { call.out("   \(text(question.detail, call))") }
            for option in kind.options {
                call.out(
                    "   \(TerminalEscaping.safe(option.name))  "
                        + "\(text(option.label, call))\(option.isOther ? " …" : "")")
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
        static let ranking = Phrase("put at most {count} in order")
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
