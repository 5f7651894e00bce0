package import Meetings

/// Switches a session's groups of interest on or off, changes what the form promises, or names the places.
/// An attendee who opted in before keeps the promise.
package struct EditMatchSettings: Command {
    package let session: SessionID
    package let open: Bool?
    package let promise: AudienceQuestion.Promise?
    package let places: [String]?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, open: Bool? = nil, promise: AudienceQuestion.Promise? = nil,
        places: [String]? = nil, expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.session = session
        self.open = open
        self.promise = promise
        self.places = places
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MatchSettings {
        _ = try transaction.rights.session(session, managedBy: actor)
        let before = try transaction.matching.settings(of: session)
        try expected.check(before.version)
        var after = before
        after.open = open ?? before.open
        after.promise = promise ?? before.promise
        after.places = places.map(MatchPerson.distinct) ?? before.places
        guard after != before else { return before }
        after.version += 1
        var changes: [FieldChange] = []
        if after.open != before.open {
            changes.append(FieldChange("groupsOpen", from: String(before.open), to: String(after.open)))
        }
        if after.promise != before.promise {
            changes.append(
                FieldChange("groupsPromise", from: before.promise.rawValue, to: after.promise.rawValue))
        }
        var fields = changes.map(\.field)
        // The journal has no texts of hosts, so the places are in no event.
        if after.places != before.places { fields.append("groupsPlaces") }
        try transaction.rows.save(after, of: session)
        try transaction.record(
            .edited, in: session, by: .account(actor),
            EventData(fields: fields, changes: changes.isEmpty ? nil : changes))
        transaction.publishMatching(of: session, settings: true)
        // Without this, the rooms' frame for the event would contain no change for clients.
        transaction.publishEdit(of: session)
        return after
    }
}

/// Closes a report, or excludes the reported person from the session's groups of interest. An excluded
/// person sees that a host has excluded them, and cannot opt in again unless a host includes them.
/// - Throws: `notFound` if the session has no such report.
package struct HandleMatchReport: Command {
    package let session: SessionID
    package let report: MatchReportID
    package let isClosed: Bool?
    package let excludes: Bool?
    package let actor: AccountID

    package init(
        session: SessionID, report: MatchReportID, isClosed: Bool? = nil, excludes: Bool? = nil,
        actor: AccountID
    ) {
        self.session = session
        self.report = report
        self.isClosed = isClosed
        self.excludes = excludes
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> MatchReport {
        _ = try transaction.rights.session(session, managedBy: actor)
        let rows = transaction.rows
        guard var found = try rows.matchReports(of: session).first(where: { $0.id == report }) else {
            throw .refused(.notFound(.matchReport))
        }
        if let isClosed, isClosed != found.isClosed {
            found.isClosed = isClosed
            try rows.save(found)
            transaction.publishMatching(of: session, reports: true)
        }
        if let excludes, var person = try rows.matchPerson(found.about), person.isExcluded != excludes {
            try transaction.matching.leave(person.attendeeID)
            person.profile = nil
            person.isExcluded = excludes
            try rows.save(person)
            transaction.publishMatching(
                of: session, to: [person.attendeeID], people: true, reports: true)
        }
        return found
    }
}

// MARK: By the clock

/// Erases the data of attendees in groups of interest after the feedback window, and the reports 30 days
/// later. Each command looks at a few sessions and erases a limited number of rows.
package struct ForgetMatching: Command {
    /// How long reports are stored after the feedback window.
    package static let reportLifetime = Duration.hours(30 * 24)
    private let place: Place?
    private let mostRows: Int

    /// Where the next command continues.
    package struct Place: Sendable {
        /// The last session that is done; nil if there is none.
        let last: SessionID?
    }

    /// - Parameters:
    ///   - place: the result of the command before; nil to begin.
    ///   - mostRows: about the most rows of this command, of each kind.
    package init(from place: Place? = nil, mostRows: Int = 200) {
        self.place = place
        self.mostRows = mostRows
    }

    /// Returns where the next command continues; nil if no session is left.
    package func run(in transaction: Transaction) throws(JournalError) -> Place? {
        let limit = 50
        var done = place?.last
        let sessions = try transaction.rows.sessionsWithMatching(after: done, limit: limit)
        for session in sessions {
            guard let closesAt = try transaction.rows.session(session)?.session.feedbackClosesAt,
                transaction.now > closesAt
            else {
                done = session
                continue
            }
            let withReports = transaction.now > closesAt + Self.reportLifetime
            let mayHaveMore = try transaction.rows.forgetMatching(
                of: session, withReports: withReports, limit: mostRows)
            return Place(last: mayHaveMore ? done : session)
        }
        return sessions.count == limit ? Place(last: done) : nil
    }
}
