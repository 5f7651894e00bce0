package import Meetings

/// The people who join a roster because they came to rounds of the meeting.
struct JoiningPeople {
    /// The people who join: new people, and archived people who came again.
    private(set) var changes: [RosterChange] = []
    /// The attendees who become slots of these people.
    private(set) var claims: [RosterWork.Claim] = []
    /// The number of attendees who are on the roster already.
    private(set) var unchanged = 0

    private let kind: IdentifyBy
    private let meeting: MeetingID
    private let byCheckIn: Bool
    private let now: Instant
    private var byKey: [IdentityKey: PersonID] = [:]
    private var byName: [IdentityKey: [PersonID]] = [:]
    private var people: [PersonID: Person] = [:]
    private var joined: Set<PersonID> = []

    /// Reads the attendees of these sessions, a session after the other, and finds each of them on the roster
    /// by slot, by e-mail address or number, or by name if the attendee has neither.
    /// - Parameter byCheckIn: whether only the check-ins bring the people onto the roster. Then an archived
    ///   person joins again only by a check-in after the archiving, and not by one before it.
    /// - Throws: `limitReached` if the roster would have more than `RosterLimits.mostPeople`.
    init(
        of sessions: [Session], in meeting: Meeting, from rows: any ReadableRows, byCheckIn: Bool,
        at now: Instant
    ) throws(JournalError) {
        kind = meeting.identifyBy
        self.meeting = meeting.id
        self.byCheckIn = byCheckIn
        self.now = now
        for person in try rows.everybody(on: meeting.id) + rows.everybody(on: meeting.id, archived: true) {
            index(person)
        }
        for session in sessions where session.namesDeletedAt == nil { try read(session, from: rows) }
    }

    private mutating func index(_ person: Person) {
        people[person.id] = person
        if let key = person.key(by: kind, nameIsUnique: false) { byKey[key] = person.id }
        byName[person.draft.nameKey, default: []].append(person.id)
    }

    private mutating func read(_ session: Session, from rows: any ReadableRows) throws(JournalError) {
        var (here, without): (Set<PersonID>, [Attendee]) = ([], [])
        var cursor: AttendeeID?
        repeat {
            let page = try rows.attendees(
                of: session.id, statuses: [.present, .late], text: nil, after: cursor, limit: 1_000)
            for attendee in page {
                if let holder = try rows.person(inSlotOf: attendee.id) {
                    here.insert(holder)
                    cameBack(holder, attendee)
                } else {
                    without.append(attendee)
                }
            }
            cursor = page.count == 1_000 ? page.last?.id : nil
        } while cursor != nil
        for attendee in without {
            join(attendee, &here)
            guard people.count <= RosterLimits.mostPeople else {
                throw .refused(.limitReached(.person, limit: RosterLimits.mostPeople))
            }
        }
    }

    /// Counts an attendee in the slot of a person. A host who keeps everybody restores an archived person.
    private mutating func cameBack(_ id: PersonID, _ attendee: Attendee) {
        guard let person = people[id], person.isArchived, !byCheckIn else {
            unchanged += joined.contains(id) ? 0 : 1
            return
        }
        restore(person)
        claim(id, attendee)
    }

    private mutating func join(_ attendee: Attendee, _ here: inout Set<PersonID>) {
        let found = person(of: attendee, here)
        let id = found?.id ?? PersonID.make(at: now)
        here.insert(id)
        if let found {
            if found.isArchived { restore(found) }
            guard joined.contains(id) else {
                unchanged += 1
                return
            }
        } else {
            var draft = PersonDraft(name: attendee.name)
            switch kind {
            case .email: draft.email = attendee.identity
            case .number: draft.number = attendee.identity
            case .name: break
            }
            let person = Person(draft, id: id, of: meeting, joinedByCheckIn: byCheckIn)
            index(person)
            joined.insert(id)
            changes.append(.joined(person, isNew: true))
        }
        claim(id, attendee)
    }

