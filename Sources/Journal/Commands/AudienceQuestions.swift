package import Meetings

/// Finds questions from the audience, counts their votes, and erases the questions of attendees.
struct AudienceQuestions {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns the session's settings; the initial ones if no host has set them.
    func settings(of session: SessionID) throws(JournalError) -> AudienceSettings {
        try rows.audienceSettings(of: session) ?? .initial
    }

    /// Returns the question.
    /// - Throws: `notFound` if the session has no such question, or if its text was erased.
    func question(_ id: AudienceQuestionID, in session: SessionID) throws(JournalError) -> AudienceQuestion {
        guard let found = try rows.audienceQuestion(id), found.sessionID == session,
            found.status != .withdrawn
        else { throw .refused(.notFound(.audienceQuestion)) }
        return found
    }

    /// Returns the attendee to whom the receipt leads.
    /// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session.
    func attendee(holding receipt: Receipt, in session: SessionID) throws(JournalError) -> Attendee {
        guard let person = try rows.attendee(holding: receipt), person.sessionID == session else {
            throw .refused(.receiptNotValid)
        }
        return person
    }

    /// Checks that attendees can ask and vote now, and returns the settings.
    /// - Throws: `audienceQuestionsClosed` if they cannot.
    func openSettings(of session: SessionID) throws(JournalError) -> AudienceSettings {
        let settings = try settings(of: session)
        guard settings.takesQuestions(in: try transaction.session(session).session, at: transaction.now)
        else { throw .refused(.audienceQuestionsClosed) }
        return settings
    }

    // MARK: Votes

    /// Counts one more vote. Returns false if the attendee has already voted for the question.
    func add(_ vote: AudienceVote, of attendee: AttendeeID) throws(JournalError) -> Bool {
        guard try rows.insert(vote, of: attendee) else { return false }
        try rows.addVotes(1, to: vote.question)
        return true
    }

