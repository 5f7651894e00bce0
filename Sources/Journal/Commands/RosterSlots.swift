import Meetings

/// Manages the slots of a roster. Every person on a meeting's roster has a slot in each session: from the
/// creation of the session, or from the person's addition to the roster. Changes of the roster change the
/// slots until the session ends; after that, the slots stay as they are.
struct Roster {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns the people on the roster, ordered by name: either the people who are not archived, or the
    /// archived people.
    func people(on meeting: MeetingID, archived: Bool = false) throws(JournalError) -> [Person] {
        var people: [Person] = []
        while true {
            let page = try rows.people(
                of: meeting, archived: archived, text: nil, after: people.last?.position, limit: 1000)
            people += page
            if page.count < 1000 { return people }
        }
    }

    /// Checks that one command may write this many slots.
    /// - Throws: `limitReached` if the command would write more than `RosterLimits.mostSlotsAtOnce` slots.
    func requireRoom(for people: Int, in sessions: Int) throws(JournalError) {
        if people * sessions > RosterLimits.mostSlotsAtOnce {
            throw .refused(.limitReached(.rosterSlot, limit: RosterLimits.mostSlotsAtOnce))
        }
    }

    /// Gives every person on the roster a slot in a new, empty session.
    func fill(_ id: SessionID, of meeting: Meeting) throws(JournalError) {
        let people = try people(on: meeting.id)
        guard !people.isEmpty else { return }
        try requireRoom(for: people.count, in: 1)
        var names: [IdentityKey: Int] = [:]
        if meeting.identifyBy == .name {
            for person in people { names[person.draft.nameKey, default: 0] += 1 }
        }
        for person in people {
            let key = person.key(by: meeting.identifyBy, nameIsUnique: names[person.draft.nameKey] == 1)
            try insertSlot(of: person, in: id, key: key, by: meeting.identifyBy)
        }
        try transaction.count(in: id) { $0.pending += people.count }
    }

    private func insertSlot(
        of person: Person, in id: SessionID, key: IdentityKey?, by kind: IdentifyBy
    ) throws(JournalError) {
        let attendee = Attendee(
            id: .make(at: transaction.now), sessionID: id, name: person.name,
            identity: person.identity(by: kind))
        try rows.insert(attendee, key: key, grant: nil)
        try rows.setSlot(of: person.id, to: attendee.id, in: id)
    }

    // MARK: Slots after a change of the roster

    /// Applies changes of the roster to the slots in all sessions that are not over. Records one event in
    /// each session whose attendance changed.
    func follow(_ changes: [RosterChange], of meeting: Meeting, by actor: Event.Actor) throws(JournalError) {
        let records = try rows.sessionsNotOver(of: meeting.id, at: transaction.now)
        try requireRoom(for: changes.count, in: records.count)
        var names: Set<IdentityKey> = []
        for change in changes { names.formUnion(change.names) }
        for record in records {
            let id = record.session.id
            var isChanged = false
            var shown: [Attendee] = []
            for change in changes where try follow(change, in: id, by: meeting.identifyBy, &shown) {
                isChanged = true
            }
            if meeting.identifyBy == .name {
                for name in names { try settleKeys(named: name, of: meeting.id, in: id) }
            }
            guard isChanged else { continue }
            let event = try transaction.record(.edited, in: id, by: actor, EventData(fields: ["roster"]))
            transaction.publish(changed: shown, at: event)
            transaction.publishEdit(of: id)
        }
    }

    /// Applies one change of the roster to one session. Returns whether the session's attendance changed.
    /// - Parameter shown: the function appends the changed attendees whom rooms show.
    private func follow(
        _ change: RosterChange, in id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        switch change {
        case .joined(let person): try join(person, id, by: kind, &shown)
        case .left(let person): try leave(person, id)
        case .edited(let person, _): try rewrite(person, id, by: kind, &shown)
        }
    }

