package import Meetings

/// Replaces all questions of a set. If the set has responses, the host may only change the wording and add
/// optional questions at the end.
/// - Throws: `questionsLocked` if the set has responses and the change is not allowed then;
///   `answersHeldBack` if an anonymous set would ask other questions while a group of answers is incomplete;
///   `anonymityFixed` if attendees have seen the set's promise, and this would change; `invalid`
///   if a question has the id of another question, or if `Questions.requireGoodRules`, `take(_:)` or
///   `take(changeable:)` rejects the set; `limitReached` if the session has `mostSets`;
///   `questionSetsTooLarge` if the session's sets would be too large.
package struct SetQuestions: Command {
    package let session: SessionID
    package let set: String
    package let questions: [Question]
    package let about: QuestionSet.About
    package let promise: ChosenPromise
    /// Whether answers can change while the set is open; nil leaves the set unchanged.
    package let changeable: Bool?
    package let expected: ExpectedVersion
    package let actor: AccountID

    /// The most question sets of one session.
    package static let mostSets = 50

    package init(
        session: SessionID, set: String, questions: [Question], about: QuestionSet.About = .init(),
        promise: ChosenPromise = .unchanged, changeable: Bool? = nil, expected: ExpectedVersion,
        actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.questions = questions
        self.about = about
        self.promise = promise
        self.changeable = changeable
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        let record = try transaction.rights.session(session, managedBy: actor)
        let found = try transaction.rows.questionSet(set, of: session)
        if found == nil, try transaction.rows.questionSetsWithoutQuestions(of: session).count >= Self.mostSets
        {
            throw .refused(.limitReached(.questionSet, limit: Self.mostSets))
        }
        var edited = found ?? QuestionSet(name: set, version: 0)
        try expected.check(edited.version)
        try transaction.questions.requireOwnIDs(questions, besides: edited.questions, field: "/questions")
        try transaction.responses.publishRest(of: &edited, in: record.session)
        if edited.responses > 0 { try requireSameQuestions(as: edited) }
        edited.noteOpening(in: record.session, at: transaction.now)
        let before = edited
        edited.questions = questions
        edited.take(about)
        try edited.take(promise)
        try edited.take(changeable: changeable)
        try transaction.questions.requireGoodRules(of: edited, field: "/questions")
        edited.version += 1
        try transaction.questions.requireRoom(in: session) { () throws(JournalError) in
            try transaction.save(edited, of: session)
        }
        if edited.responses == 0 { try transaction.responses.emptyTallies(of: edited, in: session) }
        try transaction.questions.recordEdit(
            of: set,
            ["questions"] + about.fields + (edited.promise == before.promise ? [] : ["promise"])
                + (changeable == nil || edited.isChangeable == before.isChangeable ? [] : ["changeable"]),
            in: session, by: actor)
        return edited
    }

    private func requireSameQuestions(as set: QuestionSet) throws(JournalError) {
        let asksTheSame = zip(set.questions, questions).allSatisfy { $0.asksTheSame(as: $1) }
        let added = questions.dropFirst(set.questions.count)
        guard asksTheSame, questions.count >= set.questions.count, added.allSatisfy({ !$0.required }) else {
            throw .refused(.questionsLocked)
        }
        // Otherwise only some people of the incomplete group would have seen the question, and their lines in
        // the files would show it. A set that is closed by hand may open again, so it is no exception.
        let asked = Set(questions.filter { !$0.isHidden }.map(\.id))
        guard set.pendingResponses == 0 || asked == Set(set.asked.map(\.id)) else {
            throw .refused(.answersHeldBack)
        }
    }
}

/// Writes the questions of a file into a set, completely or not at all, by the rules of `SetQuestions`. If
/// the file has no questions, edits the set by the rules of `EditQuestionSet`.
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
        _ = try transaction.rights.session(session, managedBy: actor)
        let found = try transaction.rows.questionSet(set, of: session)
        guard imported.questions != nil else {
            return try EditQuestionSet(
                session: session, set: set, .init(about: imported.about), expected: expected, actor: actor
            ).run(in: transaction)
        }
        let questions = try transaction.questions.withOwnIDs(
            imported.questions(over: found?.questions ?? []), besides: found?.questions ?? [])
        return try SetQuestions(
            session: session, set: set, questions: questions, about: imported.about(over: found),
            promise: imported.promise, expected: expected, actor: actor
        ).run(in: transaction)
    }
}

