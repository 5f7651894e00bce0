/// A named group of questions that are answered together.
package struct QuestionSet: Hashable, Sendable {
    /// `feedback`, `check-in`, or the host's name for a poll: 1–40 characters of `a–z 0–9 -`.
    package let name: String
    /// At most 200 characters in each language; empty if there is none.
    package var title: LocalizedText
    /// At most 2,000 characters in each language; empty if there is none.
    package var description: LocalizedText
    /// The set that follows if no branch applies; nil if the form ends.
    package var next: String?
    package var questions: [Question]
    /// Whether a host opened (`true`) or closed (`false`) the set by hand. Nil leaves it to the set's own
    /// rule (`isOpen`).
    package var openByHand: Bool?
    /// Whether attendees see the results.
    package var shared: Bool
    /// Whether nobody can link a response to an attendee. `check-in` is never anonymous. It can change until
    /// it is fixed (`hasFixedAnonymity`).
    package var anonymous: Bool
    /// Whether `anonymous` is fixed for good, because the set was opened or shown before.
    package var anonymityIsFixed: Bool
    /// The number of responses.
    package var responses: Int
    /// The number of responses that results show: all in a named set; in an anonymous set it grows by at
    /// least `smallestGroup` at a time. A single answer can be held back longer, until its question has a
    /// complete group.
    package var publishedResponses: Int
    /// Whether the results of an anonymous set were made final once, which also showed the last one or two
    /// responses. From then on only complete groups are shown, and an incomplete last group stays hidden for
    /// good.
    package var restIsShown: Bool
    /// The name under which anybody can answer the set without a receipt (`PublishedForm`); nil if it is not
    /// published.
    package var publishedAs: String?
    /// The number of responses without a receipt.
    package var withoutReceipt: Int
    package var version: Int

    /// The set that opens by the feedback window.
    package static let feedback = "feedback"
    /// The set whose questions are part of the check-in.
    package static let checkIn = "check-in"
    /// The group of three: an anonymous set never shows the results of fewer answers to a question than this,
    /// and shown results change by at least so many answers at a time.
    package static let smallestGroup = 3
    /// The largest number of questions.
    package static let mostQuestions = 50
    /// The largest number of responses for which the sums of `NumberCounts` are exact. It exceeds attendees
    /// (100,000) plus responses without a receipt (`PublishedForm.mostResponses`), because a person can check
    /// in, answer anonymously and withdraw repeatedly.
    package static let mostResponses = 900_000

    package init(
        name: String = feedback, title: LocalizedText = .none, description: LocalizedText = .none,
        next: String? = nil,
        questions: [Question] = [], openByHand: Bool? = nil, shared: Bool = false, anonymous: Bool? = nil,
        anonymityIsFixed: Bool = false, responses: Int = 0, publishedResponses: Int = 0,
        restIsShown: Bool = false,
        publishedAs: String? = nil, withoutReceipt: Int = 0,
        version: Int = 1
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.next = next
        self.questions = questions
        self.openByHand = openByHand
        self.shared = shared
        self.anonymous = anonymous ?? (name != Self.checkIn)
        self.anonymityIsFixed = anonymityIsFixed
        self.responses = responses
        self.publishedResponses = publishedResponses
        self.restIsShown = restIsShown
        self.publishedAs = publishedAs
        self.withoutReceipt = withoutReceipt
        self.version = version
    }

    /// Returns whether `text` is a valid name: 1–40 characters of `a–z 0–9 -`.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// The number of responses that are held back, because their group of three is not complete. This number
    /// reveals nothing about a person: it follows from the number of responses and the size of the groups.
    package var pendingResponses: Int { anonymous ? max(0, responses - publishedResponses) : 0 }

    /// Whether this is the set `check-in`.
    package var isCheckIn: Bool { name == Self.checkIn }

    /// Returns whether a tally has too few answers to be shown to anybody.
    package func hides(_ count: TallyCount) -> Bool { anonymous && count.answers < Self.smallestGroup }

    /// The questions without hidden ones.
    package var asked: [Question] { questions.filter { !$0.isHidden } }

    /// The set's numbers and settings without its questions.
    package var summary: FeedbackSummary {
        FeedbackSummary(
            questions: questions.count, responses: responses, anonymous: anonymous,
            anonymityIsFixed: anonymityIsFixed, shared: shared,
            openByHand: openByHand)
    }

    /// Returns the set with this language as the `plain` language of every text. All languages stay.
    package func localized(in language: String) -> QuestionSet {
        var localized = self
        localized.title = title.localized(in: language)
        localized.description = description.localized(in: language)
        localized.questions = questions.map { $0.localized(in: language) }
        return localized
    }
}