    /// Returns the person who this attendee without a slot is; nil for a new person. Of several people with
    /// the name, a person without an address or number comes first. A name alone never means a person who has
    /// come to the session as another attendee.
    private func person(of attendee: Attendee, _ here: Set<PersonID>) -> Person? {
        if let key = IdentityKey(ifAny: attendee.identity), kind != .name {
            return byKey[key].flatMap { people[$0] }
        }
        let namesakes = (byName[IdentityKey(attendee.name)] ?? []).filter { !here.contains($0) }
        let keyless = namesakes.first { people[$0]?.identity(by: kind).isEmpty == true }
        let only = namesakes.count == 1 ? namesakes.first : nil
        return (keyless ?? only).flatMap { people[$0] }
    }

    private mutating func restore(_ archived: Person) {
        var person = archived
        person.isArchived = false
        person.version += 1
        people[person.id] = person
        joined.insert(person.id)
        changes.append(.joined(person, isNew: false))
    }

    private mutating func claim(_ person: PersonID, _ attendee: Attendee) {
        claims.append(
            RosterWork.Claim(person: person, attendee: attendee.id, session: attendee.sessionID))
    }

    /// Returns the work by which these people join.
    /// - Throws: `limitReached` if the work would write too many slots.
    func work(in meeting: Meeting, by actor: AccountID, from rows: any ReadableRows, at now: Instant)
        throws(JournalError) -> RosterWork
    {
        let sessions = try rows.idsOfSessionsNotOver(of: meeting.id, at: now)
        try Roster.requireRoom(for: changes.count, in: sessions.count)
        var outcome = ImportRoster.Outcome()
        outcome.version = try rows.rosterVersion(of: meeting.id)
        outcome.unchanged = unchanged
        return RosterWork(
            of: meeting, from: outcome, changes: changes, sessions: sessions,
            hadRoster: try rows.hasRoster(meeting.id), actor: actor, claims: claims, needsCheckIn: true)
    }
}

/// Adds everybody who came to a session to the meeting's roster, and restores the archived people among them.
/// - Throws: `notFound` if the meeting has no such session, or has held no session yet; `limitReached` if the
///   roster would have more than `RosterLimits.mostPeople`, or a session too many attendees.
package struct KeepEverybody: Command {
    package let meeting: MeetingID
    /// The session; nil means the meeting's session that started last.
    package let session: SessionID?
    package let actor: AccountID

    /// The effect on the roster.
    package struct Outcome: Hashable, Sendable {
        /// The number of people who joined the roster.
        package let kept: Int
        /// The number of attendees who were on the roster already.
        package let unchanged: Int
    }

    package init(meeting: MeetingID, session: SessionID? = nil, actor: AccountID) {
        self.meeting = meeting
        self.session = session
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        try runAtOnce(in: transaction)
    }

    package var planning: Planning { .scanning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let found = try rows.meeting(meeting) else { throw .refused(.notFound(.meeting)) }
        try rows.requireHost(actor, of: meeting)
        guard let record = try held(in: rows, at: now), record.meeting.id == meeting else {
            throw .refused(.notFound(.session))
        }
        try record.requireNames()
        let joining = try JoiningPeople(
            of: [record.session], in: found, from: rows, byCheckIn: false, at: now)
        return try joining.work(in: found, by: actor, from: rows, at: now)
    }

    /// Returns the command's session; nil if there is none.
    private func held(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> SessionRecord? {
        if let session { return try rows.session(session) }
        return try rows.lastHeldSession(of: meeting, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Outcome
    > {
        let meeting = try transaction.rights.meeting(meeting, managedBy: actor)
        let version = try transaction.rows.rosterVersion(of: meeting.id)
        let sessions = try transaction.rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now)
        guard let work = work as? RosterWork, work.isPlanned(for: meeting, version, sessions) else {
            return .outdated
        }
        guard !work.changes.isEmpty else { return .answered(try answer(to: work, in: transaction)) }
        try transaction.roster.requireAttendees(work.changes.count, in: sessions)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let work = work as? RosterWork else { preconditionFailure("the work of another command") }
        return Outcome(kept: work.changes.count - work.left.count, unchanged: work.outcome.unchanged)
    }
}

extension ReadableRows {
    /// Returns the meeting's session that started last; nil if none has started.
    package func lastHeldSession(of meeting: MeetingID, at now: Instant) throws(JournalError)
        -> SessionRecord?
    {
        let started = Instant(milliseconds: .min)..<(now + .milliseconds(1))
        return try sessions(of: meeting, starting: started, before: nil, limit: 1).first
    }
}
