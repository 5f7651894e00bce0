import Journal
import Meetings

extension MemoryRows {
    func person(_ id: PersonID) throws(JournalError) -> Person? {
        let found = try tables().people[id]
        noteRead(of: found?.meetingID)
        return found
    }

    func person(of meeting: MeetingID, email: IdentityKey) throws(JournalError) -> Person? {
        try tables().people.values.first { $0.meetingID == meeting && $0.draft.emailKey == email }
    }

    func person(of meeting: MeetingID, number: IdentityKey) throws(JournalError) -> Person? {
        try tables().people.values.first { $0.meetingID == meeting && $0.draft.numberKey == number }
    }

    func people(of meeting: MeetingID, named name: IdentityKey) throws(JournalError) -> [Person] {
        try tables().people.values.filter {
            $0.meetingID == meeting && !$0.isArchived && $0.draft.nameKey == name
        }
        .sorted { $0.id < $1.id }
    }

    func people(
        of meeting: MeetingID, archived: Bool, text: String?, after cursor: RosterPosition?, limit: Int
    ) throws(JournalError) -> [Person] {
        noteRead(of: meeting)
        let text = text.map(SearchText.folded) ?? ""
        let found = try tables().people.values.filter { person in
            let isAfter = cursor.map { $0 < person.position } ?? true
            return person.meetingID == meeting && person.isArchived == archived && isAfter
                && (text.isEmpty || SearchText.of(person).contains(text))
        }
        return Array(found.sorted { $0.position < $1.position }.prefix(limit))
    }

    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool {
        try tables().people.values.contains { $0.meetingID == meeting && !$0.isArchived }
    }

    func personCount(of meeting: MeetingID) throws(JournalError) -> Int {
        noteRead(of: meeting)
        return try tables().people.values.count { $0.meetingID == meeting }
    }

    func rosterVersion(of meeting: MeetingID) throws(JournalError) -> Int {
        noteRead(of: meeting)
        return try tables().rosterVersions[meeting] ?? 0
    }

    // MARK: Roster slots

    func person(inSlotOf attendee: AttendeeID) throws(JournalError) -> PersonID? {
        try tables().slots[attendee]?.person
    }

    func attendee(of person: PersonID, in session: SessionID) throws(JournalError) -> Attendee? {
        let tables = try tables()
        let slot = tables.slots.first { $0.value == Tables.Slot(person: person, session: session) }
        return slot.flatMap { tables.attendees[$0.key]?.attendee }
    }

    func attendeesWithoutKey(in session: SessionID, named name: String, limit: Int) throws(JournalError)
        -> [Attendee]
    {
        let text = SearchText.of(name: name, identity: "")
        let found = try tables().attendees.values.filter {
            $0.key == nil && $0.attendee.sessionID == session
                && SearchText.of(name: $0.attendee.name, identity: $0.attendee.identity) == text
        }
        return Array(found.map(\.attendee).sorted { $0.id < $1.id }.prefix(limit))
    }

    func isNewcomer(_ key: IdentityKey, named name: String?, to session: Session) throws(JournalError)
        -> Bool
    {
        let tables = try tables()
        let rounds = session.round - Regulars.mostRoundsSkipped..<session.round
        let previous = tables.sessions.values.filter {
            $0.session.meetingID == session.meetingID && rounds.contains($0.session.round)
                && $0.headCount.checkedIn > 0
        }.max { $0.session.round < $1.session.round }
        guard let id = previous?.session.id, previous?.session.namesDeletedAt == nil else { return false }
        let text = name.map { SearchText.of(name: $0, identity: "") }
        let known = tables.attendees.values.contains {
            let attendee = $0.attendee
            return attendee.sessionID == id && attendee.status.countsAsCheckedIn
                && ($0.key == key
                    || $0.key == nil
                        && SearchText.of(name: attendee.name, identity: attendee.identity) == text)
        }
        return !known && !tables.traces.values.contains { $0.sessionID == id && $0.keys.key == key }
    }

    func seriesTotals(of person: Person, key: IdentityKey?, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try totals(of: person.meetingID, person: person.id, key: key, at: now)
    }

