package import Meetings

/// Writes what a file says into a set, whole or not at all, by the rules for questions that somebody writes.
package struct ImportQuestions: Command {
    package let session: SessionID
    package let set: String
    package let imported: ImportedQuestions
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, set: String, imported: ImportedQuestions, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.imported = imported
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        let found = try transaction.rows.questionSet(set, of: session)
        guard imported.questions != nil else {
            return try EditQuestionSet(
                session: session, set: set, open: nil, shared: nil, anonymous: nil, about: imported.about,
                expected: expected, actor: actor
            ).run(in: transaction)
        }
        let questions = try transaction.withOwnIDs(
            imported.questions(over: found?.questions ?? []), besides: found?.questions ?? [])
        return try SetQuestions(
            session: session, set: set, questions: questions, about: imported.about(over: found),
            anonymous: imported.anonymous,
            expected: expected, actor: actor
        ).run(in: transaction)
    }
}

extension Transaction {
    /// An id that stands in another set or session is that one's: its question here gets a new one.
    fileprivate func withOwnIDs(_ questions: [Question], besides known: [Question]) throws(JournalError)
        -> [Question]
    {
        var ids = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0.id) })
        for question in questions where ids[question.id] == nil {
            ids[question.id] = try rows.place(of: question.id) == nil ? question.id : .makeTimeless()
        }
        return questions.map { $0.renamed(by: ids) }
    }
}

extension ImportedQuestions {
    /// A file in one language adds its words to those that stand.
    fileprivate func about(over found: QuestionSet?) -> QuestionSet.About {
        guard language != nil, let found else { return about }
        return QuestionSet.About(
            title: about.title.map { $0.adding(found.title) },
            description: about.description.map { $0.adding(found.description) },
            next: about.next)
    }
}
