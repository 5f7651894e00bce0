package import Meetings

/// The limits of rosters.
package enum RosterLimits {
    /// The most people on one roster, including archived people.
    package static let mostPeople = RosterFile.mostPeople
    /// The most slots that one command may write. This number keeps the writer busy for a second or two.
    package static let mostSlotsAtOnce = 100_000
}

/// Adds a person to a meeting's roster.
/// - Throws: `alreadyOnRoster` if a person on the roster has the same e-mail address or number;
///   `limitReached` if the roster has `RosterLimits.mostPeople`, or a session too many attendees.
package struct AddPerson: Command {
    package let meeting: MeetingID
    /// The person's name, e-mail address and number, normalized.
    package let draft: PersonDraft
    package let actor: AccountID

    package init(meeting: MeetingID, draft: PersonDraft, actor: AccountID) {
        self.meeting = meeting
        self.draft = draft
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        return try transaction.roster.add(draft, to: meeting, by: actor)
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
        guard let attendee = try transaction.rows.attendee(attendee),
            try transaction.session(attendee.sessionID).meeting.id == meeting.id
        else { throw .refused(.notFound(.attendee)) }
        if let holder = try transaction.rows.person(inSlotOf: attendee.id),
            let person = try transaction.rows.person(holder)
        {
            throw .refused(.alreadyOnRoster(name: person.name))
        }
        var draft = PersonDraft(name: attendee.name)
        switch meeting.identifyBy {
        case .email: draft.email = attendee.identity
        case .number: draft.number = attendee.identity
        case .name: break
        }
        return try transaction.roster.add(draft, to: meeting, by: actor, inSlotOf: attendee)
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
        let roster = transaction.roster
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        let before = try roster.person(id, of: meeting.id)
        try expected.check(before.version)
        var person = before
        person.name = name ?? before.name
        person.email = email ?? before.email
        person.number = number ?? before.number
        person.isArchived = archived ?? before.isArchived
        guard person != before else { return before }
        try roster.requireOwnKeys(person.draft, of: meeting.id, except: id)
        person.version += 1
        try transaction.rows.update(person)
        try roster.raiseVersion(of: meeting.id)
        let change: RosterChange? =
            switch (before.isArchived, person.isArchived) {
            case (false, true): .left(before)
            case (true, false): .joined(person)
            case (false, false): .edited(person, before: before)
            case (true, true): nil
            }
        if let change { try roster.follow([change], of: meeting, by: .account(actor)) }
        return person
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
        try roster.follow([.left(person)], of: meeting, by: .account(actor))
        try transaction.rows.delete(id)
        try roster.raiseVersion(of: meeting.id)
    }
}