    /// Removes a vote from the rows and from the count. Returns false if there is none.
    func removeVote(of attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool {
        guard try rows.deleteVote(of: attendee, for: question) else { return false }
        try rows.addVotes(-1, to: question)
        return true
    }

    // MARK: The questions and votes of an attendee

    // Questions and votes belong to the id in the receipt by which an attendee asked and voted. They outlive
    // the attendee's record, and follow no merge of records. If a count or a list changed at the moment of a
    // removal, a merge or an undo, a host could see what a single attendee had asked or voted for. If they
    // moved to another record, its holder could see it.

    /// Withdraws the votes and the questions of an attendee, at the attendee's request.
    func withdraw(of attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        let votes = try rows.audienceVotes(of: attendee)
        for vote in votes { _ = try removeVote(of: attendee, for: vote.question) }
        try rows.setRemovedVotes(0, of: attendee, in: session)
        if !votes.isEmpty { transaction.publishQuestions(of: session) }
        try withdrawQuestions(try rows.audienceQuestions(askedBy: attendee), of: session)
    }

    /// Cuts the link between a deleted attendee and the questions and votes without a name, which stay.
    /// Withdraws the questions with the attendee's name.
    func forget(_ attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        let questions = try rows.audienceQuestions(askedBy: attendee)
        try withdrawQuestions(questions.filter { $0.promise == .named }, of: session)
        _ = try handOver(from: attendee, to: .makeTimeless(), in: session)
        try rows.setRemovedVotes(0, of: attendee, in: session)
    }

    /// Makes the questions and votes of one id those of another id, which has none. Returns whether there
    /// were any.
    func handOver(from attendee: AttendeeID, to other: AttendeeID, in session: SessionID)
        throws(JournalError) -> Bool
    {
        let questions = try rows.audienceQuestions(askedBy: attendee)
        for var question in questions {
            question.attendeeID = other
            try rows.update(question)
        }
        if questions.contains(where: { $0.promise == .named }) {
            transaction.publishQuestions(of: session)
        }
        let votes = try rows.moveVotes(of: attendee, to: other)
        let removed = try rows.removedVotes(of: attendee, in: session)
        if removed > 0 {
            try rows.setRemovedVotes(0, of: attendee, in: session)
            try rows.setRemovedVotes(removed, of: other, in: session)
        }
        return !questions.isEmpty || votes > 0 || removed > 0
    }

    /// Publishes the questions if members see this attendee's name beside one of them.
    func publishName(of attendee: Attendee) throws(JournalError) {
        guard !attendee.wasOnlyExpected else { return }
        for id in try rows.ids(of: attendee.id)
        where try rows.audienceQuestions(askedBy: id).contains(where: { $0.promise == .named }) {
            transaction.publishQuestions(of: attendee.sessionID)
        }
    }

    /// Erases the texts of questions. If other attendees' questions were merged into one of them, the oldest
    /// of these takes its place, with the votes. A hidden one does not take the place of a shown one. If none
    /// is left, the question leaves every list.
    private func withdrawQuestions(_ questions: [AudienceQuestion], of session: SessionID)
        throws(JournalError)
    {
        guard !questions.isEmpty else { return }
        for question in questions {
            // A question before may have changed this one.
            guard var remaining = try rows.audienceQuestion(question.id) else { continue }
            remaining.version += 1
            let heirs = try rows.group(of: question).dropFirst().filter {
                $0.status != .withdrawn && $0.attendeeID != question.attendeeID
                    && ($0.status.isShown || !question.status.isShown)
            }
            if question.mergedInto == nil, var heir = heirs.min(by: { $0.askedAt < $1.askedAt }) {
                remaining.text = heir.text
                remaining.promise = heir.promise
                remaining.attendeeID = heir.attendeeID
                remaining.askedAt = heir.askedAt
                heir.withdraw()
                try rows.update(heir)
                try deleteCorrections(of: heir)
            } else {
                remaining.withdraw()
            }
            try rows.update(remaining)
            try deleteCorrections(of: remaining)
        }
        var settings = try settings(of: session)
        settings.asked = max(0, settings.asked - questions.count)
        try rows.save(settings, of: session)
        transaction.publishQuestions(of: session)
    }

    private func deleteCorrections(of question: AudienceQuestion) throws(JournalError) {
        if let subject = AttendeeID(bytes: question.id.bytes) {
            try rows.deleteCorrections(of: subject)
        }
    }

    // MARK: Undo

    /// Gives a question the status, the pin and the answer that it had before a host's change.
    /// - Throws: `changedSince` if the question has changed since, or was merged or withdrawn.
    func revert(
        to before: QuestionBefore, _ correction: CorrectionRecord, by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        guard let current = try rows.audienceQuestion(before.question),
            current.version == correction.versionAfter, current.mergedInto == nil
        else { throw .refused(.changedSince) }
        var after = current
        (after.status, after.pinned, after.answer) = (before.status, before.pinned, before.answer)
        return try change(
            current, to: after, .undone, undoes: correction.sequence, by: actor, note: note)
    }

    /// Separates a merged question from the question that absorbed it, with its own votes.
    /// - Throws: `changedSince` if one of the two was merged or withdrawn since.
    func separate(
        _ id: AudienceQuestionID, from root: AudienceQuestionID, _ correction: CorrectionRecord,
        by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        guard var question = try rows.audienceQuestion(id), question.mergedInto == root,
            question.version == correction.versionAfter,
            let absorbing = try rows.audienceQuestion(root), absorbing.mergedInto == nil
        else { throw .refused(.changedSince) }
        question.mergedInto = nil
        question.version += 1
        try rows.update(question)
        try rows.addVotes(-rows.deleteVotes(copiedFrom: id, to: root), to: root)
        // An attendee may have voted for two questions that were merged into the same one. Only one of the
        // two votes was copied, perhaps the one that was just deleted.
        for other in try rows.audienceQuestions(mergedInto: root) {
            try rows.addVotes(rows.copyVotes(from: other.id, to: root), to: root)
        }
        let event = try transaction.record(
            .undone, in: question.sessionID, by: .account(actor),
            EventData(undoes: correction.sequence, question: id, intoQuestion: root))
        try save(nil, at: event, version: question.version, note: note)
        return event
    }

    /// Writes a question that a host has changed, with its event and the copy for an undo.
    func change(
        _ before: AudienceQuestion, to after: AudienceQuestion, _ kind: Event.Kind, undoes: Int64? = nil,
        by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        var after = after
        after.version = before.version + 1
        let changes = [
            FieldChange("status", from: before.status.rawValue, to: after.status.rawValue),
            FieldChange("pinned", from: String(before.pinned), to: String(after.pinned)),
        ].filter { $0.from != $0.to }
        let fields = changes.map(\.field) + (before.answer == after.answer ? [] : ["answer"])
        try rows.update(after)
        let event = try transaction.record(
            kind, in: before.sessionID, by: .account(actor),
            EventData(fields: fields, undoes: undoes, changes: changes, question: before.id))
        try save(.question(QuestionBefore(before)), at: event, version: after.version, note: note)
        return event
    }

    /// Saves what an undo needs, and publishes the change.
    fileprivate func save(_ before: RecordBefore?, at event: Event, version: Int, note: String?)
        throws(JournalError)
    {
        // The copy may have the host's answer, so it is erased with the question. The attendee's id would
        // link the two in the file, and a host could see by a missing undo whose question it was.
        let subject = event.data.question.flatMap { AttendeeID(bytes: $0.bytes) }
        try rows.save(
            CorrectionRecord(
                sessionID: event.sessionID, sequence: event.sequence, attendeeID: subject,
                note: note ?? "", before: before, versionAfter: version))
        transaction.publishQuestions(of: event.sessionID)
    }
}

extension Transaction {
    var audience: AudienceQuestions { AudienceQuestions(transaction: self) }
}

extension AudienceQuestion {
    fileprivate mutating func withdraw() {
        (text, answer, attendeeID, pinned, status) = ("", "", nil, false, .withdrawn)
        version += 1
    }
}

/// The values of a question that a host can change, for an undo. The question's text is not among them.
package struct QuestionBefore: Hashable, Sendable, Codable {
    package let question: AudienceQuestionID
    package let status: AudienceQuestion.Status
    package let pinned: Bool
    package let answer: String

    init(_ question: AudienceQuestion) {
        self.question = question.id
        status = question.status
        pinned = question.pinned
        answer = question.answer
    }
}

// MARK: For attendees

/// Asks the host a question. A host can also write down the question of somebody in the hall, at any time;
/// it is visible at once.
/// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session;
///   `audienceQuestionsClosed` if attendees cannot ask now; `audiencePromiseChanged` if the form showed
///   another promise; `limitReached` if the attendee has asked `mostEach` questions, or the session has
///   `mostInSession`, of which attendees leave `keptForHosts` to hosts.
package struct AskQuestion: Command {
    package enum Asker: Hashable, Sendable {
        case attendee(Receipt)
        case host(AccountID)
    }

    package let session: SessionID
    package let asker: Asker
    /// The text, normalized.
    package let text: String
    /// The promise that the form showed; nil if the request does not contain this field.
    package let promise: AudienceQuestion.Promise?
    /// The id that the form chose, so that a repeated form asks once. Nil for a new random id.
    package let id: AudienceQuestionID?

    package init(
        session: SessionID, asker: Asker, text: String, promise: AudienceQuestion.Promise? = nil,
        id: AudienceQuestionID? = nil
    ) {
        self.id = id
        self.session = session
        self.asker = asker
        self.text = text
        self.promise = promise
    }

    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        var settings = try transaction.audience.settings(of: session)
        let known: AudienceQuestion? =
            if let id { try transaction.rows.audienceQuestion(id) } else { nil }
        var question = AudienceQuestion(
            id: known == nil ? id ?? .makeTimeless() : .makeTimeless(), sessionID: session, attendeeID: nil,
            promise: settings.promise,
            askedAt: transaction.now, text: text, status: .visible)
        let actor: Event.Actor
        var person: AttendeeID?
        var most = AudienceQuestion.mostInSession
        switch asker {
        case .host(let account):
            _ = try transaction.rights.session(session, managedBy: account)
            actor = .account(account)
        case .attendee(let receipt):
            person = try transaction.audience.attendee(holding: receipt, in: session).id
            question.attendeeID = receipt.attendeeID
            if let known, known.attendeeID == question.attendeeID { return known }
            settings = try transaction.audience.openSettings(of: session)
            if let promise, promise != settings.promise {
                throw .refused(.audiencePromiseChanged(settings.promise))
            }
            try checkLimit(of: question.attendeeID, in: transaction)
            if try isHeldBack(by: settings, in: transaction) { question.status = .pending }
            actor = .attendee
            most -= AudienceQuestion.keptForHosts
        }
        guard settings.asked < most else {
            throw .refused(.limitReached(.audienceQuestion, limit: most))
        }
        settings.asked += 1
        try transaction.rows.save(settings, of: session)
        try transaction.rows.insert(question)
        // The event of a question without a name has no attendee, because members see the journal.
        try transaction.record(
            .asked, in: session, attendee: question.promise == .named ? person : nil, by: actor,
            EventData(question: question.id))
        transaction.publishQuestions(of: session)
        return question
    }

