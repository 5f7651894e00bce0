/// A named group of questions that are answered together.
package struct QuestionSet: Hashable, Sendable {
    /// `feedback`, `check-in`, or what a host named a poll: 1–40 characters of `a–z 0–9 -`.
    package let name: String
    /// At most 200 characters in each language; empty where there is none.
    package var title: LocalizedText
    /// At most 2,000 characters in each language; empty where there is none.
    package var description: LocalizedText
    /// The set that follows where no answer leads elsewhere; nil where the form ends.
    package var next: String?
    package var questions: [Question]
    /// Set by a host by hand; nil leaves it to what the set is for.
    package var openByHand: Bool?
    /// Whether the audience sees results.
    package var shared: Bool
    /// `check-in` never is. May change until somebody relies on it (`hasFixedAnonymity`).
    package var anonymous: Bool
    /// Whether `anonymous` is fixed for good, because the set was opened or shown before.
    package var anonymityIsFixed: Bool
    package var responses: Int
    /// How many of them results show: all where named, moving in steps of `smallestGroup` where anonymous. An
    /// answer to a question may wait longer, until that question has a group of its own.
    package var publishedResponses: Int
    /// Whether results have been final once: from then on whole groups alone are shown, and the last one or
    /// two answers wait for good. Of an anonymous set.
    package var restIsShown: Bool
    /// The name under which anybody may answer it, without a receipt (`PublishedForm`); nil where nobody may.
    package var publishedAs: String?
    /// How many of the responses came so.
    package var withoutReceipt: Int
    package var version: Int

    package static let feedback = "feedback"
    /// Asked with the check-in, and answered with it.
    package static let checkIn = "check-in"
    /// Of an anonymous set, results of fewer answers to a question than this are shown to nobody, and they
    /// move in steps of at least so many.
    package static let smallestGroup = 3
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

    /// 1–40 characters of `a–z 0–9 -`.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// Responses that no result shows yet: those of an anonymous set whose group is not complete. Whoever
    /// knows how many there are in all knows this too, since groups are of one size: it tells of nobody.
    package var pendingResponses: Int { anonymous ? max(0, responses - publishedResponses) : 0 }

    package var isCheckIn: Bool { name == Self.checkIn }

    /// Whether so few answers to a question are shown to nobody.
    package func hides(_ count: TallyCount) -> Bool { anonymous && count.answers < Self.smallestGroup }

    /// Those that are asked now.
    package var asked: [Question] { questions.filter { !$0.isHidden } }

    package var summary: FeedbackSummary {
        FeedbackSummary(
            questions: questions.count, responses: responses, anonymous: anonymous,
            anonymityIsFixed: anonymityIsFixed, shared: shared,
            openByHand: openByHand)
    }

    /// With every text told in that language; the others stay beside it.
    package func told(in language: String) -> QuestionSet {
        var told = self
        told.title = title.told(in: language)
        told.description = description.told(in: language)
        told.questions = questions.map { $0.told(in: language) }
        return told
    }
}

// MARK: When it is open

extension QuestionSet {
    /// Whether everybody may answer it now. `feedback` is open in its window, unless a host's word comes
    /// before it; every other set is open while a host has opened it. `check-in` is asked with the check-in,
    /// unless a host closed it, and never by itself.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        switch name {
        case Self.feedback: mayTakeAnswers(in: session, at: now)
        case Self.checkIn: false
        default: openByHand ?? false
        }
    }

    /// Whether answers may come in any way, such as by an answer to another set that leads here: until then
    /// nothing of it is sealed.
    package func mayTakeAnswers(in session: Session, at now: Instant) -> Bool {
        session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// Whether `anonymous` can no longer change, because attendees saw or could have seen it. A set that the
    /// clock has opened needs no stored note: its opening time is enough.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        if anonymityIsFixed || isCheckIn { return true }
        if questions.isEmpty { return false }
        let opensByClock = name == Self.feedback || publishedAs != nil
        return session.feedbackHasOpened(byHand: openByHand, byClock: opensByClock, at: now)
    }

    /// Nil where answers are taken from everybody.
    package func refusal(in session: Session, at now: Instant) -> Refusal? {
        if isOpen(in: session, at: now) { return nil }
        if name == Self.feedback, openByHand == nil, now < session.feedbackOpensAt {
            return .feedbackNotOpen(opensAt: session.feedbackOpensAt)
        }
        if openByHand == nil, name != Self.feedback, !isCheckIn { return .feedbackNotOpen(opensAt: nil) }
        return .feedbackClosed
    }
}

// MARK: What is said of it

extension QuestionSet {
    /// What somebody writes of a set beside its questions; nil leaves a field as it is.
    package struct About: Hashable, Sendable {
        package let title: LocalizedText?
        package let description: LocalizedText?
        /// Empty where the form is to end.
        package let next: String?

        package init(title: LocalizedText? = nil, description: LocalizedText? = nil, next: String? = nil) {
            self.title = title
            self.description = description
            self.next = next
        }

        package var fields: [String] {
            [title.map { _ in "title" }, description.map { _ in "description" }, next.map { _ in "next" }]
                .compactMap { $0 }
        }
    }

    package mutating func take(_ about: About) {
        title = about.title ?? title
        description = about.description ?? description
        if let next = about.next { self.next = next.isEmpty ? nil : next }
    }
}

// MARK: Copies

extension QuestionSet {
    /// The same questions under new ids, with what refers to them; nothing of what was answered.
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
    /// The same under another id, with what refers to others that have new ones.
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
