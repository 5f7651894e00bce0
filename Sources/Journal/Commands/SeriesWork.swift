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

    /// The steps of one session before its slots. The first of them inserts the session with its questions,
    /// which may be many rows; the others do nothing.
    private static let stepsOfSession = 16

    init(
        _ added: [Session], after latest: Session, of meeting: Meeting, version: Int, people: [Person],
        questions: NewQuestions = NewQuestions(), actor: AccountID
    ) {
        self.added = added
        self.latest = latest
        self.version = version
        identifyBy = meeting.identifyBy
        self.questions = questions
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
    var steps: Int { added.count * (Self.stepsOfSession + people.count) }

    /// Whether the rows are still as they were when the work was planned.
    func isPlanned(for meeting: Meeting, _ version: Int, latest: Session) -> Bool {
        meeting.identifyBy == identifyBy && version == self.version && latest == self.latest
    }

    mutating func prepare(in transaction: Transaction) throws(JournalError) {
        let hidden = Meeting(id: .makeTimeless(), name: "", createdAt: transaction.now, version: 0)
        try transaction.rows.insert(hidden)
        self.hidden = hidden.id
    }

    func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        for step in steps {
            let (number, index) = step.quotientAndRemainder(dividingBy: Self.stepsOfSession + people.count)
            let session = added[number]
            if index == 0 {
                try transaction.rows.insert(hidden.map { session.hidden(under: $0) } ?? session)
                // The sets are copied for each session, because a question id belongs to one session only.
                for set in try sets(in: transaction) { try transaction.rows.save(set, of: session.id) }
            } else if index >= Self.stepsOfSession {
                let (person, key) = people[index - Self.stepsOfSession]
                try transaction.roster.insertSlot(of: person, in: session.id, key: key, by: identifyBy)
            }
        }
    }

    /// Returns the question sets of one new session.
    /// - Throws: `.refused` if the questions or their setting do not fit.
    func sets(in transaction: Transaction) throws(JournalError) -> [QuestionSet] {
        var sets = try transaction.sessions.setsForNext(after: latest.id, questions: questions.questions)
        for index in sets.indices where sets[index].name == QuestionSet.feedback {
            try sets[index].take(ChosenPromise(anonymous: questions.anonymous))
            if questions.questions != nil || questions.anonymous != nil {
                try transaction.questions.requireGoodRules(of: sets[index], field: "/questions")
            }
        }
        return sets
    }

    func finish(in transaction: Transaction) throws(JournalError) {
        for session in added {
            if hidden != nil { try transaction.rows.move(session) }
            try transaction.count(in: session.id) { $0.pending += people.count }
            try transaction.record(.created, in: session.id, by: .account(actor))
        }
        if let hidden { try transaction.rows.deleteEmpty(hidden) }
    }

    /// Erases the prepared sessions, which nobody has seen.
    func undone() -> (any Work)? { hidden.map(ErasureWork.init) }

    // MARK: The stored form

    /// After a crash, the prepared sessions are erased.
    func stored(as id: JobID) -> StoredJob {
        ErasureWork(meeting: hidden ?? meeting).stored(as: id)
    }

    func plan() -> [UInt8] { [] }
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
