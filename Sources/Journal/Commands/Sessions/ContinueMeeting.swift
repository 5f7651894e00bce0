package import Meetings

/// The next session of a meeting. What is not set is taken from the latest session, with its question sets
/// under new ids; its people are the meeting's, all awaited.
package struct ContinueMeeting: Command {
    package let meeting: MeetingID
    package let startsAt: Instant
    package let endsAt: Instant
    package let settings: SessionSettings
    /// Replaces the latest session's `feedback` questions.
    package let questions: [Question]?
    /// Of `feedback`; as in the latest session where nil.
    package let anonymous: Bool?
    package let allowOverlap: Bool
    package let actor: AccountID

    package static let mostSessions = 2_000

    package init(
        meeting: MeetingID, startsAt: Instant, endsAt: Instant, settings: SessionSettings = SessionSettings(),
        questions: [Question]? = nil, anonymous: Bool? = nil, allowOverlap: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.settings = settings
        self.questions = questions
        self.anonymous = anonymous
        self.allowOverlap = allowOverlap
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        let (meeting, latest) = try transaction.meetingToContinue(meeting, with: 1, for: actor)
        let session = latest.next(
            id: .make(at: transaction.now), round: latest.round + 1, startsAt: startsAt, endsAt: endsAt,
            settings)
        var sets = try transaction.setsForNextSession(after: latest.id, questions: questions)
        for index in sets.indices where sets[index].name == QuestionSet.feedback {
            try sets[index].take(anonymous: anonymous)
            try transaction.requireGoodRules(of: sets[index], field: "/questions")
        }
        return try transaction.add(session, to: meeting, sets: sets, by: actor, allowOverlap: allowOverlap)
    }
}

extension Transaction {
    /// The meeting with its latest session, where so many more may follow.
    func meetingToContinue(_ id: MeetingID, with count: Int, for actor: AccountID) throws(JournalError) -> (
        Meeting, Session
    ) {
        let meeting = try meeting(id)
        try requireHost(actor, of: id)
        guard let latest = try rows.latestSession(of: id)?.session else {
            throw .refused(.notFound(.session))
        }
        guard try rows.sessionCount(of: id) + count <= ContinueMeeting.mostSessions else {
            throw .refused(.limitReached(.session, limit: ContinueMeeting.mostSessions))
        }
        return (meeting, latest)
    }

    func setsForNextSession(after id: SessionID, questions: [Question]?) throws(JournalError) -> [QuestionSet]
    {
        var sets = try rows.questionSets(of: id)
        if questions != nil, !sets.contains(where: { $0.name == QuestionSet.feedback }) {
            sets.insert(QuestionSet(), at: 0)
        }
        return sets.map { $0.forNextSession(at: now, questions: questions) }
    }
}

extension QuestionSet {
    fileprivate func forNextSession(at now: Instant, questions: [Question]?) -> QuestionSet {
        var source = self
        if name == Self.feedback, let questions { source.questions = questions }
        return source.copied(at: now)
    }
}
