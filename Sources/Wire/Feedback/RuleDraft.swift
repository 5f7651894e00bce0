import Meetings

/// A rule as somebody writes it. Bounds are `[least, most]`, with null or `"-"` where one is open; `sameAs`
/// names a value (`target`) or another question of the set by its id or name (`question`).
struct RuleDraft: Readable {
    let kind: Rule.Kind?
    let target: Target?
    let question: String?
    private let bareName: Bool
    let message: LocalizedText
    private let fields: Fields

    enum Target: Sendable {
        case text(String)
        case number(Double)
        case bounds(Double?, Double?)
    }

    static let mostPatternCharacters = 1000
    static let mostMessageCharacters = 300
    /// Of a value that answers are compared with.
    static let mostTargetCharacters = 5000

    init(reading fields: Fields) {
        self.fields = fields
        kind = fields.choice("type", of: Rule.Kind.self, required: true)
        let bound = Schema.any([.number, .null, .oneOf(["-"])])
        let text = Schema.string(min: 0, max: Self.mostTargetCharacters, format: nil, pattern: nil)
        target = fields.value(
            "target", required: false, .any([text, .number, .array(bound, min: 2, max: 2)]), Self.target)
        question = fields.text("question", 1...40)
        bareName = fields.bool("bareName") ?? false
        message = fields.localized("message", "messages", most: Self.mostMessageCharacters) ?? .none
    }

    private static func target(_ node: JSONNode) -> Result<Target, FieldError> {
        func wrong(_ reason: FieldReason) -> Result<Target, FieldError> { .failure(FieldError("", reason)) }
        if node.string != nil {
            return Fields.text(node, 0...mostTargetCharacters).map { .text($0) }.mapError {
                FieldError("", $0)
            }
        }
        if let number = node.number {
            return Amount.bounds.contains(number)
                ? .success(.number(number))
                : wrong(.between(min: Amount.bounds.lowerBound, max: Amount.bounds.upperBound))
        }
        guard node.isArray else { return wrong(.wrongType(expected: "string, number or array")) }
        let ends = node.elements
        guard ends.count == 2 else { return wrong(.count(min: 2, max: 2)) }
        guard ends.allSatisfy({ $0.isNull || $0.string == "-" || $0.number != nil }) else {
            return wrong(.wrongType(expected: "number or null"))
        }
        let (least, most) = (ends[0].number, ends[1].number)
        if let least, let most, least > most { return wrong(.reversedBounds) }
        return .success(.bounds(least, most))
    }

    /// The test, for a question of that kind; what is wrong with it is noted. `id` finds another question of
    /// the set by its id or name.
    func test(of asked: Question.Kind, _ id: (String) -> QuestionID?) -> Rule.Test? {
        guard let kind else { return nil }
        guard let test = test(kind, id) else { return nil }
        guard test.applies(to: asked) else {
            fields.fail("type", .ruleDoesNotApply)
            return nil
        }
        return test
    }

    private func test(_ kind: Rule.Kind, _ id: (String) -> QuestionID?) -> Rule.Test? {
        func wrong(_ field: String, _ reason: FieldReason) -> Rule.Test? {
            fields.fail(field, reason)
            return nil
        }
        if kind == .sameAs, let question {
            return id(question).map { .sameAsQuestion($0, bare: bareName) }
                ?? wrong("question", .unknownQuestion)
        }
        guard let target else { return fields.has("target") ? nil : wrong("target", .missing) }
        switch (kind, target) {
        case (.not, .text(let text)): return .not(.text(text))
        case (.not, .number(let number)): return .not(.number(number))
        case (.sameAs, .text(let text)): return .sameAs(.text(text))
        case (.sameAs, .number(let number)): return .sameAs(.number(number))
        case (.minMax, .bounds(let least, let most)): return .minMax(min: least, max: most)
        case (.minMaxLength, .bounds(let least, let most)): return fields.lengths(least, most, in: "target")
        case (.pattern, .text(let pattern)): return fields.pattern(pattern, in: "target")
        case (.pattern, _): return wrong("target", .wrongType(expected: "string"))
        case (.minMax, _), (.minMaxLength, _): return wrong("target", .wrongType(expected: "array"))
        case (.not, _), (.sameAs, _): return wrong("target", .wrongType(expected: "string or number"))
        }
    }
}

extension Fields {
    /// The test by a pattern in this field, or nil where it cannot be, which is noted.
    func pattern(_ pattern: String, in name: String) -> Rule.Test? {
        let length = 1...RuleDraft.mostPatternCharacters
        if !length.contains(pattern.count) {
            fail(name, .length(min: length.lowerBound, max: length.upperBound))
        } else if let reason = refusal(ofPattern: pattern) {
            fail(name, .badPattern(reason))
        } else {
            return .pattern(pattern)
        }
        return nil
    }

    /// The same by bounds of a length, which are whole numbers up to that of the longest answer.
    func lengths(_ least: Double?, _ most: Double?, in name: String) -> Rule.Test? {
        let length = 0...5000
        guard [least, most].allSatisfy({ $0.map { Int(exactly: $0).map(length.contains) ?? false } ?? true })
        else {
            fail(name, .range(min: length.lowerBound, max: length.upperBound))
            return nil
        }
        return .minMaxLength(min: least.map { Int($0) }, max: most.map { Int($0) })
    }
}

/// A rule with the name of the set that it leads to.
struct BranchDraft: Readable {
    let rule: RuleDraft
    let next: String

    init(reading fields: Fields) {
        rule = RuleDraft(reading: fields)
        let name = fields.text("next", required: true, 1...40)
        if let name, !QuestionSet.isName(name) { fields.fail("next", .notASetName) }
        next = name ?? ""
    }
}
