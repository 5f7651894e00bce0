/// One attendee's answers to one set, once.
package struct Response: Hashable, Sendable {
    /// Random, so that it tells nothing of when it came.
    package let id: ResponseID
    package let sessionID: SessionID
    package let set: String
    /// Nil where the set is anonymous.
    package let attendeeID: AttendeeID?
    package let answers: Answers
    /// The moment where the set is named, only the hour where it is anonymous.
    package let at: Instant

    package init(id: ResponseID, sessionID: SessionID, set: String, attendeeID: AttendeeID?, answers: Answers, at: Instant) {
        self.id = id
        self.sessionID = sessionID
        self.set = set
        self.attendeeID = attendeeID
        self.answers = answers
        self.at = at
    }
}

package typealias Answers = [QuestionID: Answer]

/// The value of an answer: an array of choice ids, a text, or a number of stars.
package enum Answer: Hashable, Sendable, Codable {
    case choices([String])
    case text(String)
    case rating(Int)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let stars = try? container.decode(Int.self) {
            self = .rating(stars)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .choices(try container.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .choices(let ids): try container.encode(ids)
        case .text(let text): try container.encode(text)
        case .rating(let stars): try container.encode(stars)
        }
    }
}

extension QuestionSet {
    /// The answers as they are kept, or everything that is wrong with them. An empty text or choice is no answer.
    package func checked(_ answers: Answers) throws(Refusal) -> Answers {
        var errors: [FieldError] = []
        var kept: Answers = [:]
        for question in questions {
            let field = "/answers/\(question.id)"
            guard let answer = answers[question.id], !answer.isEmpty else {
                if question.required { errors.append(FieldError(field, .missing)) }
                continue
            }
            switch question.checked(answer) {
            case .success(let answer): kept[question.id] = answer
            case .failure(let error): errors.append(FieldError(field, error.reason))
            }
        }
        let known = Set(questions.map(\.id))
        for id in answers.keys.sorted() where !known.contains(id) { errors.append(FieldError("/answers/\(id)", .unknownQuestion)) }
        if kept.isEmpty, errors.isEmpty { errors.append(FieldError("/answers", .missing)) }
        guard errors.isEmpty else { throw .invalid(errors) }
        return kept
    }
}

extension Answer {
    fileprivate var isEmpty: Bool {
        switch self {
        case .choices(let ids): ids.isEmpty
        case .text(let text): text.allSatisfy(\.isWhitespace)
        case .rating: false
        }
    }
}

extension Question {
    fileprivate func checked(_ answer: Answer) -> Result<Answer, FieldError> {
        func wrong(_ reason: FieldReason) -> Result<Answer, FieldError> { .failure(FieldError("", reason)) }
        switch (kind, answer) {
        case (.multipleChoice(let choices, let minSelections, let maxSelections), .choices(let ids)):
            guard Set(ids).count == ids.count else { return wrong(.repeated) }
            guard ids.allSatisfy({ id in choices.contains { $0.id == id } }) else { return wrong(.unknownChoice) }
            guard (minSelections...maxSelections).contains(ids.count) else { return wrong(.count(min: minSelections, max: maxSelections)) }
            // In the order of the question, so that the order of clicks tells nothing.
            return .success(.choices(choices.map(\.id).filter(ids.contains)))
        case (.shortAnswer(let maxLength), .text(let text)):
            guard text.count <= maxLength else { return wrong(.length(min: 1, max: maxLength)) }
            // What moves a terminal's cursor is no answer; lines and tabs are.
            guard
                !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && !"\n\r\t".unicodeScalars.contains($0) })
            else { return wrong(.notText) }
            return .success(.text(text))
        case (.rating(let scale), .rating(let stars)):
            return (1...scale).contains(stars) ? .success(answer) : wrong(.range(min: 1, max: scale))
        case (.multipleChoice, _): return wrong(.wrongType(expected: "array"))
        case (.shortAnswer, _): return wrong(.wrongType(expected: "string"))
        case (.rating, _): return wrong(.wrongType(expected: "integer"))
        }
    }
}
