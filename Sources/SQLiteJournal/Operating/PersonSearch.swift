import Journal
package import Meetings
import SQLJournal

/// The records that an e-mail address or number leads to, in all meetings. The search reads whole tables, so
/// it can take long.
package struct PersonSearch: Sendable {
    package let account: AccountID?
    package let people: [PersonID]
    /// The attendees with this key who are in no slot of `people`.
    package let attendees: [AttendeeID]

    private static let account = Query("find an account", "SELECT id FROM accounts WHERE email_key = ?")
    private static let people = Query(
        "find people by key", "SELECT id FROM people WHERE email_key = ?1 OR number_key = ?1 ORDER BY id")
    private static let attendees = Query(
        "find attendees by key",
        """
        SELECT a.id FROM attendees a WHERE a.key = ?1 AND NOT EXISTS (
            SELECT 1 FROM places p JOIN people o ON o.id = p.person
            WHERE p.attendee = a.id AND (o.email_key = ?1 OR o.number_key = ?1))
        UNION SELECT into_attendee FROM merged_attendees WHERE key = ?1
        """)

    /// Searches the data in `folder`.
    /// - Throws: `.noData` if there is no database; `.storage` if it cannot be read.
    package static func read(_ identity: String, in folder: String) throws(OperatingError) -> PersonSearch {
        let data = DataFolder(path: folder)
        try operating(on: folder) { () throws(JournalError) in try data.checkDatabaseExists() }
        return try operating(on: data.databasePath) { () throws(JournalError) in
            let connection = try Connection.looking(at: data.databasePath)
            defer { connection.close() }
            _ = try connection.checkKind()
            let key = IdentityKey(identity)
            return PersonSearch(
                account: try connection.first(account, key) { row throws(JournalError) in try row.id(0) },
                people: try connection.all(people, key) { row throws(JournalError) in try row.id(0) },
                attendees: try connection.all(attendees, key) { row throws(JournalError) in try row.id(0) })
        }
    }
}
