package import Meetings

/// The next session of a meeting. What is nil is taken from the latest session, with its question sets under new ids.
package struct ContinueMeeting: Command {
    package let meeting: MeetingID
    package let startsAt: Instant
    package let endsAt: Instant
    package let lateAfterMinutes: Int?
    package let checkInOpensMinutesBefore: Int?
    package let feedbackClosesHoursAfter: Int?
    package let plannedCount: Int?
    package let codeKind: CodeKind?
    package let codeAcceptedSeconds: Int?
    /// Replaces the latest session's `feedback` questions.
    package let questions: [Question]?
    package let allowOverlap: Bool
    package let actor: AccountID

    package static let mostSessions = 2_000

    package init(
        meeting: MeetingID, startsAt: Instant, endsAt: Instant, lateAfterMinutes: Int? = nil, checkInOpensMinutesBefore: Int? = nil,
        feedbackClosesHoursAfter: Int? = nil, plannedCount: Int? = nil, codeKind: CodeKind? = nil, codeAcceptedSeconds: Int? = nil,
        questions: [Question]? = nil,
        allowOverlap: Bool = false, actor: AccountID
    ) {
        self.meeting = meeting
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeAcceptedSeconds = codeAcceptedSeconds
        self.questions = questions
        self.allowOverlap = allowOverlap
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        let meeting = try transaction.meeting(meeting)
        try transaction.requireHost(actor, of: meeting.id)
        guard let latest = try transaction.rows.latestSession(of: meeting.id)?.session else { throw .refused(.notFound(.session)) }
        guard try transaction.rows.sessionCount(of: meeting.id) < Self.mostSessions else {
            throw .refused(.limitReached(.session, limit: Self.mostSessions))
        }
        let session = Session(
            id: .make(at: transaction.now), meetingID: meeting.id, round: latest.round + 1, startsAt: startsAt, endsAt: endsAt,
            lateAfterMinutes: lateAfterMinutes ?? latest.lateAfterMinutes,
            checkInOpensMinutesBefore: checkInOpensMinutesBefore ?? latest.checkInOpensMinutesBefore,
            feedbackClosesHoursAfter: feedbackClosesHoursAfter ?? latest.feedbackClosesHoursAfter,
            plannedCount: plannedCount ?? latest.plannedCount, codeKind: codeKind ?? latest.codeKind,
            codeAcceptedSeconds: codeAcceptedSeconds ?? latest.codeAcceptedSeconds, joinCode: JoinCode.random())
        var sets = try transaction.rows.questionSets(of: latest.id)
        if questions != nil, !sets.contains(where: { $0.name == QuestionSet.feedback }) { sets.insert(QuestionSet(), at: 0) }
        sets = sets.map { $0.forNextSession(at: transaction.now, questions: questions) }
        return try transaction.add(session, to: meeting, sets: sets, by: actor, allowOverlap: allowOverlap)
    }
}

extension QuestionSet {
    fileprivate func forNextSession(at now: Instant, questions: [Question]?) -> QuestionSet {
        let source = name == Self.feedback ? questions ?? self.questions : self.questions
        let copies = source.map {
            Question(id: .make(at: now), title: $0.title, detail: $0.detail, required: $0.required, kind: $0.kind)
        }
        return QuestionSet(name: name, questions: copies, shared: shared, anonymous: anonymous)
    }
}
