import Meetings

/// The work that changes how a meeting identifies attendees: sets the identity and the key of each slot in
/// the sessions that are not over. Nobody may have checked in to these sessions. A person who checks in while
/// the work is in progress still identifies by the old kind of key; then the end is refused, and the same
/// work restores the old keys.
struct RekeyWork: Work {
    /// The meeting with the values that the command gives, but still with the old kind of key.
    private let edited: Meeting
    /// The kind of key that the steps set.
    let target: IdentifyBy
    private let version: Int
    private let people: [PersonID]
    let sessions: [SessionID]
    private let actor: AccountID
    /// Whether this work restores the old keys after a refusal.
    private let isUndoing: Bool
    /// The number of slots that the steps found in each session. Nil after a crash.
    private var slots: [SessionID: Int]?

    init(
        _ edited: Meeting, to target: IdentifyBy, version: Int, people: [PersonID], sessions: [SessionID],
        actor: AccountID, isUndoing: Bool = false, isResumed: Bool = false
    ) {
        slots = isResumed ? nil : [:]
        self.edited = edited
        self.target = target
        self.version = version
        self.people = people
        self.sessions = sessions
        self.actor = actor
        self.isUndoing = isUndoing
    }

    /// Returns the ids of all people on the roster, with the archived people, who may still have slots.
    static func people(of meeting: MeetingID, from rows: any ReadableRows) throws(JournalError) -> [PersonID]
    {
        try (rows.everybody(on: meeting) + rows.everybody(on: meeting, archived: true)).map(\.id)
    }

    var meeting: MeetingID { edited.id }
    var steps: Int { people.count * sessions.count }

    /// Whether the rows are still as they were when the work was planned.
    func isPlanned(for meeting: Meeting, _ version: Int, _ sessions: [SessionID]) -> Bool {
        meeting.id == edited.id && meeting.version == edited.version && version == self.version
            && sessions == self.sessions
    }

    /// - Throws: `sessionHasAttendees` if an attendee of a session that is not over has checked in, because
    ///   the old kind of key identified that attendee.
    func requireOnlyAwaited(in transaction: Transaction) throws(JournalError) {
        for id in sessions {
            let count = try transaction.headCount(of: id)
            // A reply has the old kind of key.
            let replies = try transaction.rows.replySettings(of: id)?.counts.all ?? 0
            guard count.known == count.pending, replies == 0 else { throw .refused(.sessionHasAttendees) }
        }
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        for step in steps {
            let (session, index) = step.quotientAndRemainder(dividingBy: people.count)
            guard var attendee = try transaction.rows.attendee(of: people[index], in: sessions[session]),
                let person = try transaction.rows.person(people[index])
            else { continue }
            slots?[attendee.sessionID, default: 0] += 1
            let namesakes =
                target == .name
                ? try transaction.rows.people(of: meeting, named: person.draft.nameKey).count : 0
            let key = person.key(by: target, nameIsUnique: namesakes == 1)
            let identity = person.identity(by: target)
            if attendee.identity != identity {
                attendee.identity = identity
                try transaction.rows.update(attendee)
            }
            // A slot that still has its old key, or a person who checked in meanwhile, may have this text.
            if let key, let holder = try transaction.rows.attendee(in: attendee.sessionID, key: key),
                holder.id != attendee.id
            {
                try transaction.rows.setKey(nil, of: holder)
            }
            try transaction.rows.setKey(key, of: attendee)
        }
    }

    /// - Throws: `sessionHasAttendees` if an attendee checked in since the beginning, or if an attendee has
    ///   no slot.
    func finish(in transaction: Transaction) throws(JournalError) {
        guard !isUndoing else { return }
        try requireOnlyAwaited(in: transaction)
        for id in sessions {
            let known = try transaction.headCount(of: id).known
            guard try slotCount(of: id, in: transaction) == known else {
                throw .refused(.sessionHasAttendees)
            }
        }
        var meeting = edited
        meeting.identifyBy = target
        _ = try transaction.edit(meeting, by: actor)
    }

    private func slotCount(of session: SessionID, in transaction: Transaction) throws(JournalError) -> Int {
        if let slots { return slots[session] ?? 0 }
        var count = 0
        for attendee in try transaction.rows.attendees(
            of: session, statuses: nil, text: nil, after: nil, limit: CheckIn.mostAttendees)
        where try transaction.rows.person(inSlotOf: attendee.id) != nil { count += 1 }
        return count
    }

    var reported: JobReport.Outcome? { isUndoing ? nil : .meeting }

    func undone() -> (any Work)? {
        guard !isUndoing else { return nil }
        return RekeyWork(
            edited, to: edited.identifyBy, version: version, people: people, sessions: sessions,
            actor: actor, isUndoing: true)
    }
}

// MARK: The stored form

extension RekeyWork {
    private struct Plan: Codable {
        let target: IdentifyBy
        let name, description, venue: String
        let timeZone: String
        /// Nil in the plans of older servers, as the four fields below.
        let regulars: Regulars?
        let joinedRound: Int?
        let reminders: Reminders?
        /// Empty if the meeting has none.
        let language, accent: String?
        /// A list of one consent; an empty list if the meeting has none. Nil in the plans of older servers.
        let consent: [Consent]?
        /// A list of one rule, as `consent`.
        let absenceRule: [AbsenceRule]?
        let codeVersion: Int
        let sessions: [SessionID]
        let actor: AccountID
        let isUndoing: Bool
    }

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .rekey, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] {
        StoredPlan.encode(
            Plan(
                target: target, name: edited.name, description: edited.description, venue: edited.venue,
                timeZone: edited.timeZone.name, regulars: edited.regulars, joinedRound: edited.joinedRound,
                reminders: edited.reminders, language: edited.language ?? "",
                accent: edited.accent?.rawValue ?? "", consent: edited.consent.map { [$0] } ?? [],
                absenceRule: edited.absenceRule.map { [$0] } ?? [],
                codeVersion: edited.codeVersion, sessions: sessions, actor: actor, isUndoing: isUndoing))
    }

    /// Makes the work again. Nobody could change the meeting or its roster meanwhile.
    init?(stored bytes: [UInt8], of meeting: MeetingID, from rows: any ReadableRows) throws(JournalError) {
        guard let plan = StoredPlan.decode(Plan.self, from: bytes), var edited = try rows.meeting(meeting),
            let zone = Zone(plan.timeZone)
        else { return nil }
        (edited.name, edited.description, edited.venue) = (plan.name, plan.description, plan.venue)
        (edited.timeZone, edited.codeVersion) = (zone, plan.codeVersion)
        edited.regulars = plan.regulars ?? edited.regulars
        edited.joinedRound = plan.joinedRound ?? edited.joinedRound
        edited.reminders = plan.reminders ?? edited.reminders
        if let language = plan.language { edited.language = language.isEmpty ? nil : language }
        if let accent = plan.accent { edited.accent = Accent(rawValue: accent) }
        if let consent = plan.consent { edited.consent = consent.first }
        if let rule = plan.absenceRule { edited.absenceRule = rule.first }
        self.init(
            edited, to: plan.target, version: try rows.rosterVersion(of: meeting),
            people: try Self.people(of: meeting, from: rows), sessions: plan.sessions, actor: plan.actor,
            isUndoing: plan.isUndoing, isResumed: true)
    }
}
