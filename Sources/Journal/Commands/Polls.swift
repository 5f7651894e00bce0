package import Meetings

/// Adds the next poll to a session, and opens it if the host wants that. The polls of a session are named
/// `poll-1`, `poll-2` and so on. Other open sets stay open.
/// - Throws: `invalid` if a question has the id of another question, if `Questions.requireGoodRules` rejects
///   the poll, or if `changeable` does not fit the promise; `notFound` if the set to copy does not exist;
///   `limitReached` if the session has `SetQuestions.mostSets`; `questionSetsTooLarge` if the session's sets
///   would be too large.
package struct CreatePoll: Command {
    package let session: SessionID
    package let content: Content
    package let about: QuestionSet.About
    /// The promise of the poll. Nil means the promise of the copied set, or `hidden`.
    package let promise: AnswerPromise?
    /// Whether answers can change while the poll is open. Nil means the choice of the copied set, or yes
    /// unless the poll is anonymous.
    package let changeable: Bool?
    package let open: Bool
    package let shared: Bool
    package let actor: AccountID

    /// The questions of a new poll.
    package enum Content: Sendable {
        case questions([Question])
        /// The questions, texts and settings of another set of the session, with new ids: the host asks
        /// again.
        case copy(of: String)
    }

    package init(
        session: SessionID, content: Content, about: QuestionSet.About = .init(),
        promise: AnswerPromise? = nil, changeable: Bool? = nil, open: Bool = false, shared: Bool = false,
        actor: AccountID
    ) {
        self.session = session
        self.content = content
        self.about = about
        self.promise = promise
        self.changeable = changeable
        self.open = open
        self.shared = shared
        self.actor = actor
    }

    /// Returns the new set.
    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        _ = try transaction.rights.session(session, managedBy: actor)
        let sets = try transaction.rows.questionSetsWithoutQuestions(of: session)
        guard sets.count < SetQuestions.mostSets else {
            throw .refused(.limitReached(.questionSet, limit: SetQuestions.mostSets))
        }
        let name = QuestionSet.pollName((sets.compactMap(\.pollNumber).max() ?? 0) + 1)
        var poll = try questions(for: name, in: transaction)
        poll.promise = promise ?? poll.promise
        if poll.anonymous { poll.changeable = nil }
        poll.take(about)
        try poll.take(changeable: changeable)
        poll.openByHand = open ? true : nil
        poll.anonymityIsFixed = open
        poll.shared = shared
        poll.position = (sets.map(\.position).max() ?? 0) + 1
        try transaction.questions.requireGoodRules(of: poll, field: "/questions")
        try transaction.questions.requireRoom(in: session) { () throws(JournalError) in
            try transaction.save(poll, of: session)
        }
        try transaction.questions.recordEdit(
            of: name, ["questions"] + (open ? ["open"] : []) + (shared ? ["shared"] : []) + about.fields,
            in: session, by: actor)
        return poll
    }

    private func questions(for name: String, in transaction: Transaction) throws(JournalError) -> QuestionSet
    {
        switch content {
        case .questions(let questions):
            try transaction.questions.requireOwnIDs(questions, field: "/questions")
            return QuestionSet(name: name, questions: questions, promise: .hidden)
        case .copy(let original):
            guard let found = try transaction.rows.questionSet(original, of: session) else {
                throw .refused(.notFound(.questionSet))
            }
            return found.copied(as: name, at: transaction.now)
        }
    }
}
