package import Meetings

/// The request that changes the attendee's own name.
package struct RenameRequest: Readable, Sendable {
    package let name: String

    package init(reading fields: Fields) { name = fields.name("name", required: true) ?? "" }
}

/// An attendee's own record, as the client with its receipt sees it.
package struct OwnRecordBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody
    package let session: SessionBody
    /// The names of the sets that this attendee has answered.
    package let responded: [String]
    /// The answers that the server can find: the answers to sets that are not anonymous.
    package let responses: [OwnResponse]

    package init(
        attendee: AttendeeBody, session: SessionBody, responded: [String], responses: [OwnResponse]
    ) {
        self.attendee = attendee
        self.session = session
        self.responded = responded
        self.responses = responses
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
