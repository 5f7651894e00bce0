package import Meetings

/// The request that changes the attendee's own name.
package struct RenameRequest: Readable, Sendable {
    /// Nil to change only the address or the number.
    package let name: String?
    /// The new address or number, normalized. The meeting's `identifyBy` chooses the one that counts.
    package let email: String?
    package let number: String?

    package init(reading fields: Fields) {
        email = fields.email("email")
        number = fields.name("number", most: 50)
        name = fields.name("name")
        if name == nil, !["name", "email", "number"].contains(where: fields.has) {
            fields.fail("name", .missing)
        }
    }
}

/// An attendee's own record, as the client with its receipt sees it.
package struct OwnRecordBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody
    package let session: SessionBody
    /// The names of the sets that this attendee has answered.
    package let responded: [String]
    /// The answers that the server can find: the answers to sets that are not anonymous.
    package let responses: [OwnResponse]
    /// The text that the attendee agreed to; nil if there is none.
    package let consent: Consent?

    package init(
        attendee: AttendeeBody, session: SessionBody, responded: [String], responses: [OwnResponse],
        consent: Consent? = nil
    ) {
        self.attendee = attendee
        self.session = session
        self.responded = responded
        self.responses = responses
        self.consent = consent
    }

    /// An attendee's own response to one set.
    package struct OwnResponse: Codable, Hashable, Sendable {
        package let set: String
        package let promise: AnswerPromise
        /// Whether the attendee can change the answers now.
        package let changeable: Bool
        package let answers: NamedAnswers

        package init(_ response: Response, to set: QuestionSet, changeable: Bool) {
            self.set = set.name
            promise = set.promise
            self.changeable = changeable
            answers = NamedAnswers(
                set.questions.compactMap { question in
                    response.answers[question.id].map { (question.id.text, $0) }
                })
        }
    }
}