    private func checkLimit(of attendee: AttendeeID?, in transaction: Transaction) throws(JournalError) {
        guard let attendee else { return }
        guard
            try transaction.rows.audienceQuestions(askedBy: attendee).count < AudienceQuestion.mostEach
        else { throw .refused(.limitReached(.audienceQuestion, limit: AudienceQuestion.mostEach)) }
    }

    private func isHeldBack(by settings: AudienceSettings, in transaction: Transaction) throws(JournalError)
        -> Bool
    {
        if settings.moderation == .before { return true }
        let meeting = try transaction.session(session).meeting.id
        return try transaction.rows.heldWords(of: meeting)?.match(text) ?? false
    }
}

/// Votes for a question, or removes the attendee's vote. A repeated command changes nothing. An attendee may
/// vote for their own question. A vote for a merged question counts for the question that absorbed it.
/// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session;
///   `audienceQuestionsClosed` if attendees cannot vote now; `notFound` if the question is not visible;
///   `limitReached` if the attendee has removed `mostRemovedVotes` votes.
package struct VoteForQuestion: Command {
    package let session: SessionID
    package let question: AudienceQuestionID
    package let receipt: Receipt
    /// True to vote, false to remove the vote.
    package let votes: Bool

    package init(
        session: SessionID, question: AudienceQuestionID, receipt: Receipt, votes: Bool
    ) {
        self.session = session
        self.question = question
        self.receipt = receipt
        self.votes = votes
    }

    /// Returns the question that holds the vote, as it is after the command.
    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        let audience = transaction.audience
        _ = try audience.attendee(holding: receipt, in: session)
        let person = receipt.attendeeID
        _ = try audience.openSettings(of: session)
        let named = try audience.question(question, in: session)
        let root = try transaction.rows.root(of: named)
        guard root.status.isShown else { throw .refused(.notFound(.audienceQuestion)) }
        var hasChanged = false
        if votes {
            hasChanged = try audience.add(AudienceVote(question: root.id), of: person)
        } else if try transaction.rows.hasVoted(person, for: root.id) {
            let removed = try transaction.rows.removedVotes(of: person, in: session)
            guard removed < AudienceQuestion.mostRemovedVotes else {
                throw .refused(.limitReached(.removedVote, limit: AudienceQuestion.mostRemovedVotes))
            }
            try transaction.rows.setRemovedVotes(removed + 1, of: person, in: session)
            for member in try transaction.rows.group(of: root) {
                _ = try audience.removeVote(of: person, for: member.id)
            }
            hasChanged = true
        }
        if hasChanged {
            // Votes have no name, so the event has no attendee.
            try transaction.record(
                votes ? .voted : .voteRemoved, in: session, by: .attendee, EventData(question: root.id))
            transaction.publishQuestions(of: session)
        }
        return try audience.question(root.id, in: session)
    }
}