/// Copies question sets from another session, completely or not at all. The copies get new question ids. A
/// copy replaces the set with the same name.
/// - Throws: `notAllowed` unless the actor is a host here and a member of the other meeting; `notFound` if
///   the other session has no such set; `questionsLocked` if a set that would be replaced has responses;
///   `anonymityFixed` if attendees have seen the promise of such a set, and this would change;
///   `invalid` if `Questions.requireGoodRules` rejects a copy; `limitReached` if the session would have
///   more than `SetQuestions.mostSets`; `questionSetsTooLarge` if its sets would be too large;
///   `meetingIsBusy` if the sets have changed since `originals(in:)`.
package struct CopyQuestions: Command {
    package let session: SessionID
    package let from: SessionID
    /// The name of the set to copy; nil copies every set of `from`.
    package let set: String?
    /// The name of the single copy; nil uses the name of the original set.
    package let copyName: String?
    /// The sets to copy, read by `originals(in:)` before the command, so that the writer does not decode
    /// them. Nil if the command reads them itself.
    package let originals: [QuestionSet]?
    package let actor: AccountID

    package init(
        session: SessionID, from: SessionID, set: String?, copyName: String? = nil,
        originals: [QuestionSet]? = nil, actor: AccountID
    ) {
        self.session = session
        self.from = from
        self.set = set
        self.copyName = copyName
        self.originals = originals
        self.actor = actor
    }

    /// Reads the sets to copy.
    /// - Throws: `notAllowed` unless the actor may read the other meeting; `questionSetsTooLarge` if
    ///   the copies alone would be too large.
    package func originals(in rows: any ReadableRows) throws(JournalError) -> [QuestionSet] {
        guard let source = try rows.session(from) else { throw .refused(.notFound(.session)) }
        guard try rows.canRead(actor, source.meeting.id) else { throw .refused(.notAllowed) }
        if let set { return try rows.questionSet(set, of: from).map { [$0] } ?? [] }
        // This check comes before the sets are read, because they may be older than the limit.
        guard try rows.questionsSize(of: from, set: nil).fits else { throw .refused(.questionSetsTooLarge) }
        return try rows.questionSets(of: from)
    }

    /// Returns the copied question sets.
    package func run(in transaction: Transaction) throws(JournalError) -> [QuestionSet] {
        let record = try transaction.rights.session(session, managedBy: actor)
        let source = try transaction.session(from)
        guard try transaction.rows.canRead(actor, source.meeting.id) else {
            throw .refused(.notAllowed)
        }
        let originals =
            if let read = self.originals { read } else { try originals(in: transaction.rows) }
        if self.originals != nil {
            let present = try transaction.rows.questionSetsWithoutQuestions(of: from).filter {
                set == nil || set == $0.name
            }
            guard present.map(\.name) == originals.map(\.name),
                present.map(\.version) == originals.map(\.version)
            else { throw .refused(.meetingIsBusy) }
        }
        guard !originals.isEmpty else { throw .refused(.notFound(.questionSet)) }
        return try transaction.questions.requireRoom(in: session) { () throws(JournalError) in
            try copies(of: originals, into: record, in: transaction)
        }
    }

    private func copies(of originals: [QuestionSet], into record: SessionRecord, in transaction: Transaction)
        throws(JournalError) -> [QuestionSet]
    {
        let existing = try transaction.rows.questionSetsWithoutQuestions(of: session)
        var names = Set(existing.map(\.name))
        var copies: [QuestionSet] = []
        for original in originals {
            var copy = original.copied(as: copyName, at: transaction.now)
            var found = existing.first { $0.name == copy.name }
            // The rules need to know whether the set has questions, but not which.
            found?.questions =
                try transaction.rows.firstQuestion(of: copy.name, in: session).map { [$0] } ?? []
            guard found?.responses ?? 0 == 0 else { throw .refused(.questionsLocked) }
            found?.noteOpening(in: record.session, at: transaction.now)
            if let found, found.anonymityIsFixed, found.promise != copy.promise {
                throw .refused(.anonymityFixed)
            }
            copy.anonymityIsFixed = found?.anonymityIsFixed ?? false
            copy.position = found?.position ?? copy.position
            copy.version = (found?.version ?? 0) + 1
            copy.openByHand = found?.openByHand
            copy.publishedAs = found?.publishedAs
            names.insert(copy.name)
            guard names.count <= SetQuestions.mostSets else {
                throw .refused(.limitReached(.questionSet, limit: SetQuestions.mostSets))
            }
            try transaction.questions.requireGoodRules(of: copy, field: "/questions")
            try transaction.save(copy, of: session)
            try transaction.questions.recordEdit(of: copy.name, ["questions"], in: session, by: actor)
            copies.append(copy)
        }
        return copies
    }
}

