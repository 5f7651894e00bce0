package import Meetings

/// Makes a meeting's roster equal to a list, completely or not at all. Adds new people, updates and
/// unarchives known people, and archives people who are missing from the list. If an entry's e-mail address
/// or number is empty, the known one stays. An entry with an id means the person with this id, and replaces
/// the person's address and number even by empty ones.
/// - Throws: `invalid`, with an error for each entry that repeats an earlier entry, whose e-mail address and
///   number belong to two people, or whose id belongs to nobody on the roster; `limitReached` if the roster
///   would have more than `RosterLimits.mostPeople`, if the command would write too many slots, or if a
///   session would have too many attendees.
package struct ImportRoster: Command {
    /// One person on the list.
    package struct Entry: Hashable, Sendable {
        /// The entry's JSON pointer in the request, such as `/lines/12`. Errors contain it.
        package let pointer: String
        /// The person whom the entry means; nil if the import finds the person by e-mail address, number or
        /// name.
        package let id: PersonID?
        /// The entry's name, e-mail address and number, normalized.
        package let draft: PersonDraft

        package init(pointer: String, id: PersonID? = nil, draft: PersonDraft) {
            self.pointer = pointer
            self.id = id
            self.draft = draft
        }
    }

    /// The effects of the import, counted in people.
    package struct Outcome: Hashable, Sendable, Codable {
        package var added = 0
        package var updated = 0
        package var unarchived = 0
        package var archived = 0
        package var unchanged = 0
        /// The number of people on the roster after the import.
        package var people = 0
        /// The number of people on the list without the field by which the meeting identifies attendees. Such
        /// people cannot check in to their slots themselves.
        package var withoutKey = 0
        /// The roster's version after the import.
        package var version = 0

        package init() {}
    }

    /// The people whom the import would change, each list in the order of the entries.
    package struct Preview: Sendable {
        package internal(set) var outcome = Outcome()
        package internal(set) var added: [Person] = []
        /// The changed people before and after the import.
        package internal(set) var updated: [(before: Person, after: Person)] = []
        package internal(set) var unarchived: [Person] = []
        package internal(set) var archived: [Person] = []
        /// The joining people who may be attendees whom somebody added by name alone, but whose name is
        /// ambiguous. They get slots of their own.
        package internal(set) var ambiguous: [Person] = []
    }

    package let meeting: MeetingID
    package let entries: [Entry]
    /// The expected version of the roster.
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(meeting: MeetingID, entries: [Entry], expected: ExpectedVersion = .any, actor: AccountID) {
        self.meeting = meeting
        self.entries = entries
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        try runAtOnce(in: transaction)
    }

    package var planning: Planning { .scanning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        let (plan, meeting) = try plan(in: rows, at: now)
        return RosterWork(
            of: meeting, from: plan.preview.outcome, changes: plan.changes,
            sessions: try rows.idsOfSessionsNotOver(of: meeting.id, at: now),
            hadRoster: plan.hadRoster, actor: actor)
    }

    /// Returns what the import would do, without doing it. The import itself may still be refused: if the
    /// roster has changed, or if a session would have too many attendees.
    /// - Throws: what the command throws.
    package func preview(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> Preview {
        let (plan, meeting) = try plan(in: rows, at: now)
        let sessions = try rows.idsOfSessionsNotOver(of: meeting.id, at: now)
        try Roster.requireRoom(for: plan.changes.count, in: sessions.count)
        var preview = plan.preview
        var names: [IdentityKey: Int] = [:]
        for entry in entries { names[entry.draft.nameKey, default: 0] += 1 }
        for person in preview.added + preview.unarchived {
            for session in sessions {
                let found = try rows.namesakes(of: person, in: session, by: meeting.identifyBy)
                guard found.count > 1 || found.count == 1 && names[person.draft.nameKey, default: 0] > 1
                else {
                    continue
                }
                preview.ambiguous.append(person)
                break
            }
        }
        return preview
    }

    private struct Plan {
        var preview = Preview()
        var changes: [RosterChange] = []
        var hadRoster = false
    }

    private func plan(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (Plan, Meeting) {
        guard let meeting = try rows.meeting(meeting) else { throw .refused(.notFound(.meeting)) }
        try rows.requireHost(actor, of: meeting.id)
        var plan = Plan()
        var outcome = Outcome()
        outcome.version = try rows.rosterVersion(of: meeting.id)
        try expected.check(outcome.version)
        try requireDistinct()

        let people = try rows.everybody(on: meeting.id)
        let archived = try rows.everybody(on: meeting.id, archived: true)
        var known = RosterMatching(people + archived)
        plan.hadRoster = !people.isEmpty
        var errors: [FieldError] = []
        for entry in entries {
            outcome.people += 1
            if meeting.identifyBy != .name,
                Person(entry.draft, id: .makeTimeless(), of: meeting.id).identity(by: meeting.identifyBy)
                    .isEmpty
            {
                outcome.withoutKey += 1
            }
            switch entry.id.map({ known.claim($0, entry.draft) }) ?? known.claim(entry.draft) {
            case .unknown: errors.append(FieldError("\(entry.pointer)/id", .unknownPerson))
            case .ofAnother: errors.append(FieldError("\(entry.pointer)/number", .takenByAnotherPerson))
            case .new:
                let person = Person(entry.draft, id: .make(at: now), of: meeting.id)
                plan.changes.append(.joined(person, isNew: true))
                plan.preview.added.append(person)
                outcome.added += 1
            case .known(let before):
                var person = before
                person.name = entry.draft.name
                if entry.id != nil || !entry.draft.email.isEmpty { person.email = entry.draft.email }
                if entry.id != nil || !entry.draft.number.isEmpty { person.number = entry.draft.number }
                person.isArchived = false
                if person == before {
                    outcome.unchanged += 1
                    continue
                }
                person.version += 1
                if before.isArchived {
                    plan.changes.append(.joined(person, isNew: false))
                    plan.preview.unarchived.append(person)
                    outcome.unarchived += 1
                } else {
                    plan.changes.append(.edited(person, nameBefore: before.name))
                    plan.preview.updated.append((before, person))
                    outcome.updated += 1
                }
            }
        }
        guard errors.isEmpty else { throw .refused(.invalid(errors)) }
        for var person in known.unclaimed where !person.isArchived {
            person.isArchived = true
            person.version += 1
            plan.changes.append(.left(person, nameBefore: person.name))
            plan.preview.archived.append(person)
            outcome.archived += 1
        }
        guard people.count + archived.count + outcome.added <= RosterLimits.mostPeople else {
            throw .refused(.limitReached(.person, limit: RosterLimits.mostPeople))
        }
        plan.preview.outcome = outcome
        return (plan, meeting)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Outcome
    > {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        let version = try transaction.rows.rosterVersion(of: meeting.id)
        try expected.check(version)
        let sessions = try transaction.rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now)
        guard let work = work as? RosterWork, work.isPlanned(for: meeting, version, sessions) else {
            return .outdated
        }
        guard !work.changes.isEmpty else { return .answered(work.outcome) }
        try Roster.requireRoom(for: work.changes.count, in: sessions.count)
        try transaction.roster.requireAttendees(
            work.outcome.added + work.outcome.unarchived, in: sessions)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let work = work as? RosterWork else { preconditionFailure("the work of another command") }
        return work.outcome
    }

    private func requireDistinct() throws(JournalError) {
        var people = DistinctPeople()
        let errors = entries.flatMap { people.repeats(of: $0.draft, at: $0.pointer) }
        guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    }
}

/// Finds the person on the roster for each entry: by e-mail address, by number, or by name if the e-mail
/// address and number do not contradict.
private struct RosterMatching {
    enum Match {
        case new
        case known(Person)
        /// The e-mail address belongs to one person and the number to another, or one of them to somebody
        /// else than the person with the entry's id.
        case ofAnother
        /// Nobody on the roster has the entry's id.
        case unknown
    }

    private let ids: Set<PersonID>
    private var people: [PersonID: Person]
    private var byEmail: [IdentityKey: PersonID] = [:]
    private var byNumber: [IdentityKey: PersonID] = [:]
    private var byName: [IdentityKey: [PersonID]] = [:]

    /// The people whom no entry has matched so far, ordered by id.
    var unclaimed: [Person] { people.values.sorted { $0.id < $1.id } }

    /// Creates the index of the people. If two people have the same name, the first entry with this name
    /// matches the first of them.
    init(_ people: [Person]) {
        ids = Set(people.map(\.id))
        self.people = Dictionary(people.map { ($0.id, $0) }) { first, _ in first }
        for person in people {
            if let key = person.draft.emailKey { byEmail[key] = person.id }
            if let key = person.draft.numberKey { byNumber[key] = person.id }
            byName[person.draft.nameKey, default: []].append(person.id)
        }
    }

    /// Returns the person with this id, unless another person has the draft's e-mail address or number, or
    /// another entry has matched the person.
    mutating func claim(_ id: PersonID, _ draft: PersonDraft) -> Match {
        guard ids.contains(id) else { return .unknown }
        let holders = [draft.emailKey.flatMap { byEmail[$0] }, draft.numberKey.flatMap { byNumber[$0] }]
        guard holders.allSatisfy({ $0 == nil || $0 == id }), let person = people.removeValue(forKey: id)
        else { return .ofAnother }
        return .known(person)
    }

    mutating func claim(_ draft: PersonDraft) -> Match {
        let (email, number) = (
            draft.emailKey.flatMap { byEmail[$0] }, draft.numberKey.flatMap { byNumber[$0] }
        )
        if let email, let number, email != number { return .ofAnother }
        if let id = email ?? number {
            guard let person = people.removeValue(forKey: id) else { return .ofAnother }
            return .known(person)
        }
        for id in byName[draft.nameKey] ?? [] {
            guard let person = people[id], draft.email.isEmpty || person.email.isEmpty,
                draft.number.isEmpty || person.number.isEmpty
            else {
                continue
            }
            people[id] = nil
            return .known(person)
        }
        return .new
    }
}
