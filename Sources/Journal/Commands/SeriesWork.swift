import Meetings

/// The work that adds sessions to a meeting, with the roster's slots. If it takes several slices, it prepares
/// the sessions under a hidden meeting without members, so that nobody finds them. The last transaction moves
/// all of them to the meeting.
struct SeriesWork: Work {
    let added: [Session]
    let latest: Session
    private let version: Int
    private let identifyBy: IdentifyBy
    /// The people on the roster, with their keys in each of the new sessions.
    private let people: [(person: Person, key: IdentityKey?)]
    /// The question sets that each new session gets a copy of: those of the latest session, with the
    /// questions of the command.
    private let sets: [QuestionSet]
    /// The versions of the latest session's sets when the work was planned, `feedback` first.
    private let versions: [Int]
    private let questions: NewQuestions
    private let actor: AccountID
    private var hidden: MeetingID?

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
    /// The steps of one session before its slots. The first of them inserts the session.
    private var stepsOfSession: Int { 1 + sets.count * Self.stepsOfSet }

    init(
        _ added: [Session], after latest: Session, of meeting: Meeting, version: Int, people: [Person],
        sets: [QuestionSet], questions: NewQuestions, actor: AccountID
    ) {
        self.added = added
        self.latest = latest
        self.version = version
        identifyBy = meeting.identifyBy
        self.questions = questions
        versions = sets.map(\.version)
        self.sets = sets.replacingFeedback(with: questions.questions)
        self.actor = actor
        var names: [IdentityKey: Int] = [:]
        if meeting.identifyBy == .name {
            for person in people { names[person.draft.nameKey, default: 0] += 1 }
        }
        self.people = people.map { person in
            let isUnique = meeting.identifyBy == .name && names[person.draft.nameKey] == 1
            return (person, person.key(by: meeting.identifyBy, nameIsUnique: isUnique))
        }
    }

    var meeting: MeetingID { latest.meetingID }
    var sessions: [SessionID] { [] }
    var isVisible: Bool { false }
    var steps: Int { added.count * (stepsOfSession + people.count) }

    /// Whether the rows are still as they were when the work was planned.
    func isPlanned(for meeting: Meeting, _ version: Int, latest: Session, sets: [QuestionSet]) -> Bool {
        meeting.identifyBy == identifyBy && version == self.version && latest == self.latest
            && sets.map(\.version) == versions
    }

    mutating func prepare(in transaction: Transaction) throws(JournalError) {
        let hidden = Meeting(id: .makeTimeless(), name: "", createdAt: transaction.now, version: 0)
        try transaction.rows.insert(hidden)
        self.hidden = hidden.id
    }

    func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        for step in steps {
            let (number, index) = step.quotientAndRemainder(dividingBy: stepsOfSession + people.count)
            let session = added[number]
            if index == 0 {
                try transaction.rows.insert(hidden.map { session.hidden(under: $0) } ?? session)
            } else if index >= stepsOfSession {
                let (person, key) = people[index - stepsOfSession]
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

    func finish(in transaction: Transaction) throws(JournalError) {
        for session in added {
            if hidden != nil { try transaction.rows.move(session) }
            try transaction.count(in: session.id) { $0.pending += people.count }
            try transaction.record(.created, in: session.id, by: .account(actor))
        }
        if let hidden { try transaction.rows.deleteEmpty(hidden) }
    }

    var reported: JobReport.Outcome? { .added(added.map(\.id)) }

    /// Erases the prepared sessions, which nobody has seen.
    func undone() -> (any Work)? { hidden.map(ErasureWork.init) }

    // MARK: The stored form

    /// After a crash, the prepared sessions are erased.
    func stored(as id: JobID) -> StoredJob {
        ErasureWork(meeting: hidden ?? meeting).stored(as: id)
    }

    func plan() -> [UInt8] { [] }
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
