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

/// The result of an imported roster.
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

    package init(
        added: Int, updated: Int, unarchived: Int, archived: Int, unchanged: Int, people: Int,
        withoutKey: Int, version: Int,
        encoding: SpreadsheetText.Encoding?
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
    }
}
