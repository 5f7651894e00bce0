package import Meetings

/// Holds back the texts of responses, and the words of word clouds, by the meeting's list of words.
struct ModeratedTexts {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Holds back each text of a stored response that contains a held word, if the set's moderation uses the
    /// list. Call it also after a response has changed, because its earlier decisions belong to the earlier
    /// texts.
    func judge(_ response: Response, in set: QuestionSet) throws(JournalError) {
        guard set.questions.contains(where: { $0.takesTexts || $0.countsWords }) else { return }
        let moderation = try rows.textModeration(of: response.sessionID, set: set.name)
        guard moderation != .none else { return }
        let meeting = try transaction.session(response.sessionID).meeting.id
        let words = moderation == .after ? try rows.heldWords(of: meeting) : nil
        for question in set.questions {
            if question.countsWords, let words {
                try hold(response.answers[question.id]?.cloudWords ?? [], of: question.id, by: words)
            }
            guard let text = response.answers[question.id]?.shownText else { continue }
            let isHeld = words?.match(text) ?? false
            try rows.setTextStatus(isHeld ? .pending : nil, in: response.id, to: question.id)
        }
    }

    /// Holds back the words that contain a held word, unless something has decided about them.
    private func hold(_ words: [String], of question: QuestionID, by held: HeldWords) throws(JournalError) {
        for word in words.map(CloudWord.key) where held.match(word) {
            guard try rows.wordStatus(of: word, to: question) == nil else { continue }
            try rows.setWordStatus(.pending, of: word, to: question)
        }
    }

    /// Deletes the decisions about the texts of deleted responses, and about words that no other answer has.
    /// Responses to a set that hides names stay, and so do the decisions about their texts. Call it after the
    /// counts of the words have changed.
    func forget(_ responses: [Response]) throws(JournalError) {
        for response in responses {
            guard let set = try rows.questionSet(response.set, of: response.sessionID),
                set.promise.showsNames
            else { continue }
            for question in set.questions where question.takesTexts {
                try rows.setTextStatus(nil, in: response.id, to: question.id)
            }
            try forgetWords(of: response.answers, in: set)
        }
    }

    /// Deletes the decisions about the words of these deleted answers that no answer has any more. A word can
    /// be somebody's name.
    private func forgetWords(of answers: Answers, in set: QuestionSet) throws(JournalError) {
        for (word, question) in try abandonedWords(of: answers, in: set) {
            try rows.setWordStatus(nil, of: word, to: question)
        }
    }

    /// After an attendee has changed these answers, deletes the words that were held back and that no answer
    /// has any more. The next person who writes such a word makes the list of held words match again. A
    /// host's decision stays: otherwise an attendee could undo it by changing an answer and changing it back.
    func forgetHeldWords(of answers: Answers, in set: QuestionSet) throws(JournalError) {
        for (word, question) in try abandonedWords(of: answers, in: set)
        where try rows.wordStatus(of: word, to: question) == .pending {
            try rows.setWordStatus(nil, of: word, to: question)
        }
    }

    /// Returns the words of these earlier answers that no answer has any more.
    private func abandonedWords(of answers: Answers, in set: QuestionSet) throws(JournalError)
        -> [(word: String, question: QuestionID)]
    {
        var abandoned: [(String, QuestionID)] = []
        for question in set.questions where question.countsWords {
            for word in answers[question.id]?.cloudWords.map(CloudWord.key) ?? []
            where try rows.wordCount(of: word, to: question.id) == 0 {
                abandoned.append((word, question.id))
            }
        }
        return abandoned
    }

    /// Changes the status of a text, with its event and the copy for an undo.
    func change(
        _ change: TextChange, _ kind: Event.Kind, undoes: Int64? = nil, by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        try rows.setTextStatus(change.to, in: change.place.response, to: change.question)
        return try record(
            .text(change), about: change.question, from: change.from, to: change.to, kind, undoes: undoes,
            by: actor, note: note)
    }