    func seriesTotals(
        of person: Person, key: IdentityKey?, starting range: ClosedRange<Instant>, at now: Instant
    ) throws(JournalError) -> SeriesTotals {
        try totals(of: person.meetingID, person: person.id, key: key, at: now) {
            range.contains($0.startsAt) && $0.isOver(at: now) && $0.namesDeletedAt == nil
        }
    }

    func seriesTotals(of meeting: MeetingID, key: IdentityKey, at now: Instant) throws(JournalError)
        -> SeriesTotals
    {
        try totals(of: meeting, person: nil, key: key, at: now)
    }

    private func totals(
        of meeting: MeetingID, person: PersonID?, key: IdentityKey?, at now: Instant,
        over isCounted: (Session) -> Bool = { _ in true }
    ) throws(JournalError) -> SeriesTotals {
        noteRead(of: meeting)
        let tables = try tables()
        var totals = SeriesTotals()
        for record in tables.records(where: { $0.meetingID == meeting && isCounted($0) }) {
            let session = record.session
            let slot = tables.slots.first { $0.value.session == session.id && $0.value.person == person }
            let keyed = tables.attendees.values.first {
                key != nil && $0.key == key && $0.attendee.sessionID == session.id
            }
            guard let attendee = slot.flatMap({ tables.attendees[$0.key] }) ?? keyed else { continue }
            totals.add(attendee.attendee, of: session, at: now)
        }
        return totals
    }

    func latestStatuses(of person: Person, at now: Instant, limit: Int) throws(JournalError)
        -> [RecordedStatus]
    {
        noteRead(of: person.meetingID)
        let tables = try tables()
        let ended = tables.slots.filter { $0.value.person == person.id }
            .compactMap { slot in
                tables.record(slot.value.session).map {
                    ($0.session, tables.attendees[slot.key]?.attendee.status)
                }
            }
            .filter { $0.0.isOver(at: now) && $0.1 != .excused }
            .sorted { ($0.0.endsAt, $0.0.id) > ($1.0.endsAt, $1.0.id) }
        return ended.prefix(limit).compactMap(\.1)
    }

    func pastAttendance(
        of person: Person, key: IdentityKey?, since: Instant?, until: Instant, limit: Int
    ) throws(JournalError) -> [PastAttendance] {
        noteRead(of: person.meetingID)
        let tables = try tables()
        var past: [(endsAt: Instant, attendance: PastAttendance)] = []
        for record in tables.records(where: { $0.meetingID == person.meetingID }) {
            let session = record.session
            guard session.endsAt <= until, since.map({ session.startsAt >= $0 }) ?? true else { continue }
            let slot = tables.slots.first {
                $0.value.session == session.id && $0.value.person == person.id
            }
            let keyed = tables.attendees.values.first {
                key != nil && $0.key == key && $0.attendee.sessionID == session.id
            }
            guard let attendee = slot.flatMap({ tables.attendees[$0.key] }) ?? keyed else { continue }
            past.append(
                (
                    session.endsAt,
                    PastAttendance(
                        session.id, startsAt: session.startsAt, status: attendee.attendee.status)
                ))
        }
        past.sort { ($0.endsAt, $0.attendance.session) > ($1.endsAt, $1.attendance.session) }
        return past.prefix(limit).map(\.attendance)
    }

    // MARK: Sessions

    func idsOfSessionsNotOver(of meeting: MeetingID, at now: Instant) throws(JournalError) -> [SessionID] {
        try tables().records { $0.meetingID == meeting && !$0.isOver(at: now) }.map(\.session).sorted {
            $0.round < $1.round
        }
        .map(\.id)
    }

