package import Meetings
package import Phrases

/// A question set in one language, in the format that clients of published forms read: `{"status", "data":
/// {"forms", "escapeValidate"}}`.
///
/// The format cannot represent everything. If the format has a near equivalent, the equivalent is written:
/// bounds become rules with the server's messages, and other than seven stars become a list.
/// Everything else, such as details, is left out. `losses` lists all differences. A set without losses does
/// not change when it is written and read again.
package struct SubveyBody: Codable, Hashable, Sendable {
    package let status: Int
    package let data: Form

    /// The highest length of a text if the question sets no limit.
    package static let mostCharacters = 5000

    /// The `data` of the format.
    package struct Form: Codable, Hashable, Sendable {
        package let forms: [Question]
        package let escapeValidate: [Escape]
    }

    /// A question of the format.
    package struct Question: Codable, Hashable, Sendable {
        package let name: String
        package let question: String
        package let required: Bool
        package let type: String
        package let placeholder: SubveyPlaceholder
        package let validate: [Validation]
    }

    /// A choice of the format.
    package struct Option: Codable, Hashable, Sendable {
        package let label: String
        package let value: String
        package let checked: Bool
    }

    /// A rule of the format.
    package struct Validation: Codable, Hashable, Sendable {
        package let type: String
        package let target: SubveyTarget
        package let validateText: String
    }

    /// A rule that ends the form, with the name of its question.
    package struct Escape: Codable, Hashable, Sendable {
        package let name: String
        package let type: String
        package let target: SubveyTarget
        /// The host's message.
        package let validateText: String?
    }

    /// - Parameters:
    ///   - language: the tag of the texts' language.
    ///   - words: the language of the server's messages, for rules without a host's message. Nil writes no
    ///     such message; files have none.
    package init(_ set: QuestionSet, in language: String, words: Language?) {
        status = 200
        let names = Dictionary(set.questions.map { ($0.id, $0.formName) }) { first, _ in first }
        let writer = QuestionWriter(language: language, words: words, names: names)
        data = Form(forms: set.asked.map(writer.question), escapeValidate: set.asked.flatMap(writer.escapes))
    }

    private struct QuestionWriter {
        let language: String
        let words: Language?
        let names: [QuestionID: String]

        func question(_ question: Meetings.Question) -> Question {
            let (type, placeholder) = kind(question)
            let rules = question.rules + (words == nil ? [] : question.bounds)
            return Question(
                name: question.formName, question: question.title.text(in: language),
                required: question.required, type: type,
                placeholder: placeholder,
                validate: rules.map {
                    Validation(type: $0.test.subveyType, target: target($0), validateText: said($0))
                })
        }

        func escapes(_ question: Meetings.Question) -> [Escape] {
            question.eligibility.map { rule in
                let message = rule.message.text(in: language)
                return Escape(
                    name: question.formName, type: rule.test.subveyType, target: target(rule),
                    validateText: message.isEmpty ? nil : message)
            }
        }

        private func said(_ rule: Rule) -> String {
            if rule.message.isEmpty, let words {
                return FieldProblem(FieldError("", .rule(rule)), in: words).message
            }
            return rule.message.text(in: language)
        }

        private func kind(_ question: Meetings.Question) -> (String, SubveyPlaceholder) {
            let written = question.placeholder.text(in: language)
            switch question.kind {
            case .shortAnswer, .wordCloud, .date: return ("text", .text(written))
            case .yesNo:
                return (
                    "radio",
                    .options(
                        YesNo.allCases.map { choice in
                            let label = words.map { choice.phrase.text(in: $0) } ?? choice.rawValue
                            return Option(label: label, value: choice.rawValue, checked: false)
                        })
                )
            case .scale(let points, let labels):
                return (
                    "radioNumber",
                    .options(
                        (1...points).map { point in
                            let label = labels[point]?.text(in: language) ?? ""
                            return Option(
                                label: label.isEmpty ? String(point) : label, value: String(point),
                                checked: false)
                        })
                )
            case .ranking(let choices, _):
                // An attendee types the choices in order.
                let labels = choices.map { $0.label.text(in: language) }
                return ("text", .text(labels.joined(separator: ", ")))
            case .number:
                return (
                    "number",
                    written.isEmpty ? .text("") : Double(written).map { .number($0) } ?? .text(written)
                )
            case .rating(let scale):
                guard scale != Meetings.Question.formScale else { return ("radioNumber", .number(0)) }
                return (
                    "radio",
                    .options((1...scale).map { Option(label: String($0), value: String($0), checked: false) })
                )
            case .multipleChoice(let choices, _, let most):
                // Clients assume that the last choice is the choice with a text.
                let ordered = most == 1 ? choices.filter { !$0.isOther } + choices.filter(\.isOther) : choices
                let options = ordered.map {
                    Option(label: $0.label.text(in: language), value: $0.id, checked: $0.isChecked)
                }
                return (
                    most > 1 ? "checkbox" : question.other == nil ? "radio" : "radioWithInput",
                    .options(options)
                )
            }
        }

        private func target(_ rule: Rule) -> SubveyTarget {
            switch rule.test {
            case .not(let value), .sameAs(let value):
                switch value {
                case .text(let text): .text(text)
                case .number(let number): .number(number)
                }
            case .sameAsQuestion(let id, let bare): .text((bare ? "" : "$") + (names[id] ?? id.text))
            case .minMax(let least, let most): .bounds(least, most)
            case .minMaxLength(let least, let most): .bounds(least.map(Double.init), most.map(Double.init))
            case .pattern(let pattern): .text(rule.written ?? FormPattern.standard(pattern))
            }
        }
    }
}

