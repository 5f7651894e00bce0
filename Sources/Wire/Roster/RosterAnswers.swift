package import Meetings

/// A person on a roster.
package struct PersonBody: Codable, Hashable, Sendable {
    package let id: PersonID
    package let name: String
    package let email: String?
    package let number: String?
    package let archived: Bool
    /// The version, which is also in the entity tag.
    package let version: Int
    /// The person's totals over the meeting's sessions.
    package var totals: SeriesTotals?

    package init(_ person: Person, totals: SeriesTotals?) {
        id = person.id
        name = person.name
        email = person.email.isEmpty ? nil : person.email
        number = person.number.isEmpty ? nil : person.number
        archived = person.isArchived
        version = person.version
        self.totals = totals
    }
}

/// The result of keeping everybody who came to a session.
package struct KeptBody: Codable, Hashable, Sendable {
    /// The number of people who joined the roster.
    package let kept: Int
    /// The number of attendees who were on the roster already.
    package let unchanged: Int

    package init(kept: Int, unchanged: Int) {
        self.kept = kept
        self.unchanged = unchanged
    }
}

/// The result of an imported roster, or of a dry run.
package struct RosterImportBody: Codable, Hashable, Sendable {
    package let added: Int
    package let updated: Int
    package let unarchived: Int
    package let archived: Int
    package let unchanged: Int
    /// The number of people on the roster after the import.
    package let people: Int
    /// The number of people without the value that identifies attendees. A check-in cannot match the roster
    /// entry of such a person.
    package let withoutKey: Int
    /// The roster's version, which is also in its entity tag.
    package let version: Int
    /// The encoding of an uploaded file; nil for JSON.
    package let encoding: SpreadsheetText.Encoding?
    /// The people whom the import would change. Only the answer to a dry run contains them.
    package let changes: RosterChangesBody?

    package init(
        added: Int, updated: Int, unarchived: Int, archived: Int, unchanged: Int, people: Int,
        withoutKey: Int, version: Int,
        encoding: SpreadsheetText.Encoding?, changes: RosterChangesBody? = nil
    ) {
        self.added = added
        self.updated = updated
        self.unarchived = unarchived
        self.archived = archived
        self.unchanged = unchanged
        self.people = people
        self.withoutKey = withoutKey
        self.version = version
        self.encoding = encoding
        self.changes = changes
    }
}

/// The people whom the import of a roster would change. Each list has the first `mostListed` of them.
package struct RosterChangesBody: Codable, Hashable, Sendable {
    /// The values of one person.
    package struct Entry: Codable, Hashable, Sendable {
        package let name: String
        package let email: String?
        package let number: String?

        init(_ person: Person) {
            name = person.name
            email = person.email.isEmpty ? nil : person.email
            number = person.number.isEmpty ? nil : person.number
        }
    }

    /// The values of a changed person, before and after the import.
    package struct Change: Codable, Hashable, Sendable {
        package let before: Entry
        package let after: Entry
    }

    /// The most people that each list names.
    package static let mostListed = 200

    package let added: [Entry]
    package let updated: [Change]
    package let unarchived: [Entry]
    package let archived: [Entry]
    /// The joining people whose name is that of several attendees whom somebody added by name alone.
    package let ambiguous: [Entry]

    package init(
        added: [Person], updated: [(before: Person, after: Person)], unarchived: [Person],
        archived: [Person], ambiguous: [Person]
    ) {
        self.ambiguous = ambiguous.prefix(Self.mostListed).map(Entry.init)
        self.added = added.prefix(Self.mostListed).map(Entry.init)
        self.updated = updated.prefix(Self.mostListed).map {
            Change(before: Entry($0.before), after: Entry($0.after))
        }
        self.unarchived = unarchived.prefix(Self.mostListed).map(Entry.init)
        self.archived = archived.prefix(Self.mostListed).map(Entry.init)
    }
}
