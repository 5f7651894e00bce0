/// What a session shows of its feedback set without reading the questions.
package struct FeedbackSummary: Hashable, Sendable {
    package let questions: Int
    package var responses: Int
    package let anonymous: Bool
    /// As in `QuestionSet`.
    package let anonymityIsFixed: Bool
    package let shared: Bool
    package let openByHand: Bool?

    package init(
        questions: Int, responses: Int, anonymous: Bool, anonymityIsFixed: Bool = false, shared: Bool,
        openByHand: Bool?
    ) {
        self.questions = questions
        self.responses = responses
        self.anonymous = anonymous
        self.anonymityIsFixed = anonymityIsFixed
        self.shared = shared
        self.openByHand = openByHand
    }

    /// Of a session in which nothing was ever asked.
    package static let none = FeedbackSummary(
        questions: 0, responses: 0, anonymous: true, shared: false, openByHand: nil)

    /// Whether there is anything to answer now.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        questions > 0 && session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// As `QuestionSet.hasFixedAnonymity`.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        anonymityIsFixed
            || questions > 0 && session.feedbackHasOpened(byHand: openByHand, byClock: true, at: now)
    }
}

extension Session {
    /// A host's word comes before the window.
    func feedbackIsOpen(byHand: Bool?, at now: Instant) -> Bool {
        byHand ?? (feedbackOpensAt <= now && now <= feedbackClosesAt)
    }

    /// Whether it is open or, by the clock, was.
    func feedbackHasOpened(byHand: Bool?, byClock: Bool, at now: Instant) -> Bool {
        byHand ?? (byClock && feedbackOpensAt <= now)
    }
}
