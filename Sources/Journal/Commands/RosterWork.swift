import FoundationEssentials
import Meetings

/// The work that makes a roster equal to a list: writes the people first, then, session after session, the
/// slots, and at last the counts and the event of each session. The last part has slices, too, because a
/// meeting may have 2,000 sessions.
struct RosterWork: Work {
    let meeting: MeetingID
    let changes: [RosterChange]
    let sessions: [SessionID]
    let hadRoster: Bool?
    private(set) var outcome: ImportRoster.Outcome
    private let identifyBy: IdentifyBy
    private let actor: AccountID
    /// The names whose keys must be set anew in each session, if names are the keys.
    private let names: [IdentityKey]
    /// Whether a crash has interrupted the work. Then it is unknown which sessions the first steps changed.
    private let isResumed: Bool
    /// The attendees who become slots of the people who join.
    private let claims: [PersonID: [Claim]]
    /// Whether a person joins only if one of the person's claims is still checked in.
    private let needsCheckIn: Bool
    /// The people who do not join, because they have withdrawn since the work was planned.
    private(set) var left: Set<PersonID> = []
    /// The hidden meeting of a series that a crash has interrupted (`SeriesWork`).
    private let abandoned: MeetingID?
    /// The person whom the work deletes at its end; nil if it deletes nobody.
    private let deleted: PersonID?
    private var changed: Set<SessionID> = []
    /// The changed attendees whom rooms show, at most as many as rooms can list.
    private var shown: [SessionID: [Attendee]] = [:]

    init(
        of meeting: Meeting, from outcome: ImportRoster.Outcome, changes: [RosterChange],
        sessions: [SessionID], hadRoster: Bool, actor: AccountID, claims: [Claim] = [],
        needsCheckIn: Bool = false
    ) {
        self.init(
            meeting.id, by: meeting.identifyBy, from: outcome, changes: changes, sessions: sessions,
            hadRoster: hadRoster, actor: actor, isResumed: false, claims: claims, needsCheckIn: needsCheckIn)
    }

    /// An attendee who came without a slot, and who is this person.
    struct Claim: Codable {
        let person: PersonID
        let attendee: AttendeeID
        let session: SessionID
    }

    /// The most sessions in which one transaction follows a change of one person.
    static let fewSessions = 40

    /// Plans a change of one person. Returns nil if few sessions follow the change.
    /// - Parameter deleted: the person whom the work deletes at its end.
    init?(
        of meeting: Meeting, _ change: RosterChange, claim: Claim? = nil, deleting deleted: PersonID? = nil,
        by actor: AccountID, from rows: any ReadableRows, at now: Instant
    ) throws(JournalError) {
        let sessions = try rows.idsOfSessionsNotOver(of: meeting.id, at: now)
        guard sessions.count > Self.fewSessions else { return nil }
        var outcome = ImportRoster.Outcome()
        outcome.version = try rows.rosterVersion(of: meeting.id)
        self.init(
            meeting.id, by: meeting.identifyBy, from: outcome, changes: [change], sessions: sessions,
            hadRoster: try rows.hasRoster(meeting.id), actor: actor, isResumed: false,
            claims: claim.map { [$0] } ?? [], deleted: deleted)
    }

    private init(
        _ meeting: MeetingID, by kind: IdentifyBy, from outcome: ImportRoster.Outcome,
        changes: [RosterChange], sessions: [SessionID], hadRoster: Bool?, actor: AccountID, isResumed: Bool,
        claims: [Claim], needsCheckIn: Bool = false, abandoned: MeetingID? = nil, deleted: PersonID? = nil
    ) {
        self.claims = Dictionary(grouping: claims, by: \.person)
        self.needsCheckIn = needsCheckIn
        self.abandoned = abandoned
        self.deleted = deleted
        self.meeting = meeting
        self.changes = changes
        self.sessions = sessions
        self.hadRoster = hadRoster
        self.outcome = outcome
        identifyBy = kind
        self.actor = actor
        self.isResumed = isResumed
        var names: Set<IdentityKey> = []
        if kind == .name { for change in changes { names.formUnion(change.names) } }
        // A resumed work needs the same order.
        self.names = names.sorted { $0.text < $1.text }
    }