// MARK: For hosts

/// Opens or closes a session's questions from the audience, or changes what the form promises. A question
/// that was asked before keeps its promise.
package struct EditAudienceSettings: Command {
    package let session: SessionID
    package let open: Bool?
    package let promise: AudienceQuestion.Promise?
    package let moderation: AudienceSettings.Moderation?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, open: Bool? = nil, promise: AudienceQuestion.Promise? = nil,
        moderation: AudienceSettings.Moderation? = nil, expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.session = session
        self.open = open
        self.promise = promise
        self.moderation = moderation
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> AudienceSettings {
        _ = try transaction.rights.session(session, managedBy: actor)
        let before = try transaction.audience.settings(of: session)
        try expected.check(before.version)
        var after = before
        after.open = open ?? before.open
        after.promise = promise ?? before.promise
        after.moderation = moderation ?? before.moderation
        guard after != before else { return before }
        after.version += 1
        let changes = [
            FieldChange("questionsOpen", from: String(before.open), to: String(after.open)),
            FieldChange("questionsPromise", from: before.promise.rawValue, to: after.promise.rawValue),
            FieldChange(
                "questionsModeration", from: before.moderation.rawValue, to: after.moderation.rawValue),
        ].filter { $0.from != $0.to }
        try transaction.rows.save(after, of: session)
        try transaction.record(
            .edited, in: session, by: .account(actor),
            EventData(fields: changes.map(\.field), changes: changes))
        transaction.publishQuestions(of: session)
        return after
    }
}

