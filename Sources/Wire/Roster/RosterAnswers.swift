package import Meetings

/// One line of a roster.
package struct PersonBody: Codable, Hashable, Sendable {
    package let id: PersonID
    package let name: String
    package let email: String?
    package let number: String?
    package let archived: Bool
    /// The entity tag's number.
    package let version: Int
    /// Over the meeting's sessions; in lists and on one's own.
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

/// What an import came to.
package struct RosterImportBody: Codable, Hashable, Sendable {
    package let added: Int
    package let updated: Int
    package let unarchived: Int
    package let archived: Int
    package let unchanged: Int
    /// On the roster now.
    package let people: Int
    /// Those without what the meeting tells people apart by: they cannot claim their place by checking in.
    package let withoutKey: Int
    /// The roster's entity tag's number.
    package let version: Int
    /// Of a file; nil for JSON.
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
