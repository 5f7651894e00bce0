import Meetings

extension Fields {
    func questions(required: Bool = false) -> [Question]? {
        let drafts = objects(
            "questions", of: QuestionDraft.self, required: required, most: QuestionSet.mostQuestions)
        guard let drafts else { return nil }
        let known = drafts.compactMap(\.question)
        if Set(known.map(\.id)).count != known.count { fail("questions", .repeated) }
        let names = known.compactMap(\.name)
        if Set(names).count != names.count { fail("questions", .repeated) }
        return drafts.compactMap { draft in
            draft.withRules { asked in
                known.first { $0.name == asked || $0.id == QuestionID(asked) }.flatMap {
                    $0.id == draft.question?.id ? nil : $0.id
                }
            }
        }
    }
}

/// A question in a client's request. A question without an id is new. Choices without ids are named a, b, c,
/// ….
private struct QuestionDraft: Readable {
    /// The question without its rules. The rules are read later, because they may refer to other questions.
    let question: Question?
    private let rules: [RuleDraft]
    private let eligibility: [RuleDraft]
    private let branches: [BranchDraft]

    init(reading fields: Fields) {
        let id = fields.id("id", of: Question.self)
        let name = fields.name("name", most: 40)
        let kind = fields.choice("kind", of: Question.KindName.self, required: true)
        let title = fields.localized("title", "titles", required: true, most: 200, isLine: true)
        let detail = fields.localized("detail", "details", most: 1000)
        let placeholder = fields.localized("placeholder", "placeholders", most: 200, isLine: true)
        let required = fields.bool("required")
        let hidden = fields.bool("hidden")
        let limits = KindFields(reading: fields)
        rules = fields.objects("rules", of: RuleDraft.self, most: Question.mostRules) ?? []
        eligibility = fields.objects("eligibility", of: RuleDraft.self, most: Question.mostRules) ?? []
        branches = fields.objects("branches", of: BranchDraft.self, most: Question.mostRules) ?? []
        guard let kind else {
            question = nil
            return
        }
        question = Question(
            id: id ?? .makeTimeless(), name: name, title: title ?? .none, detail: detail ?? .none,
            placeholder: placeholder ?? .none,
            required: required ?? false, isHidden: hidden ?? false, kind: kind.onWire.read(limits))
    }

    /// Returns the question with its rules. `id` finds another question of the set by its id or name.
    func withRules(_ id: (String) -> QuestionID?) -> Question? {
        guard var question else { return nil }
        func read(_ drafts: [RuleDraft]) -> [Rule] {
            drafts.compactMap { draft in
                draft.test(of: question.kind, id).map {
                    Rule($0, message: draft.message, written: FormPattern.notation(draft.written, of: $0))
                }
            }
        }
        question.rules = read(rules)
        question.eligibility = read(eligibility)
        question.branches = branches.compactMap { draft in
            draft.rule.test(of: question.kind, id).map { Branch($0, next: draft.next) }
        }
        return question
    }
}

/// A rule in a client's request. Bounds are `[least, most]`, with null or `"-"` for an open end. `sameAs`
/// compares the answer with a value (`target`), or with the answer to another question of the set
/// (`question`, its id or name).
struct RuleDraft: Readable {
    let kind: Rule.Kind?
    let target: Target?
    let question: String?
    private let bareName: Bool
    /// The pattern as a form's file wrote it. It is ignored if it means another pattern than `target`.
    let written: String?
    let message: LocalizedText
    private let fields: Fields

    enum Target: Sendable {
        case text(String)
        case number(Double)
        case bounds(Double?, Double?)
    }

    static let mostPatternCharacters = 1000
    static let mostMessageCharacters = 300
    /// The highest number of characters of a value that answers are compared with.
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
        written = fields.text("written", 1...FormPattern.mostCharacters)
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

    /// Returns the test for a question of the kind `asked`. If the rule is malformed, records an error and
    /// returns nil. `id` finds another question of the set by its id or name.
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
    /// Returns the test with the pattern in this field. If the pattern is malformed, records an error and
    /// returns nil.
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

    /// Returns the test of a length with these bounds: whole numbers up to the length of the longest answer.
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

/// A rule, with the name of the next set if an answer matches the rule.
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
