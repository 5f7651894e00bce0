package import Meetings

/// How large rosters get.
package enum RosterLimits {
    /// Archived people included.
    package static let mostPeople = RosterFile.mostPeople
}

/// Puts somebody on a meeting's roster.
package struct AddPerson: Command {
    package let meeting: MeetingID
    /// Normalized.
    package let draft: PersonDraft
    package let actor: AccountID

    package init(meeting: MeetingID, draft: PersonDraft, actor: AccountID) {
        self.meeting = meeting
        self.draft = draft
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rosterMeeting(meeting, for: actor)
        try transaction.requireRoomOnRoster(of: meeting.id)
        try transaction.requireOwnKeys(draft, of: meeting.id)
        let person = Person(draft, id: .make(at: transaction.now), of: meeting.id)
        try transaction.rows.insert(person)
        try transaction.turnRosterVersion(of: meeting.id)
        try transaction.follow([.joined(person)], of: meeting, by: .account(actor))
        return person
    }
}

/// Puts somebody on the roster who came to a session without being on it. There they stay a walk-in.
package struct KeepWalkIn: Command {
    package let meeting: MeetingID
    package let attendee: AttendeeID
    package let actor: AccountID

    package init(meeting: MeetingID, attendee: AttendeeID, actor: AccountID) {
        self.meeting = meeting
        self.attendee = attendee
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Person {
        let meeting = try transaction.rosterMeeting(meeting, for: actor)
        guard let attendee = try transaction.rows.attendee(attendee),
            try transaction.session(attendee.sessionID).meeting.id == meeting.id
        else { throw .refused(.notFound(.attendee)) }
        if let holder = try transaction.rows.person(inPlaceOf: attendee.id),
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
        try transaction.requireRoomOnRoster(of: meeting.id)
        try transaction.requireOwnKeys(draft, of: meeting.id)
        let person = Person(draft, id: .make(at: transaction.now), of: meeting.id)
        try transaction.rows.insert(person)
        try transaction.rows.setPlace(of: person.id, to: attendee.id, in: attendee.sessionID)
        try transaction.turnRosterVersion(of: meeting.id)
        try transaction.follow([.joined(person)], of: meeting, by: .account(actor))
        return person
    }
}

/// Changes what is not nil. An empty e-mail address or number takes it away.
package struct EditPerson: Command {
    package let meeting: MeetingID
    package let id: PersonID
    /// Normalized.
    package let name: String?
    package let email: String?
    package let number: String?
    package let archived: Bool?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        meeting: MeetingID, id: PersonID, name: String? = nil, email: String? = nil, number: String? = nil,
        archived: Bool? = nil,
        expected: ExpectedVersion = .any, actor: AccountID
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
        let meeting = try transaction.rosterMeeting(meeting, for: actor)
        let before = try transaction.person(id, of: meeting.id)
        try expected.check(before.version)
        var person = before
        person.name = name ?? before.name
        person.email = email ?? before.email
        person.number = number ?? before.number
        person.isArchived = archived ?? before.isArchived
        guard person != before else { return before }
        try transaction.requireOwnKeys(person.draft, of: meeting.id, except: id)
        person.version += 1
        try transaction.rows.update(person)
        try transaction.turnRosterVersion(of: meeting.id)
        let change: RosterChange? =
            switch (before.isArchived, person.isArchived) {
            case (false, true): .left(before)
            case (true, false): .joined(person)
            case (false, false): .edited(person, before: before)
            case (true, true): nil
            }
        if let change { try transaction.follow([change], of: meeting, by: .account(actor)) }
        return person
    }
}

/// Takes somebody off the roster for good, with the places that they have not come to. What they attended
/// stays in the sessions' records.
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
        let meeting = try transaction.rosterMeeting(meeting, for: actor)
        var person = try transaction.person(id, of: meeting.id)
        person.isArchived = true
        // Archived first, so that a namesake is seen to be the only one.
        try transaction.rows.update(person)
        try transaction.follow([.left(person)], of: meeting, by: .account(actor))
        try transaction.rows.delete(id)
        try transaction.turnRosterVersion(of: meeting.id)
    }
}

extension Transaction {
    func rosterMeeting(_ id: MeetingID, for actor: AccountID) throws(JournalError) -> Meeting {
        let meeting = try meeting(id)
        try requireHost(actor, of: id)
        return meeting
    }

    func person(_ id: PersonID, of meeting: MeetingID) throws(JournalError) -> Person {
        guard let person = try rows.person(id), person.meetingID == meeting else {
            throw .refused(.notFound(.person))
        }
        return person
    }

    func requireRoomOnRoster(of meeting: MeetingID) throws(JournalError) {
        guard try rows.personCount(of: meeting) < RosterLimits.mostPeople else {
            throw .refused(.limitReached(.person, limit: RosterLimits.mostPeople))
        }
    }

    func requireOwnKeys(_ draft: PersonDraft, of meeting: MeetingID, except id: PersonID? = nil)
        throws(JournalError)
    {
        var holder: Person?
        if let email = draft.emailKey { holder = try rows.person(of: meeting, email: email) }
        if holder == nil || holder?.id == id, let number = draft.numberKey {
            holder = try rows.person(of: meeting, number: number)
        }
        if let holder, holder.id != id { throw .refused(.alreadyOnRoster(name: holder.name)) }
    }

    @discardableResult
    func turnRosterVersion(of meeting: MeetingID) throws(JournalError) -> Int {
        let version = try rows.rosterVersion(of: meeting) + 1
        try rows.setRosterVersion(version, of: meeting)
        return version
    }
}
