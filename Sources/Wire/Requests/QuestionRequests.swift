package import Meetings

package struct SetQuestionsRequest: Readable, Sendable {
    package let questions: [Question]

    package init(reading fields: Fields) {
        questions = fields.questions(required: true) ?? []
    }
}

package struct EditQuestionSetRequest: Readable, Sendable {
    package let open: Bool?
    package let shared: Bool?
    package let anonymous: Bool?

    package init(reading fields: Fields) {
        open = fields.bool("open")
        shared = fields.bool("shared")
        anonymous = fields.bool("anonymous")
    }
}

extension Fields {
    func questions(required: Bool = false) -> [Question]? {
        let drafts = objects("questions", of: QuestionDraft.self, required: required, most: QuestionSet.mostQuestions)
        guard let drafts else { return nil }
        let questions = drafts.compactMap(\.question)
        if Set(questions.map(\.id)).count != questions.count { fail("questions", .repeated) }
        return questions
    }
}

/// A question as somebody writes it: without an id it is a new one; choices without ids are named a, b, c, ….
private struct QuestionDraft: Readable {
    let question: Question?

    init(reading fields: Fields) {
        let id = fields.id("id", of: Question.self)
        let kind = fields.choice("kind", of: Question.KindName.self, required: true)
        let title = fields.name("title", required: true, most: 200)
        let detail = fields.text("detail", 0...1000)
        let required = fields.bool("required")
        let choices = fields.objects("choices", of: ChoiceDraft.self, most: 50)
        let minSelections = fields.integer("minSelections", 0...50)
        let maxSelections = fields.integer("maxSelections", 1...50)
        let maxLength = fields.integer("maxLength", 1...5000)
        let scale = fields.integer("scale", 2...10)
        guard let kind else {
            question = nil
            return
        }
        let asked: Question.Kind
        switch kind {
        case .multipleChoice:
            let named = ChoiceDraft.named(choices ?? [])
            if !fields.has("choices") {
                fields.fail("choices", .missing)
            } else if choices != nil, named.count < 2 {
                fields.fail("choices", .count(min: 2, max: 50))
            }
            if Set(named.map(\.id)).count != named.count { fields.fail("choices", .repeated) }
            let most = min(maxSelections ?? max(1, minSelections ?? 1), max(1, named.count))
            let least = max(1, minSelections ?? 1)
            if choices != nil, least > most { fields.fail("minSelections", .range(min: 1, max: most)) }
            asked = .multipleChoice(choices: named, minSelections: min(least, most), maxSelections: most)
        case .shortAnswer: asked = .shortAnswer(maxLength: maxLength ?? 500)
        case .rating: asked = .rating(scale: scale ?? 5)
        }
        question = Question(id: id ?? .makeTimeless(), title: title ?? "", detail: detail ?? "", required: required ?? false, kind: asked)
    }
}

private struct ChoiceDraft: Readable {
    let id: String?
    let label: String

    init(reading fields: Fields) {
        id = fields.name("id", most: 40)
        label = fields.name("label", required: true, most: 200) ?? ""
    }

    static func named(_ drafts: [ChoiceDraft]) -> [Question.Choice] {
        drafts.enumerated().map { index, draft in Question.Choice(id: draft.id ?? name(index), label: draft.label) }
    }

    /// a … z, then a1, b1, ….
    private static func name(_ index: Int) -> String {
        let letter = String(UnicodeScalar(UInt8(97 + index % 26)))
        return index < 26 ? letter : letter + String(index / 26)
    }
}
