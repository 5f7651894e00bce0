package import Meetings

/// Somebody for the roster, or the attendee who is to be kept on it.
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

/// A whole roster.
package struct RosterRequest: Readable, Sendable {
    package let people: [PersonRequest]

    package init(reading fields: Fields) {
        people =
            fields.objects("people", of: PersonRequest.self, required: true, most: RosterFile.mostPeople)
            ?? []
    }
}

package struct PersonRequest: Readable, Sendable {
    package let draft: PersonDraft

    package init(reading fields: Fields) {
        draft = PersonDraft(
            name: fields.name("name", required: true) ?? "", email: fields.emailOrNone("email") ?? "",
            number: fields.line("number", most: 50) ?? "")
    }
}

/// What is absent stays; an empty e-mail address or number is taken away.
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

/// The next sessions of a meeting by a rule.
package struct RepeatRequest: Readable, Sendable {
    package enum Rule: String, Codable, CaseIterable, Sendable { case weekly, weekdays, days }

    package let rule: SeriesRule
    package let count: Int
    package let first: (startsAt: Instant, endsAt: Instant)?
    package let settings: SessionSettings
    package let allowOverlap: Bool

    package init(reading fields: Fields) {
        let kind = fields.choice("rule", of: Rule.self, required: true) ?? .weekly
        let every = fields.integer("every", SeriesRule.days)
        let days = fields.weekdays("on")
        count = fields.integer("count", required: true, 1...SeriesRule.most) ?? 1
        let (start, end) = (fields.instant("startsAt"), fields.instant("endsAt"))
        settings = SessionSettings(reading: fields)
        allowOverlap = fields.bool("allowOverlap") ?? false
        rule =
            switch kind {
            case .weekly: .weekly
            case .weekdays: .weekdays(days ?? Weekday.working)
            case .days: .everyDays(every ?? 1)
            }
        if kind == .days, every == nil, !fields.has("every") { fields.fail("every", .missing) }
        if start == nil, end != nil, !fields.has("startsAt") { fields.fail("startsAt", .missing) }
        if end == nil, start != nil, !fields.has("endsAt") { fields.fail("endsAt", .missing) }
        if let start, let end {
            first = (start, end)
            if let error = SessionTimes.error(startsAt: start, endsAt: end) { fields.fail("endsAt", error) }
        } else {
            first = nil
        }
    }
}

extension Fields {
    /// An e-mail address, or an empty text for none.
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

    /// 1–7 different days.
    func weekdays(_ name: String) -> Set<Weekday>? {
        let names = Weekday.allCases.map(\.rawValue)
        return value(name, required: false, .array(.oneOf(names), min: 1, max: 7)) {
            guard $0.isArray else { return .failure(FieldError("", .wrongType(expected: "array"))) }
            let elements = $0.elements
            guard (1...7).contains(elements.count) else {
                return .failure(FieldError("", .count(min: 1, max: 7)))
            }
            let days = elements.compactMap { $0.string.flatMap { Weekday(rawValue: $0) } }
            return days.count == elements.count
                ? .success(Set(days)) : .failure(FieldError("", .notOneOf(names)))
        }
    }
}