    func nearestSession(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord? {
        let own = try tables().records { $0.meetingID == meeting }
        func isBefore(_ left: SessionRecord, _ right: SessionRecord) -> Bool {
            (left.session.startsAt, left.session.id) < (right.session.startsAt, right.session.id)
        }
        return own.filter { $0.session.startsAt <= now && now <= $0.session.endsAt }.max(by: isBefore)
            ?? own.filter { $0.session.startsAt > now }.min(by: isBefore)
    }

    func sessionTitles(of meeting: MeetingID) throws(JournalError) -> [(round: Int, title: String)] {
        noteRead(of: meeting)
        return try tables().sessions.values.map(\.session)
            .filter { $0.meetingID == meeting && !$0.title.isEmpty }
            .sorted { $0.round > $1.round }.map { ($0.round, $0.title) }
    }

    func session(of meeting: MeetingID, round: Int) throws(JournalError) -> SessionRecord? {
        try tables().records { $0.meetingID == meeting && $0.round == round }.first
    }

    func sessions(
        of meeting: MeetingID, starting range: Range<Instant>, before cursor: RoundCursor?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        noteRead(of: meeting)
        let found = try tables().records { session in
            session.meetingID == meeting && range.contains(session.startsAt)
                && (cursor.map { (session.startsAt, session.round) < ($0.startsAt, $0.round) } ?? true)
        }
        return Array(
            found.sorted { ($0.session.startsAt, $0.session.round) > ($1.session.startsAt, $1.session.round) }
                .prefix(limit))
    }

    // MARK: Writing

    func insert(_ person: Person) throws(JournalError) {
        try change("insert person") { tables throws(JournalError) in
            guard tables.meetings[person.meetingID] != nil, tables.people[person.id] == nil,
                tables.isUnique(person)
            else {
                throw conflict("insert person", "not unique, or of no meeting")
            }
            tables.people[person.id] = person
        }
    }

    func update(_ person: Person) throws(JournalError) {
        try change("update person") { tables throws(JournalError) in
            guard tables.isUnique(person) else { throw conflict("update person", "not unique") }
            if tables.people[person.id] != nil { tables.people[person.id] = person }
        }
    }

    func delete(_ person: PersonID) throws(JournalError) {
        try change("delete person") { tables in
            tables.removeMails(of: OutgoingMail.Owner(person))
            if let found = tables.people[person] {
                if let key = found.draft.emailKey {
                    tables.unsubscriptions.remove(
                        Tables.Unsubscription(recipient: key, meeting: found.meetingID))
                }
                tables.mails = tables.mails.filter {
                    $0.value.mail.meeting != found.meetingID || $0.value.mail.content.kind != .absences
                        || $0.value.delivery.state == .waiting
                }
            }
            tables.people[person] = nil
            tables.slots = tables.slots.filter { $0.value.person != person }
            tables.passes = tables.passes.filter { $0.value.person != person }
            tables.certificates = tables.certificates.filter { $0.value.subject.person != person }
        }
    }

    func setRosterVersion(_ version: Int, of meeting: MeetingID) throws(JournalError) {
        try change("set roster's version") { $0.rosterVersions[meeting] = version }
    }

    func peopleWithoutSlots(of meeting: MeetingID, limit: Int) throws(JournalError) -> [Person] {
        let tables = try tables()
        let held = Set(tables.slots.values.map(\.person))
        let found = tables.people.values.filter {
            $0.meetingID == meeting && $0.joinedByCheckIn && !held.contains($0.id)
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func removeSlot(of attendee: AttendeeID) throws(JournalError) {
        try change("remove slot") { $0.slots[attendee] = nil }
    }

    func setSlot(of person: PersonID, to attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        try change("set slot") { tables throws(JournalError) in
            let slot = Tables.Slot(person: person, session: session)
            guard tables.people[person] != nil, tables.attendees[attendee]?.attendee.sessionID == session,
                tables.slots[attendee].map({ $0 == slot }) ?? true
            else { throw conflict("set slot", "not unique, or of nobody") }
            if let old = tables.slots.first(where: { $0.value == slot })?.key { tables.slots[old] = nil }
            tables.slots[attendee] = slot
        }
    }

    func setKey(_ key: IdentityKey?, of attendee: Attendee) throws(JournalError) {
        try change("set attendee's key") { tables throws(JournalError) in
            let isTaken = tables.attendees.values.contains {
                key != nil && $0.attendee.sessionID == attendee.sessionID && $0.key == key
                    && $0.attendee.id != attendee.id
            }
            guard !isTaken else { throw conflict("set attendee's key", "not unique") }
            tables.attendees[attendee.id]?.key = key
        }
    }
}

extension Tables {
    fileprivate func isUnique(_ person: Person) -> Bool {
        !people.values.contains { other in
            other.id != person.id && other.meetingID == person.meetingID
                && (person.draft.emailKey != nil && other.draft.emailKey == person.draft.emailKey
                    || person.draft.numberKey != nil && other.draft.numberKey == person.draft.numberKey)
        }
    }
}
