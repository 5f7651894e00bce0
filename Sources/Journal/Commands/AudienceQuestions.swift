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
        to before: QuestionBefore, _ correction: CorrectionRecord, _ kind: Event.Kind, by actor: AccountID,
        note: String?
    ) throws(JournalError) -> Event {
        guard let current = try rows.audienceQuestion(before.question),
            current.version == correction.versionAfter, current.mergedInto == nil
        else { throw .refused(.changedSince) }
        var after = current
        (after.status, after.pinned, after.answer) = (before.status, before.pinned, before.answer)
        return try change(
            current, to: after, kind, undoes: correction.sequence, by: actor, note: note)
    }

    /// Separates a merged question from the question that absorbed it, with its own votes.
    /// - Throws: `changedSince` if one of the two was merged or withdrawn since.
    func separate(
        _ id: AudienceQuestionID, from root: AudienceQuestionID, _ correction: CorrectionRecord,
        _ kind: Event.Kind, by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        guard var question = try rows.audienceQuestion(id), question.mergedInto == root,
            question.version == correction.versionAfter,
            let absorbing = try rows.audienceQuestion(root), absorbing.mergedInto == nil
        else { throw .refused(.changedSince) }
        question.mergedInto = nil
        question.version += 1
        try rows.update(question)
        // An attendee may have voted for two questions that were merged into the same one. Only one of the
        // two votes was copied, perhaps the one that is about to be deleted.
        try rows.replaceVotes(copiedFrom: id, to: root)
        try rows.addVotes(-rows.deleteVotes(copiedFrom: id, to: root), to: root)
        let event = try transaction.record(
            kind, in: question.sessionID, by: .account(actor),
            EventData(undoes: correction.sequence, question: id, intoQuestion: root))
        try save(.separatedQuestion(id, from: root), at: event, version: question.version, note: note)
        return event
    }

    /// Merges two questions again whose merge was undone.
    /// - Throws: `changedSince` if one of the two has been merged or withdrawn since.
    func mergeAgain(
        _ id: AudienceQuestionID, into root: AudienceQuestionID, _ correction: CorrectionRecord,
        _ kind: Event.Kind, by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        guard let question = try rows.audienceQuestion(id), question.version == correction.versionAfter,
            question.mergedInto == nil,
            let absorbing = try rows.audienceQuestion(root), absorbing.mergedInto == nil,
            absorbing.status != .withdrawn
        else { throw .refused(.changedSince) }
        return try merge(
            question, into: absorbing, kind, undoes: correction.sequence, by: actor, note: note)
    }

    /// Merges a question into another one that asks the same, with an event of this kind.
    /// - Parameter undoes: the event that this merge repeats; nil for a first merge.
    /// - Throws: `limitReached` if `root` would absorb too many questions, or if the question has too many
    ///   votes.
    func merge(
        _ question: AudienceQuestion, into root: AudienceQuestion, _ kind: Event.Kind, undoes: Int64? = nil,
        by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        let absorbed = try rows.group(of: root).count - 1 + rows.group(of: question).count
        guard absorbed <= AudienceQuestion.mostMerged else {
            throw .refused(.limitReached(.mergedQuestion, limit: AudienceQuestion.mostMerged))
        }
        guard question.votes <= AudienceQuestion.mostMergedVotes else {
            throw .refused(.limitReached(.mergedVote, limit: AudienceQuestion.mostMergedVotes))
        }
        var merged = question
        merged.mergedInto = root.id
        merged.version += 1
        try rows.update(merged)
        try rows.addVotes(rows.copyVotes(from: question.id, to: root.id), to: root.id)
        let event = try transaction.record(
            kind, in: question.sessionID, by: .account(actor),
            EventData(undoes: undoes, question: question.id, intoQuestion: root.id))
        try save(
            .mergedQuestion(question.id, into: root.id), at: event, version: merged.version, note: note)
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
