import Meetings

/// The work that adds sessions to a meeting, with the roster's slots. If it takes several slices, it prepares
/// the sessions under a hidden meeting without members, so that nobody finds them. The last transaction moves
/// all of them to the meeting. If attendees of earlier rounds join the roster, they do so in the first steps.
struct SeriesWork: Work {
    let added: [Session]
    let latest: Session
    private let version: Int
    /// How the meeting identifies attendees before the work, and in the new sessions.
    private let before, identifyBy: IdentifyBy
    private let values: MeetingValues
    /// The people on the roster, with their keys in each of the new sessions.
    private let people: [(person: Person, key: IdentityKey?)]
    /// The question sets that each new session gets a copy of: those of the latest session, with the
    /// questions of the command.
    private let sets: [QuestionSet]
    /// The versions of the latest session's sets when the work was planned, `feedback` first.
    private let versions: [Int]
    private let questions: NewQuestions
    private let actor: AccountID
    private let regulars: Regulars
    /// The attendees of earlier rounds who join the roster; nil if nobody joins.
    private var joining: RosterWork?
    /// `Meeting.joinedRound` after the work.
    private let joinedRound: Int
    /// The meeting that hides the sessions if the work takes several slices.
    private let hiding = MeetingID.makeTimeless()
    private var isHidden = false
    private var hidden: MeetingID? { isHidden ? hiding : nil }

    /// The questions of the new sessions, if they are not those of the latest session.
    struct NewQuestions {
        /// The questions of `feedback`; nil copies the questions of the latest session.
        var questions: [Question]?
        /// Whether `feedback` is anonymous; nil copies the setting of the latest session.
        var anonymous: Bool?
    }

    /// The steps for one set. The first of them inserts the set with up to 50 questions; the others do
    /// nothing.
    private static let stepsOfSet = 16
    /// The steps in which attendees of earlier rounds join the roster.
    private var stepsOfJoining: Int { joining?.steps ?? 0 }
    /// The steps of one session before its slots. The first of them inserts the session.
    private var stepsOfSession: Int { 1 + sets.count * Self.stepsOfSet }

    init(
        _ added: [Session], after latest: Session, of meeting: Meeting, version: Int, people: [Person],
        joining: RosterWork?, joinedRound: Int, changing values: MeetingValues, sets: [QuestionSet],
        questions: NewQuestions, actor: AccountID
    ) {
        self.values = values
        before = meeting.identifyBy
        let kind = values.identifyBy ?? meeting.identifyBy
        identifyBy = kind
        self.added = added
        regulars = meeting.regulars
        self.joining = joining
        self.joinedRound = joinedRound
        self.latest = latest
        self.version = version
        self.questions = questions
        versions = sets.map(\.version)
        self.sets = sets.replacingFeedback(with: questions.questions)
        self.actor = actor
        var names: [IdentityKey: Int] = [:]
        if kind == .name {
            for person in people { names[person.draft.nameKey, default: 0] += 1 }
        }
        self.people = people.map { person in
            let isUnique = kind == .name && names[person.draft.nameKey] == 1
            return (person, person.key(by: kind, nameIsUnique: isUnique))
        }
    }

    var meeting: MeetingID { latest.meetingID }
    var sessions: [SessionID] { joining?.sessions ?? [] }
    var isVisible: Bool { joining != nil }
    var settlesCounts: Bool { true }
    var hadRoster: Bool? { joining?.hadRoster }
    var steps: Int { stepsOfJoining + added.count * (stepsOfSession + people.count) }

    /// Judges the work in the first transaction. Returns false if the rows have changed since the work was
    /// planned.
    /// - Throws: `limitReached` if a session would have too many attendees; `sessionHasAttendees` if another
    ///   session is not over and the work changes how the meeting identifies attendees.
    func begin(
        for meeting: Meeting, _ version: Int, latest: Session, sets: [QuestionSet],
        in transaction: Transaction
    ) throws(JournalError) -> Bool {
        guard meeting.identifyBy == before, meeting.regulars == regulars, version == self.version,
            latest == self.latest, sets.map(\.version) == versions
        else { return false }
        guard joining != nil || identifyBy != before else { return true }
        let open = try transaction.rows.idsOfSessionsNotOver(of: meeting.id, at: transaction.now)
        if identifyBy != before, !open.isEmpty { throw .refused(.sessionHasAttendees) }
        guard let joining else { return true }
        guard joining.isPlanned(for: meeting, version, open) else { return false }
        try transaction.roster.requireAttendees(joining.changes.count, in: open)
        return true
    }