/// Opens or closes a set by hand, shares its results, moves it, publishes it as a form, or changes its
/// promise or whether answers can change.
/// - Throws: `questionsLocked`, `anonymityFixed` or `invalid` if `take(_:)` or `take(changeable:)` refuses
///   the change; `invalid` if the name of the form is taken, if the set is the check-in and would be
///   published, or if `Questions.requireGoodRules` rejects the set; `questionSetsTooLarge` if the set's title
///   or description would make the session's sets too large.
package struct EditQuestionSet: Command {
    package let session: SessionID
    package let set: String
    package let change: QuestionSetChange
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, set: String, _ change: QuestionSetChange, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.change = change
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        let record = try transaction.rights.session(session, managedBy: actor)
        guard var edited = try transaction.rows.questionSet(set, of: session) else {
            throw .refused(.notFound(.questionSet))
        }
        try expected.check(edited.version)
        // Publishes the final results of a closed set before the edit, because the edit may open the set
        // again and the server may not have sealed it yet.
        try transaction.responses.publishRest(of: &edited, in: record.session)
        edited.noteOpening(in: record.session, at: transaction.now)
        let before = edited
        edited.openByHand = change.open ?? edited.openByHand
        edited.shared = change.shared ?? edited.shared
        edited.take(change.about)
        try edited.take(change.promise)
        try edited.take(changeable: change.changeable)
        if let position = change.position {
            try transaction.questions.move(&edited, to: position, in: session)
        }
        if let name = change.publishedAs {
            try transaction.questions.publish(&edited, as: name, in: session)
        }
        edited.oncePerDevice = change.oncePerDevice ?? edited.oncePerDevice
        // The patterns were accepted with the questions. Only branches depend on the setting.
        if edited.anonymous != before.anonymous {
            try transaction.questions.requireGoodRules(of: edited, field: "/questions")
        }
        guard edited != before else { return edited }
        edited.version += 1
        if change.about.fields.isEmpty {
            try transaction.saveSettings(of: edited, in: session)
        } else {
            try transaction.questions.requireRoom(in: session) { () throws(JournalError) in
                try transaction.saveSettings(of: edited, in: session)
            }
        }
        // A set that holds answers back is sealed only after its feedback window. The next rewrite of the
        // file removes the order of the answers that are there already.
        if edited.anonymous, edited.responses > 0,
            before.mayTakeAnswers(in: record.session, at: transaction.now),
            !edited.mayTakeAnswers(in: record.session, at: transaction.now)
        {
            try transaction.rows.noteOrder()
        }
        try transaction.questions.recordEdit(of: set, change.fields, in: session, by: actor)
        return edited
    }
}

/// Stores that attendees see these sets before the clock opens the sets. From then on, `promise` cannot
/// change. The command is needed once for each set.
package struct ShowQuestionSets: Command {
    package let session: SessionID
    package let sets: [String]

    package init(session: SessionID, sets: [String]) {
        self.session = session
        self.sets = sets
    }

    /// Returns the stored sets. The caller may now show them to attendees.
    package func run(in transaction: Transaction) throws(JournalError) -> [QuestionSet] {
        var shown: [QuestionSet] = []
        for name in sets {
            guard var set = try transaction.rows.questionSet(name, of: session) else { continue }
            if !set.anonymityIsFixed {
                set.anonymityIsFixed = true
                try transaction.saveSettings(of: set, in: session)
            }
            shown.append(set)
        }
        return shown
    }
}

/// The rules for hosts' question sets that depend on other rows.
struct Questions {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Runs `save`, which writes sets of the session.
    /// - Throws: `questionSetsTooLarge` if the session's sets are larger than before, and above the limit.
    func requireRoom<Result>(
        in session: SessionID, save: () throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let before = try rows.questionsSize(of: session, set: nil)
        let result = try save()
        guard try rows.questionsSize(of: session, set: nil).fits(after: before) else {
            throw .refused(.questionSetsTooLarge)
        }
        return result
    }

    /// Records an edit of a set as one event, and publishes it to the session's rooms.
    func recordEdit(of set: String, _ fields: [String], in session: SessionID, by actor: AccountID)
        throws(JournalError)
    {
        try transaction.record(.edited, in: session, by: .account(actor), EventData(set: set, fields: fields))
        transaction.publishResults(of: set, in: session)
        transaction.publishEdit(of: session)
    }

    /// Gives the set the place `position` among the session's sets besides `feedback`, from 1, and renumbers
    /// the sets around it.
    fileprivate func move(_ set: inout QuestionSet, to position: Int, in session: SessionID)
        throws(JournalError)
    {
        guard set.name != QuestionSet.feedback else { return }
        var others = try rows.questionSetsWithoutQuestions(of: session).filter {
            $0.name != set.name && $0.name != QuestionSet.feedback
        }
        let place = min(max(1, position), others.count + 1)
        for index in others.indices {
            let position = index + (index + 1 < place ? 1 : 2)
            guard others[index].position != position else { continue }
            others[index].position = position
            try transaction.saveSettings(of: others[index], in: session)
            transaction.publishResults(of: others[index].name, in: session)
        }
        set.position = place
    }

