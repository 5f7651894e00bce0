import Meetings

/// A rule of a form: `{"type": "minMax", "target": [19, "-"], "validateText": "…"}`.
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
        if node.string != nil {
            return Fields.text(node, 0...RuleDraft.mostTargetCharacters).map { .text($0) }.mapError {
                FieldError("", $0)
            }
        }
        if let number = node.number {
            return Amount.bounds.contains(number)
                ? .success(.number(number))
                : .failure(
                    FieldError("", .between(min: Amount.bounds.lowerBound, max: Amount.bounds.upperBound)))
        }
        guard node.isArray else {
            return .failure(FieldError("", .wrongType(expected: "string, number or array")))
        }
        let ends = node.elements
        if ends.count == 2,
            ends.allSatisfy({ $0.string == "-" || $0.number.map(Amount.bounds.contains) ?? false })
        {
            if let least = ends[0].number, let most = ends[1].number, least > most {
                return .failure(FieldError("", .reversedBounds))
            }
            return .success(.bounds(ends[0].number, ends[1].number))
        }
        let texts = ends.compactMap(\.string)
        guard texts.allSatisfy(\.isPlainText) else { return .failure(FieldError("", .notText)) }
        return texts.count == ends.count
            ? .success(.texts(texts)) : .failure(FieldError("", .wrongType(expected: "number or \"-\"")))
    }

    /// Returns the test. If the rule is malformed, records an error and returns nil. `others` finds the other
    /// questions of the form by name.
    func test(of asked: Question.Kind, named others: (String) -> [QuestionID]) -> Rule.Test? {
        guard let kind, let target else { return nil }
        guard let test = test(kind == .sameAS ? .sameAs : kind, target, asked, others) else { return nil }
        guard test.applies(to: asked) else { return wrong("type", .ruleDoesNotApply) }
        return test
    }

    private func wrong(_ field: String, _ reason: FieldReason) -> Rule.Test? {
        fields.fail(field, reason)
        return nil
    }

    private func test(
        _ kind: Kind, _ target: Target, _ asked: Question.Kind, _ others: (String) -> [QuestionID]
    ) -> Rule.Test? {
        let (choices, isSingle): ([String], Bool) =
            if case .multipleChoice(let choices, _, let most) = asked { (choices.map(\.id), most == 1) } else
            { ([], false) }
        let isChoice = !choices.isEmpty
        switch (kind, target) {
        // This rule requires a selection: no selection is an empty text or an empty list.
        case (.not, .text("")) where isChoice: return .minMaxLength(min: 1, max: nil)
        case (.not, .texts([])) where isChoice: return .minMaxLength(min: 1, max: nil)
        case (.not, .text(let text)): return .not(.text(text))
        case (.not, .number(let number)): return .not(.number(number))
        // If attendees can select only one choice, a list of one choice means the same as the choice.
        case (.not, .texts(let texts)) where isSingle && texts.count == 1: return .not(.text(texts[0]))
        case (.sameAs, .texts(let texts)) where isSingle && texts.count == 1: return .sameAs(.text(texts[0]))
        case (.sameAs, .text(let text)): return sameAs(text, choices, others)
        case (.sameAs, .number(let number)): return .sameAs(.number(number))
        case (.minMax, .bounds(let least, let most)): return .minMax(min: least, max: most)
        case (.minMaxLength, .bounds(let least, let most)): return fields.lengths(least, most, in: "target")
        case (.pattern, .text(let written)):
            guard let pattern = FormPattern.pattern(written) else {
                return wrong("target", .notRepresentable)
            }
            return fields.pattern(pattern, in: "target")
        case (.minMax, _), (.minMaxLength, _): return wrong("target", .wrongType(expected: "array"))
        case (.pattern, _): return wrong("target", .wrongType(expected: "string"))
        case (.not, _), (.sameAs, _), (.sameAS, _): return wrong("target", .notRepresentable)
        }
    }

    /// Returns the test for `sameAs`. `$nick` is the answer to the question `nick`. `nick` is this answer
    /// too, if there is a question of that name and the question has no choice of that name.
    private func sameAs(_ text: String, _ choices: [String], _ others: (String) -> [QuestionID]) -> Rule.Test?
    {
        let isMarked = text.hasPrefix("$") && text.count > 1
        let named = others(isMarked ? String(text.dropFirst()) : text)
        guard let question = named.first else {
            return isMarked ? wrong("target", .unknownQuestion) : .sameAs(.text(text))
        }
        guard named.count == 1, isMarked || !choices.contains(text) else {
            return wrong("target", .ambiguousName)
        }
        return .sameAsQuestion(question, bare: !isMarked)
    }

    /// The text of the target, which is a pattern if the rule is one.
    var written: String? { if case .text(let text) = target { text } else { nil } }
}