/// Shows, hides, pins or answers a question. Each field of this command that is not nil replaces the stored
/// value. The change can be undone (`UndoCorrection`).
/// - Throws: `alreadyMerged` if the question was merged into another one.
package struct ModerateQuestion: Command {
    package let session: SessionID
    package let question: AudienceQuestionID
    /// One of `Status.allCases`.
    package let status: AudienceQuestion.Status?
    package let pinned: Bool?
    /// The written answer; an empty text deletes it.
    package let answer: String?
    package let note: String?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, question: AudienceQuestionID, status: AudienceQuestion.Status? = nil,
        pinned: Bool? = nil, answer: String? = nil, note: String? = nil, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.session = session
        self.question = question
        self.status = status
        self.pinned = pinned
        self.answer = answer
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        _ = try transaction.rights.session(session, managedBy: actor)
        let before = try transaction.audience.question(question, in: session)
        guard before.mergedInto == nil else { throw .refused(.alreadyMerged) }
        try expected.check(before.version)
        var after = before
        after.status = status ?? before.status
        after.pinned = pinned ?? before.pinned
        after.answer = answer ?? before.answer
        guard after != before else { return before }
        _ = try transaction.audience.change(before, to: after, .moderated, by: actor, note: note)
        return try transaction.audience.question(question, in: session)
    }
}

/// Merges a question into another one that asks the same. The votes are united: an attendee who voted for
/// both counts once. The merge can be undone (`UndoCorrection`).
/// - Throws: `invalid` unless `into` is another question of the session; `alreadyMerged` if one of the two
///   was merged before; `limitReached` if `into` would absorb more than `mostMerged` questions, or if the
///   question has more than `mostMergedVotes` votes. Then a host can merge the other question into it.
package struct MergeQuestions: Command {
    package let session: SessionID
    package let question: AudienceQuestionID
    package let into: AudienceQuestionID
    package let note: String?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, question: AudienceQuestionID, into: AudienceQuestionID, note: String? = nil,
        expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.session = session
        self.question = question
        self.into = into
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    /// Returns the question that absorbed the other one.
    package func run(in transaction: Transaction) throws(JournalError) -> AudienceQuestion {
        _ = try transaction.rights.session(session, managedBy: actor)
        let rows = transaction.rows
        var merged = try transaction.audience.question(question, in: session)
        try expected.check(merged.version)
        guard into != question, let root = try rows.audienceQuestion(into), root.sessionID == session,
            root.status != .withdrawn
        else { throw .refused(.invalid([FieldError("/into", .unknownQuestion)])) }
        guard merged.mergedInto == nil, root.mergedInto == nil else { throw .refused(.alreadyMerged) }
        let absorbed = try rows.group(of: root).count - 1 + rows.group(of: merged).count
        guard absorbed <= AudienceQuestion.mostMerged else {
            throw .refused(.limitReached(.mergedQuestion, limit: AudienceQuestion.mostMerged))
        }
        guard merged.votes <= AudienceQuestion.mostMergedVotes else {
            throw .refused(.limitReached(.mergedVote, limit: AudienceQuestion.mostMergedVotes))
        }
        merged.mergedInto = into
        merged.version += 1
        try rows.update(merged)
        try rows.addVotes(rows.copyVotes(from: question, to: into), to: into)
        let event = try transaction.record(
            .questionsMerged, in: session, by: .account(actor),
            EventData(question: question, intoQuestion: into))
        try transaction.audience.save(
            .mergedQuestion(question, into: into), at: event, version: merged.version, note: note)
        return try transaction.audience.question(into, in: session)
    }
}

/// Replaces the meeting's list of words that hold questions back, with one event in the meeting's latest
/// session. Questions that were asked before keep their status.
package struct EditHeldWords: Command {
    package let meeting: MeetingID
    /// At most `HeldWords.most.words` words.
    package let words: [String]
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        meeting: MeetingID, words: [String], expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.meeting = meeting
        self.words = words
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> HeldWords {
        _ = try transaction.rights.meeting(meeting, managedBy: actor)
        let before = try transaction.rows.heldWords(of: meeting) ?? .none
        try expected.check(before.version)
        guard words != before.words else { return before }
        let after = HeldWords(words, version: before.version + 1)
        try transaction.rows.save(after, of: meeting)
        if let latest = try transaction.rows.latestSession(of: meeting) {
            try transaction.record(
                .edited, in: latest.session.id, by: .account(actor), EventData(fields: ["heldWords"]))
            // Without this, the rooms' frame for the event would contain no change for clients.
            transaction.publishEdit(of: latest.session.id)
        }
        return after
    }
}
