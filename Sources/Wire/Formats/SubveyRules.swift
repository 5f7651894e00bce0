import Meetings

/// `{"type": "minMax", "target": [19, "-"], "validateText": "…"}`.
struct SubveyRule: Readable {
    enum Kind: String, Sendable, CaseIterable {
        case not, minMax, minMaxLength, sameAS, sameAs, pattern
    }

    private enum Target {
        case text(String)
        case number(Double)
        case bounds(Double?, Double?)
        case texts([String])
    }

    let fields: Fields
    let message: String?
    private let kind: Kind?
    private let target: Target?

    init(reading fields: Fields) {
        self.fields = fields
        kind = fields.choice("type", of: Kind.self, required: true)
        target = fields.value("target", required: true, .any([.number, .boolean]), Self.target)
        message = fields.text("validateText", 0...RuleDraft.mostMessageCharacters)
    }

    private static func target(_ node: JSONNode) -> Result<Target, FieldError> {
        if let text = node.string { return .success(.text(text)) }
        if let number = node.number {
            return Amount.bounds.contains(number)
                ? .success(.number(number))
                : .failure(FieldError("", .between(min: Amount.bounds.lowerBound, max: Amount.bounds.upperBound)))
        }
        guard node.isArray else { return .failure(FieldError("", .wrongType(expected: "string, number or array"))) }
        let ends = node.elements
        if ends.count == 2, ends.allSatisfy({ $0.string == "-" || $0.number.map(Amount.bounds.contains) ?? false }) {
            return .success(.bounds(ends[0].number, ends[1].number))
        }
        let texts = ends.compactMap(\.string)
        return texts.count == ends.count ? .success(.texts(texts)) : .failure(FieldError("", .wrongType(expected: "number or \"-\"")))
    }

    /// Nil where it cannot be, which is noted. `id` finds a question of the form by its name.
    func test(of asked: Question.Kind, named id: (String) -> QuestionID?) -> Rule.Test? {
        guard let kind, let target else { return nil }
        guard let test = test(kind, target, asked, id) else { return nil }
        guard test.applies(to: asked) else { return wrong("type", .ruleDoesNotApply) }
        return test
    }

    private func wrong(_ field: String, _ reason: FieldReason) -> Rule.Test? {
        fields.fail(field, reason)
        return nil
    }

    private func test(_ kind: Kind, _ target: Target, _ asked: Question.Kind, _ id: (String) -> QuestionID?) -> Rule.Test? {
        let (isChoice, isSingle) =
            if case .multipleChoice(_, _, let most) = asked { (true, most == 1) } else { (false, false) }
        switch (kind, target) {
        // Nothing chosen, as a text or as a list.
        case (.not, .text("")) where isChoice: return .minMaxLength(min: 1, max: nil)
        case (.not, .texts([])) where isChoice: return .minMaxLength(min: 1, max: nil)
        case (.not, .text(let text)): return .not(.text(text))
        case (.not, .number(let number)): return .not(.number(number))
        // A list of one choice, where only one can be chosen, is that choice.
        case (.not, .texts(let texts)) where isSingle && texts.count == 1: return .not(.text(texts[0]))
        case (.sameAS, .texts(let texts)) where isSingle && texts.count == 1,
            (.sameAs, .texts(let texts)) where isSingle && texts.count == 1:
            return .sameAs(.text(texts[0]))
        case (.sameAS, .text(let text)), (.sameAs, .text(let text)):
            guard text.hasPrefix("$"), text.count > 1 else { return .sameAs(.text(text)) }
            return id(String(text.dropFirst())).map { .sameAsQuestion($0) } ?? wrong("target", .unknownQuestion)
        case (.sameAS, .number(let number)), (.sameAs, .number(let number)): return .sameAs(.number(number))
        case (.minMax, .bounds(let least, let most)):
            return Self.isOrdered(least, most) ? .minMax(min: least, max: most) : wrong("target", .notRepresentable)
        case (.minMaxLength, .bounds(let least, let most)):
            let whole = [least, most].compactMap { $0 }.allSatisfy { Int(exactly: $0).map((0...5000).contains) ?? false }
            guard whole, Self.isOrdered(least, most) else { return wrong("target", .range(min: 0, max: 5000)) }
            return .minMaxLength(min: least.map { Int($0) }, max: most.map { Int($0) })
        case (.pattern, .text(let written)):
            guard let pattern = Self.pattern(written) else { return wrong("target", .notRepresentable) }
            let length = 1...RuleDraft.mostPatternCharacters
            return length.contains(pattern.count)
                ? .pattern(pattern) : wrong("target", .length(min: length.lowerBound, max: length.upperBound))
        case (.minMax, _), (.minMaxLength, _): return wrong("target", .wrongType(expected: "array"))
        case (.pattern, _): return wrong("target", .wrongType(expected: "string"))
        case (.not, _), (.sameAS, _), (.sameAs, _): return wrong("target", .notRepresentable)
        }
    }

    private static func isOrdered(_ least: Double?, _ most: Double?) -> Bool {
        guard let least, let most else { return true }
        return least <= most
    }

    /// A pattern bare, or between slashes with flags behind them, of which RE2 has three. Nil for other flags.
    private static func pattern(_ written: String) -> String? {
        guard written.hasPrefix("/"), let last = written.lastIndex(of: "/"), last > written.startIndex else { return written }
        let flags = written[written.index(after: last)...]
        guard flags.allSatisfy({ "gimsu".contains($0) }) else {
            // A slash by itself is a character like any other.
            return flags.allSatisfy { $0.isLetter && $0.isASCII } && flags.count <= 3 ? nil : written
        }
        let bare = String(written[written.index(after: written.startIndex)..<last])
        let kept = flags.filter { "ims".contains($0) }
        return kept.isEmpty ? bare : "(?\(kept))\(bare)"
    }
}

/// A rule with the question that it is for.
struct SubveyEscape: Readable {
    let name: String
    let rule: SubveyRule

    init(reading fields: Fields) {
        name = fields.name("name", required: true, most: 40) ?? ""
        rule = SubveyRule(reading: fields)
    }
}
