/// The rules for published forms. A published form is a question set that anybody can answer without a
/// receipt. Each form has a name that is unique on the server.
package enum PublishedForm {
    /// The largest number of responses to a form. Without receipts, the server cannot recognize a person who
    /// answers twice, so this limit bounds the damage.
    package static let mostResponses = 100_000

    /// The name of the object that can contain the answers in a request.
    package static let wrapper = "answers"

    /// Returns whether `text` is a valid name of a form: 1–40 characters of `A–Z a–z 0–9 - _`.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 45
                    || $0 == 95
            }
    }

    /// The value of an answer, as clients of published forms send it. A choice can be a single value or a
    /// list of values.
    package enum Value: Hashable, Sendable {
        case text(String)
        case texts([String])
        case number(Double)
    }
}

extension Question {
    /// The question's name in a published form: its name for other programs, or its id if it has no name.
    package var formName: String { name ?? id.text }

    /// The number of stars of ratings that a published form shows as a scale. A rating with another number of
    /// stars is shown as a list of choices.
    package static let formScale = 7
}

extension PublishedForm.Value {
    /// The texts of the value; empty for a number.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .number: []
        }
    }

    /// The answer with the type that the client sent.
    var asSent: Answer? {
        switch self {
        case .text(let text): text.isEmpty ? nil : .text(text)
        case .texts(let texts): texts.isEmpty ? nil : .choices(texts)
        case .number(let number): .number(number)
        }
    }
}

extension QuestionSet {
    /// Splits the values of a published form into answers and unusable values. A value that does not fit its
    /// question becomes an answer too, because `checked` reports such an answer together with all other
    /// errors.
    /// - Parameter unread: the reasons why the values with these names could not be read.
    package func answers(
        byName values: [String: PublishedForm.Value], unread: [String: FieldReason] = [:]
    ) -> (answers: Answers, unusable: UnusableAnswers) {
        let questions = Dictionary(asked.map { ($0.formName, $0) }) { first, _ in first }
        var answers: Answers = [:]
        var unusable = UnusableAnswers()
        for (name, value) in values {
            if let question = questions[name] {
                answers[question.id] = question.kind.definition.answer(of: value)
            } else {
                unusable.names.insert(name)
            }
        }
        for (name, reason) in unread {
            if let question = questions[name] {
                unusable.values[question.id] = reason
            } else {
                unusable.names.insert(name)
            }
        }
        return (answers, unusable)
    }

    /// Returns the refusal with JSON pointers that contain the questions' form names instead of their ids.
    package func byName(_ refusal: Refusal) -> Refusal {
        guard case .invalid(let errors) = refusal else { return refusal }
        let names = Dictionary(questions.map { ("/answers/\($0.id)", Self.pointer(to: $0.formName)) }) {
            first, _ in first
        }
        return .invalid(errors.map { FieldError(names[$0.field] ?? $0.field, $0.reason) })
    }

    private static func pointer(to name: String) -> String {
        "/answers/\(JSONPointer.escaped(name))"
    }
}
