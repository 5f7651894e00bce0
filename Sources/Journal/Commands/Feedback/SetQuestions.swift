package import Meetings

/// Writes a set's questions as a whole. Where there are responses, only words may change, and optional
/// questions may be added at the end.
package struct SetQuestions: Command {
    package let session: SessionID
    package let set: String
    package let questions: [Question]
    package let about: QuestionSet.About
    /// Nil leaves it as it is.
    package let anonymous: Bool?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package static let mostSets = 50

    package init(
        session: SessionID, set: String, questions: [Question], about: QuestionSet.About = .init(),
        anonymous: Bool? = nil,
        expected: ExpectedVersion, actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.questions = questions
        self.about = about
        self.anonymous = anonymous
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        let found = try transaction.rows.questionSet(set, of: session)
        if found == nil, try transaction.rows.questionSets(of: session).count >= Self.mostSets {
            throw .refused(.limitReached(.questionSet, limit: Self.mostSets))
        }
        var edited = found ?? QuestionSet(name: set, version: 0)
        try expected.check(edited.version)
        try transaction.requireOwnIDs(questions, besides: edited.questions, field: "/questions")
        if edited.responses > 0 { try requireSameQuestions(as: edited) }
        edited.noteOpening(in: record.session, at: transaction.now)
        let wasAnonymous = edited.anonymous
        edited.questions = questions
        edited.take(about)
        try edited.take(anonymous: anonymous)
        try transaction.requireGoodRules(of: edited, field: "/questions")
        edited.version += 1
        try transaction.save(edited, of: session)
        if edited.responses == 0 { try transaction.emptyTallies(of: edited, in: session) }
        try transaction.noteEdit(
            of: set, ["questions"] + about.fields + (edited.anonymous == wasAnonymous ? [] : ["anonymous"]),
            in: session, by: actor)
        return edited
    }

    private func requireSameQuestions(as set: QuestionSet) throws(JournalError) {
        let kept = zip(set.questions, questions).allSatisfy { $0.asksTheSame(as: $1) }
        let added = questions.dropFirst(set.questions.count)
        guard kept, questions.count >= set.questions.count, added.allSatisfy({ !$0.required }) else {
            throw .refused(.questionsLocked)
        }
    }
}

extension Transaction {
    /// Named answers that were taken back leave tallies of nothing, as wide as the questions were then.
    fileprivate func emptyTallies(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        let tallies = try rows.tallies(of: session, set: set.name)
        for question in set.questions where tallies[question.id] != nil {
            try rows.save(TallyRecord(for: question), of: question.id)
        }
    }

    /// A question's id is its own: one that stands in another set or session is not taken over.
    func requireOwnIDs(_ questions: [Question], besides known: [Question] = [], field: String)
        throws(JournalError)
    {
        let own = Set(known.map(\.id))
        for (index, question) in questions.enumerated() where !own.contains(question.id) {
            if try rows.place(of: question.id) != nil {
                throw .refused(.invalid([FieldError("\(field)/\(index)/id", .unknownQuestion)]))
            }
        }
    }
}