    mutating func prepare(in transaction: Transaction) throws(JournalError) {
        try transaction.rows.insert(Meeting(id: hiding, name: "", createdAt: transaction.now, version: 0))
        isHidden = true
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        let joined = steps.clamped(to: 0..<stepsOfJoining)
        if !joined.isEmpty { try joining?.apply(joined, in: transaction) }
        for step in steps.dropFirst(joined.count).map({ $0 - stepsOfJoining }) {
            let (number, index) = step.quotientAndRemainder(dividingBy: stepsOfSession + people.count)
            let session = added[number]
            if index == 0 {
                try transaction.rows.insert(hidden.map { session.hidden(under: $0) } ?? session)
            } else if index >= stepsOfSession {
                let (person, key) = people[index - stepsOfSession]
                guard joining?.left.contains(person.id) != true else { continue }
                try transaction.roster.insertSlot(of: person, in: session.id, key: key, by: identifyBy)
            } else if (index - 1).isMultiple(of: Self.stepsOfSet) {
                try insertSet((index - 1) / Self.stepsOfSet, in: session.id, transaction)
            }
        }
    }

    /// Inserts a copy of the set with this number into a new session. Each session needs copies of its own,
    /// because a question id belongs to one session only.
    private func insertSet(_ number: Int, in session: SessionID, _ transaction: Transaction)
        throws(JournalError)
    {
        var copy = sets[number].copied(at: transaction.now)
        if copy.name == QuestionSet.feedback { try copy.take(ChosenPromise(anonymous: questions.anonymous)) }
        try transaction.rows.save(copy, of: session)
    }

    /// Checks the questions and the setting that the command gives.
    /// - Throws: `.refused` if they do not fit.
    func requireGoodSets(in transaction: Transaction) throws(JournalError) {
        guard questions.questions != nil || questions.anonymous != nil else { return }
        for set in sets where set.name == QuestionSet.feedback {
            var copy = set.copied(at: transaction.now)
            try copy.take(ChosenPromise(anonymous: questions.anonymous))
            try transaction.questions.requireGoodRules(of: copy, field: "/questions")
        }
    }

    mutating func finish(in transaction: Transaction) throws(JournalError) {
        try joining?.finish(in: transaction)
        var meeting = try transaction.meeting(self.meeting)
        if meeting.joinedRound != joinedRound {
            meeting.joinedRound = joinedRound
            try transaction.update(meeting)
        }
        let slots = people.count - (joining?.left.count ?? 0)
        for session in added {
            if hidden != nil { try transaction.rows.move(session) }
            try transaction.count(in: session.id) { $0.pending += slots }
            try transaction.record(.created, in: session.id, by: .account(actor))
        }
        if let hidden { try transaction.rows.deleteEmpty(hidden) }
        values.apply(to: &meeting)
        _ = try transaction.edit(meeting, by: actor)
    }

    var reported: JobReport.Outcome? { .added(added.map(\.id)) }

    /// Erases the prepared sessions, which nobody has seen.
    func undone() -> (any Work)? { hidden.map(ErasureWork.init) }

    // MARK: The stored form

    /// After a crash, the prepared sessions are erased; the roster gets all its changes.
    func stored(as id: JobID) -> StoredJob {
        guard joining != nil else { return ErasureWork(meeting: hiding).stored(as: id) }
        return StoredJob(id: id, kind: .roster, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] { joining?.plan(abandoning: hiding) ?? [] }
}

extension [QuestionSet] {
    /// Returns the sets, with other questions in `feedback`.
    /// - Parameter questions: nil leaves the questions unchanged.
    fileprivate func replacingFeedback(with questions: [Question]?) -> [QuestionSet] {
        guard let questions else { return self }
        var sets = self
        if !sets.contains(where: { $0.name == QuestionSet.feedback }) { sets.insert(QuestionSet(), at: 0) }
        for index in sets.indices where sets[index].name == QuestionSet.feedback {
            sets[index].questions = questions
        }
        return sets
    }
}

extension Session {
    /// Returns the session as a part of a hidden meeting, with no code that changes.
    func hidden(under meeting: MeetingID) -> Session {
        Session(
            id: id, meetingID: meeting, round: round, startsAt: startsAt, endsAt: endsAt,
            lateAfterMinutes: lateAfterMinutes, checkInOpensMinutesBefore: checkInOpensMinutesBefore,
            feedbackClosesHoursAfter: feedbackClosesHoursAfter, plannedCount: plannedCount,
            codeVersion: codeVersion, codeAcceptedSeconds: codeAcceptedSeconds, joinCode: joinCode,
            version: version)
    }
}
