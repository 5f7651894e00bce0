/// The JSON form of a question, in the API and in the database. Empty and false fields are omitted, unless
/// the API requires them.
extension Question: Codable {
    /// The fields of a question. Each kind uses some of those in the middle lines.
    enum Key: String, CodingKey {
        case id, name, kind, title, titles, detail, details, placeholder, placeholders, required, hidden
        case choices, minSelections, maxSelections, maxLength, scale, min, max, decimals
        case maxWords, points, earliest, latest, most, rules, eligibility, branches
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let kind = try container.decode(KindName.self, forKey: .kind).definition.init(from: container).kind
        self.init(
            id: try container.decode(QuestionID.self, forKey: .id),
            name: try container.decodeIfPresent(String.self, forKey: .name),
            title: try container.localized(.title, .titles),
            detail: try container.localized(.detail, .details),
            placeholder: try container.localized(.placeholder, .placeholders),
            required: try container.decode(Bool.self, forKey: .required),
            isHidden: try container.decodeIfPresent(Bool.self, forKey: .hidden) ?? false, kind: kind,
            rules: try container.decodeIfPresent([Rule].self, forKey: .rules) ?? [],
            eligibility: try container.decodeIfPresent([Rule].self, forKey: .eligibility) ?? [],
            branches: try container.decodeIfPresent([Branch].self, forKey: .branches) ?? [])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(kindName, forKey: .kind)
        try container.encode(title, .title, .titles)
        try container.encode(detail, .detail, .details)
        try container.encodeIfAny(placeholder, .placeholder, .placeholders)
        try container.encode(required, forKey: .required)
        if isHidden { try container.encode(true, forKey: .hidden) }
        try kind.definition.encode(to: &container)
        if !rules.isEmpty { try container.encode(rules, forKey: .rules) }
        if !eligibility.isEmpty { try container.encode(eligibility, forKey: .eligibility) }
        if !branches.isEmpty { try container.encode(branches, forKey: .branches) }
    }
}

extension Question {
    /// Returns the question with this language as the `plain` language of every text. No language is removed.
    package func localized(in language: String) -> Question {
        var localized = self
        localized.title = title.localized(in: language)
        localized.detail = detail.localized(in: language)
        localized.placeholder = placeholder.localized(in: language)
        localized.kind = kind.definition.changingTexts(beside: nil) { text, _ in
            text.localized(in: language)
        }
        for index in rules.indices {
            localized.rules[index].message = rules[index].message.localized(in: language)
        }
        for index in eligibility.indices {
            localized.eligibility[index].message = eligibility[index].message.localized(in: language)
        }
        return localized
    }
}

/// The JSON form: `{"type": "minMax", "target": [19, null], "message": "…", "messages": {…}}`. The rule
/// `sameAs` has either a `target`, or a `question` with an optional `bareName`. The rule `pattern` may have
/// `written`.
extension Rule: Codable {
    enum Key: String, CodingKey {
        case type, target, written, question, bareName, message, messages, next
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            try Test(container), message: try container.localized(.message, .messages),
            written: try container.decodeIfPresent(String.self, forKey: .written))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try test.encode(to: &container)
        try container.encodeIfPresent(written, forKey: .written)
        try container.encodeIfAny(message, .message, .messages)
    }
}

/// The JSON form: the fields of a rule, and the name of the following set as `next`.
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
            try container.encode([min.map(PlainNumber.init), max.map(PlainNumber.init)], forKey: .target)
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
        case .number(let number): try PlainNumber(number).encode(to: encoder)
        }
    }
}

/// A number that is encoded as a JSON integer if it is whole: 4, not 4.0.
struct PlainNumber: Encodable {
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
