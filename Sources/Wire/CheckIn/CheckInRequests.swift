package import Meetings

/// The request that exchanges a code for a grant. It must contain `code` or `joinCode`; if it contains both,
/// `code` is used.
package struct GrantRequest: Readable, Sendable {
    package let code: String?
    package let joinCode: String?

    package init(reading fields: Fields) {
        code = fields.text("code", 1...500)
        joinCode = fields.text("joinCode", 1...32)
        if code == nil, joinCode == nil, !fields.has("code"), !fields.has("joinCode") {
            fields.fail("code", .missing)
        }
    }
}

/// The request that checks in. It contains a `grant`, a `code` or a `joinCode`, the name, and the field that
/// identifies attendees.
package struct CheckInRequest: Readable, Sendable {
    package let grant: String?
    package let code: String?
    package let joinCode: String?
    package let name: String
    package let email: String?
    package let number: String?
    /// The answers to the questions of the check-in form.
    package let answers: Answers
    package let unusable: UnusableAnswers
    /// The number of the text that the attendee agrees to.
    package let consentNumber: Int?

    package init(reading fields: Fields) {
        grant = fields.text("grant", 1...500)
        code = fields.text("code", 1...500)
        joinCode = fields.text("joinCode", 1...32)
        name = fields.name("name", required: true) ?? ""
        email = fields.email("email")
        number = fields.name("number", most: 50)
        (answers, unusable) = fields.answers(required: false)
        consentNumber = fields.integer("consentNumber", 1...Consent.most)
        if grant == nil, code == nil, joinCode == nil,
            !["grant", "code", "joinCode"].contains(where: fields.has)
        {
            fields.fail("code", .missing)
        }
    }

    package init(
        grant: String, name: String, email: String?, number: String?, answers: Answers = [:],
        consentNumber: Int? = nil
    ) {
        self.grant = grant
        code = nil
        joinCode = nil
        self.name = name
        self.email = email
        self.number = number
        self.answers = answers
        unusable = .none
        self.consentNumber = consentNumber
    }
}
