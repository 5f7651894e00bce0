/// The shape of a question in the contract, and in the journal's files. What is empty or off is left out, but
/// what the contract names.
extension Question: Codable {
    private enum Key: String, CodingKey {
        case id, name, kind, title, titles, detail, details, placeholder, placeholders, required, hidden
        case choices, minSelections, maxSelections, maxLength, scale, min, max, decimals, rules, eligibility,
            branches
    }

    package var kindName: KindName {
        switch kind {
        case .multipleChoice: .multipleChoice
        case .shortAnswer: .shortAnswer
        case .rating: .rating
        case .number: .number
        }
    }

    package enum KindName: String, Sendable, Codable, CaseIterable {
        case multipleChoice, shortAnswer, rating, number
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
            try container.encodeIfPresent(min.map(WholeOrNot.init), forKey: .min)
            try container.encodeIfPresent(max.map(WholeOrNot.init), forKey: .max)
            try container.encode(decimals, forKey: .decimals)
        }
        if !rules.isEmpty { try container.encode(rules, forKey: .rules) }
        if !eligibility.isEmpty { try container.encode(eligibility, forKey: .eligibility) }
        if !branches.isEmpty { try container.encode(branches, forKey: .branches) }
    }
}

extension Question {
    /// With every text told in that language; the others stay beside it.
    package func told(in language: String) -> Question {
        var told = self
        told.title = title.told(in: language)
        told.detail = detail.told(in: language)
        told.placeholder = placeholder.told(in: language)
        if case .multipleChoice(var choices, let least, let most) = kind {
            for index in choices.indices { choices[index].label = choices[index].label.told(in: language) }
            told.kind = .multipleChoice(choices: choices, minSelections: least, maxSelections: most)
        }
        for index in rules.indices { told.rules[index].message = rules[index].message.told(in: language) }
        for index in eligibility.indices {
            told.eligibility[index].message = eligibility[index].message.told(in: language)
        }
        return told
    }
}
