package import Meetings

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
        let merged = try transaction.audience.question(question, in: session)
        try expected.check(merged.version)
        guard into != question, let root = try rows.audienceQuestion(into), root.sessionID == session,
            root.status != .withdrawn
        else { throw .refused(.invalid([FieldError("/into", .unknownQuestion)])) }
        guard merged.mergedInto == nil, root.mergedInto == nil else { throw .refused(.alreadyMerged) }
        _ = try transaction.audience.merge(merged, into: root, .questionsMerged, by: actor, note: note)
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
