import Journal
package import Meetings
import SQLJournal

/// The queue of mails as an operator reads it, with or without a running server. Reading changes nothing.
package struct MailListing: Sendable {
    package let counts: [MailDelivery.State: Int]
    /// The mails in the requested states, the earliest next attempt first, at most `most`.
    package let mails: [MailRecord]

    package static let most = 1000

    /// Reads the queue of the data in `folder`.
    /// - Throws: `.noData` if there is no database; `.storage` if it cannot be read.
    package static func read(
        _ states: Set<MailDelivery.State>, in folder: String
    ) throws(OperatingError) -> MailListing {
        let data = try DataFolder.withData(at: folder)
        return try operating(on: data.databasePath) { () throws(JournalError) in
            let connection = try Connection.looking(at: data.databasePath)
            defer { connection.close() }
            let isEmpty = try connection.checkKind()
            // An older server, which knew no mails, may have written the database.
            let isOlder = try connection.schemaVersion < Migrations.sqlite.newest
            if isEmpty || isOlder { return MailListing(counts: [:], mails: []) }
            try connection.execute("BEGIN", "begin to list mails")
            return MailListing(
                counts: try connection.mailCounts(),
                mails: try connection.mails(in: states, after: nil, limit: most).sorted {
                    ($0.delivery.nextAttempt, $0.id) < ($1.delivery.nextAttempt, $1.id)
                })
        }
    }
}