    /// Whether the rows are still as they were when the work was planned.
    func isPlanned(for meeting: Meeting, _ version: Int, _ sessions: [SessionID]) -> Bool {
        meeting.id == self.meeting && meeting.identifyBy == identifyBy && version == outcome.version
            && sessions == self.sessions
    }

    /// The number of steps before those that settle the sessions.
    private var stepsOfRows: Int { changes.count + sessions.count * (changes.count + names.count) }
    var steps: Int { stepsOfRows + sessions.count }
    var settlesCounts: Bool { true }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        let roster = transaction.roster
        for step in steps {
            guard step >= changes.count else {
                try write(changes[step], in: transaction)
                continue
            }
            guard step < stepsOfRows else {
                try settle(sessions[step - stepsOfRows], in: transaction)
                continue
            }
            let (session, index) = (step - changes.count).quotientAndRemainder(
                dividingBy: changes.count + names.count)
            let id = sessions[session]
            guard index < changes.count else {
                try roster.settleKeys(named: names[index - changes.count], of: meeting, in: id)
                continue
            }
            guard try joins(changes[index], in: transaction) else { continue }
            var seen: [Attendee] = []
            if try roster.follow(changes[index], in: id, by: identifyBy, &seen) { changed.insert(id) }
            if !seen.isEmpty, shown[id, default: []].count <= Transaction.mostChangedAtOnce {
                shown[id, default: []] += seen
            }
        }
    }

    private mutating func write(_ change: RosterChange, in transaction: Transaction) throws(JournalError) {
        let person = change.person
        // An attendee may have withdrawn since the work was planned.
        var held: [Claim] = []
        for claim in claims[person.id] ?? [] where try holds(claim, in: transaction) { held.append(claim) }
        if needsCheckIn, held.isEmpty {
            left.insert(person.id)
            return
        }
        if case .joined(_, isNew: true) = change {
            try transaction.rows.insert(person)
        } else {
            try transaction.rows.update(person)
        }
        for claim in held
        where try transaction.rows.attendee(of: person.id, in: claim.session) == nil {
            try transaction.rows.setSlot(of: person.id, to: claim.attendee, in: claim.session)
        }
    }

    private func holds(_ claim: Claim, in transaction: Transaction) throws(JournalError) -> Bool {
        guard let attendee = try transaction.rows.attendee(claim.attendee),
            !needsCheckIn || attendee.status.countsAsCheckedIn
        else { return false }
        // The session of an attendee exists, and the batch remembers it.
        guard try transaction.session(claim.session).session.namesDeletedAt == nil else { return false }
        let holder = try transaction.rows.person(inSlotOf: claim.attendee)
        return holder == nil || holder == claim.person
    }

    /// Whether the change has been written, so that the sessions follow it.
    private func joins(_ change: RosterChange, in transaction: Transaction) throws(JournalError) -> Bool {
        guard needsCheckIn else { return true }
        guard isResumed else { return !left.contains(change.person.id) }
        guard let person = try transaction.rows.person(change.person.id) else { return false }
        return !person.isArchived
    }

    var reported: JobReport.Outcome? { abandoned == nil ? .roster(outcome) : .failed(.reverted) }

    /// Shows the changes of a session: adds the withheld counts, and records the event.
    private func settle(_ id: SessionID, in transaction: Transaction) throws(JournalError) {
        guard isResumed || changed.contains(id) else { return }
        try transaction.addWithheld(to: id)
        let event = try transaction.record(
            .edited, in: id, by: .account(actor), EventData(fields: ["roster"]))
        transaction.publish(changed: shown[id] ?? [], at: event)
        transaction.publishEdit(of: id)
    }

    mutating func finish(in transaction: Transaction) throws(JournalError) {
        if let deleted { try transaction.rows.delete(deleted) }
        outcome.version = try transaction.roster.raiseVersion(of: meeting)
        if let abandoned, try transaction.rows.meeting(abandoned) != nil {
            try transaction.later(ErasureWork(meeting: abandoned))
        }
    }
}

