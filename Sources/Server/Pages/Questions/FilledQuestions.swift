import Meetings

extension QuestionSet {
    /// Returns the answers in a submitted form. They are not checked yet; the set checks them later.
    func answers(in form: Form) -> Answers {
        var answers: Answers = [:]
        for question in asked {
            answers[question.id] = question.answer(in: form)
        }
        return answers
    }
}

extension Question {
    /// The name of the question's field in a form.
    var fieldName: String { "q_\(id)" }
    var otherFieldName: String { "\(fieldName)_other" }

    fileprivate func answer(in form: Form) -> Answer? {
        let values = form.all(fieldName).filter { !$0.isEmpty }
        switch kind {
        case .multipleChoice:
            // Without JavaScript, the browser sends the text of the choice "other" even if that choice is not
            // selected.
            let isOtherChosen = other.map { values.contains($0.id) } ?? false
            return values.isEmpty
                ? nil : .choices(values, other: isOtherChosen ? form.first(otherFieldName) : nil)
        // Browsers send line breaks as CR LF, but stored texts have LF.
        case .shortAnswer: return values.first.map { .text($0.replacing("\r\n", with: "\n")) }
        case .wordCloud: return values.isEmpty ? nil : .choices(values)
        case .yesNo, .date: return values.first.map { .text($0) }
        case .rating, .number, .scale:
            return values.first.map { text in
                Double(text).flatMap(Self.finite).map { .number($0) } ?? .text(text)
            }
        }
    }

    private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
}