    /// Checks the patterns and branches of the set's questions.
    /// - Throws: `invalid` if the pattern engine refuses a pattern, or if a branch would reveal an answer
    ///   whose attendee the set does not show.
    func requireGoodRules(of set: QuestionSet, field: String) throws(JournalError) {
        var errors: [FieldError] = []
        for (index, question) in set.questions.enumerated() {
            let pointer = "\(field)/\(index)"
            for (list, tests) in [
                ("rules", question.rules.map(\.test)), ("eligibility", question.eligibility.map(\.test)),
                ("branches", question.branches.map(\.test)),
            ] {
                for (number, test) in tests.enumerated() {
                    guard case .pattern(let pattern) = test,
                        let reason = transaction.patterns.refusal(of: pattern)
                    else {
                        continue
                    }
                    errors.append(FieldError("\(pointer)/\(list)/\(number)/target", .badPattern(reason)))
                }
            }
            // A branch leads from an answer to another set. An attendee who answers that other set would
            // reveal the answer to this set.
            if !set.promise.showsNames, !question.branches.isEmpty {
                errors.append(FieldError("\(pointer)/branches", .branchTellsAnswer))
            }
        }
        guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    }

    /// Checks that no question has the id of a question in another set or session.
    /// - Throws: `invalid`, with an error for the first question with such an id.
    func requireOwnIDs(_ questions: [Question], besides known: [Question] = [], field: String)
        throws(JournalError)
    {
        let own = Set(known.map(\.id))
        for (index, question) in questions.enumerated() where !own.contains(question.id) {
            if try rows.location(of: question.id) != nil {
                throw .refused(.invalid([FieldError("\(field)/\(index)/id", .unknownQuestion)]))
            }
        }
    }

    /// Returns the questions, and gives a new id to each question whose id belongs to a question of another
    /// set or session.
    fileprivate func withOwnIDs(_ questions: [Question], besides known: [Question]) throws(JournalError)
        -> [Question]
    {
        var ids = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0.id) })
        for question in questions where ids[question.id] == nil {
            ids[question.id] = try rows.location(of: question.id) == nil ? question.id : .makeTimeless()
        }
        return questions.map { $0.renamed(by: ids) }
    }

    fileprivate func publish(_ set: inout QuestionSet, as name: String, in session: SessionID)
        throws(JournalError)
    {
        guard !name.isEmpty else {
            set.publishedAs = nil
            return
        }
        // The answers at check-in are part of a person's record.
        guard !set.isCheckIn else {
            throw .refused(.invalid([FieldError("/publishedAs", .checkInIsAlwaysNamed)]))
        }
        if let taken = try rows.publishedForm(name), taken != (session, set.name) {
            throw .refused(.invalid([FieldError("/publishedAs", .formNameTaken)]))
        }
        set.publishedAs = name
    }
}

extension Transaction {
    var questions: Questions { Questions(transaction: self) }
}

extension QuestionSet {
    /// Fixes the set's anonymity if the clock has opened the set. Call it before an edit that could change
    /// the set's opening.
    mutating func noteOpening(in session: Session, at now: Instant) {
        if hasFixedAnonymity(in: session, at: now) { anonymityIsFixed = true }
    }

    /// Sets the set's promise. Call `noteOpening` first.
    /// - Throws: `questionsLocked` if the set has responses; `invalid` for the questions of the check-in,
    ///   which are part of a person's record; `anonymityFixed` if the set was opened or shown to attendees.
    mutating func take(_ choice: ChosenPromise) throws(JournalError) {
        let wanted = choice.promise(over: promise)
        guard wanted != promise else { return }
        guard responses == 0 else { throw .refused(.questionsLocked) }
        guard !isCheckIn else {
            let field = choice.promise == nil ? "/anonymous" : "/promise"
            throw .refused(.invalid([FieldError(field, .checkInIsAlwaysNamed)]))
        }
        guard !anonymityIsFixed else { throw .refused(.anonymityFixed) }
        promise = wanted
        if anonymous { changeable = nil }
    }

    /// Sets whether answers can change while the set is open; nil leaves the set unchanged. Call
    /// `take(_:)` first.
    /// - Throws: `invalid` if the set is anonymous, so that nobody can find the answers to replace.
    mutating func take(changeable wanted: Bool?) throws(JournalError) {
        guard let wanted else { return }
        guard !wanted || promise.linksResponses else {
            throw .refused(.invalid([FieldError("/changeable", .anonymousAnswersStay)]))
        }
        changeable = wanted
    }
}

extension ImportedQuestions {
    /// Returns the set's title and description. If the file contains one language only, adds its texts to the
    /// existing texts in other languages.
    fileprivate func about(over found: QuestionSet?) -> QuestionSet.About {
        guard language != nil, let found else { return about }
        return QuestionSet.About(
            title: about.title.map { $0.adding(found.title) },
            description: about.description.map { $0.adding(found.description) }, next: about.next)
    }
}
