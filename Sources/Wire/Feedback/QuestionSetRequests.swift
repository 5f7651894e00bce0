package import Meetings

/// The request that replaces a set's questions. Absent fields of the set keep their values. If `next` is
/// empty, no set follows.
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

/// The request that opens, closes, shares or publishes a set, or changes its anonymity. Absent fields keep
/// their values.
package struct EditQuestionSetRequest: Readable, Sendable {
    package let open: Bool?
    package let shared: Bool?
    package let anonymous: Bool?
    /// The name of the published form. An empty name ends the publication.
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
