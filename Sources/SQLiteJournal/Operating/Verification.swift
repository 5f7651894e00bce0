package import Journal
package import Meetings
import SQLJournal

/// Verifies a database: recounts everything from the journal and the rows, and compares the results with the
/// stored counts. It reads one state of the database, with or without a running server, and changes nothing.
/// The log of a running server grows during the verification.
package struct Verification: Sendable {
    /// The numbers of rows in the database.
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
    /// The faults: at most `mostOfAKind` of each check. Empty if the data has no faults.
    package private(set) var faults: [Fault] = []

    static let mostOfAKind = 50

    /// Verifies the data in `folder`.
    /// - Throws: `.noData` if there is no database; `.storage` or `.damaged` if the database cannot be read.
    package static func run(on folder: String) throws(OperatingError) -> Verification {
        let data = try DataFolder.withData(at: folder)
        return try operating(on: data.databasePath) { () throws(JournalError) in
            let connection = try Connection.looking(at: data.databasePath)
            defer { connection.close() }
            var verification = Verification()
            let mark = MarkFile.look(at: data.markPath)?.mark
            try connection.execute("BEGIN", "begin to verify")
            if try connection.checkKind() {
                try data.checkNoTraces()
                return verification
            }
            verification.check("lost commits") { () throws(JournalError) in
                try data.losses(connection, mark: mark).map(Fault.init)
            }
            verification.examine(connection)
            return verification
        }
    }

    /// Verifies a database of another engine: copies one state of it into a temporary file in `folder`,
    /// proves that both have the same rows, and runs all checks on the copy.
    /// - Parameter progress: receives the numbers of handled rows and of all rows; returns false to cancel.
    /// - Throws: `.database`, `.storage`, `.cancelled`.
    package static func run(
        onCopyOf snapshot: OpeningOfSnapshot, in folder: String,
        progress: (_ phase: DatabaseCopy.Phase, _ done: Int, _ of: Int) -> Bool
    ) throws(OperatingError) -> Verification {
        Backup.removeLeftovers(named: "backup", in: folder)
        return try operating { () throws(CopyError) in
            let source = try snapshot()
            defer { source.close() }
            let path = "\(folder)/backup.\(Backup.unfinishedMark)"
            let size = try source.size()
            try copying(at: .folder(folder)) { () throws(JournalError) in
                try DiskSpace.check(folder, for: size, operation: "copy the database")
                try PrivateFile.make(path)
            }
            defer { PrivateFile.remove(database: path) }
            let target = try SQLiteCopyFile(path: path)
            defer { target.close() }
            _ = try DatabaseCopy.run(from: source, to: target, progress: progress)
            _ = try target.publish()
            var verification = Verification()
            verification.examine(target.connection)
            return verification
        }
    }

    /// Runs all checks in the connection's read transaction.
    mutating func examine(_ connection: Connection) {
        check("the file") { () throws(JournalError) in
            try connection.integrityFaults().map { Fault(.damagedFile, nil, ["detail": $0]) }
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
            try connection.strayRosterSlots() + connection.keyDifferences()
        }
        check("entries of offline doors") { () throws(JournalError) in
            try connection.doorEntryDifferences()
        }
        check("responses") { () throws(JournalError) in
            try connection.responseDifferences() + connection.markDifferences()
                + connection.namedAnonymousEvents()
        }
        check("tallies") { () throws(JournalError) in try connection.tallyDifferences() }
        check("votes") { () throws(JournalError) in try connection.voteDifferences() }
        check("lists") { () throws(JournalError) in try connection.latestSessionDifferences() }
        var unsettled: Set<SessionID> = []
        check("jobs") { () throws(JournalError) in
            unsettled = try connection.unsettledSessions()
            return []
        }
        // A long command that is in progress has changed only a part of the rows of its sessions.
        faults.removeAll { $0.session.map(unsettled.contains) ?? false }
        do throws(JournalError) { counts = try connection.counts() } catch {
            faults.append(Fault(.unreadable, nil, Self.values("counts", error)))
        }
    }

    /// Runs one check. If the check cannot run, this failure is added as a fault, and the other checks still
    /// run.
    private mutating func check(_ what: String, _ body: () throws(JournalError) -> [Fault]) {
        do throws(JournalError) { faults += try body() } catch {
            faults.append(Fault(.unreadable, nil, Self.values(what, error)))
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
        SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM meetings), (SELECT count(*)
            FROM sessions),
            (SELECT count(*) FROM attendees), (SELECT count(*) FROM attendees
                WHERE status IN (1, 2)), (SELECT count(*) FROM events),
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

    private static let unsettled = Query(
        "list sessions of jobs",
        "SELECT s.id FROM jobs j CROSS JOIN sessions s ON s.meeting = j.meeting")

    // Read each vote once, by the primary key.
    private static let votes = Query(
        "recount votes",
        """
        SELECT q.session, q.votes, count(v.attendee) AS counted FROM audience_questions q
            LEFT JOIN audience_votes v ON v.question = q.id
        GROUP BY q.id HAVING q.votes <> counted LIMIT \(Verification.mostOfAKind)
        """)

    fileprivate func voteDifferences() throws(JournalError) -> [Fault] {
        try all(Self.votes) {
            Fault(.votesDiffer, $0.idIfAny(0), ["stored": "\($0.int(1))", "counted": "\($0.int(2))"])
        }
    }

    fileprivate func unsettledSessions() throws(JournalError) -> Set<SessionID> {
        Set(try all(Self.unsettled) { row throws(JournalError) in try row.id(0) })
    }

    func counts() throws(JournalError) -> Verification.Counts {
        try first(Self.counting) { row in
            Verification.Counts(
                accounts: row.int(0), meetings: row.int(1), sessions: row.int(2), attendees: row.int(3),
                checkedIn: row.int(4),
                events: row.int(5), responses: row.int(6))
        } ?? Verification.Counts()
    }

    fileprivate func brokenReferences() throws(JournalError) -> [Fault] {
        try all(Self.references) {
            Fault(
                .brokenReference, nil, ["table": $0.text(0), "parent": $0.text(1), "rows": "\($0.int(2))"])
        }
    }

    fileprivate func latestSessionDifferences() throws(JournalError) -> [Fault] {
        try all(Self.latest) { Fault(.latestSessionDiffers, $0.idIfAny(0)) }
    }
}

/// One fault that `Verification` found.
package struct Fault: Hashable, Sendable {
    /// The kind of fault. Its raw value is part of the command's JSON.
    package enum Kind: String, CaseIterable, Sendable {
        // Faults of the file.
        case commitsMissing, foreignLog, damagedFile, brokenReference, unreadable
        // Faults of the journal.
        case journalGap, counterDiffers, unknownEventData
        // Faults of attendees and people.
        case headCountDiffers, arrivalWithoutEvent, arrivalLost, placeElsewhere, keyDiffers, doorEntriesDiffer
        // Faults of feedback.
        case responsesDiffer, publishedDiffer, marksDiffer, responseEventsDiffer, anonymousNamed,
            answerDoesNotFit, tallyDiffers, votesDiffer
        // Faults of lists.
        case latestSessionDiffers
    }

    package let kind: Kind
    /// The session with the fault; nil if the fault concerns the whole file.
    package let session: SessionID?
    /// The values of the fault's message: counts, ids and names of columns, but never text that a person
    /// wrote.
    package let values: [String: String]

    init(_ kind: Kind, _ session: SessionID? = nil, _ values: [String: String] = [:]) {
        self.kind = kind
        self.session = session
        self.values = values
    }
}

extension Fault {
    /// Makes the fault for lost commits, or for a foreign log. The values `since` and `copy` are missing if
    /// they are unknown.
    package init(_ loss: LostCommits) {
        var values = ["commits": "\(loss.commits)", "until": loss.until.rfc3339]
        values["since"] = loss.since?.rfc3339
        values["copy"] = loss.copy
        values["foreign"] = loss.inForeignLog.map { "\($0)" }
        self.init(loss.inForeignLog == nil ? .commitsMissing : .foreignLog, nil, values)
    }
}
