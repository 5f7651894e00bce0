package import Meetings

/// The limits of rosters.
package enum RosterLimits {
    /// The most people on one roster, including archived people.
    package static let mostPeople = RosterFile.mostPeople
    /// The most slots that one command may write. The writer needs a second or two for them, in slices.
    package static let mostSlotsAtOnce = 100_000
}

/// Adds a person to a meeting's roster.
/// - Throws: `alreadyOnRoster` if a person on the roster has the same e-mail address or number;
///   `nameOnRoster` if a person on the roster, who is not archived, has the same name and `allowSameName` is
///   false; `limitReached` if the roster has `RosterLimits.mostPeople`, or a session too many attendees.
package struct AddPerson: Command {
    package let meeting: MeetingID
    /// The person's name, e-mail address and number, normalized.
    package let draft: PersonDraft
    package let allowSameName: Bool
    package let actor: AccountID

    package init(meeting: MeetingID, draft: PersonDraft, allowSameName: Bool = true, actor: AccountID) {
        self.meeting = meeting
        self.draft = draft
        self.allowSameName = allowSameName
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        try requireOwnName(in: transaction)
        return try transaction.roster.add(draft, to: meeting, by: actor)
    }

    private func requireOwnName(in transaction: Transaction) throws(JournalError) {
        guard !allowSameName else { return }
        // An address or a number that is taken is the better answer.
        try transaction.roster.requireOwnKeys(draft, of: meeting)
        guard let namesake = try transaction.rows.people(of: meeting, named: draft.nameKey).first else {
            return
        }
        throw .refused(.nameOnRoster(name: namesake.name))
    }

    // MARK: Many sessions

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let meeting = try rows.meeting(meeting) else { throw .refused(.notFound(.meeting)) }
        let person = Person(draft, id: .make(at: now), of: meeting.id)
        return try RosterWork(
            of: meeting, .joined(person, isNew: true), by: actor, from: rows, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Person
    > {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        try requireOwnName(in: transaction)
        try transaction.roster.requireAddition(of: draft, to: meeting)
        return try work.asRosterWork.beginOne(in: transaction) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Person {
        work.asRosterWork.changes[0].person
    }
}

extension Work {
    fileprivate var asRosterWork: RosterWork {
        guard let work = self as? RosterWork else { preconditionFailure("the work of another command") }
        return work
    }
}

/// Adds a walk-in to the roster: a person who came to a session without being on the roster. In that session,
/// the person stays a walk-in.
/// - Throws: `notFound` if no session of the meeting has the attendee; `alreadyOnRoster` if the attendee is
///   on the roster, or if a person on the roster has the same e-mail address or number; `limitReached` if
///   the roster has `RosterLimits.mostPeople`, or a session too many attendees.
package struct AddWalkInToRoster: Command {
    package let meeting: MeetingID
    package let attendee: AttendeeID
    package let actor: AccountID

    package init(meeting: MeetingID, attendee: AttendeeID, actor: AccountID) {
        self.meeting = meeting
        self.attendee = attendee
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        let attendee = try walkIn(of: meeting, in: transaction.rows)
        return try transaction.roster.add(
            draft(of: attendee, in: meeting), to: meeting, by: actor, inSlotOf: attendee)
    }

    /// Returns the attendee.
    private func walkIn(of meeting: Meeting, in rows: any ReadableRows) throws(JournalError) -> Attendee {
        guard let attendee = try rows.attendee(attendee),
            let record = try rows.session(attendee.sessionID), record.meeting.id == meeting.id
        else { throw .refused(.notFound(.attendee)) }
        try record.requireNames()
        if let holder = try rows.person(inSlotOf: attendee.id), let person = try rows.person(holder) {
            throw .refused(.alreadyOnRoster(name: person.name))
        }
        return attendee
    }

    private func draft(of attendee: Attendee, in meeting: Meeting) -> PersonDraft {
        var draft = PersonDraft(name: attendee.name)
        switch meeting.identifyBy {
        case .email: draft.email = attendee.identity
        case .number: draft.number = attendee.identity
        case .name: break
        }
        return draft
    }

    // MARK: Many sessions

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let meeting = try rows.meeting(meeting) else { throw .refused(.notFound(.meeting)) }
        let attendee = try walkIn(of: meeting, in: rows)
        let person = Person(draft(of: attendee, in: meeting), id: .make(at: now), of: meeting.id)
        return try RosterWork(
            of: meeting, .joined(person, isNew: true),
            claim: RosterWork.Claim(
                person: person.id, attendee: attendee.id, session: attendee.sessionID),
            by: actor, from: rows, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Person
    > {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        let draft = draft(of: try walkIn(of: meeting, in: transaction.rows), in: meeting)
        guard work.asRosterWork.changes[0].person.draft == draft else { return .outdated }
        try transaction.roster.requireAddition(of: draft, to: meeting)
        return try work.asRosterWork.beginOne(in: transaction) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Person {
        work.asRosterWork.changes[0].person
    }
}

/// Edits a person on the roster. Each field of this command that is not nil replaces the stored value. An
/// empty e-mail address or number deletes the stored one.
/// - Throws: `alreadyOnRoster` if another person on the roster has the e-mail address or number;
///   `limitReached` if the person is no longer archived and a session has too many attendees.
package struct EditPerson: Command {
    package let meeting: MeetingID
    package let id: PersonID
    /// The new name, normalized.
    package let name: String?
    package let email: String?
    package let number: String?
    package let archived: Bool?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        meeting: MeetingID, id: PersonID, name: String? = nil, email: String? = nil, number: String? = nil,
        archived: Bool? = nil, expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.meeting = meeting
        self.id = id
        self.name = name
        self.email = email
        self.number = number
        self.archived = archived
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        guard let (person, change) = try judge(meeting, in: transaction) else {
            return try transaction.roster.person(id, of: meeting.id)
        }
        try transaction.rows.update(person)
        try transaction.roster.raiseVersion(of: meeting.id)
        if let change { try transaction.roster.follow([change], of: meeting, by: .account(actor)) }
        return person
    }

    /// Returns the person after the edit, with the change that the sessions follow, if there is one. Returns
    /// nil if the edit changes nothing.
    private func judge(_ meeting: Meeting, in transaction: Transaction) throws(JournalError) -> (
        Person, RosterChange?
    )? {
        let before = try transaction.roster.person(id, of: meeting.id)
        try expected.check(before.version)
        guard let (person, change) = edited(before) else { return nil }
        try transaction.roster.requireOwnKeys(person.draft, of: meeting.id, except: id)
        return (person, change)
    }

    private func edited(_ before: Person) -> (Person, RosterChange?)? {
        var person = before
        person.name = name ?? before.name
        person.email = email ?? before.email
        person.number = number ?? before.number
        person.isArchived = archived ?? before.isArchived
        guard person != before else { return nil }
        person.version += 1
        let change: RosterChange? =
            switch (before.isArchived, person.isArchived) {
            case (false, true): .left(person, nameBefore: before.name)
            case (true, false): .joined(person, isNew: false)
            case (false, false): .edited(person, nameBefore: before.name)
            case (true, true): nil
            }
        return (person, change)
    }

    // MARK: Many sessions

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let meeting = try rows.meeting(meeting), let before = try rows.person(id),
            before.meetingID == meeting.id, let change = edited(before)?.1
        else { return nil }
        return try RosterWork(of: meeting, change, by: actor, from: rows, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Person
    > {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        guard let (_, change) = try judge(meeting, in: transaction), work.asRosterWork.changes == [change]
        else {
            return .outdated
        }
        return try work.asRosterWork.beginOne(in: transaction) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Person {
        work.asRosterWork.changes[0].person
    }
}

/// Deletes a person from the roster, with the slots in which the person was only awaited. The records of
/// attended sessions stay.
package struct RemovePerson: Command {
    package let meeting: MeetingID
    package let id: PersonID
    package let actor: AccountID

    package init(meeting: MeetingID, id: PersonID, actor: AccountID) {
        self.meeting = meeting
        self.id = id
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let roster = transaction.roster
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        var person = try roster.person(id, of: meeting.id)
        person.isArchived = true
        // The person is archived first. Then, if only one other person has the same name, that name is unique
        // when `follow` sets the keys.
        try transaction.rows.update(person)
        try roster.follow([.left(person, nameBefore: person.name)], of: meeting, by: .account(actor))
        try transaction.rows.delete(id)
        try roster.raiseVersion(of: meeting.id)
    }

    // MARK: Many sessions

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let meeting = try rows.meeting(meeting), var person = try rows.person(id),
            person.meetingID == meeting.id
        else { return nil }
        person.isArchived = true
        return try RosterWork(
            of: meeting, .left(person, nameBefore: person.name), deleting: id, by: actor, from: rows, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<Void>
    {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        _ = try transaction.roster.person(id, of: meeting.id)
        return try work.asRosterWork.beginOne(in: transaction) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) {}
}
