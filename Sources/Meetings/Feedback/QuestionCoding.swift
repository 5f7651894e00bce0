/// The JSON form of a question, in the API and in the database. Empty and false fields are omitted, unless
/// the API requires them.
extension Question: Codable {
    private enum Key: String, CodingKey {
        case id, name, kind, title, titles, detail, details, placeholder, placeholders, required, hidden
        case choices, minSelections, maxSelections, maxLength, scale, min, max, decimals
        case maxWords, points, earliest, latest, rules, eligibility, branches
    }

    /// The kind's name in JSON.
    package var kindName: KindName {
        switch kind {
        case .multipleChoice: .multipleChoice
        case .shortAnswer: .shortAnswer
        case .rating: .rating
        case .number: .number
        case .wordCloud: .wordCloud
        case .scale: .scale
        case .yesNo: .yesNo
        case .date: .date
        }
    }

    /// The names of the kinds in JSON.
    package enum KindName: String, Sendable, Codable, CaseIterable {
        case multipleChoice, shortAnswer, rating, number, wordCloud, scale, yesNo, date
    }

    /// The label of one point of a scale, as it is in JSON.
    private struct PointLabel: Codable {
        let point: Int
        let label: LocalizedText

        private enum Key: String, CodingKey { case point, label, labels }

        init(point: Int, label: LocalizedText) {
            self.point = point
            self.label = label
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            point = try container.decode(Int.self, forKey: .point)
            label = try container.localized(.label, .labels)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(point, forKey: .point)
            try container.encode(label, .label, .labels)
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let kind: Kind =
            switch try container.decode(KindName.self, forKey: .kind) {
            case .multipleChoice:
                .multipleChoice(
                    choices: try container.decode([Choice].self, forKey: .choices),
                    minSelections: try container.decode(Int.self, forKey: .minSelections),
                    maxSelections: try container.decode(Int.self, forKey: .maxSelections))
            case .shortAnswer: .shortAnswer(maxLength: try container.decode(Int.self, forKey: .maxLength))
            case .rating: .rating(scale: try container.decode(Int.self, forKey: .scale))
            case .number:
                .number(
                    min: try container.decodeIfPresent(Double.self, forKey: .min),
                    max: try container.decodeIfPresent(Double.self, forKey: .max),
                    decimals: try container.decodeIfPresent(Int.self, forKey: .decimals) ?? 0)
            case .wordCloud: .wordCloud(most: try container.decode(Int.self, forKey: .maxWords))
            case .scale:
                .scale(
                    points: try container.decode(Int.self, forKey: .scale),
                    labels: Dictionary(
                        (try container.decodeIfPresent([PointLabel].self, forKey: .points) ?? [])
                            .map { ($0.point, $0.label) }
                    ) { first, _ in first })
            case .yesNo: .yesNo
            case .date:
                .date(
                    earliest: try container.decodeIfPresent(String.self, forKey: .earliest)
                        .flatMap { CivilDate($0) },
                    latest: try container.decodeIfPresent(String.self, forKey: .latest)
                        .flatMap { CivilDate($0) })
            }
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
        switch kind {
        case .multipleChoice(let choices, let minSelections, let maxSelections):
            try container.encode(choices, forKey: .choices)
            try container.encode(minSelections, forKey: .minSelections)
            try container.encode(maxSelections, forKey: .maxSelections)
        case .shortAnswer(let maxLength): try container.encode(maxLength, forKey: .maxLength)
        case .rating(let scale): try container.encode(scale, forKey: .scale)
        case .number(let min, let max, let decimals):
            try container.encodeIfPresent(min.map(PlainNumber.init), forKey: .min)
            try container.encodeIfPresent(max.map(PlainNumber.init), forKey: .max)
            try container.encode(decimals, forKey: .decimals)
        case .wordCloud(let most): try container.encode(most, forKey: .maxWords)
        case .scale(let points, let labels):
            try container.encode(points, forKey: .scale)
            let listed = labels.sorted { $0.key < $1.key }.map { PointLabel(point: $0.key, label: $0.value) }
            if !listed.isEmpty { try container.encode(listed, forKey: .points) }
        case .yesNo: break
        case .date(let earliest, let latest):
            try container.encodeIfPresent(earliest?.text, forKey: .earliest)
            try container.encodeIfPresent(latest?.text, forKey: .latest)
        }
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
        if case .multipleChoice(var choices, let least, let most) = kind {
            for index in choices.indices {
                choices[index].label = choices[index].label.localized(in: language)
            }
            localized.kind = .multipleChoice(choices: choices, minSelections: least, maxSelections: most)
        }
        if case .scale(let points, let labels) = kind {
            localized.kind = .scale(points: points, labels: labels.mapValues { $0.localized(in: language) })
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