// MARK: Open and closed

extension QuestionSet {
    /// Returns whether every attendee can answer the set at `now`. `feedback` is open in the feedback window,
    /// unless a host opened or closed it by hand. A poll is open only while a host has opened it. `check-in`
    /// never opens by itself: it is part of the check-in.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        switch name {
        case Self.feedback: mayTakeAnswers(in: session, at: now)
        case Self.checkIn: false
        default: openByHand ?? false
        }
    }

    /// Returns whether answers can arrive in any way at `now`, for example through a branch of another set.
    /// Until this is false, the set's responses are not sealed.
    package func mayTakeAnswers(in session: Session, at now: Instant) -> Bool {
        session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// Returns whether `anonymous` can no longer change, because attendees saw or could have seen it. For a
    /// set that the clock opened, its opening time is enough and nothing is stored.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        if anonymityIsFixed || isCheckIn { return true }
        if questions.isEmpty { return false }
        let opensByClock = name == Self.feedback || publishedAs != nil
        return session.feedbackHasOpened(byHand: openByHand, byClock: opensByClock, at: now)
    }

    /// Returns the reason why the set accepts no answers at `now`; nil if it is open.
    package func refusal(in session: Session, at now: Instant) -> Refusal? {
        if isOpen(in: session, at: now) { return nil }
        if name == Self.feedback, openByHand == nil, now < session.feedbackOpensAt {
            return .feedbackNotOpen(opensAt: session.feedbackOpensAt)
        }
        if openByHand == nil, name != Self.feedback, !isCheckIn { return .feedbackNotOpen(opensAt: nil) }
        return .feedbackClosed
    }
}

// MARK: Title, description and following set

extension QuestionSet {
    /// An edit of a set's texts and of the set that follows. A nil field keeps its value.
    package struct About: Hashable, Sendable {
        package let title: LocalizedText?
        package let description: LocalizedText?
        /// The name of the following set; empty to end the form.
        package let next: String?

        package init(title: LocalizedText? = nil, description: LocalizedText? = nil, next: String? = nil) {
            self.title = title
            self.description = description
            self.next = next
        }

        /// The names of the fields that are given.
        package var fields: [String] {
            [title.map { _ in "title" }, description.map { _ in "description" }, next.map { _ in "next" }]
                .compactMap { $0 }
        }
    }

    /// Replaces each field that `about` gives.
    package mutating func take(_ about: About) {
        title = about.title ?? title
        description = about.description ?? description
        if let next = about.next { self.next = next.isEmpty ? nil : next }
    }
}

// MARK: Copies

extension QuestionSet {
    /// Returns a set with the same questions under new ids, and without responses. References between its
    /// questions follow. A copy named `check-in` is not anonymous.
    package func copied(as name: String? = nil, at now: Instant) -> QuestionSet {
        let ids = Dictionary(uniqueKeysWithValues: questions.map { ($0.id, QuestionID.make(at: now)) })
        let name = name ?? self.name
        return QuestionSet(
            name: name, title: title, description: description, next: next,
            questions: questions.map { $0.renamed(by: ids) },
            shared: shared, anonymous: anonymous && name != Self.checkIn)
    }
}

extension Question {
    /// Returns the question under its new id, with its references to other questions replaced too.
    /// - Parameter ids: new ids by old ids; an id that is not listed stays.
    package func renamed(by ids: [QuestionID: QuestionID]) -> Question {
        Question(
            id: ids[id] ?? id, name: name, title: title, detail: detail, placeholder: placeholder,
            required: required, isHidden: isHidden,
            kind: kind, rules: rules.map { Rule($0.test.renamed(by: ids), message: $0.message) },
            eligibility: eligibility.map { Rule($0.test.renamed(by: ids), message: $0.message) },
            branches: branches.map { Branch($0.test.renamed(by: ids), next: $0.next) })
    }
}

extension Rule.Test {
    fileprivate func renamed(by ids: [QuestionID: QuestionID]) -> Rule.Test {
        if case .sameAsQuestion(let id, let bare) = self {
            .sameAsQuestion(ids[id] ?? id, bare: bare)
        } else {
            self
        }
    }
}

/// The numbers and settings of a session's feedback set, which can be read without its questions.
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

    /// The summary of a session that has no feedback set.
    package static let none = FeedbackSummary(
        questions: 0, responses: 0, anonymous: true, shared: false, openByHand: nil)

    /// Returns whether the set has questions and is open at `now`.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        questions > 0 && session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// As `QuestionSet.hasFixedAnonymity`.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        anonymityIsFixed
            || questions > 0 && session.feedbackHasOpened(byHand: openByHand, byClock: true, at: now)
    }
}
