package import Meetings

/// Writes a set's questions as a whole. What is said of the set itself stays where it is not given; an empty
/// `next` ends the form.
package struct SetQuestionsRequest: Readable, Sendable {
    package let questions: [Question]
    package let anonymous: Bool?
    package let about: QuestionSet.About

    package init(reading fields: Fields) {
        questions = fields.questions(required: true) ?? []
        anonymous = fields.bool("anonymous")
        about = QuestionSet.About(reading: fields)
    }
}

package struct EditQuestionSetRequest: Readable, Sendable {
    package let open: Bool?
    package let shared: Bool?
    package let anonymous: Bool?
    /// Empty where nobody is to answer it without a receipt any more.
    package let publishedAs: String?
    package let about: QuestionSet.About

    package init(reading fields: Fields) {
        open = fields.bool("open")
        shared = fields.bool("shared")
        anonymous = fields.bool("anonymous")
        publishedAs = fields.text("publishedAs", 0...40)
        if let publishedAs, !publishedAs.isEmpty, !PublishedForm.isName(publishedAs) {
            fields.fail("publishedAs", .notAFormName)
        }
        about = QuestionSet.About(reading: fields)
    }
}

/// Takes another session's questions, under new ids, into a set that nobody has answered.
package struct CopyQuestionsRequest: Readable, Sendable {
    package let from: SessionID
    /// All sets of the other session where nil.
    package let set: String?
    /// What the copy is called: as the original where nil.
    package let copyName: String?

    package init(reading fields: Fields) {
        from = fields.id("from", of: Session.self, required: true) ?? ID(high: 0, low: 0)
        set = fields.setName("set")
        copyName = fields.setName("as")
        if copyName != nil, set == nil, !fields.has("set") { fields.fail("set", .missing) }
    }
}

extension Fields {
    fileprivate func setName(_ name: String) -> String? {
        guard let written = text(name, 1...40) else { return nil }
        guard QuestionSet.isName(written) else {
            fail(name, .notASetName)
            return nil
        }
        return written
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
