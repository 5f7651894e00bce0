import Meetings

/// A session's roster is its meeting's: everybody on it has a place in each session from the session's
/// creation, or from their own, and the places follow the roster until the session ends. Then they stay as
/// they are.
extension Transaction {
    /// One command writes no more than this: the writer is kept for a second or two, and not longer.
    package static let mostPlacesAtOnce = 100_000

    /// In a session that is new and empty.
    func placeRoster(of meeting: Meeting, in id: SessionID) throws(JournalError) {
        let people = try everybody(on: meeting.id)
        guard !people.isEmpty else { return }
        try requireRoom(for: people.count, in: 1)
        var names: [IdentityKey: Int] = [:]
        if meeting.identifyBy == .name {
            for person in people { names[person.draft.nameKey, default: 0] += 1 }
        }
        for person in people {
            let key = person.key(by: meeting.identifyBy, nameIsUnique: names[person.draft.nameKey] == 1)
            try insertPlace(of: person, in: id, key: key, by: meeting.identifyBy)
        }
        try count(in: id) { $0.pending += people.count }
    }

    /// Those who are not archived, by name.
    func everybody(on meeting: MeetingID, archived: Bool = false) throws(JournalError) -> [Person] {
        var people: [Person] = []
        while true {
            let page = try rows.people(
                of: meeting, archived: archived, text: nil, after: people.last?.position, limit: 1000)
            people += page
            if page.count < 1000 { return people }
        }
    }

    func requireRoom(for people: Int, in sessions: Int) throws(JournalError) {
        if people * sessions > Self.mostPlacesAtOnce {
            throw .refused(.limitReached(.rosterSlot, limit: Self.mostPlacesAtOnce))
        }
    }

    private func insertPlace(
        of person: Person, in id: SessionID, key: IdentityKey?, by kind: IdentifyBy
    ) throws(JournalError) {
        let attendee = Attendee(
            id: .make(at: now), sessionID: id, name: person.name, identity: person.identity(by: kind))
        try rows.insert(attendee, key: key, grant: nil)
        try rows.setPlace(of: person.id, to: attendee.id, in: id)
    }

    // MARK: Following the roster

