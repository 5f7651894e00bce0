package import Foundation
package import Journal
package import Meetings
package import SQLJournal

/// A database that the attacks run on. It shows what its operator can read, beyond the server's views.
package protocol AttackedDatabase: Sendable {
    var engine: any Engine { get }

    /// Creates two tables, without a relation to each other, whose rows are numbered as they are inserted.
    func makePlainTables(_ rows: any WritableRows) throws(JournalError)
    /// Inserts a row into each of these tables.
    func notePlainly(
        _ answer: String, of attendee: AttendeeID, to set: String, _ rows: any WritableRows
    ) throws(JournalError)
    /// Returns everything that the operator can read about one set.
    /// - Parameter hasPlainTables: whether the sight includes the rows of the two tables.
    func sight(
        of set: String, in session: SessionID, attendees: [AttendeeID], hasPlainTables: Bool,
        _ rows: any ReadableRows
    ) throws(JournalError) -> DatabaseSight
    /// Returns what a backup shows of one set, whose rows are in the order of their keys.
    func backupSight(
        of set: String, in session: SessionID, _ rows: any ReadableRows
    ) throws(JournalError) -> BackupSight
}

/// What a backup shows of one set: the marks of its answers, and the people who are marked as having
/// answered.
package struct BackupSight: Sendable {
    package var answers: Set<String> = []
    package var people: Set<AttendeeID> = []
}

/// A database with SQL.
package protocol AttackedSQLDatabase: AttackedDatabase {
    associatedtype Connected: SQLConnection
    /// The type of a column that numbers the rows as they are inserted.
    static var numberType: String { get }
    /// The type of a column with an id.
    static var idType: String { get }

    func connection(of rows: any ReadableRows) throws(JournalError) -> Connected
}

extension AttackedSQLDatabase {
    package func makePlainTables(_ rows: any WritableRows) throws(JournalError) {
        for (name, columns) in [
            ("plain_answers", "set_name text, answer text"),
            ("plain_people", "set_name text, attendee \(Self.idType)"),
        ] {
            try connection(of: rows).run(
                Query("test", "CREATE TABLE \(name) (number \(Self.numberType) PRIMARY KEY, \(columns))"))
        }
    }

    package func notePlainly(
        _ answer: String, of attendee: AttendeeID, to set: String, _ rows: any WritableRows
    ) throws(JournalError) {
        let connection = try connection(of: rows)
        try connection.run(
            Query("test", "INSERT INTO plain_answers (set_name, answer) VALUES (?, ?)"), set, answer)
        try connection.run(
            Query("test", "INSERT INTO plain_people (set_name, attendee) VALUES (?, ?)"), set, attendee)
    }

    package func backupSight(
        of set: String, in session: SessionID, _ rows: any ReadableRows
    ) throws(JournalError) -> BackupSight {
        let connection = try connection(of: rows)
        let answers = try connection.all(
            Query("test", "SELECT answers FROM responses WHERE session = ? AND set_name = ?"), session, set
        ) { $0.text(0) }
        let people = try connection.all(
            Query("test", "SELECT attendee FROM answered WHERE set_name = ?"), set
        ) {
            row throws(JournalError) in try row.id(0) as AttendeeID
        }
        return BackupSight(answers: Set(markers(in: answers)), people: Set(people))
    }

    /// Returns what the operator of any database can read about one set.
    /// - Parameters:
    ///   - answers: the lists of answers that this database shows.
    ///   - people: its lists of people.
    package func sight(
        of set: String, in session: SessionID, _ answers: [DatabaseSight.Source<String>],
        _ people: [DatabaseSight.Source<AttendeeID>], hasPlainTables: Bool, _ rows: any ReadableRows
    ) throws(JournalError) -> DatabaseSight {
        let connection = try connection(of: rows)
        let held = try connection.first(
            Query(
                "test",
                "SELECT count(*) FROM responses WHERE session = ? AND set_name = ? AND published = 0"),
            session, set
        ) { $0.int(0) }
        let hours = try connection.all(
            Query("test", "SELECT at, answers FROM responses WHERE session = ? AND set_name = ?"), session,
            set
        ) { ($0.int(0), $0.text(1)) }
        var sight = DatabaseSight(
            answers: answers, people: people, heldBack: held ?? 0,
            hours: Dictionary(grouping: hours, by: \.0).values.map { Set(markers(in: $0.map(\.1))) })
        if hasPlainTables {
            let plain = try connection.all(
                Query("test", "SELECT answer FROM plain_answers WHERE set_name = ? ORDER BY number"), set
            ) { $0.text(0) }
            sight.answers.append(.init("plain rows", plain))
        }
        return sight
    }
}

/// What an operator reads about one set.
package struct DatabaseSight: Sendable {
    /// A list that the operator can make, in its order.
    package struct Source<Item: Sendable>: Sendable {
        package let name: String
        package let items: [Item]

        package init(_ name: String, _ items: [Item]) { (self.name, self.items) = (name, items) }
    }

    /// The marks of answers.
    package var answers: [Source<String>]
    /// The people who answered.
    package var people: [Source<AttendeeID>]
    /// The answers for which one person is the only one with the same transaction.
    package var joined: [String] = []
    /// The answers in the database's log.
    package var logged: [String] = []
    /// The number of responses that are held back.
    package var heldBack: Int
    /// The answers of each stored hour. Everybody who sees an answer sees its hour.
    package var hours: [Set<String>]

    package init(
        answers: [Source<String>], people: [Source<AttendeeID>], heldBack: Int, hours: [Set<String>]
    ) {
        (self.answers, self.people, self.heldBack, self.hours) = (answers, people, heldBack, hours)
    }
}

/// Opens databases for the attacks.
package protocol AttackedDatabases: Sendable {
    /// Runs `body` with a new database, and then deletes the database.
    func withDatabase<Result>(
        _ body: (any AttackedDatabase) async throws -> Result
    ) async throws -> Result
}

/// Returns the marks of answers in these bytes, in their order. A second text of a response repeats its mark.
package func markers(in bytes: Data) -> [String] {
    var found: [String] = []
    var from = bytes.startIndex
    while let range = bytes.range(of: Data("answer-".utf8), in: from..<bytes.endIndex) {
        found.append(
            String(
                decoding: bytes[range.lowerBound..<min(range.lowerBound + 17, bytes.endIndex)],
                as: UTF8.self))
        from = range.upperBound
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
}

/// Returns the marks of answers in these texts, in their order.
package func markers(in texts: [String]) -> [String] { texts.flatMap { markers(in: Data($0.utf8)) } }
