import Meetings

/// A form, as a server sends it to its client: `{"status": 200, "data": {"forms": […], "escapeValidate":
/// […]}}`.
struct SubveyFile: Readable {
    let form: SubveyForms?

    init(reading fields: Fields) {
        _ = fields.integer("status", 200...299)
        form = fields.object("data", as: SubveyForms.self, required: true)
    }
}

/// The server's answer to a submission, which names the next form: `{"status": 200, "data": {"isSuccess":
/// true, "nextTypeId": "1"}}`.
struct SubveyAnswerFile: Readable {
    /// The name of the next form; empty if no form follows.
    let next: String

    private struct Outcome: Readable {
        let next: String?

        init(reading fields: Fields) {
            if fields.bool("isSuccess", required: true) == false {
                fields.fail("isSuccess", .notRepresentable)
            }
            next = fields.text("nextTypeId", 1...40)
            if let next, !QuestionSet.isName(next) { fields.fail("nextTypeId", .notASetName) }
        }
    }

    init(reading fields: Fields) {
        _ = fields.integer("status", 200...299)
        next = fields.object("data", as: Outcome.self, required: true)?.next ?? ""
    }
}

struct SubveyForms: Readable {
    let forms: [SubveyForm]
    let escapes: [SubveyEscape]

    init(forms: [SubveyForm], escapes: [SubveyEscape]) {
        self.forms = forms
        self.escapes = escapes
    }

    init(reading fields: Fields) {
        forms =
            fields.objects("forms", of: SubveyForm.self, required: true, most: QuestionSet.mostQuestions)
            ?? []
        escapes =
            fields.objects(
                "escapeValidate", of: SubveyEscape.self, most: QuestionSet.mostQuestions * Question.mostRules)
            ?? []
        for (index, form) in forms.enumerated()
        where forms[..<index].contains(where: { $0.name == form.name }) {
            form.fields.fail("name", .repeated)
        }
        // A rule may refer to a later question, so all questions are read before the rules. Until the whole
        // file is known to be valid, the questions have temporary ids.
        let standIns = forms.indices.map { QuestionID(high: 0, low: UInt64($0 + 1)) }
        for form in forms {
            for rule in form.validate { _ = rule.test(of: form.kind, named: others(than: form, standIns)) }
        }
        for escape in escapes {
            guard let form = forms.first(where: { $0.name == escape.name }) else {
                escape.rule.fields.fail("name", .unknownQuestion)
                continue
            }
            _ = escape.rule.test(of: form.kind, named: others(than: form, standIns))
        }
        for form in forms where escapes.count(where: { $0.name == form.name }) > Question.mostRules {
            fields.fail("escapeValidate", .count(min: 0, max: Question.mostRules))
        }
    }

    /// Returns a function that finds the ids of the questions with a name, except the question `own`.
    private func others(than own: SubveyForm, _ ids: [QuestionID]) -> (String) -> [QuestionID] {
        { name in name == own.name ? [] : zip(forms, ids).filter { $0.0.name == name }.map(\.1) }
    }

    /// Returns the questions with new ids, and the pointers into the file by the pointers into the questions.
    /// - Parameter root: the pointer to the object that contains the forms.
    func questions(in language: String?, below root: String) throws(Refusal) -> (
        questions: [Question], filePointers: [String: String]
    ) {
        let ids = forms.map { _ in QuestionID.makeTimeless() }
        func text(_ written: String?) -> LocalizedText {
            LocalizedText([language ?? LocalizedText.undetermined: written ?? ""])
        }
        var filePointers: [String: String] = [:]
        let questions = forms.enumerated().map { index, form in
            filePointers["/questions/\(index)"] = "\(root)/forms/\(index)"
            filePointers["/questions/\(index)/rules"] = "\(root)/forms/\(index)/validate"
            var eligibility: [Rule] = []
            for (place, escape) in escapes.enumerated() where escape.name == form.name {
                guard let test = escape.rule.test(of: form.kind, named: others(than: form, ids)) else {
                    continue
                }
                filePointers["/questions/\(index)/eligibility/\(eligibility.count)"] =
                    "\(root)/escapeValidate/\(place)"
                eligibility.append(
                    Rule(
                        test, message: text(escape.rule.message),
                        written: FormPattern.notation(escape.rule.written, of: test)))
            }
            return Question(
                id: ids[index], name: form.name, title: text(form.question),
                placeholder: text(form.placeholder),
                required: form.required, kind: form.kind(text),
                rules: form.validate.compactMap { rule in
                    rule.test(of: form.kind, named: others(than: form, ids)).map {
                        Rule(
                            $0, message: text(rule.message),
                            written: FormPattern.notation(rule.written, of: $0))
                    }
                }, eligibility: eligibility)
        }
        return (questions, filePointers)
    }
}