extension Rule.Test {
    fileprivate var subveyType: String { kind == .sameAs ? "sameAS" : kind.rawValue }
}

extension Question {
    /// The rules for the question's own bounds.
    fileprivate var bounds: [Rule] {
        switch kind {
        case .shortAnswer(let most):
            most < SubveyBody.mostCharacters ? [Rule(.minMaxLength(min: nil, max: most))] : []
        case .number(let least, let most, _):
            least == nil && most == nil ? [] : [Rule(.minMax(min: least, max: most))]
        case .multipleChoice(let choices, let least, let most):
            most > 1 && (least > 1 || most < choices.count)
                ? [Rule(.minMaxLength(min: least, max: most))] : []
        case .rating, .scale, .yesNo, .wordCloud, .date, .ranking: []
        }
    }
}

extension SubveyBody {
    /// Returns pointers to everything that is lost when the set is written in this format and read again.
    package static func losses(of set: QuestionSet) -> [FieldError] {
        var lost: [String] = []
        if !set.title.isEmpty { lost.append("/title") }
        if !set.description.isEmpty { lost.append("/description") }
        for (index, question) in set.questions.enumerated() {
            let others = Set(set.questions.filter { $0.id != question.id }.map(\.formName))
            lost += losses(of: question, beside: others).map { "/questions/\(index)/\($0)" }
        }
        return lost.map { FieldError($0, .notRepresentable) }
    }

    private static func losses(of question: Meetings.Question, beside others: Set<String>) -> [String] {
        var lost: [String] = []
        if question.isHidden { lost.append("hidden") }
        if !question.detail.isEmpty { lost.append("detail") }
        if !question.branches.isEmpty { lost.append("branches") }
        switch question.kind {
        case .shortAnswer(let most): if most != mostCharacters { lost.append("maxLength") }
        case .wordCloud, .yesNo, .date, .ranking: lost.append("kind")
        case .scale(let points, let labels):
            // Without labels, seven points are read as stars. A label that is the point's number is no label.
            if points == Meetings.Question.formScale, labels.isEmpty { lost.append("kind") }
            if !question.placeholder.isEmpty { lost.append("placeholder") }
        case .number(let least, let most, let decimals):
            if least != nil { lost.append("min") }
            if most != nil { lost.append("max") }
            if decimals != 0 { lost.append("decimals") }
        case .rating(let scale):
            if scale != Meetings.Question.formScale { lost.append("scale") }
            if !question.placeholder.isEmpty { lost.append("placeholder") }
        case .multipleChoice(let choices, let least, let most):
            if least != 1 { lost.append("minSelections") }
            if most != 1, most != choices.count { lost.append("maxSelections") }
            if let other = choices.firstIndex(where: \.isOther), most != 1 || other != choices.count - 1 {
                lost.append("choices/\(other)/other")
            }
            if most == 1, choices.count(where: \.isChecked) > 1 { lost.append("choices") }
            if !question.placeholder.isEmpty { lost.append("placeholder") }
        }
        for (list, tests) in [
            ("rules", question.rules.map(\.test)), ("eligibility", question.eligibility.map(\.test)),
        ] {
            for (index, test) in tests.enumerated() {
                // Such a text would be read as the name of a question.
                guard case .sameAs(.text(let text)) = test, text.hasPrefix("$") || others.contains(text)
                else { continue }
                lost.append("\(list)/\(index)/target")
            }
        }
        return lost
    }
}
