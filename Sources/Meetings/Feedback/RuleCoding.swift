/// `{"type": "minMax", "target": [19, null], "message": "…", "messages": {…}}`; `sameAs` has a `target`, or a
/// `question` with perhaps `bareName`.
extension Rule: Codable {
    enum Key: String, CodingKey {
        case type, target, question, bareName, message, messages, next
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(try Test(container), message: try container.localized(.message, .messages))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try test.encode(to: &container)
        try container.encodeIfAny(message, .message, .messages)
    }
}

/// As a rule, with the set's name as `next`.
extension Branch: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Rule.Key.self)
        self.init(try Rule.Test(container), next: try container.decode(String.self, forKey: .next))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Rule.Key.self)
        try test.encode(to: &container)
        try container.encode(next, forKey: .next)
    }
}

extension Rule.Test {
    fileprivate init(_ container: KeyedDecodingContainer<Rule.Key>) throws {
        switch try container.decode(Rule.Kind.self, forKey: .type) {
        case .not: self = .not(try container.decode(Rule.Value.self, forKey: .target))
        case .minMax:
            let bounds = try container.decode([Double?].self, forKey: .target)
            self = .minMax(min: bounds.first ?? nil, max: bounds.dropFirst().first ?? nil)
        case .minMaxLength:
            let bounds = try container.decode([Int?].self, forKey: .target)
            self = .minMaxLength(min: bounds.first ?? nil, max: bounds.dropFirst().first ?? nil)
        case .sameAs:
            if let question = try container.decodeIfPresent(QuestionID.self, forKey: .question) {
                self = .sameAsQuestion(
                    question, bare: try container.decodeIfPresent(Bool.self, forKey: .bareName) ?? false)
            } else {
                self = .sameAs(try container.decode(Rule.Value.self, forKey: .target))
            }
        case .pattern: self = .pattern(try container.decode(String.self, forKey: .target))
        }
    }

    fileprivate func encode(to container: inout KeyedEncodingContainer<Rule.Key>) throws {
        try container.encode(kind, forKey: .type)
        switch self {
        case .not(let value), .sameAs(let value): try container.encode(value, forKey: .target)
        case .minMax(let min, let max):
            try container.encode([min.map(WholeOrNot.init), max.map(WholeOrNot.init)], forKey: .target)
        case .minMaxLength(let min, let max): try container.encode([min, max], forKey: .target)
        case .sameAsQuestion(let id, let bare):
            try container.encode(id, forKey: .question)
            if bare { try container.encode(true, forKey: .bareName) }
        case .pattern(let pattern): try container.encode(pattern, forKey: .target)
        }
    }
}

extension Rule.Value: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .number(let number): try WholeOrNot(number).encode(to: encoder)
        }
    }
}

/// A number as JSON that everybody reads: 4, not 4.0.
struct WholeOrNot: Encodable {
    let number: Double

    init(_ number: Double) { self.number = number }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole = Int(exactly: number) {
            try container.encode(whole)
        } else {
            try container.encode(number)
        }
    }
}