    /// Brings the places in all sessions that are not over up to date, with one event in each whose
    /// attendance changed.
    func follow(_ changes: [RosterChange], of meeting: Meeting, by actor: Event.Actor) throws(JournalError) {
        let records = try rows.sessionsNotOver(of: meeting.id, at: now)
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
            let event = try self.record(.edited, in: id, by: actor, EventData(fields: ["roster"]))
            publish(changed: shown, at: event)
            publishEdit(of: id)
        }
    }

    /// Returns whether the session's attendance changed.
    /// - Parameter shown: gets the changed attendees whom rooms show.
    private func follow(
        _ change: RosterChange, in id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        switch change {
        case .joined(let person): try join(person, id, by: kind, &shown)
        case .left(let person): try leave(person, id)
        case .edited(let person, _): try rewrite(person, id, by: kind, &shown)
        }
    }

    /// Somebody who is in already by the same key is given their own place.
    private func join(
        _ person: Person, _ id: SessionID, by kind: IdentifyBy, _ shown: inout [Attendee]
    ) throws(JournalError) -> Bool {
        // Who was archived has kept a place that they came to, and it has missed what changed meanwhile.
        if try rows.attendee(of: person.id, in: id) != nil {
            return try rewrite(person, id, by: kind, &shown)
        }
        // Names get their keys when all changes are done: then it is known which are unique.
        var key = kind == .name ? nil : person.key(by: kind, nameIsUnique: false)
        if let wanted = key, let known = try attendee(known: wanted, in: id) {
            if try rows.person(inPlaceOf: known.id) == nil {
                try rows.setPlace(of: person.id, to: known.id, in: id)
                return false
            }
            key = nil
        }
        guard try session(id).headCount.known < CheckIn.mostAttendees else {
            throw .refused(.limitReached(.attendee, limit: CheckIn.mostAttendees))
        }
        try insertPlace(of: person, in: id, key: key, by: kind)
        try count(in: id) { $0.pending += 1 }
        return true
    }

    /// Who was never here is expected no more; a record of any other kind stays.
    private func leave(_ person: Person, _ id: SessionID) throws(JournalError) -> Bool {
        guard let attendee = try rows.attendee(of: person.id, in: id), attendee.status == .pending,
            attendee.arrivalSequence == 0
        else {
            return false
        }
        try rows.delete(attendee.id)
        try count(in: id) { $0.remove(attendee) }
        return true
    }

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
            // Somebody came in by the new address before it was on the roster: that is their record, if they
            // are still awaited.
            if let taken, taken.id != before.id, before.status == .pending,
                try rows.person(inPlaceOf: taken.id) == nil
            {
                try rows.delete(before.id)
                try count(in: id) { $0.remove(before) }
                try rows.setPlace(of: person.id, to: taken.id, in: id)
                return true
            }
            try rows.setKey(taken == nil || taken?.id == before.id ? key : nil, of: attendee)
        }
        try rows.update(attendee)
        if before.arrivalSequence > 0 { shown.append(attendee) }
        return true
    }

    /// A name that the roster has once is a key; one that it has more often is none.
    private func settleKeys(named name: IdentityKey, of meeting: MeetingID, in id: SessionID)
        throws(JournalError)
    {
        let people = try rows.people(of: meeting, named: name)
        if let holder = try rows.attendee(in: id, key: name) { try rows.setKey(nil, of: holder) }
        guard people.count == 1, let attendee = try rows.attendee(of: people[0].id, in: id) else { return }
        try rows.setKey(name, of: attendee)
    }

    // MARK: Exceptions

    /// A person who withdraws a check-in is awaited again where the session is not over.
    func placeAgain(_ person: PersonID, in record: SessionRecord) throws(JournalError) {
        guard !record.session.isOver(at: now), let person = try rows.person(person), !person.isArchived else {
            return
        }
        let id = record.session.id
        // The place is new, so no attendee whom rooms show changes.
        var shown: [Attendee] = []
        _ = try join(person, id, by: record.meeting.identifyBy, &shown)
        if record.meeting.identifyBy == .name {
            try settleKeys(named: person.draft.nameKey, of: record.meeting.id, in: id)
        }
    }

    /// Brings one place up to date that was out of the roster's reach for a while.
    func catchUp(_ person: Person, in id: SessionID, isChanged: Bool) throws(JournalError) {
        let record = try session(id)
        guard !record.session.isOver(at: now), !person.isArchived else { return }
        // The caller publishes the attendee.
        var shown: [Attendee] = []
        if isChanged { _ = try rewrite(person, id, by: record.meeting.identifyBy, &shown) }
        if record.meeting.identifyBy == .name {
            try settleKeys(named: person.draft.nameKey, of: record.meeting.id, in: id)
        }
    }

    /// After a change of what the meeting tells people apart by. Throws where anybody is in a session that is
    /// not over, or has no place: those were told apart by the old kind of key.
    func rekeyPlaces(of meeting: Meeting) throws(JournalError) {
        for listed in try rows.sessionsNotOver(of: meeting.id, at: now) {
            let id = listed.session.id
            let count = try session(id).headCount
            guard count.known == count.pending else { throw .refused(.sessionHasAttendees) }
            let attendees = try rows.attendees(
                of: id, statuses: nil, text: nil, after: nil, limit: CheckIn.mostAttendees)
            var places: [(attendee: Attendee, person: Person)] = []
            for attendee in attendees {
                guard let place = try rows.person(inPlaceOf: attendee.id), let person = try rows.person(place)
                else {
                    throw .refused(.sessionHasAttendees)
                }
                places.append((attendee, person))
                try rows.setKey(nil, of: attendee)
            }
            var names: [IdentityKey: Int] = [:]
            for place in places { names[place.person.draft.nameKey, default: 0] += 1 }
            for (attendee, person) in places {
                var attendee = attendee
                attendee.identity = person.identity(by: meeting.identifyBy)
                try rows.update(attendee)
                try rows.setKey(
                    person.key(by: meeting.identifyBy, nameIsUnique: names[person.draft.nameKey] == 1),
                    of: attendee)
            }
        }
    }
}

/// What happened to one person of a roster.
enum RosterChange {
    case joined(Person)
    case left(Person)
    /// As they are now; with a new name, the old one too.
    case edited(Person, before: Person)

    /// Names whose number of holders may have changed.
    var names: Set<IdentityKey> {
        switch self {
        case .joined(let person), .left(let person): [person.draft.nameKey]
        case .edited(let person, let before): [person.draft.nameKey, before.draft.nameKey]
        }
    }
}

extension Person {
    /// What tells them apart in a session; nil where nothing does.
    func key(by kind: IdentifyBy, nameIsUnique: Bool) -> IdentityKey? {
        switch kind {
        case .email: draft.emailKey
        case .number: draft.numberKey
        case .name: nameIsUnique ? draft.nameKey : nil
        }
    }
}
