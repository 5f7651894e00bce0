package import Meetings

/// Opens or closes a set by hand, shares its results, or changes what it keeps of who answered.
package struct EditQuestionSet: Command {
    package let session: SessionID
    package let set: String
    package let open: Bool?
    package let shared: Bool?
    package let anonymous: Bool?
    /// Empty where nobody is to answer it without a receipt any more.
    package let publishedAs: String?
    package let about: QuestionSet.About
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, set: String, open: Bool?, shared: Bool?, anonymous: Bool?,
        publishedAs: String? = nil,
        about: QuestionSet.About = .init(), expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.open = open
        self.shared = shared
        self.anonymous = anonymous
        self.publishedAs = publishedAs
        self.about = about
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        let record = try transaction.session(session)
        try transaction.requireHost(actor, of: record.meeting.id)
        guard var edited = try transaction.rows.questionSet(set, of: session) else {
            throw .refused(.notFound(.questionSet))
        }
        try expected.check(edited.version)
        // Who opens a set again has seen it closed, whether or not the clock came to seal it.
        try transaction.publishRest(of: &edited, in: record.session)
        edited.noteOpening(in: record.session, at: transaction.now)
        let before = edited
        edited.openByHand = open ?? edited.openByHand
        edited.shared = shared ?? edited.shared
        edited.take(about)
        try edited.take(anonymous: anonymous)
        if let publishedAs { try transaction.publish(&edited, as: publishedAs, in: session) }
        try transaction.requireGoodRules(of: edited, field: "/questions")
        guard edited != before else { return edited }
        edited.version += 1
        try transaction.saveSettings(of: edited, in: session)
        let fields =
            [
                open.map { _ in "open" }, shared.map { _ in "shared" }, anonymous.map { _ in "anonymous" },
                publishedAs.map { _ in "publishedAs" },
            ].compactMap { $0 } + about.fields
        try transaction.noteEdit(of: set, fields, in: session, by: actor)
        return edited
    }
}

extension Transaction {
    /// Records an edit of a set as one event, and shows it to the rooms.
    func noteEdit(of set: String, _ fields: [String], in session: SessionID, by actor: AccountID)
        throws(JournalError)
    {
        try record(.edited, in: session, by: .account(actor), EventData(set: set, fields: fields))
        publishResults(of: set, in: session)
        publishEdit(of: session)
    }

    fileprivate func publish(_ set: inout QuestionSet, as name: String, in session: SessionID)
        throws(JournalError)
    {
        guard !name.isEmpty else {
            set.publishedAs = nil
            return
        }
        // What is asked at check-in is part of a person's record.
        guard !set.isCheckIn else {
            throw .refused(.invalid([FieldError("/publishedAs", .checkInIsAlwaysNamed)]))
        }
        if let taken = try rows.publishedForm(name), taken != (session, set.name) {
            throw .refused(.invalid([FieldError("/publishedAs", .formNameTaken)]))
        }
        set.publishedAs = name
    }
}