// MARK: The stored form

extension RosterWork {
    private struct Plan: Codable {
        struct Change: Codable {
            let kind: Int
            let id: PersonID
            let name, email, number: String
            let version: Int
            let nameBefore: String?
            let joinedByCheckIn: Bool?
        }

        let identifyBy: IdentifyBy
        let actor: AccountID
        let hadRoster: Bool?
        let outcome: ImportRoster.Outcome
        let sessions: [SessionID]
        let changes: [Change]
        let deleted: PersonID?
        /// Nil in the plans of older servers, as the fields below.
        let claims: [Claim]?
        let needsCheckIn: Bool?
        let abandoned: MeetingID?
    }

    /// Judges the work of a command that changes one person, after the command's own rules. Returns false if
    /// the rows have changed since the work was planned.
    func beginOne(in transaction: Transaction) throws(JournalError) -> Bool {
        let meeting = try transaction.meeting(meeting)
        let sessions = try transaction.rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now)
        guard isPlanned(for: meeting, try transaction.rows.rosterVersion(of: meeting.id), sessions) else {
            return false
        }
        if case .joined = changes[0] { try transaction.roster.requireAttendees(1, in: sessions) }
        return true
    }

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .roster, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] { plan(abandoning: nil) }

    /// Returns the description of the work as the first part of a series, whose sessions belong to this
    /// hidden meeting. After a crash, the roster gets its changes, and the hidden meeting is erased.
    func plan(abandoning hidden: MeetingID?) -> [UInt8] {
        let plan = Plan(
            identifyBy: identifyBy, actor: actor, hadRoster: hadRoster, outcome: outcome, sessions: sessions,
            changes: changes.map { change in
                let (kind, nameBefore): (Int, String?) =
                    switch change {
                    case .joined(_, isNew: true): (0, nil)
                    case .joined(_, isNew: false): (1, nil)
                    case .left(_, let nameBefore): (2, nameBefore)
                    case .edited(_, let nameBefore): (3, nameBefore)
                    }
                let person = change.person
                return Plan.Change(
                    kind: kind, id: person.id, name: person.name, email: person.email,
                    number: person.number, version: person.version, nameBefore: nameBefore,
                    joinedByCheckIn: person.joinedByCheckIn)
            }, deleted: deleted, claims: claims.values.flatMap(\.self), needsCheckIn: needsCheckIn,
            abandoned: hidden)
        return StoredPlan.encode(plan)
    }

    init?(stored bytes: [UInt8], of meeting: MeetingID) {
        guard let plan = StoredPlan.decode(Plan.self, from: bytes) else { return nil }
        let changes = plan.changes.map { change -> RosterChange in
            let person = Person(
                id: change.id, meetingID: meeting, name: change.name, email: change.email,
                number: change.number, isArchived: change.kind == 2,
                joinedByCheckIn: change.joinedByCheckIn ?? false, version: change.version)
            return switch change.kind {
            case 0: .joined(person, isNew: true)
            case 1: .joined(person, isNew: false)
            case 2: .left(person, nameBefore: change.nameBefore ?? change.name)
            default: .edited(person, nameBefore: change.nameBefore ?? change.name)
            }
        }
        self.init(
            meeting, by: plan.identifyBy, from: plan.outcome, changes: changes, sessions: plan.sessions,
            hadRoster: plan.hadRoster, actor: plan.actor, isResumed: true, claims: plan.claims ?? [],
            needsCheckIn: plan.needsCheckIn ?? false, abandoned: plan.abandoned, deleted: plan.deleted)
    }
}

/// Encodes plans as JSON.
enum StoredPlan {
    static func encode(_ plan: some Encodable) -> [UInt8] {
        do { return [UInt8](try JSONEncoder().encode(plan)) } catch {
            preconditionFailure("a plan is always encodable: \(error)")
        }
    }

    /// Returns nil if the bytes are damaged.
    static func decode<Plan: Decodable>(_ type: Plan.Type, from bytes: [UInt8]) -> Plan? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}
