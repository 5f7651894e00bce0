package import Meetings

/// Takes question sets of another session, which the actor may see, under new ids. A set that stands where a
/// copy goes is replaced, unless it has responses: then nothing is copied.
package struct CopyQuestions: Command {
    package let session: SessionID
    package let from: SessionID
    /// Every set of `from` where nil.
    package let set: String?
    /// What the one set is called here; as it is there where nil.
    package let copyName: String?
    package let actor: AccountID

    package init(session: SessionID, from: SessionID, set: String?, copyName: String? = nil, actor: AccountID)
    {
        self.session = session
        self.from = from
        self.set = set
        self.copyName = copyName
        self.actor = actor
    }

    /// The copies.
    package func run(in transaction: Transaction) throws(JournalError) -> [QuestionSet] {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        let source = try transaction.session(from)
        guard try transaction.rows.role(of: actor, in: source.meeting.id) != nil else {
            throw .refused(.notAllowed)
        }
        let originals = try transaction.rows.questionSets(of: from).filter { set == nil || $0.name == set }
        guard !originals.isEmpty else { throw .refused(.notFound(.questionSet)) }
        var names = Set(try transaction.rows.questionSets(of: session).map(\.name))
        var copies: [QuestionSet] = []
        for original in originals {
            var copy = original.copied(as: copyName, at: transaction.now)
            var found = try transaction.rows.questionSet(copy.name, of: session)
            guard found?.responses ?? 0 == 0 else { throw .refused(.questionsLocked) }
            found?.noteOpening(in: record.session, at: transaction.now)
            if let found, found.anonymityIsFixed, found.anonymous != copy.anonymous {
                throw .refused(.anonymityFixed)
            }
            copy.anonymityIsFixed = found?.anonymityIsFixed ?? false
            copy.version = (found?.version ?? 0) + 1
            copy.openByHand = found?.openByHand
            copy.publishedAs = found?.publishedAs
            names.insert(copy.name)
            guard names.count <= SetQuestions.mostSets else {
                throw .refused(.limitReached(.questionSet, limit: SetQuestions.mostSets))
            }
            try transaction.requireGoodRules(of: copy, field: "/questions")
            try transaction.save(copy, of: session)
            try transaction.noteEdit(of: copy.name, ["questions"], in: session, by: actor)
            copies.append(copy)
        }
        return copies
    }
}
