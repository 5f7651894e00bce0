import Meetings

/// Manages the slots of a roster. Every person on a meeting's roster has a slot in each session: from the
/// creation of the session, or from the person's addition to the roster. Changes of the roster change the
/// slots until the session ends; after that, the slots stay as they are.
struct Roster {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Checks that one command may write this many slots.
    /// - Throws: `limitReached` if the command would write more than `RosterLimits.mostSlotsAtOnce` slots.
    static func requireRoom(for people: Int, in sessions: Int) throws(JournalError) {
        if people * sessions > RosterLimits.mostSlotsAtOnce {
            throw .refused(.limitReached(.rosterSlot, limit: RosterLimits.mostSlotsAtOnce))
        }
    }

    /// Gives a person a new slot in a session. The caller counts it.
    func insertSlot(
        of person: Person, in id: SessionID, key: IdentityKey?, by kind: IdentifyBy
    ) throws(JournalError) {
        let attendee = Attendee(
            id: .make(at: transaction.now), sessionID: id, name: person.name,
            identity: person.identity(by: kind))
        try rows.insert(attendee, key: key, grant: nil)
        try rows.setSlot(of: person.id, to: attendee.id, in: id)
        transaction.jobs.noteMade(attendee.id, in: id)
    }

    // MARK: Slots after a change of the roster