    /// Gives a person a slot in a session. If an attendee with the same key has already checked in, that
    /// attendee becomes the slot.
    private func join(
        _ person: Person, _ id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        // An archived person still has the slots in which the person checked in. Such a slot has missed all
        // changes of the person since then.
        if try rows.attendee(of: person.id, in: id) != nil {
            return try rewrite(person, id, by: kind, &shown)
        }
        // Name keys are set after all changes, because only then is it known which names are unique.
        var key = kind == .name ? nil : person.key(by: kind, nameIsUnique: false)
        if let wanted = key, let known = try transaction.attendees.known(by: wanted, in: id) {
            if try rows.person(inSlotOf: known.id) == nil {
                try rows.setSlot(of: person.id, to: known.id, in: id)
                return false
            }
            key = nil
        }
        guard try transaction.session(id).headCount.known < CheckIn.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }
        try insertSlot(of: person, in: id, key: key, by: kind)
        try transaction.count(in: id) { $0.pending += 1 }
        return true
    }

    /// Deletes a person's slot if the person was only awaited. Any other record stays.
    private func leave(_ person: Person, _ id: SessionID) throws(JournalError) -> Bool {
        guard let attendee = try rows.attendee(of: person.id, in: id), attendee.status == .pending,
            attendee.arrivalSequence == 0
        else {
            return false
        }
        try rows.delete(attendee.id)
        try transaction.count(in: id) { $0.remove(attendee) }
        return true
    }

    /// Writes the person's name, identity and key to the attendee in the person's slot.
    private func rewrite(
        _ person: Person, _ id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        guard let before = try rows.attendee(of: person.id, in: id) else { return false }
        var attendee = before
        attendee.name = person.name
        attendee.identity = person.identity(by: kind)
        guard attendee != before else { return false }
        attendee.version += 1
        if kind != .name, attendee.identity != before.identity {
            let key = person.key(by: kind, nameIsUnique: false)
            let taken: Attendee? = if let key { try rows.attendee(in: id, key: key) } else { nil }
            // The person may have checked in with the new address before the host added it to the roster. If
            // the person is still awaited in the old slot, that newer record becomes the slot.
            if let taken, taken.id != before.id, before.status == .pending,
                try rows.person(inSlotOf: taken.id) == nil
            {
                try rows.delete(before.id)
                try transaction.count(in: id) { $0.remove(before) }
                try rows.setSlot(of: person.id, to: taken.id, in: id)
                return true
            }
            try rows.setKey(taken == nil || taken?.id == before.id ? key : nil, of: attendee)
        }
        try rows.update(attendee)
        if before.arrivalSequence > 0 { shown.append(attendee) }
        return true
    }

    /// Sets a name as the key of the slot if exactly one person on the roster has the name. If several people
    /// have it, no slot has it as its key.
    private func settleKeys(named name: IdentityKey, of meeting: MeetingID, in id: SessionID)
        throws(JournalError)
    {
        let people = try rows.people(of: meeting, named: name)
        if let holder = try rows.attendee(in: id, key: name) { try rows.setKey(nil, of: holder) }
        guard people.count == 1, let attendee = try rows.attendee(of: people[0].id, in: id) else { return }
        try rows.setKey(name, of: attendee)
    }

    // MARK: Slots after a correction

    /// Creates a new slot for a person whose check-in was withdrawn, if the session is not over.
    func awaitAgain(_ person: PersonID, in record: SessionRecord) throws(JournalError) {
        guard !record.session.isOver(at: transaction.now), let person = try rows.person(person),
            !person.isArchived
        else {
            return
        }
        let id = record.session.id
        // The list is not used, because rooms do not show a new slot.
        var shown: [Attendee] = []
        _ = try join(person, id, by: record.meeting.identifyBy, &shown)
        if record.meeting.identifyBy == .name {
            try settleKeys(named: person.draft.nameKey, of: record.meeting.id, in: id)
        }
    }

    /// Creates a new slot for the person of a removed attendee, unless the person had only been awaited.
    func awaitAgain(_ whole: WholeAttendee) throws(JournalError) {
        guard let person = whole.person, !whole.attendee.wasOnlyExpected else { return }
        try awaitAgain(person, in: try transaction.session(whole.attendee.sessionID))
    }

    /// Deletes the new slot of a person whose removed attendee is about to be restored.
    /// - Throws: `changedSince` if the person has checked in to the new slot, if a host has changed it, or if
    ///   the attendee was only awaited and the roster no longer awaits the person.
    func makeRoom(for whole: WholeAttendee) throws(JournalError) {
        guard let id = whole.person, let person = try rows.person(id) else {
            // An awaited attendee is not restored if the person has left the roster.
            if whole.person != nil, whole.attendee.wasOnlyExpected { throw .refused(.changedSince) }
            return
        }
        let session = whole.attendee.sessionID
        if person.isArchived, whole.attendee.wasOnlyExpected,
            !(try transaction.session(session).session.isOver(at: transaction.now))
        {
            throw .refused(.changedSince)
        }
        guard let taken = try rows.attendee(of: id, in: session) else { return }
        guard taken.wasOnlyExpected, taken.note.isEmpty else { throw .refused(.changedSince) }
        try transaction.attendees.remove(taken)
    }

    /// Gives a restored attendee the person's slot, and applies the changes of the roster since the removal.
    /// Returns the attendee as written.
    /// - Parameter version: the person's version when the attendee was removed; nil if the attendee had no
    ///   slot before, and then the attendee's own name and identity stay.
    func takeSlot(_ id: PersonID?, as attendee: Attendee, knownAs version: Int? = nil) throws(JournalError)
        -> Attendee
    {
        guard let id, let person = try rows.person(id) else { return attendee }
        try rows.setSlot(of: id, to: attendee.id, in: attendee.sessionID)
        let record = try transaction.session(attendee.sessionID)
        if !record.session.isOver(at: transaction.now), !person.isArchived {
            let kind = record.meeting.identifyBy
            // The list is not used, because the caller publishes the attendee.
            var shown: [Attendee] = []
            if let version, version != person.version {
                _ = try rewrite(person, attendee.sessionID, by: kind, &shown)
            }
            if kind == .name {
                try settleKeys(named: person.draft.nameKey, of: record.meeting.id, in: attendee.sessionID)
            }
        }
        return try rows.attendee(attendee.id) ?? attendee
    }

    /// Gives the slot of a merged record to the remaining record, unless the remaining record has its own
    /// slot.
    func moveSlot(of absorbed: WholeAttendee, to remaining: WholeAttendee) throws(JournalError) {
        guard let person = absorbed.person, remaining.person == nil else { return }
        try rows.setSlot(of: person, to: remaining.attendee.id, in: remaining.attendee.sessionID)
    }

    /// Assigns a slot that the remaining record of a merge got after the merge, when the merge is undone. The
    /// slot goes to the restored record if that record has the person's key, and otherwise to the remaining
    /// record.
    func separateSlots(_ person: PersonID?, of absorbed: WholeAttendee, and remaining: WholeAttendee)
        throws(JournalError)
    {
        guard let person, person != absorbed.person, person != remaining.person,
            let found = try rows.person(person)
        else { return }
        let record = try transaction.session(remaining.attendee.sessionID)
        let key = found.key(by: record.meeting.identifyBy, nameIsUnique: true)
        let isOfAbsorbed = absorbed.person == nil && key != nil && absorbed.keys.key == key
        guard isOfAbsorbed || remaining.person == nil else { return try awaitAgain(person, in: record) }
        _ = try takeSlot(person, as: isOfAbsorbed ? absorbed.attendee : remaining.attendee)
    }

    // MARK: Slots after a change of the meeting

    /// Sets new keys for all slots, after the meeting has changed how it identifies attendees.
    /// - Throws: `sessionHasAttendees` if an attendee of a session that is not over has checked in or has no
    ///   slot, because the old kind of key identified that attendee.
    func renewKeys(of meeting: Meeting) throws(JournalError) {
        for listed in try rows.sessionsNotOver(of: meeting.id, at: transaction.now) {
            let id = listed.session.id
            let count = try transaction.session(id).headCount
            guard count.known == count.pending else { throw .refused(.sessionHasAttendees) }
            let attendees = try rows.attendees(
                of: id, statuses: nil, text: nil, after: nil, limit: CheckIn.mostAttendees)
            var slots: [(attendee: Attendee, person: Person)] = []
            for attendee in attendees {
                guard let holder = try rows.person(inSlotOf: attendee.id),
                    let person = try rows.person(holder)
                else {
                    throw .refused(.sessionHasAttendees)
                }
                slots.append((attendee, person))
                try rows.setKey(nil, of: attendee)
            }
            var names: [IdentityKey: Int] = [:]
            for slot in slots { names[slot.person.draft.nameKey, default: 0] += 1 }
            for (attendee, person) in slots {
                var attendee = attendee
                attendee.identity = person.identity(by: meeting.identifyBy)
                try rows.update(attendee)
                try rows.setKey(
                    person.key(by: meeting.identifyBy, nameIsUnique: names[person.draft.nameKey] == 1),
                    of: attendee)
            }
        }
    }

    // MARK: The roster itself

    /// Returns the person on this meeting's roster.
    /// - Throws: `notFound` if the person does not exist or belongs to another meeting.
    func person(_ id: PersonID, of meeting: MeetingID) throws(JournalError) -> Person {
        guard let person = try rows.person(id), person.meetingID == meeting else {
            throw .refused(.notFound(.person))
        }
        return person
    }

    /// Adds a person to the roster, and gives the person a slot in each session that is not over.
    func add(
        _ draft: PersonDraft, to meeting: Meeting, by actor: AccountID, inSlotOf attendee: Attendee? = nil
    )
        throws(JournalError) -> Person
    {
        guard try rows.personCount(of: meeting.id) < RosterLimits.mostPeople else {
            throw .refused(.limitReached(.person, limit: RosterLimits.mostPeople))
        }
        try requireOwnKeys(draft, of: meeting.id)
        let person = Person(draft, id: .make(at: transaction.now), of: meeting.id)
        try rows.insert(person)
        if let attendee { try rows.setSlot(of: person.id, to: attendee.id, in: attendee.sessionID) }
        try raiseVersion(of: meeting.id)
        try follow([.joined(person)], of: meeting, by: .account(actor))
        return person
    }

    /// Checks that no other person on the roster has the draft's e-mail address or number.
    /// - Throws: `alreadyOnRoster` if another person has the e-mail address or the number.
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

    /// Raises the roster's version by one, and returns the new version.
    @discardableResult
    func raiseVersion(of meeting: MeetingID) throws(JournalError) -> Int {
        let version = try rows.rosterVersion(of: meeting) + 1
        try rows.setRosterVersion(version, of: meeting)
        return version
    }
}

extension Transaction {
    var roster: Roster { Roster(transaction: self) }
}

/// A change of one person on a roster.
enum RosterChange {
    case joined(Person)
    case left(Person)
    case edited(Person, before: Person)

    /// The names that may have become unique or ambiguous by this change.
    var names: Set<IdentityKey> {
        switch self {
        case .joined(let person), .left(let person): [person.draft.nameKey]
        case .edited(let person, let before): [person.draft.nameKey, before.draft.nameKey]
        }
    }
}

extension Person {
    /// Returns the key that identifies the person in a session; nil if the person has no such key.
    func key(by kind: IdentifyBy, nameIsUnique: Bool) -> IdentityKey? {
        switch kind {
        case .email: draft.emailKey
        case .number: draft.numberKey
        case .name: nameIsUnique ? draft.nameKey : nil
        }
    }
}
