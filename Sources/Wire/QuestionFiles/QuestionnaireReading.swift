import Meetings

/// A questionnaire: `{"id", "title", "description", "questions": [{"id", "name", "type", "title", "question",
/// "choices": [{"id", "label", "value"}]}]}`. Its ids are valid only within the file. QRing gives sets and
/// questions new ids, and does not change the ids of choices. The choice of a text or numeric question is its
/// field: `{"question", "label", "hint", "min", "max"}`. A choice among several may have `question` and
/// `hint`, too; they become parts of its label.
struct QuestionnaireFile: Readable {
    private let title: String?
    private let description: String?
    private let questions: [QuestionnaireQuestion]

    init(reading fields: Fields) {
        _ = fields.idText("id")
        title = fields.line("title", most: 200)
        description = fields.text("description", 0...2000)
        questions =
            fields.objects(
                "questions", of: QuestionnaireQuestion.self, required: true, most: QuestionSet.mostQuestions)
            ?? []
        if questions.isEmpty, fields.has("questions") {
            fields.fail("questions", .count(min: 1, max: QuestionSet.mostQuestions))
        }
        for (index, question) in questions.enumerated()
        where question.id != nil && questions[..<index].contains(where: { $0.id == question.id }) {
            question.fields.fail("id", .repeated)
        }
        let names = questions.compactMap(\.name)
        if Set(names).count != names.count { fields.fail("questions", .repeated) }
    }

    func content(in language: String?) -> ImportedQuestions {
        func text(_ written: String?) -> LocalizedText {
            LocalizedText([language ?? LocalizedText.undetermined: written ?? ""])
        }
        return ImportedQuestions(
            questions: questions.map { $0.question(text) },
            about: QuestionSet.About(title: text(title), description: text(description)), language: language)
    }
}

private struct QuestionnaireQuestion: Readable {
    enum Kind: String, Sendable, CaseIterable {
        case single = "single-option"
        case multi = "multi-option"
        case numeric, text
    }

    let fields: Fields
    let id: String?
    let name: String?
    private let required: Bool
    private let type: Kind
    /// The text that is asked, and the text below it.
    private let (asked, detail): (String, String)
    private let choices: [QuestionnaireChoice]

    init(reading fields: Fields) {
        self.fields = fields
        id = fields.idText("id")
        name = fields.name("name", most: 40) ?? id
        // The format's app demands an answer to every question.
        required = fields.bool("required") ?? true
        let type = fields.choice("type", of: Kind.self, required: true)
        self.type = type ?? .text
        let title = fields.text("title", 0...Self.mostDetailCharacters) ?? ""
        let question = fields.name("question", most: 200)
        choices = fields.objects("choices", of: QuestionnaireChoice.self, most: 50) ?? []
        let inField = type == .single || type == .multi ? nil : choices.first?.question
        if let first = question ?? inField {
            let below = [title, question == nil ? "" : inField ?? ""].filter { !$0.isEmpty }
            (asked, detail) = (first, below.joined(separator: "\n"))
            if detail.count > Self.mostDetailCharacters {
                fields.fail("title", .length(min: 0, max: Self.mostDetailCharacters))
            }
        } else {
            (asked, detail) = (Self.asked(title, fields), "")
        }
        switch type {
        case .single, .multi:
            if choices.count < 2 {
                fields.fail("choices", fields.has("choices") ? .count(min: 2, max: 50) : .missing)
            }
            if Set(choices.map(\.id)).count != choices.count { fields.fail("choices", .repeated) }
            for choice in choices { choice.requireOption() }
        case .numeric, .text:
            if choices.count > 1 { fields.fail("choices", .count(min: 0, max: 1)) }
            for choice in choices { choice.requireField(isNumber: type == .numeric) }
        case nil: break
        }
    }

    private static let mostDetailCharacters = 1000

    /// Returns the title of a question that has no other text.
    private static func asked(_ title: String, _ fields: Fields) -> String {
        // The error of a malformed question is already recorded.
        if fields.has("question") { return "" }
        guard title.isVisible else {
            fields.fail("question", .missing)
            return ""
        }
        do throws(FieldReason) { return try PersonalText.checked(title, limit: 200) } catch {
            fields.fail("title", error)
            return ""
        }
    }

