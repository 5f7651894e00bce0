/// The shape of a question in the contract, and in the journal's files.
extension Question: Codable {
    private enum Key: String, CodingKey {
        case id, kind, title, detail, required, choices, minSelections, maxSelections, maxLength, scale
    }

    package var kindName: KindName {
        switch kind {
        case .multipleChoice: .multipleChoice
        case .shortAnswer: .shortAnswer
        case .rating: .rating
        }
    }

    package enum KindName: String, Sendable, Codable, CaseIterable {
        case multipleChoice, shortAnswer, rating
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
            }
        self.init(
            id: try container.decode(QuestionID.self, forKey: .id), title: try container.decode(String.self, forKey: .title),
            detail: try container.decodeIfPresent(String.self, forKey: .detail) ?? "",
            required: try container.decode(Bool.self, forKey: .required), kind: kind)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(kindName, forKey: .kind)
        try container.encode(title, forKey: .title)
        try container.encode(detail, forKey: .detail)
        try container.encode(required, forKey: .required)
        switch kind {
        case .multipleChoice(let choices, let minSelections, let maxSelections):
            try container.encode(choices, forKey: .choices)
            try container.encode(minSelections, forKey: .minSelections)
            try container.encode(maxSelections, forKey: .maxSelections)
        case .shortAnswer(let maxLength): try container.encode(maxLength, forKey: .maxLength)
        case .rating(let scale): try container.encode(scale, forKey: .scale)
        }
    }
}
