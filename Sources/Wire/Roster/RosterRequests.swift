package import Meetings

/// The request that adds a person to the roster: a new person, or the attendee with the id `attendeeId`.
package struct AddPersonRequest: Readable, Sendable {
    package let attendeeId: AttendeeID?
    package let draft: PersonDraft
    /// Whether to add the person although somebody on the roster has the same name.
    package let allowSameName: Bool

    package init(reading fields: Fields) {
        allowSameName = fields.bool("allowSameName") ?? true
        attendeeId = fields.id("attendeeId", of: Attendee.self)
        draft = PersonDraft(
            name: fields.name("name") ?? "", email: fields.emailOrNone("email") ?? "",
            number: fields.line("number", most: 50) ?? "")
        if !fields.has("attendeeId"), !fields.has("name") { fields.fail("name", .missing) }
    }
}

/// The request that adds everybody who came to a session to the roster.
package struct KeepRequest: Readable, Sendable {
    /// The session; nil means the meeting's session that started last.
    package let sessionId: SessionID?

    package init(reading fields: Fields) { sessionId = fields.id("sessionId", of: Session.self) }
}

/// The request that replaces a whole roster.
package struct RosterRequest: Readable, Sendable {
    package let people: [PersonRequest]

    package init(reading fields: Fields) {
        people =
            fields.objects("people", of: PersonRequest.self, required: true, most: RosterFile.mostPeople)
            ?? []
    }
}

/// A person in a roster request. With `id`, the values replace those of the person with this id.
package struct PersonRequest: Readable, Sendable {
    package let id: PersonID?
    package let draft: PersonDraft

    package init(reading fields: Fields) {
        id = fields.id("id", of: Person.self)
        draft = PersonDraft(
            name: fields.name("name", required: true) ?? "", email: fields.emailOrNone("email") ?? "",
            number: fields.line("number", most: 50) ?? "")
    }
}

/// The request that edits a person on the roster. Absent fields keep their values. An empty e-mail address or
/// number deletes the present one.
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
    /// Reads an e-mail address. A blank text means that the person has no address.
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
