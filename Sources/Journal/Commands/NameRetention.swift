import Meetings

/// Deletes the names of sessions that ended long ago: names, addresses and numbers, notes and reasons of
/// hosts, devices and networks, numbers of consents, and the links to the people on the roster. Statuses,
/// times, answers and counts stay, without names. A person whom only check-ins added to the roster is removed
/// from it when the last session with the person's name loses its names. Each command handles a few
/// attendees. Returns the place where the next command continues; nil if no session has names to delete.
///
/// A session keeps its names until its feedback closes, because attendees can correct their names and hosts
/// can move the end until then. Afterwards nobody can add, name or correct an attendee
/// (`SessionRecord.requireNames`).
package struct ForgetNames: Command {
    /// The most attendees whose names one transaction deletes, so that no check-in waits long. Each costs
    /// about ten statements.
    static let mostRows = 50

    /// The attendee after whom the next command continues.
    package struct Place: Hashable, Sendable {
        let session: SessionID
        let attendee: AttendeeID?
    }

    private let place: Place?
    private let lifetime: Duration
    private let mostRows: Int

    /// - Parameters:
    ///   - place: the result of the command before; nil to begin.
    ///   - lifetime: the time after a session's end for which the names are stored.
    ///   - mostRows: the most attendees of this command.
    package init(from place: Place? = nil, after lifetime: Duration, mostRows: Int = Self.mostRows) {
        self.place = place
        self.lifetime = lifetime
        self.mostRows = mostRows
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Place? {
        let rows = transaction.rows
        let due = try rows.sessionsWithNames(
            endedBefore: transaction.now - lifetime, closedBefore: transaction.now, limit: 2)
        guard let session = due.first else { return nil }
        let page = try rows.attendees(
            of: session, statuses: nil, text: nil,
            after: place?.session == session ? place?.attendee : nil, limit: mostRows)
        for attendee in page where try forget(attendee, in: transaction) {
            // The removal of a person may delete many slots, so the command stops here.
            return Place(session: session, attendee: attendee.id)
        }
        if page.count == mostRows { return Place(session: session, attendee: page.last?.id) }
        try transaction.noteNamesDeleted(in: session)
        return due.count > 1 ? Place(session: due[1], attendee: nil) : nil
    }

    /// Returns whether a person left the roster.
    private func forget(_ attendee: Attendee, in transaction: Transaction) throws(JournalError) -> Bool {
        let rows = transaction.rows
        let person = try rows.person(inSlotOf: attendee.id)
        var leaving: Person?
        if let person { leaving = try transaction.roster.leaves(person, withdrawing: attendee) }
        for id in try rows.ids(of: attendee.id) {
            try rows.deleteCorrections(of: id)
            if id != attendee.id { try rows.deleteTrace(of: id) }
        }
        let nameless = attendee.withoutName
        if nameless != attendee {
            try rows.update(nameless)
            try rows.setKeys(AttendeeKeys(), of: nameless)
        }
        if person != nil { try rows.removeSlot(of: attendee.id) }
        if let leaving { try transaction.roster.remove(leaving) }
        return leaving != nil
    }
}

extension Transaction {
    /// Marks the session, writes to the action log, and publishes the edit to the rooms.
    fileprivate func noteNamesDeleted(in id: SessionID) throws(JournalError) {
        let now = now
        try rows.noteNamesDeleted(in: id, at: now)
        try change(id) { $0.session.namesDeletedAt = now }
        try note(.namesDeleted, by: .server, in: try session(id).meeting.id)
        publishEdit(of: id)
    }
}

extension SessionRecord {
    /// - Throws: `namesDeleted` if the retention of the session's names is over.
    func requireNames() throws(JournalError) {
        if session.namesDeletedAt != nil { throw .refused(.namesDeleted) }
    }
}
