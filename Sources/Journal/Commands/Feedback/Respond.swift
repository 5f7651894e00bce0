package import Meetings

/// Takes one attendee's answers to one set, once.
package struct Respond: Command {
    package let attendee: AttendeeID
    package let session: SessionID
    package let set: String
    package let answers: Answers
    /// Whether the form was anonymous when the attendee saw it; nil if the request does not include it.
    package let anonymous: Bool?
    package let unusable: UnusableAnswers
    /// What has judged the answers before (`Storage.judged`); the engine itself where nil.
    package let patterns: (any PatternMatching)?

    package init(
        attendee: AttendeeID, session: SessionID, set: String, answers: Answers,
        unusable: UnusableAnswers = .none, anonymous: Bool? = nil,
        patterns: (any PatternMatching)? = nil
    ) {
        self.attendee = attendee
        self.session = session
        self.set = set
        self.answers = answers
        self.anonymous = anonymous
        self.unusable = unusable
        self.patterns = patterns
    }

    package struct Outcome: Sendable {
        package let set: QuestionSet
        package let record: SessionRecord
        /// The set that the answers lead to.
        package let next: String?
        /// By which the form is not meant for who answered so: then nothing was kept, and nothing counted.
        package let ending: Rule?
    }

    /// A key that is kept beside an anonymous response would join the two: a retry gets `already_responded`.
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool {
        try transaction.rows.questionSet(set, of: session)?.anonymous == false
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let person = try transaction.rows.attendee(behind: attendee), person.sessionID == session else {
            throw .refused(.receiptNotValid)
        }
        let attendee = person.id
        guard var set = try transaction.rows.questionSet(set, of: session) else {
            throw .refused(.notFound(.questionSet))
        }
        guard try !transaction.rows.hasAnswered(attendee, set: set.name) else {
            throw .refused(.alreadyResponded)
        }
        guard !set.asked.isEmpty else { throw .refused(.noQuestions) }
        let record = try transaction.session(session)
        if let refusal = set.refusal(in: record.session, at: transaction.now),
            try !transaction.rows.isLed(
                attendee, to: set, in: record.session, at: transaction.now, by: transaction.patterns)
        {
            throw .refused(refusal)
        }
        guard anonymous ?? set.anonymous == set.anonymous else {
            throw .refused(.anonymityChanged(anonymous: set.anonymous))
        }
        let patterns = patterns ?? transaction.patterns
        let kept = try transaction.checked(answers, besides: unusable, to: set, by: patterns)
        if let ending = set.ending(for: kept, by: patterns) {
            return Outcome(set: set, record: record, next: nil, ending: ending)
        }
        try transaction.keep(kept, of: attendee, to: &set, in: session)
        return Outcome(
            set: set, record: try transaction.session(session), next: set.next(after: kept, by: patterns),
            ending: nil)
    }
}

extension Transaction {
    func checked(
        _ answers: Answers, besides unusable: UnusableAnswers, to set: QuestionSet,
        by patterns: any PatternMatching
    ) throws(JournalError) -> Answers {
        do throws(Refusal) { return try set.checked(answers, besides: unusable, by: patterns) } catch {
            throw .refused(error)
        }
    }

    /// Stores checked answers once: the response, the attendee's mark, the tallies and the event. Without an
    /// attendee it stores no mark and no name.
    /// - Throws: `limitReached` if the set has as many responses as its sums can hold.
    func keep(
        _ answers: Answers, of attendee: AttendeeID?, to set: inout QuestionSet, in session: SessionID
    ) throws(JournalError) {
        guard set.responses < QuestionSet.mostResponses else {
            throw .refused(.limitReached(.response, limit: QuestionSet.mostResponses))
        }
        if let attendee {
            guard try rows.markAnswered(attendee, set: set.name) else { throw .refused(.alreadyResponded) }
        } else {
            set.withoutReceipt += 1
        }
        set.anonymityIsFixed = true
        // An anonymous response keeps the hour and no person; a named one keeps both, so that it can be
        // withdrawn.
        let person = set.anonymous ? nil : attendee
        let response = Response(
            id: .makeTimeless(), sessionID: session, set: set.name, attendeeID: person, answers: answers,
            at: person == nil ? now.startOfHour : now)
        try rows.insert(response, published: !set.anonymous)
        try count(answers, in: &set, of: session)
        try record(.responded, in: session, attendee: person, by: .attendee, EventData(set: set.name))
    }

    /// Counts a response that has been inserted, and shows what makes a group with it.
    func count(_ answers: Answers, in set: inout QuestionSet, of session: SessionID) throws(JournalError) {
        set.responses += 1
        let isShown = !set.anonymous || set.responses - set.publishedResponses >= QuestionSet.smallestGroup
        let group = isShown && set.anonymous ? try rows.unpublishedResponses(of: session, set: set.name) : []
        let tallies = try rows.tallies(of: session, set: set.name)
        for question in set.questions {
            var tally = tallies[question.id] ?? TallyRecord(for: question)
            if let answer = answers[question.id] { tally.pending.add(answer, to: question) }
            if !set.anonymous {
                tally.publish(question)
            } else if isShown {
                tally.publish(question, with: group)
            }
            if tally != tallies[question.id] { try rows.save(tally, of: question.id) }
        }
        if isShown {
            set.publishedResponses = set.responses
            if set.anonymous { try rows.publishResponses(of: session, set: set.name, at: now.startOfHour) }
        }
        try saveCounts(of: set, in: session)
    }

    /// After its tallies: the set's own counts, and that its rooms have something to show.
    func saveCounts(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        try saveSettings(of: set, in: session)
        publishResults(of: set.name, in: session)
    }
}
