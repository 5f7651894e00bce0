import Meetings
import Phrases
import Wire

extension QuestionSet {
    /// Returns the answers in a submitted form. They are not checked yet; the set checks them later.
    func answers(in form: Form) -> Answers {
        var answers: Answers = [:]
        for question in asked {
            answers[question.id] = question.onPage.answer(form)
        }
        return answers
    }

    /// Returns the questions and answers as a text, for an attendee who wants to copy it.
    func text(of answers: Answers, in language: Language) -> String {
        asked.compactMap { question in
            answers[question.id].map { "\(question.title.plain)\n\(question.text(of: $0, in: language))" }
        }.joined(separator: "\n\n")
    }
}

/// How pages ask a question of one kind, and how they read its answer from a submitted form.
struct QuestionOnPage {
    let inputs: (QuestionFields) -> HTML
    let answer: (Form) -> Answer?
    /// Whether its inputs are radio buttons. An answer to an optional question can then be cleared.
    var isRadio = false
}

extension Question {
    /// The one table of the kinds on pages.
    var onPage: QuestionOnPage {
        switch kind {
        case .multipleChoice(let choices, let least, let most):
            QuestionOnPage(
                inputs: { $0.choiceInputs(self, choices, least, most) },
                answer: { choice(in: $0, isOne: most == 1) }, isRadio: most == 1)
        case .shortAnswer(let maxLength):
            QuestionOnPage(
                inputs: { $0.textInput(self, maxLength) },
                // Browsers send line breaks as CR LF, but stored texts have LF.
                answer: { value(in: $0).map { .text($0.replacing("\r\n", with: "\n")) } })
        case .rating(let scale):
            QuestionOnPage(inputs: { $0.starInputs(self, scale) }, answer: number, isRadio: true)
        case .number(let min, let max, let decimals):
            QuestionOnPage(inputs: { $0.numberInput(self, min, max, decimals) }, answer: number)
        case .wordCloud(let most):
            QuestionOnPage(inputs: { $0.wordInputs(self, most) }, answer: words)
        case .scale(let points, let labels):
            QuestionOnPage(
                inputs: { $0.scaleInputs(self, points, labels) }, answer: number, isRadio: true)
        case .yesNo:
            QuestionOnPage(
                inputs: { $0.yesNoInputs(self) }, answer: { value(in: $0).map { .text($0) } }, isRadio: true)
        case .date(let earliest, let latest):
            QuestionOnPage(
                inputs: { $0.dateInput(self, earliest, latest) },
                answer: { value(in: $0).map { .text($0) } })
        }
    }

    /// The name of the question's field in a form.
    var fieldName: String { "q_\(id)" }
    var otherFieldName: String { "\(fieldName)_other" }

    private func value(in form: Form) -> String? { form.all(fieldName).first { !$0.isEmpty } }

    /// Returns the choices. A text beside the choice "other" chooses it, unless the attendee can choose only
    /// one and has chosen another. The set then refuses the answer, so that no text is lost silently.
    private func choice(in form: Form, isOne: Bool) -> Answer? {
        var values = form.all(fieldName).filter { !$0.isEmpty }
        let typed = form.first(otherFieldName).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        if let other, typed != nil, !values.contains(other.id), values.isEmpty || !isOne {
            values.append(other.id)
        }
        return values.isEmpty ? nil : .choices(values, other: typed)
    }

    private func words(in form: Form) -> Answer? {
        let words = form.all(fieldName).filter { !$0.isEmpty }
        return words.isEmpty ? nil : .choices(words)
    }

    private func number(in form: Form) -> Answer? {
        value(in: form).map { text in Double(text).flatMap(Self.finite).map { .number($0) } ?? .text(text) }
    }

    private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }

    /// Returns an answer as people read it.
    func text(of answer: Answer, in language: Language) -> String {
        switch answer {
        case .text(let text):
            guard case .yesNo = kind, let choice = YesNo(rawValue: text) else { return text }
            return choice.phrase.text(in: language)
        case .number(let number):
            guard case .scale(_, let labels) = kind, let label = Int(exactly: number).flatMap({ labels[$0] })
            else { return Amount.text(number) }
            return "\(Amount.text(number)) \(label.text(in: language.rawValue))"
        case .choices(let words, let other):
            let lines =
                switch kind {
                case .multipleChoice(let choices, _, _):
                    choices.filter { words.contains($0.id) }.map(\.label.plain) + [other].compactMap { $0 }
                case .yesNo: words.compactMap(YesNo.init).map { $0.phrase.text(in: language) }
                default: words
                }
            return lines.joined(separator: "\n")
        }
    }
}
