import Foundation
import Journal

/// Recounts everything from the journal and the rows, and compares it with what is kept. Reads one state of
/// the database, beside a server or without one, and changes nothing. A server's log grows while it runs.
package struct Verification: Sendable {
    package struct Counts: Hashable, Sendable, Codable {
        package var accounts = 0
        package var meetings = 0
        package var sessions = 0
        package var attendees = 0
        package var checkedIn = 0
        package var events = 0
        package var responses = 0
    }

    package private(set) var counts = Counts()
    /// At most `mostOfAKind` of each check; empty where all is well.
    package private(set) var findings: [Finding] = []

    static let mostOfAKind = 50

    package static func run(on folder: String) throws(OperatingError) -> Verification {
        let data = DataFolder(path: folder)
        try operating(on: folder) { () throws(JournalError) in try data.checkDatabaseExists() }
        guard let size = PrivateFile.size(data.databasePath), size > 0 else { throw .noData(folder: folder) }
        return try operating(on: data.databasePath) { () throws(JournalError) in
            let connection = try Connection(path: data.databasePath, for: .looking)
            defer { connection.close() }
            var verification = Verification()
            let mark = MarkFile.look(at: data.markPath)?.mark
            try connection.execute("BEGIN", "begin to verify")
            if try connection.checkKind(known: Migration.all.count) {
                try data.checkNoTraces()
                return verification
            }
            verification.check("lost commits") { () throws(JournalError) in
                try data.losses(connection, mark: mark).map(Finding.init)
            }
            verification.examine(connection)
            return verification
        }
    }

    mutating func examine(_ connection: Connection) {
        check("the file") { () throws(JournalError) in
            try connection.integrityFaults().map { Finding(.damagedFile, nil, ["detail": $0]) }
        }
        check("references") { () throws(JournalError) in try connection.brokenReferences() }
        check("the journal") { () throws(JournalError) in
            try connection.journalGaps() + connection.counterDifferences() + connection.unknownEventData()
        }
        check("attendees") { () throws(JournalError) in
            try connection.headCountDifferences() + connection.arrivalsWithoutEvents()
                + connection.lostArrivals()
        }
        check("places and keys") { () throws(JournalError) in
            try connection.strayPlaces() + connection.keyDifferences()
        }
        check("responses") { () throws(JournalError) in
            try connection.responseDifferences() + connection.markDifferences()
                + connection.namedAnonymousEvents()
        }
        check("tallies") { () throws(JournalError) in try connection.tallyDifferences() }
        check("lists") { () throws(JournalError) in try connection.latestSessionDifferences() }
        do throws(JournalError) { counts = try connection.counts() } catch {
            findings.append(Finding(.unreadable, nil, Self.values("counts", error)))
        }
    }

    /// A file that is damaged in one place is read on in the others.
    private mutating func check(_ what: String, _ body: () throws(JournalError) -> [Finding]) {
        do throws(JournalError) { findings += try body() } catch {
            findings.append(Finding(.unreadable, nil, Self.values(what, error)))
        }
    }

    private static func values(_ what: String, _ error: JournalError) -> [String: String] {
        if case .failed(let failure) = error { return ["what": what, "detail": failure.description] }
        return ["what": what, "detail": "\(error)"]
    }
}

extension Connection {
    private static let counting = Query(
        "count everything",
        """
        SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM meetings), (SELECT count(*) FROM sessions),
            (SELECT count(*) FROM attendees), (SELECT count(*) FROM attendees WHERE status IN (1, 2)), (SELECT count(*) FROM events),
            (SELECT count(*) FROM responses)
        """)
    private static let references = Query(
        "check references",
        "SELECT \"table\", \"parent\", count(*) FROM pragma_foreign_key_check GROUP BY 1, 2")
    private static let latest = Query(
        "check latest sessions",
        """
        SELECT DISTINCT s.id FROM members b JOIN sessions s ON s.meeting = b.meeting
        WHERE s.round = (SELECT max(round) FROM sessions WHERE meeting = b.meeting)
            AND (b.latest IS NOT s.id OR b.starts_at IS NOT s.starts_at OR b.ends_at IS NOT s.ends_at)
        LIMIT \(Verification.mostOfAKind)
        """)

    func counts() throws(JournalError) -> Verification.Counts {
        try first(Self.counting) { row in
            Verification.Counts(
                accounts: row.int(0), meetings: row.int(1), sessions: row.int(2), attendees: row.int(3),
                checkedIn: row.int(4),
                events: row.int(5), responses: row.int(6))
        } ?? Verification.Counts()
    }

    fileprivate func brokenReferences() throws(JournalError) -> [Finding] {
        try all(Self.references) {
            Finding(
                .brokenReference, nil, ["table": $0.text(0), "parent": $0.text(1), "rows": "\($0.int(2))"])
        }
    }

    fileprivate func latestSessionDifferences() throws(JournalError) -> [Finding] {
        try all(Self.latest) { Finding(.latestSessionDiffers, $0.idIfAny(0)) }
    }
}