    /// Applies changes of the roster to the slots in all sessions that are not over. Records one event in
    /// each session whose attendance changed.
    func follow(_ changes: [RosterChange], of meeting: Meeting, by actor: Event.Actor) throws(JournalError) {
        let sessions = try rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now)
        try Self.requireRoom(for: changes.count, in: sessions.count)
        var names: Set<IdentityKey> = []
        for change in changes { names.formUnion(change.names) }
        for id in sessions {
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
    func follow(
        _ change: RosterChange, in id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        switch change {
        case .joined(let person, _): try join(person, id, by: kind, &shown)
        case .left(let person, _): try leave(person, id)
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
        } else if let duplicate = try rows.duplicate(of: person, in: id, by: kind) {
            try rows.setSlot(of: person.id, to: duplicate.id, in: id)
            return try rewrite(person, id, by: kind, &shown)
        }
        let known = try transaction.session(id).headCount.known
        // A long command has judged the limit at its beginning.
        guard transaction.jobs.applied != nil || known < CheckIn.mostAttendees else {
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
        try transaction.replies.end(of: attendee.id)
        try rows.delete(attendee.id)
        try transaction.attendees.count(attendee, as: nil)
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
        // An attendee who has checked in does not see the roster's new values.
        if before.checkedInAt != nil || before.typed != nil { attendee.setTyped(before.seenByAttendee) }
        attendee.version += 1
        if kind != .name, attendee.identity != before.identity {
            let key = person.key(by: kind, nameIsUnique: false)
            let taken: Attendee? = if let key { try rows.attendee(in: id, key: key) } else { nil }
            // The person may have checked in with the new address before the host added it to the roster. If
            // the person is still awaited in the old slot, that newer record becomes the slot.
            if let taken, taken.id != before.id, before.status == .pending,
                try rows.person(inSlotOf: taken.id) == nil
            {
                try transaction.replies.move(from: before.id, to: taken.id)
                try rows.delete(before.id)
                try transaction.attendees.count(before, as: nil)
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
    func settleKeys(named name: IdentityKey, of meeting: MeetingID, in id: SessionID)
        throws(JournalError)
    {
        let people = try rows.people(of: meeting, named: name)
        if let holder = try rows.attendee(in: id, key: name) { try rows.setKey(nil, of: holder) }
        guard people.count == 1, let attendee = try rows.attendee(of: people[0].id, in: id) else { return }
        try rows.setKey(name, of: attendee)
    }

    // MARK: Slots while the kind of key changes

    /// Returns the slot of the person who has this key of the meeting's present kind, while a job sets keys
    /// of another kind. Nil if there is no such job, person or slot.
    func slot(ofOldKey key: IdentityKey, in session: SessionID) throws(JournalError) -> Attendee? {
        guard let job = transaction.jobs.active, job.work is RekeyWork else { return nil }
        let meeting = try transaction.session(session).meeting
        guard job.work.meeting == meeting.id else { return nil }
        let person: Person?
        switch meeting.identifyBy {
        case .email: person = try rows.person(of: meeting.id, email: key)
        case .number: person = try rows.person(of: meeting.id, number: key)
        case .name:
            let people = try rows.people(of: meeting.id, named: key)
            person = people.count == 1 ? people[0] : nil
        }
        guard let person, var slot = try rows.attendee(of: person.id, in: session) else { return nil }
        slot.identity = person.identity(by: meeting.identifyBy)
        return slot
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
        let kind = transaction.jobs.identifyBy(of: record)
        _ = try join(person, id, by: kind, &shown)
        if kind == .name {
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
        guard taken.wasOnlyExpected, taken.note.isEmpty, try rows.replies(of: taken.id).isEmpty else {
            throw .refused(.changedSince)
        }
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
            let kind = transaction.jobs.identifyBy(of: record)
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

    // MARK: After a withdrawal

    /// Returns the person if this withdrawal ends the person's time on the roster: if only check-ins brought
    /// the person onto it, and the person is not checked in to another session.
    /// - Throws: `meetingIsBusy` if a job is in progress in the meeting, which may give the person new slots.
    func leaves(_ id: PersonID, withdrawing record: Attendee) throws(JournalError) -> Person? {
        guard let person = try rows.person(id), person.joinedByCheckIn else { return nil }
        let meeting = try transaction.session(record.sessionID).meeting
        try transaction.requireSettled(meeting.id)
        let own = record.status.countsAsCheckedIn ? 1 : 0
        return try checkIns(of: person, in: meeting) == own ? person : nil
    }

    /// Returns the number of the meeting's sessions to which the person came, as far as slots and keys tell.
    func checkIns(of person: Person, in meeting: Meeting) throws(JournalError) -> Int {
        let totals = try rows.seriesTotals(of: person, in: meeting, at: transaction.now)
        return totals.present + totals.late
    }

    /// The reason why a person leaves the roster.
    enum LeavingCause: UInt8 {
        /// The person withdraws the last check-in.
        case withdrawal
        /// The last name of the person was deleted. Past sessions that still have the person's name keep it,
        /// with their counts, until their own time. The person's wish to get no mails stays.
        case retention
    }

    /// Deletes a person from the roster at the person's own wish, with the slots of all sessions in which the
    /// person has never checked in, also of sessions that are over. If the meeting has many sessions,
    /// archives the person, and deletes the slots in slices after this transaction.
    func remove(_ person: Person, because cause: LeavingCause = .withdrawal) throws(JournalError) {
        var person = person
        person.isArchived = true
        // The person is archived first, so that a name is unique again if only one other person has it.
        try rows.update(person)
        let work = LeavingWork(of: person.id, in: person.meetingID, because: cause)
        if try rows.sessionCount(of: person.meetingID) > LeavingWork.fewSessions {
            try transaction.later(work)
        } else {
            for session in try work.affected(in: transaction) {
                try removeUnusedSlot(of: person, in: session, because: cause)
            }
            try work.finish(in: transaction)
        }
        try raiseVersion(of: person.meetingID)
    }

    /// Deletes the slot of an archived person, if the person has never checked in to the session.
    func removeUnusedSlot(of person: Person, in session: SessionID, because cause: LeavingCause)
        throws(JournalError)
    {
        if let slot = try rows.attendee(of: person.id, in: session), slot.wasOnlyExpected {
            try transaction.attendees.remove(slot)
            try transaction.addWithheld(to: session)
            try transaction.record(
                .edited, in: session, by: cause == .withdrawal ? .attendee : .server,
                EventData(fields: ["roster"]))
            transaction.publishEdit(of: session)
        }
        let record = try transaction.session(session)
        guard record.meeting.identifyBy == .name, !record.session.isOver(at: transaction.now) else { return }
        try settleKeys(named: person.draft.nameKey, of: person.meetingID, in: session)
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

    /// Checks that the roster has room for one more person with this e-mail address and number.
    func requireAddition(of draft: PersonDraft, to meeting: Meeting) throws(JournalError) {
        guard try rows.personCount(of: meeting.id) < RosterLimits.mostPeople else {
            throw .refused(.limitReached(.person, limit: RosterLimits.mostPeople))
        }
        try requireOwnKeys(draft, of: meeting.id)
    }

    /// Checks that each of these sessions may have so many more attendees.
    func requireAttendees(_ added: Int, in sessions: [SessionID]) throws(JournalError) {
        for session in sessions {
            let known = try transaction.headCount(of: session).known
            guard known + added <= CheckIn.mostAttendees else {
                throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
            }
        }
    }

    /// Adds a person to the roster, and gives the person a slot in each session that is not over.
    func add(
        _ draft: PersonDraft, to meeting: Meeting, by actor: AccountID, inSlotOf attendee: Attendee? = nil
    )
        throws(JournalError) -> Person
    {
        try requireAddition(of: draft, to: meeting)
        let person = Person(draft, id: .make(at: transaction.now), of: meeting.id)
        try rows.insert(person)
        if let attendee { try rows.setSlot(of: person.id, to: attendee.id, in: attendee.sessionID) }
        try raiseVersion(of: meeting.id)
        try follow([.joined(person, isNew: true)], of: meeting, by: .account(actor))
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
    /// Whether an attendee without a slot is a newcomer (`Attendee.firstTime`). Costs a few probes, and none
    /// in a meeting's first round.
    func isNewcomer(_ key: IdentityKey?, named name: String, to record: SessionRecord) throws(JournalError)
        -> Bool
    {
        guard record.session.round > 1, let key else { return false }
        return try rows.isNewcomer(
            key, named: record.meeting.identifyBy == .name ? name : nil, to: record.session)
    }

    var roster: Roster { Roster(transaction: self) }
}

extension ReadableRows {
    /// Returns the attendees who may be this person: they have the same name, but no slot and no key, because
    /// somebody added them by name alone. At most 10. Empty if names identify attendees.
    func namesakes(of person: Person, in session: SessionID, by kind: IdentifyBy) throws(JournalError)
        -> [Attendee]
    {
        guard kind != .name else { return [] }
        var found: [Attendee] = []
        for attendee in try attendeesWithoutKey(in: session, named: person.name, limit: 10)
        where try self.person(inSlotOf: attendee.id) == nil { found.append(attendee) }
        return found
    }

    /// Returns the attendee who is this person by the name alone: the only one of that name without a slot
    /// and a key, if no other person on the roster has the name. Returns nil if the name is ambiguous.
    func duplicate(of person: Person, in session: SessionID, by kind: IdentifyBy) throws(JournalError)
        -> Attendee?
    {
        let found = try namesakes(of: person, in: session, by: kind)
        guard found.count == 1 else { return nil }
        let people = try people(of: person.meetingID, named: person.draft.nameKey)
        return people.allSatisfy { $0.id == person.id } ? found[0] : nil
    }

    /// Returns the people on the roster, ordered by name: either the people who are not archived, or the
    /// archived people.
    func everybody(on meeting: MeetingID, archived: Bool = false) throws(JournalError) -> [Person] {
        var found: [Person] = []
        while true {
            let page = try people(
                of: meeting, archived: archived, text: nil, after: found.last?.position, limit: 1000)
            found += page
            if page.count < 1000 { return found }
        }
    }
}

/// A change of one person on a roster, with the person as after the change.
enum RosterChange: Hashable, Sendable {
    /// `isNew` is false for a person who was archived.
    case joined(Person, isNew: Bool)
    case left(Person, nameBefore: String)
    case edited(Person, nameBefore: String)

    var person: Person {
        switch self {
        case .joined(let person, _), .left(let person, _), .edited(let person, _): person
        }
    }

    /// The names that may have become unique or ambiguous by this change.
    var names: Set<IdentityKey> {
        switch self {
        case .joined: [person.draft.nameKey]
        case .left(let person, let before), .edited(let person, let before):
            [person.draft.nameKey, IdentityKey(before)]
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
