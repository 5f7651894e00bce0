package import Meetings

/// Takes anybody's answers to a published form. Nothing is known of who answers, so nobody is kept and
/// nothing is marked: the response has no attendee and its hour alone, in a named set, too.
package struct RespondToForm: Command {
    package let form: String
    package let values: [String: PublishedForm.Value]
    /// The errors of values that could not be read, by field name.
    package let unread: [String: FieldReason]
    /// What has judged the answers before (`Storage.judged`); the engine itself where nil.
    package let patterns: (any PatternMatching)?

    package init(
        form: String, values: [String: PublishedForm.Value], unread: [String: FieldReason] = [:],
        patterns: (any PatternMatching)? = nil
    ) {
        self.form = form
        self.values = values
        self.unread = unread
        self.patterns = patterns
    }

    package struct Outcome: Sendable {
        package let set: QuestionSet
        /// Under which the set that follows is published; nil where the form ends, or what follows is not
        /// published.
        package let next: String?
        /// By which the form is not meant for who answered so: then nothing was kept.
        package let ending: Rule?
    }

    /// A key beside a response would join it to whoever sent it.
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool { false }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let place = try transaction.rows.publishedForm(form),
            var set = try transaction.rows.questionSet(place.set, of: place.session)
        else { throw .refused(.notFound(.form)) }
        guard !set.asked.isEmpty else { throw .refused(.noQuestions) }
        let session = try transaction.session(place.session).session
        // Published is open, within the window or by a host's word.
        guard set.mayTakeAnswers(in: session, at: transaction.now) else {
            let isEarly = set.openByHand == nil && transaction.now < session.feedbackOpensAt
            throw .refused(isEarly ? .feedbackNotOpen(opensAt: session.feedbackOpensAt) : .feedbackClosed)
        }
        guard set.withoutReceipt < PublishedForm.mostResponses else {
            throw .refused(.limitReached(.response, limit: PublishedForm.mostResponses))
        }
        let patterns = patterns ?? transaction.patterns
        let given = set.answers(byName: values, unread: unread)
        let kept: Answers
        do throws(Refusal) {
            kept = try set.checked(given.answers, besides: given.unusable, by: patterns)
        } catch { throw .refused(set.byName(error)) }
        if let ending = set.ending(for: kept, by: patterns) {
            return Outcome(set: set, next: nil, ending: ending)
        }
        try transaction.keep(kept, of: nil, to: &set, in: place.session)
        let next = try set.next(after: kept, by: patterns).flatMap { name throws(JournalError) in
            try transaction.rows.questionSet(name, of: place.session)?.publishedAs
        }
        return Outcome(set: set, next: next, ending: nil)
    }
}
