package import Meetings

extension SubveyBody {
    /// What would not come back were the set written in this shape and read again: pointers into the set.
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
                // As a text it would be read as the name of a question.
                guard case .sameAs(.text(let text)) = test, text.hasPrefix("$") || others.contains(text)
                else { continue }
                lost.append("\(list)/\(index)/target")
            }
        }
        return lost
    }
}