    /// Changes the status of a word of a word cloud, with its event and the copy for an undo. The copy has
    /// the word, so it is deleted after `undoWindow`.
    func change(
        _ change: WordChange, _ kind: Event.Kind, undoes: Int64? = nil, by actor: AccountID, note: String?
    ) throws(JournalError) -> Event {
        try rows.setWordStatus(change.to, of: change.word, to: change.question)
        return try record(
            .word(change), about: change.question, from: change.from, to: change.to, kind, undoes: undoes,
            by: actor, note: note, forgetAt: transaction.now + undoWindow)
    }

    private func record(
        _ before: RecordBefore, about question: QuestionID, from: TextStatus, to: TextStatus,
        _ kind: Event.Kind, undoes: Int64?, by actor: AccountID, note: String?, forgetAt: Instant? = nil
    ) throws(JournalError) -> Event {
        guard let location = try rows.location(of: question) else { throw .refused(.notFound(.question)) }
        let event = try transaction.record(
            kind, in: location.session, by: .account(actor),
            EventData(
                set: location.set, fields: ["text"], undoes: undoes,
                changes: [FieldChange("text", from: from.rawValue, to: to.rawValue)]))
        try rows.save(
            CorrectionRecord(
                sessionID: location.session, sequence: event.sequence, attendeeID: nil, note: note ?? "",
                before: before, versionAfter: 0, forgetAt: forgetAt))
        transaction.publishResults(of: location.set, in: location.session)
        return event
    }

    /// Gives a text the status that it had before a host's change.
    /// - Throws: `changedSince` if the text has another status now, or is gone.
    func revert(
        _ change: TextChange, _ correction: CorrectionRecord, _ kind: Event.Kind, by actor: AccountID,
        note: String?
    ) throws(JournalError) -> Event {
        guard let location = try rows.location(of: change.question),
            let set = try rows.questionSet(location.set, of: location.session),
            try rows.text(
                at: change.place, answering: change.question, in: set, of: location.session) != nil,
            try rows.status(ofTextAt: change.place, to: change.question, in: location) == change.to
        else { throw .refused(.changedSince) }
        return try self.change(
            TextChange(
                question: change.question, place: change.place, from: change.to, to: change.from),
            kind, undoes: correction.sequence, by: actor, note: note)
    }

    /// Gives a word the status that it had before a host's change.
    /// - Throws: `changedSince` if the word has another status now, or if the question is gone.
    func revert(
        _ change: WordChange, _ correction: CorrectionRecord, _ kind: Event.Kind, by actor: AccountID,
        note: String?
    ) throws(JournalError) -> Event {
        guard try rows.wordStatus(of: change.word, to: change.question) == change.to,
            try rows.location(of: change.question) != nil
        else { throw .refused(.changedSince) }
        return try self.change(
            WordChange(question: change.question, word: change.word, from: change.to, to: change.from),
            kind, undoes: correction.sequence, by: actor, note: note)
    }
}

extension Transaction {
    var texts: ModeratedTexts { ModeratedTexts(transaction: self) }
}

/// A host's change of the status of a text, for an undo. The text itself is not part of it.
package struct TextChange: Hashable, Sendable, Codable {
    package let question: QuestionID
    package let place: TextPlace
    package let from: TextStatus
    package let to: TextStatus
}

/// A host's change of the status of a word, for an undo.
package struct WordChange: Hashable, Sendable, Codable {
    package let question: QuestionID
    /// The word's key (`CloudWord.key`).
    package let word: String
    package let from: TextStatus
    package let to: TextStatus
}

extension Answer {
    /// The words of an answer to a word cloud.
    fileprivate var cloudWords: [String] { if case .choices(let words, _) = self { words } else { [] } }
}

extension ReadableRows {
    /// Returns the status of the text at this place.
    package func status(
        ofTextAt place: TextPlace, to question: QuestionID, in location: (session: SessionID, set: String)
    ) throws(JournalError) -> TextStatus {
        if let decided = try textStatus(in: place.response, to: question) { return decided }
        return try textModeration(of: location.session, set: location.set).initialStatus
    }
}