    func question(_ text: (String?) -> LocalizedText) -> Question {
        let field = choices.first
        let kind: Question.Kind =
            switch type {
            case .single, .multi:
                .multipleChoice(
                    choices: choices.map {
                        Question.Choice(id: $0.id, value: $0.value, label: text($0.optionLabel))
                    },
                    minSelections: 1,
                    maxSelections: type == .single ? 1 : max(1, choices.count))
            case .numeric:
                .number(
                    min: (field?.min ?? QuestionnaireChoice.least(below: field?.max)).map(Double.init),
                    max: (field?.max ?? QuestionnaireChoice.most(above: field?.min)).map(Double.init),
                    decimals: 0)
            case .text: .shortAnswer(maxLength: SubveyBody.mostCharacters)
            }
        let isField = type == .numeric || type == .text
        return Question(
            id: .makeTimeless(), name: name, title: text(asked), detail: text(detail),
            placeholder: isField ? text(field?.example) : .none, required: required,
            kind: kind)
    }
}

/// A choice, or the field of a number or text question, which has exactly one such field.
private struct QuestionnaireChoice: Readable {
    /// Returns the lowest number if the file gives none, which is 0; nil if the file's highest is lower.
    static func least(below most: Int?) -> Int? { most ?? 0 < 0 ? nil : 0 }
    /// Returns the highest number if the file gives none, which is 100; nil if the file's lowest is higher.
    static func most(above least: Int?) -> Int? { least ?? 0 > 100 ? nil : 100 }

    let id: String
    let value: String?
    let label: String?
    let question: String?
    let hint: String?
    let min: Int?
    let max: Int?
    private let fields: Fields

    init(reading fields: Fields) {
        self.fields = fields
        let id = fields.idText("id")
        value = fields.valueText("value")
        label = fields.line("label", most: Self.mostCharacters)
        question = fields.name("question", most: Self.mostCharacters)
        hint = fields.line("hint", most: Self.mostCharacters)
        min = fields.integer("min", Int(Amount.bounds.lowerBound)...Int(Amount.bounds.upperBound))
        max = fields.integer("max", Int(Amount.bounds.lowerBound)...Int(Amount.bounds.upperBound))
        self.id = id ?? value ?? ""
    }

    /// The label of a choice among several.
    var optionLabel: String { Self.joined([label, question, hint]) }
    /// The example in the empty field of a text or numeric question.
    var example: String { Self.joined([label, hint]) }

    private static let mostCharacters = 200

    private static func joined(_ texts: [String?]) -> String {
        texts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " – ")
    }

    private func requireLength(of text: String) {
        guard text.count > Self.mostCharacters else { return }
        let last = ["hint", "question"].first(where: fields.has) ?? "label"
        fields.fail(last, .length(min: 0, max: Self.mostCharacters))
    }

    func requireOption() {
        if id.isEmpty, !fields.has("id"), !fields.has("value") { fields.fail("id", .missing) }
        // The error of a malformed text is already recorded.
        let isMalformed = [("label", label), ("question", question), ("hint", hint)].contains {
            $0.1 == nil && fields.has($0.0)
        }
        if optionLabel.isEmpty, !isMalformed { fields.fail("label", .missing) }
        requireLength(of: optionLabel)
        for name in ["min", "max"] where fields.has(name) { fields.fail(name, .notRepresentable) }
    }

    func requireField(isNumber: Bool) {
        requireLength(of: example)
        if !isNumber {
            for name in ["min", "max"] where fields.has(name) { fields.fail(name, .notRepresentable) }
        }
        if let min, let max, min > max { fields.fail("min", .reversedBounds) }
    }
}

extension Fields {
    /// Reads an id that is a text or a whole number.
    fileprivate func idText(_ name: String) -> String? {
        value(name, required: false, .string(min: 1, max: 40, format: nil, pattern: nil)) { node in
            let written = node.integer.map { String($0) } ?? node.string
            guard let written else {
                return .failure(FieldError("", .wrongType(expected: "integer or string")))
            }
            guard (1...40).contains(written.count) else {
                return .failure(FieldError("", .length(min: 1, max: 40)))
            }
            return written.hasUnfitForLine ? .failure(FieldError("", .notText)) : .success(written)
        }
    }

    /// Reads the value of a choice as a text. In the file it is a text, a number, true or false. An empty
    /// text counts as no value, as null does.
    fileprivate func valueText(_ name: String) -> String? {
        let text = Schema.string(min: 0, max: 40, format: nil, pattern: nil)
        let found: String? = value(name, required: false, .any([text, .number, .boolean])) { node in
            if let number = node.number { return .success(node.integer.map { String($0) } ?? "\(number)") }
            if let bool = node.bool { return .success(String(bool)) }
            guard let written = node.string else {
                return .failure(FieldError("", .wrongType(expected: "string, number or boolean")))
            }
            guard written.count <= 40 else { return .failure(FieldError("", .length(min: 0, max: 40))) }
            return written.hasUnfitForLine ? .failure(FieldError("", .notText)) : .success(written)
        }
        return found?.isEmpty == true ? nil : found
    }
}
