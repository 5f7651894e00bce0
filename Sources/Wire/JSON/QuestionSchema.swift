import Meetings

extension Schema {
    /// The kinds of questions, which one decoding cannot tell.
    package static var question: Schema {
        let choice = Schema.object(
            [Field(name: "id", isRequired: true, schema: text(1...40))]
                + localized("label", "labels", 0...200)
                + [
                    Field(name: "other", isRequired: false, schema: .boolean),
                    Field(name: "checked", isRequired: false, schema: .boolean),
                ])
        return .any([
            kind(
                "multipleChoice",
                [
                    Field(name: "choices", isRequired: true, schema: .array(choice, min: 2, max: 50)),
                    Field(name: "minSelections", isRequired: true, schema: .integer(min: 1, max: 50)),
                    Field(name: "maxSelections", isRequired: true, schema: .integer(min: 1, max: 50)),
                ]),
            kind(
                "shortAnswer",
                [Field(name: "maxLength", isRequired: true, schema: .integer(min: 1, max: 5000))]),
            kind("rating", [Field(name: "scale", isRequired: true, schema: .integer(min: 2, max: 10))]),
            kind(
                "number",
                [
                    Field(name: "min", isRequired: false, schema: .number),
                    Field(name: "max", isRequired: false, schema: .number),
                    Field(
                        name: "decimals", isRequired: true, schema: .integer(min: 0, max: Amount.mostDecimals)
                    ),
                ]),
        ])
    }

    private static func kind(_ name: String, _ fields: [Field]) -> Schema {
        let rules = Schema.array(.object(rule), min: 0, max: Question.mostRules)
        let branch = Schema.object(rule + [Field(name: "next", isRequired: true, schema: text(1...40))])
        let branches = Schema.array(branch, min: 0, max: Question.mostRules)
        return .object(
            [
                Field(
                    name: "id", isRequired: true, schema: .string(min: 26, max: 26, format: nil, pattern: nil)
                ),
                Field(name: "name", isRequired: false, schema: text(1...40)),
                Field(name: "kind", isRequired: true, schema: .oneOf([name])),
            ] + localized("title", "titles", 1...200) + localized("detail", "details", 0...1000)
                + [
                    Field(name: "placeholder", isRequired: false, schema: text(1...200)),
                    Field(name: "placeholders", isRequired: false, schema: .map(text(1...200))),
                    Field(name: "required", isRequired: true, schema: .boolean),
                    Field(name: "hidden", isRequired: false, schema: .boolean),
                ] + fields
                + [
                    Field(name: "rules", isRequired: false, schema: rules),
                    Field(name: "eligibility", isRequired: false, schema: rules),
                    Field(name: "branches", isRequired: false, schema: branches),
                ])
    }

    private static var rule: [Field] {
        let bounds = Schema.array(.any([.number, .null]), min: 2, max: 2)
        return [
            Field(name: "type", isRequired: true, schema: .oneOf(Rule.Kind.allCases.map(\.rawValue))),
            Field(name: "target", isRequired: false, schema: .any([text(0...5000), .number, bounds])),
            Field(
                name: "question", isRequired: false,
                schema: .string(min: 26, max: 26, format: nil, pattern: nil)),
            Field(name: "bareName", isRequired: false, schema: .boolean),
            Field(name: "message", isRequired: false, schema: text(1...300)),
            Field(name: "messages", isRequired: false, schema: .map(text(1...300))),
        ]
    }

    private static func localized(_ plain: String, _ byLanguage: String, _ length: ClosedRange<Int>)
        -> [Field]
    {
        [
            Field(name: plain, isRequired: true, schema: text(length)),
            Field(name: byLanguage, isRequired: false, schema: .map(text(1...length.upperBound))),
        ]
    }

    private static func text(_ length: ClosedRange<Int>) -> Schema {
        .string(min: length.lowerBound, max: length.upperBound, format: nil, pattern: nil)
    }
}
