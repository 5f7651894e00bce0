/// One attendee's answers to one set. An attendee has at most one response to a set.
package struct Response: Hashable, Sendable, Codable {
    /// The response's id. It is random, so that it reveals nothing about the time of the response.
    package let id: ResponseID
    package let sessionID: SessionID
    /// The name of the question set.
    package let set: String
    /// The attendee who responded. Nil if the set is anonymous, if the person used a published form, or if
    /// the set hides names and the attendee's record was deleted.
    package let attendeeID: AttendeeID?
    package let answers: Answers
    /// The moment of the response. In an anonymous set, it is the start of the hour of the response.
    package let at: Instant

    package init(
        id: ResponseID, sessionID: SessionID, set: String, attendeeID: AttendeeID?, answers: Answers,
        at: Instant
    ) {
        self.id = id
        self.sessionID = sessionID
        self.set = set
        self.attendeeID = attendeeID
        self.answers = answers
        self.at = at
    }

    /// Returns a copy of the response that contains only the given answers.
    package func showing(_ answers: Answers) -> Response {
        Response(id: id, sessionID: sessionID, set: set, attendeeID: attendeeID, answers: answers, at: at)
    }
}

/// The answers of a response, by the id of the question.
package typealias Answers = [QuestionID: Answer]

/// The values in a request that cannot be answers to any question.
package struct UnusableAnswers: Hashable, Sendable {
    /// The reasons why the values for these questions cannot be answers.
    package var values: [QuestionID: FieldReason]
    /// The names in the request that belong to no question.
    package var names: Set<String>

    package init(values: [QuestionID: FieldReason] = [:], names: Set<String> = []) {
        self.values = values
        self.names = names
    }

    package static let none = UnusableAnswers()

    /// Whether every value of the request can be an answer.
    package var isEmpty: Bool { values.isEmpty && names.isEmpty }
}

/// The value of an answer: choices, a text, or a number. An answer with stars is a number.
package enum Answer: Hashable, Sendable {
    /// The ids of the chosen choices; `other` is the text for the choice "other".
    case choices([String], other: String? = nil)
    case text(String)
    case number(Double)

    /// Makes an answer with this number of stars.
    package static func rating(_ stars: Int) -> Answer { .number(Double(stars)) }

    /// The text of the answer that the results list; nil if the answer has no text.
    package var shownText: String? {
        switch self {
        case .text(let text): text
        case .choices(_, let other): other
        case .number: nil
        }
    }

    /// The answer without its text: the choices alone, or nil if the answer is only a text.
    package var withoutText: Answer? {
        switch self {
        case .text: nil
        case .choices(let ids, _): .choices(ids)
        case .number: self
        }
    }
}

/// The JSON forms: `["a", "c"]`, or `{"choices": ["a", "other"], "other": "…"}` for choices with a text;
/// `"…"` for a text; `4` for a number.
extension Answer: Codable {
    private enum Key: String, CodingKey {
        case choices, other
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .choices(
                try container.decode([String].self, forKey: .choices),
                other: try container.decodeIfPresent(String.self, forKey: .other))
            return
        }
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .choices(try container.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .choices(let ids, let other?):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(ids, forKey: .choices)
            try container.encode(other, forKey: .other)
        case .choices(let ids, nil):
            var container = encoder.singleValueContainer()
            try container.encode(ids)
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .number(let number): try PlainNumber(number).encode(to: encoder)
        }
    }
}
