package import Meetings

/// Deletes the names of a session that ended long ago: names, addresses and numbers, notes and reasons of
/// hosts, devices and networks, numbers of consents, replies, and the links to the people on the roster.
/// Statuses, times, answers and counts stay, without names. A person whom only check-ins added to the
/// roster is removed from it with the last session that has the person's name. Each command handles a few
/// attendees.
///
/// A session keeps its names until its feedback closes, because attendees can correct their names and hosts
/// can move the end until then. The first command marks the session (`namesDeletedAt`). From then on nobody
/// can add, name or correct an attendee, so that no name returns behind the commands
/// (`SessionRecord.requireNames`).
package struct ForgetNames: Command {
    /// The most attendees whose names one transaction deletes, so that no check-in waits long. Each costs
    /// about ten statements.
    static let mostRows = 50
    /// The most people of a roster whose other sessions one transaction looks at. Each costs a few probes for
    /// each session of the meeting.
    static let mostLooks = 10
    /// The most corrections of attendees who no longer exist that one transaction deletes.
    static let mostCorrections = 500

    package let session: SessionID
    private let place: AttendeeID?
    private let lifetime: Duration?
    private let mostRows: Int

    /// The place where the next command for the session continues.
    package enum Outcome: Hashable, Sendable {
        /// After this attendee; nil for the beginning.
        case more(after: AttendeeID?)
        /// The session has no names any more, is not due, or is busy now.
        case done
    }

    /// - Parameters:
    ///   - place: the place in the outcome of the command before; nil to begin.
    ///   - lifetime: the time after a session's end for which the names are stored. Nil only completes a
    ///     deletion that has begun.
    ///   - mostRows: the most attendees of this command.
    package init(
        of session: SessionID, after place: AttendeeID? = nil, lifetime: Duration?,
        mostRows: Int = Self.mostRows
    ) {
        self.session = session
        self.place = place
        self.lifetime = lifetime
        self.mostRows = mostRows
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let rows = transaction.rows
        guard try rows.session(session) != nil else { return .done }
        let record = try transaction.session(session)
        // A job may give slots of people to attendees. A later pass tries again.
        guard transaction.isSettled(record.meeting.id) else { return .done }
        if record.session.namesDeletedAt == nil {
            guard let lifetime, isDue(record.session, after: lifetime, at: transaction.now) else {
                return .done
            }
            try transaction.beginDeletionOfNames(in: record)
        }
        if try transaction.replies.forget(in: session, limit: Self.mostCorrections) {
            return .more(after: place)
        }
        let page = try rows.attendees(of: session, statuses: nil, text: nil, after: place, limit: mostRows)
        var looks = 0
        for attendee in page {
            let (looked, left) = try forget(attendee, in: record.meeting, transaction)
            looks += looked ? 1 : 0
            // The removal of a person may delete many slots.
            if left || looks == Self.mostLooks { return .more(after: attendee.id) }
        }
        if page.count == mostRows { return .more(after: page.last?.id) }
        let end = page.last?.id ?? place
        if try rows.forgetCorrections(of: session, limit: Self.mostCorrections) { return .more(after: end) }
        let people = try rows.peopleWithoutSlots(of: record.meeting.id, limit: Self.mostLooks)
        for person in people { try transaction.roster.remove(person, because: .retention) }
        if people.count == Self.mostLooks { return .more(after: end) }
        try transaction.endDeletionOfNames(in: session)
        return .done
    }

    private func isDue(_ session: Session, after lifetime: Duration, at now: Instant) -> Bool {
        session.endsAt + lifetime < now && session.feedbackClosesAt < now
    }

    /// Returns whether this looked at other sessions of a person, and whether the person left the roster.
    private func forget(_ attendee: Attendee, in meeting: Meeting, _ transaction: Transaction)
        throws(JournalError) -> (looked: Bool, left: Bool)
    {
        let rows = transaction.rows
        let holder = try rows.person(inSlotOf: attendee.id)
        var person: Person?
        if let holder { person = try rows.person(holder) }
        for id in try rows.ids(of: attendee.id) {
            try rows.deleteCorrections(of: id)
            try rows.deleteNamedMatchReports(about: id)
        }
        // After a crash, earlier slices are repeated, and find nothing to change.
        var nameless = attendee.withoutName
        if nameless != attendee {
            nameless.version += 1
            try rows.update(nameless)
        }
        if try rows.keys(of: attendee.id) != AttendeeKeys() {
            try rows.setKeys(AttendeeKeys(), of: nameless)
        }
        guard let person else { return (false, false) }
        try rows.removeSlot(of: attendee.id)
        guard person.joinedByCheckIn else { return (false, false) }
        // The link to this attendee is gone, and its key too, so this session does not count.
        let leaves = try transaction.roster.checkIns(of: person, in: meeting) == 0
        if leaves { try transaction.roster.remove(person, because: .retention) }
        return (true, leaves)
    }
}

extension Transaction {
    /// Marks the session, so that nobody can add or correct an attendee any more, and writes to the action
    /// log.
    fileprivate func beginDeletionOfNames(in record: SessionRecord) throws(JournalError) {
        try rows.setNames(.beingDeleted, of: record.session.id)
        var session = record.session
        session.namesDeletedAt = now
        session.version += 1
        try update(session)
        publishQuestions(of: session.id)
        try note(.namesDeleted, by: .server, in: record.meeting.id)
    }

    /// Notes that the deletion is complete. The new version lets open pages read the attendees again.
    fileprivate func endDeletionOfNames(in id: SessionID) throws(JournalError) {
        try rows.setNames(.deleted, of: id)
        var session = try session(id).session
        session.version += 1
        try update(session)
        publishQuestions(of: id)
    }
}

extension SessionRecord {
    /// - Throws: `namesDeleted` if the retention of the session's names is over.
    func requireNames() throws(JournalError) {
        if session.namesDeletedAt != nil { throw .refused(.namesDeleted) }
    }
}

/// The state of the names of a session's attendees.
package enum StoredNames: Int, Sendable {
    case stored, beingDeleted, deleted
}