/// The notations of a pattern in a form's file: the pattern alone, or between slashes with flags. JavaScript
/// reads flags only behind the slashes, and RE2 only in the pattern: `/^a/i` is `(?i)^a`.
enum FormPattern {
    /// The most characters of a notation: those of a pattern, two slashes, and the flags.
    static let mostCharacters = RuleDraft.mostPatternCharacters + 10
    private static let flagsOfRE2 = "ims"

    /// Returns a pattern in RE2's syntax. RE2 has the flags i, m and s; g and u are ignored. Returns nil for
    /// other flags.
    static func pattern(_ written: String) -> String? {
        guard written.hasPrefix("/"), let last = written.lastIndex(of: "/"), last > written.startIndex else {
            return written
        }
        let flags = written[written.index(after: last)...]
        guard flags.allSatisfy({ "gimsu".contains($0) }) else {
            // If the text after the last slash cannot be flags, the slashes are ordinary characters.
            return flags.allSatisfy { $0.isLetter && $0.isASCII } && flags.count <= 3 ? nil : written
        }
        let bare = String(written[written.index(after: written.startIndex)..<last])
        let kept = flags.filter { flagsOfRE2.contains($0) }
        return kept.isEmpty ? bare : "(?\(kept))\(bare)"
    }

    /// Returns the notation of a pattern for which the file gave none.
    static func standard(_ pattern: String) -> String {
        if pattern.hasPrefix("(?"), let end = pattern.firstIndex(of: ")") {
            let flags = pattern[..<end].dropFirst(2)
            if !flags.isEmpty, flags.allSatisfy({ flagsOfRE2.contains($0) }) {
                return "/\(pattern[pattern.index(after: end)...])/\(flags)"
            }
        }
        // The slash at the beginning would be read as the first of two.
        return pattern.hasPrefix("/") ? "/\(pattern)/" : pattern
    }

    /// Returns the notation to store with a test: nil if it means another pattern, or is the standard one.
    static func notation(_ written: String?, of test: Rule.Test) -> String? {
        guard case .pattern(let pattern) = test, let written, Self.pattern(written) == pattern,
            // JavaScript does not read flags in the pattern.
            written != standard(pattern), !written.hasPrefix("(?")
        else { return nil }
        return written
    }
}

/// A rule, with the name of the question that it applies to.
struct SubveyEscape: Readable {
    let name: String
    let rule: SubveyRule

    init(reading fields: Fields) {
        name = fields.name("name", required: true, most: 40) ?? ""
        rule = SubveyRule(reading: fields)
    }
}

/// The initial value of a field: a text, a number, or a list of choices.
package enum SubveyPlaceholder: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case options([SubveyBody.Option])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .options(try container.decode([SubveyBody.Option].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(SubveyBound(number))
        case .options(let options): try container.encode(options)
        }
    }
}

/// The value that a rule compares answers with: a text, a number, or two bounds with `"-"` for an open end.
package enum SubveyTarget: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case bounds(Double?, Double?)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            let bounds = try container.decode([SubveyBound].self)
            self = .bounds(bounds.first?.number, bounds.last?.number)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(SubveyBound(number))
        case .bounds(let least, let most): try container.encode([SubveyBound(least), SubveyBound(most)])
        }
    }
}

/// A bound: a number, which has no decimals if it is whole, or `"-"` for an open end.
private struct SubveyBound: Codable {
    let number: Double?

    init(_ number: Double?) { self.number = number }

    init(from decoder: any Decoder) throws {
        number = try? decoder.singleValueContainer().decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch number {
        case nil: try container.encode("-")
        case let number?:
            if let whole = Int(exactly: number) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        }
    }
}

extension SubveyPlaceholder: SchemaDescribed {
    static var schema: Schema {
        .any([
            String.schema, .number,
            .array(SchemaRecorder.schema(of: SubveyBody.Option.self), min: 0, max: nil),
        ])
    }
    static var example: SubveyPlaceholder { .text("") }
}

extension SubveyTarget: SchemaDescribed {
    static var schema: Schema {
        .any([String.schema, .number, .array(.any([.number, .oneOf(["-"])]), min: 2, max: 2)])
    }
    static var example: SubveyTarget { .text("") }
}