/// Shows, holds back or hides the text of a published answer. A text of an anonymous set can be moderated as
/// soon as its group of three is complete. The change can be undone (`UndoCorrection`).
/// - Throws: `notFound` if the question has no such text that results may show.
package struct ModerateText: Command {
    package let question: QuestionID
    package let place: TextPlace
    package let status: TextStatus
    package let note: String?
    package let actor: AccountID

    package init(
        question: QuestionID, place: TextPlace, status: TextStatus, note: String? = nil, actor: AccountID
    ) {
        self.question = question
        self.place = place
        self.status = status
        self.note = note
        self.actor = actor
    }

    /// Returns the moderated text, so that the caller can show it.
    package func run(in transaction: Transaction) throws(JournalError) -> String {
        let rows = transaction.rows
        guard let location = try rows.location(of: question) else { throw .refused(.notFound(.question)) }
        _ = try transaction.rights.session(location.session, managedBy: actor)
        guard let set = try rows.questionSet(location.set, of: location.session),
            let text = try rows.text(at: place, answering: question, in: set, of: location.session)
        else { throw .refused(.notFound(.response)) }
        let before = try rows.status(ofTextAt: place, to: question, in: location)
        guard status != before else { return text }
        _ = try transaction.texts.change(
            TextChange(question: question, place: place, from: before, to: status), .moderated, by: actor,
            note: note)
        return text
    }
}

/// Shows, holds back or hides a word of a word cloud, whoever wrote it and writes it later. A word of an
/// anonymous set can be moderated as soon as its group of three is complete. The change can be undone
/// (`UndoCorrection`).
/// - Throws: `notFound` if results may show no such word.
package struct ModerateWord: Command {
    package let question: QuestionID
    /// The word's key (`CloudWord.key`).
    package let word: String
    package let status: TextStatus
    package let note: String?
    package let actor: AccountID

    package init(
        question: QuestionID, word: String, status: TextStatus, note: String? = nil, actor: AccountID
    ) {
        self.question = question
        self.word = word
        self.status = status
        self.note = note
        self.actor = actor
    }

    /// Returns how many people wrote the word.
    package func run(in transaction: Transaction) throws(JournalError) -> Int {
        let rows = transaction.rows
        guard let location = try rows.location(of: question) else { throw .refused(.notFound(.question)) }
        _ = try transaction.rights.session(location.session, managedBy: actor)
        let count = try rows.wordCount(of: word, to: question)
        guard count > 0, let set = try rows.questionSet(location.set, of: location.session),
            let tally = try rows.tallies(of: location.session, set: location.set)[question],
            !set.hides(tally.published)
        else { throw .refused(.notFound(.response)) }
        let moderation = try rows.textModeration(of: location.session, set: location.set)
        let before = try rows.wordStatus(of: word, to: question) ?? moderation.initialStatus
        guard status != before else { return count }
        _ = try transaction.texts.change(
            WordChange(question: question, word: word, from: before, to: status), .moderated, by: actor,
            note: note)
        return count
    }
}

/// Sets when a host decides about the texts of a set. Texts about which a host has decided keep their status.
package struct SetTextModeration: Command {
    package let session: SessionID
    package let set: String
    package let moderation: TextModeration
    package let actor: AccountID

    package init(session: SessionID, set: String, moderation: TextModeration, actor: AccountID) {
        self.session = session
        self.set = set
        self.moderation = moderation
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        _ = try transaction.rights.session(session, managedBy: actor)
        guard try transaction.rows.questionSet(set, of: session) != nil else {
            throw .refused(.notFound(.questionSet))
        }
        let before = try transaction.rows.textModeration(of: session, set: set)
        guard moderation != before else { return }
        try transaction.rows.save(moderation, of: session, set: set)
        try transaction.record(
            .edited, in: session, by: .account(actor),
            EventData(
                set: set, fields: ["moderation"],
                changes: [
                    FieldChange("moderation", from: before.rawValue, to: moderation.rawValue)
                ]))
        transaction.publishResults(of: set, in: session)
    }
}
