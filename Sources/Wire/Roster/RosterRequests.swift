package import Meetings

/// Adds a person to the roster, or the attendee named by `attendeeId`.
package struct AddPersonRequest: Readable, Sendable {
    package let attendeeId: AttendeeID?
    package let draft: PersonDraft

    package init(reading fields: Fields) {
        attendeeId = fields.id("attendeeId", of: Attendee.self)
        draft = PersonDraft(
            name: fields.name("name") ?? "", email: fields.emailOrNone("email") ?? "",
            number: fields.line("number", most: 50) ?? "")
        if !fields.has("attendeeId"), !fields.has("name") { fields.fail("name", .missing) }
    }
}

/// Replaces a whole roster.
package struct RosterRequest: Readable, Sendable {
    package let people: [PersonRequest]

    package init(reading fields: Fields) {
        people =
            fields.objects("people", of: PersonRequest.self, required: true, most: RosterFile.mostPeople)
            ?? []
    }
}

/// A person of a roster.
package struct PersonRequest: Readable, Sendable {
    package let draft: PersonDraft

    package init(reading fields: Fields) {
        draft = PersonDraft(
            name: fields.name("name", required: true) ?? "", email: fields.emailOrNone("email") ?? "",
            number: fields.line("number", most: 50) ?? "")
    }
}

/// Absent fields keep their values; an empty e-mail address or number is deleted.
package struct EditPersonRequest: Readable, Sendable {
    package let name: String?
    package let email: String?
    package let number: String?
    package let archived: Bool?

    package init(reading fields: Fields) {
        name = fields.name("name")
        email = fields.emailOrNone("email")
        number = fields.line("number", most: 50)
        archived = fields.bool("archived")
    }
}

extension Fields {
    /// Reads an e-mail address; a blank text means none.
    func emailOrNone(_ name: String) -> String? {
        let address = Schema.string(min: 3, max: 254, format: "email", pattern: nil)
        let nothing = Schema.string(min: nil, max: nil, format: nil, pattern: #"^\s*$"#)
        return value(name, required: false, .any([address, nothing])) {
            guard let written = $0.string else {
                return .failure(FieldError("", .wrongType(expected: "string")))
            }
            if written.allSatisfy(\.isWhitespace) { return .success("") }
            return EmailAddress.normalized(written).map { .success($0) }
                ?? .failure(FieldError("", .notAnEmail))
        }
    }
}