/// A question of the form.
struct SubveyForm: Readable {
    enum Kind: String, Sendable, CaseIterable {
        case text, number, checkbox, radio, radioNumber, radioWithInput
    }

    let fields: Fields
    let name: String
    let question: String
    let required: Bool
    let type: Kind
    let placeholder: String?
    let options: [SubveyOption]
    let validate: [SubveyRule]

    init(reading fields: Fields) {
        self.fields = fields
        name = fields.name("name", required: true, most: 40) ?? ""
        question = fields.name("question", required: true, most: 200) ?? ""
        required = fields.bool("required") ?? false
        let type = fields.choice("type", of: Kind.self, required: true)
        self.type = type ?? .text
        validate = fields.objects("validate", of: SubveyRule.self, most: Question.mostRules) ?? []
        guard fields.holdsArray("placeholder") else {
            options = []
            placeholder = Self.placeholder(fields, type)
            return
        }
        placeholder = nil
        options = fields.objects("placeholder", of: SubveyOption.self, most: 50) ?? []
        switch type {
        case .checkbox, .radio, .radioWithInput:
            if options.count < 2 { fields.fail("placeholder", .count(min: 2, max: 50)) }
            if Set(options.map(\.value)).count != options.count { fields.fail("placeholder", .repeated) }
            if type != .checkbox, options.count(where: \.isChecked) > 1 {
                fields.fail("placeholder", .notRepresentable)
            }
        case .radioNumber:
            // The file may list the scores of the scale as choices, with labels of its own.
            if !(2...10).contains(options.count) {
                fields.fail("placeholder", .count(min: 2, max: 10))
            } else if options.map(\.value) != (1...options.count).map(String.init)
                || options.contains(where: \.isChecked)
            {
                fields.fail("placeholder", .notRepresentable)
            }
        case .text, .number:
            fields.fail("placeholder", .wrongType(expected: type == .text ? "string" : "number"))
        case nil: break
        }
    }

    /// Reads the initial value of the field. On a scale, 0 means that no star is selected.
    private static func placeholder(_ fields: Fields, _ type: Kind?) -> String? {
        let written: String? = fields.value("placeholder", required: false, .any([.number, .boolean])) {
            node in
            if let text = node.string {
                guard text.count <= 200 else { return .failure(FieldError("", .length(min: 0, max: 200))) }
                guard !text.hasUnfitForLine else { return .failure(FieldError("", .notText)) }
                return type == .text || type == .number || text.isEmpty
                    ? .success(text) : .failure(FieldError("", .wrongType(expected: "array")))
            }
            guard let number = node.number, Amount.bounds.contains(number) else {
                return .failure(FieldError("", .wrongType(expected: "string, number or array")))
            }
            switch type {
            case .number: return .success(Amount.text(number))
            case .radioNumber: return number == 0 ? .success("") : .failure(FieldError("", .notRepresentable))
            case .text: return .failure(FieldError("", .wrongType(expected: "string")))
            default: return .failure(FieldError("", .wrongType(expected: "array")))
            }
        }
        if type == .checkbox || type == .radio || type == .radioWithInput, !fields.has("placeholder") {
            fields.fail("placeholder", .missing)
        }
        return written
    }

    /// The kind of question, without its texts.
    var kind: Question.Kind { kind { _ in .none } }

    func kind(_ text: (String) -> LocalizedText) -> Question.Kind {
        switch type {
        case .text: .shortAnswer(maxLength: SubveyBody.mostCharacters)
        case .number: .number(min: nil, max: nil, decimals: 0)
        case .radioNumber: scale(text)
        case .checkbox, .radio, .radioWithInput:
            .multipleChoice(
                choices: options.enumerated().map { index, option in
                    Question.Choice(
                        id: option.value, label: text(option.label),
                        isOther: type == .radioWithInput && index == options.count - 1,
                        isChecked: option.isChecked)
                }, minSelections: 1, maxSelections: type == .checkbox ? max(1, options.count) : 1)
        }
    }
}

extension SubveyForm {
    /// Returns stars if the scores have no labels of their own, and a scale with labels otherwise.
    private func scale(_ text: (String) -> LocalizedText) -> Question.Kind {
        let own = options.filter { $0.label != $0.value }
        if own.isEmpty, options.isEmpty || options.count == Question.formScale {
            return .rating(scale: Question.formScale)
        }
        return .scale(
            points: options.count,
            labels: Dictionary(
                own.compactMap { option in Int(option.value).map { ($0, text(option.label)) } }
            ) {
                first, _ in first
            })
    }
}

struct SubveyOption: Readable {
    let label: String
    let value: String
    let isChecked: Bool

    init(reading fields: Fields) {
        label = fields.name("label", required: true, most: 200) ?? ""
        value = fields.name("value", required: true, most: 40) ?? ""
        isChecked = fields.bool("checked") ?? false
    }
}
