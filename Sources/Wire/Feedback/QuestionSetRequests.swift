package import Meetings

/// The request that replaces a set's questions. Absent fields of the set keep their values. If `next` is
/// empty, no set follows.
package struct SetQuestionsRequest: Readable, Sendable {
    package let questions: [Question]
    package let promise: ChosenPromise
    package let changeable: Bool?
    package let about: QuestionSet.About

    package init(reading fields: Fields) {
        questions = fields.questions(required: true) ?? []
        promise = ChosenPromise(reading: fields)
        changeable = fields.bool("changeable")
        about = QuestionSet.About(reading: fields)
    }
}

/// The request that opens, closes, shares, moves or publishes a set, or changes its promise. Absent fields
/// keep their values.
package struct EditQuestionSetRequest: Readable, Sendable {
    package let change: QuestionSetChange

    package init(reading fields: Fields) {
        change = QuestionSetChange(
            open: fields.bool("open"), shared: fields.bool("shared"), promise: ChosenPromise(reading: fields),
            changeable: fields.bool("changeable"), position: fields.integer("position", 1...1000),
            publishedAs: fields.formName("publishedAs"), oncePerDevice: fields.bool("oncePerDevice"),
            about: QuestionSet.About(reading: fields))
    }
}

/// The request that adds a poll: with questions, or with the questions of another set of the session.
package struct CreatePollRequest: Readable, Sendable {
    package let questions: [Question]?
    /// The set whose questions the host asks again.
    package let copyOf: String?
    package let promise: AnswerPromise?
    package let changeable: Bool?
    package let open: Bool
    package let shared: Bool
    package let about: QuestionSet.About

    package init(reading fields: Fields) {
        questions = fields.questions()
        copyOf = fields.setName("copyOf")
        promise = fields.choice("promise", of: AnswerPromise.self)
        changeable = fields.bool("changeable")
        open = fields.bool("open") ?? false
        shared = fields.bool("shared") ?? false
        about = QuestionSet.About(reading: fields)
        if copyOf == nil, !fields.has("copyOf") {
            if !fields.has("questions") {
                fields.fail("questions", .missing)
            } else if questions?.isEmpty == true {
                fields.fail("questions", .count(min: 1, max: QuestionSet.mostQuestions))
            }
        } else if fields.has("questions") {
            fields.fail("copyOf", .notTogether(with: "questions"))
        }
    }
}

/// The request that copies another session's questions, with new ids, into a set that nobody has answered.
package struct CopyQuestionsRequest: Readable, Sendable {
    package let from: SessionID
    /// The set to copy; nil for all sets of the other session.
    package let set: String?
    /// The name of the copy; nil for the name of the original.
    package let copyName: String?

    package init(reading fields: Fields) {
        from = fields.id("from", of: Session.self, required: true) ?? ID(high: 0, low: 0)
        set = fields.setName("set")
        copyName = fields.setName("as")
        if copyName != nil, set == nil, !fields.has("set") { fields.fail("set", .missing) }
    }
}

extension Fields {
    /// Reads the name of a published form. An empty name ends the publication.
    fileprivate func formName(_ name: String) -> String? {
        let written = text(name, 0...40)
        if let written, !written.isEmpty, !PublishedForm.isName(written) { fail(name, .notAFormName) }
        return written
    }

    fileprivate func setName(_ name: String) -> String? {
        value(name, required: false, .string(min: 1, max: 40, format: nil, pattern: "^[a-z0-9-]+$")) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            return QuestionSet.isName(written) ? .success(written) : .failure(FieldError("", .notASetName))
        }
    }
}

extension ChosenPromise {
    /// Reads `promise` and `anonymous`. If a request has both, they must agree.
    init(reading fields: Fields) {
        let anonymous = fields.bool("anonymous")
        let promise = fields.choice("promise", of: AnswerPromise.self)
        if let anonymous, let promise, anonymous == promise.linksResponses {
            fields.fail("anonymous", .notTogether(with: "promise"))
        }
        self.init(anonymous: anonymous, promise: promise)
    }
}

extension QuestionSet.About {
    init(reading fields: Fields) {
        let title = fields.localized("title", "titles", most: 200, isLine: true)
        let description = fields.localized("description", "descriptions", most: 2000)
        let next = fields.text("next", 0...40)
        if let next, !next.isEmpty, !QuestionSet.isName(next) { fields.fail("next", .notASetName) }
        self.init(title: title, description: description, next: next)
    }
}
