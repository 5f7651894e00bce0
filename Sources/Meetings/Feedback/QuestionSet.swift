/// A named group of questions that attendees answer together.
package struct QuestionSet: Hashable, Sendable {
    /// The set's name: `feedback`, `check-in`, or the host's name for a poll. A name has 1–40 characters of
    /// `a–z 0–9 -`.
    package let name: String
    /// The set's title: at most 200 characters in each language; empty if the set has no title.
    package var title: LocalizedText
    /// The set's description: at most 2,000 characters in each language; empty if the set has no description.
    package var description: LocalizedText
    /// The name of the set that follows if no branch applies; nil if the form ends.
    package var next: String?
    package var questions: [Question]
    /// Whether a host opened (`true`) or closed (`false`) the set by hand. If nil, the set's own rule decides
    /// (`isOpen`).
    package var openByHand: Bool?
    /// Whether attendees can see the results.
    package var shared: Bool
    /// What the form promises about names. The set `check-in` is always named. A host can change this field
    /// until it is fixed (`hasFixedAnonymity`).
    package var promise: AnswerPromise
    /// Whether `promise` can never change again, because the set was opened or shown before.
    package var anonymityIsFixed: Bool
    /// Whether attendees can change their answers while the set is open, by the host's choice. If nil, the
    /// answers to a poll can change, and the answers to `feedback` cannot (`isChangeable`).
    package var changeable: Bool?
    /// The set's place in the order of the session's sets. `feedback` is always first. Sets with the same
    /// position are ordered by name.
    package var position: Int
    /// The number of responses.
    package var responses: Int
    /// The number of responses that the results include. Unless the set is anonymous, the results include all
    /// responses. In an anonymous set, the number grows by at least `smallestGroup` at a time. The answer to
    /// one question can be held back longer, until that question has a complete group.
    package var publishedResponses: Int
    /// Whether the results of an anonymous set were final once. The final results also include the last one
    /// or two responses. Afterwards, new responses are included only in complete groups, and an incomplete
    /// last group stays hidden forever.
    package var restIsShown: Bool
    /// The name of the published form (`PublishedForm`) under which anybody can answer the set without a
    /// receipt. Nil if the set is not published.
    package var publishedAs: String?
    /// The number of responses that were sent without a receipt.
    package var withoutReceipt: Int
    /// Whether the published form takes only one response from each device. A device is a browser that keeps
    /// the cookie of its first visit, so this stops mistakes and not people who want to answer twice.
    package var oncePerDevice: Bool
    package var version: Int

    /// The name of the set that is open during the feedback window.
    package static let feedback = "feedback"
    /// The name of the set whose questions are part of the check-in.
    package static let checkIn = "check-in"
    /// The name of the field in the event of a set's deletion.
    package static let deletedField = "deleted"
    /// The size of the group of three. If a question of an anonymous set has fewer answers, its results are
    /// hidden. Shown results change by at least this number of answers at a time.
    package static let smallestGroup = 3
    /// The largest number of questions of a set.
    package static let mostQuestions = 50
    /// The largest number of responses for which the sums of `NumberCounts` are exact. It is larger than the
    /// number of attendees (100,000) plus responses without a receipt (`PublishedForm.mostResponses`),
    /// because a person can check in, answer anonymously and withdraw repeatedly.
    package static let mostResponses = 900_000

    /// - Parameters:
    ///   - anonymous: the promise, if `promise` is nil: anonymous or named. Nil means anonymous, except for
    ///     `check-in`.
    package init(
        name: String = feedback, title: LocalizedText = .none, description: LocalizedText = .none,
        next: String? = nil,
        questions: [Question] = [], openByHand: Bool? = nil, shared: Bool = false, anonymous: Bool? = nil,
        promise: AnswerPromise? = nil, anonymityIsFixed: Bool = false, changeable: Bool? = nil,
        position: Int = 0, responses: Int = 0, publishedResponses: Int = 0,
        restIsShown: Bool = false,
        publishedAs: String? = nil, withoutReceipt: Int = 0, oncePerDevice: Bool = false,
        version: Int = 1
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.next = next
        self.questions = questions
        self.openByHand = openByHand
        self.shared = shared
        self.promise = promise ?? ((anonymous ?? (name != Self.checkIn)) ? .anonymous : .named)
        self.anonymityIsFixed = anonymityIsFixed
        self.changeable = changeable
        self.position = position
        self.responses = responses
        self.publishedResponses = publishedResponses
        self.restIsShown = restIsShown
        self.publishedAs = publishedAs
        self.withoutReceipt = withoutReceipt
        self.oncePerDevice = oncePerDevice
        self.version = version
    }

    /// Returns the key that sorts the sets of a session: feedback first, then by position, then by name.
    package static func sortKey(_ name: String, _ position: Int) -> (Int, Int, String) {
        (name == feedback ? 0 : 1, position, name)
    }

    package var sortKey: (Int, Int, String) { Self.sortKey(name, position) }

    /// Returns whether `text` is a valid name of a set: 1–40 characters of `a–z 0–9 -`.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    /// The number of responses that are held back because their group of three is not complete. This number
    /// reveals nothing about a person, because it follows from the number of responses and the size of the
    /// groups.
    package var pendingResponses: Int { anonymous ? max(0, responses - publishedResponses) : 0 }

    /// Whether nobody can link a response to an attendee.
    package var anonymous: Bool { promise == .anonymous }

    /// Whether attendees can change their answers while the set is open. Without a link in the file, the
    /// server cannot find the answers to replace.
    package var isChangeable: Bool { promise.linksResponses && !isCheckIn && (changeable ?? isPoll) }

    /// Whether a host opens the set, as a poll.
    package var isPoll: Bool { name != Self.feedback && !isCheckIn }

    /// The name of the poll with this number.
    package static func pollName(_ number: Int) -> String { "poll-\(number)" }

    /// The number in the name of a poll that `CreatePoll` named, from 1; nil for other names.
    package var pollNumber: Int? {
        guard name.hasPrefix("poll-"), let number = Int(name.dropFirst(5)), number > 0,
            name == Self.pollName(number)
        else { return nil }
        return number
    }

    /// The text by which people recognize the set: its title, or else its first question. Empty if the set
    /// has neither.
    package var heading: LocalizedText {
        title.isEmpty ? asked.first?.title ?? questions.first?.title ?? .none : title
    }

    /// Whether this is the set `check-in`.
    package var isCheckIn: Bool { name == Self.checkIn }

    /// Returns whether a tally has too few answers to be shown to anybody.
    package func hides(_ count: TallyCount) -> Bool { anonymous && count.answers < Self.smallestGroup }

    /// The questions that the form shows: all questions except hidden ones.
    package var asked: [Question] {
        questions.contains(where: \.isHidden) ? questions.filter { !$0.isHidden } : questions
    }

    /// The set's counts and settings without its questions.
    package var summary: FeedbackSummary {
        FeedbackSummary(
            questions: questions.count, responses: responses, promise: promise,
            anonymityIsFixed: anonymityIsFixed, shared: shared,
            openByHand: openByHand)
    }

    /// Returns the set with this language as the `plain` language of every text. No language is removed.
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
    /// Returns whether every attendee can answer the set at `now`. If a host opened or closed the set by
    /// hand, the host's choice decides. Otherwise, `feedback` is open in the feedback window, and a poll is
    /// closed. The set `check-in` never opens, because it is part of the check-in.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        switch name {
        case Self.feedback: mayTakeAnswers(in: session, at: now)
        case Self.checkIn: false
        default: openByHand ?? false
        }
    }

    /// Returns whether answers can arrive in any way at `now`, for example through a branch of another set.
    /// The server seals the set's responses only when this is false.
    package func mayTakeAnswers(in session: Session, at now: Instant) -> Bool {
        session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// Returns whether `promise` can no longer change, because attendees saw or could have seen its value.
    /// If the clock opened the set, this follows from the opening time, and no stored mark is needed.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        if anonymityIsFixed || isCheckIn { return true }
        if questions.isEmpty { return false }
        let opensByClock = name == Self.feedback || publishedAs != nil
        return session.feedbackHasOpened(byHand: openByHand, byClock: opensByClock, at: now)
    }

    /// Returns the reason why the set accepts no answers at `now`. Returns nil if the set is open.
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
    /// An edit of a set's texts and following set. A nil field does not change its value.
    package struct About: Hashable, Sendable {
        package let title: LocalizedText?
        package let description: LocalizedText?
        /// The name of the following set. An empty name means that the form ends.
        package let next: String?

        package init(title: LocalizedText? = nil, description: LocalizedText? = nil, next: String? = nil) {
            self.title = title
            self.description = description
            self.next = next
        }

        /// The names of the fields that this edit contains.
        package var fields: [String] {
            [title.map { _ in "title" }, description.map { _ in "description" }, next.map { _ in "next" }]
                .compactMap { $0 }
        }
    }

    /// Replaces each field of the set that `about` contains.
    package mutating func take(_ about: About) {
        title = about.title ?? title
        description = about.description ?? description
        if let next = about.next { self.next = next.isEmpty ? nil : next }
    }
}

/// A host's edit of a question set, except of its questions. A nil field does not change its value.
package struct QuestionSetChange: Hashable, Sendable {
    package let open: Bool?
    package let shared: Bool?
    package let promise: ChosenPromise
    /// Whether answers can change while the set is open.
    package let changeable: Bool?
    /// The set's new place among the session's other sets, from 1. A place after the last one means the last
    /// one. `feedback` is always the first set and cannot move.
    package let position: Int?
    /// The name under which the set is published as a form. An empty text ends the publication, and then the
    /// set accepts answers only with a receipt.
    package let publishedAs: String?
    /// Whether the published form takes one response from each device.
    package let oncePerDevice: Bool?
    package let about: QuestionSet.About

    package init(
        open: Bool? = nil, shared: Bool? = nil, promise: ChosenPromise = .unchanged, changeable: Bool? = nil,
        position: Int? = nil, publishedAs: String? = nil, oncePerDevice: Bool? = nil,
        about: QuestionSet.About = .init()
    ) {
        self.open = open
        self.shared = shared
        self.promise = promise
        self.changeable = changeable
        self.position = position
        self.publishedAs = publishedAs
        self.oncePerDevice = oncePerDevice
        self.about = about
    }

    /// The names of the fields that this edit contains.
    package var fields: [String] {
        [
            open.map { _ in "open" }, shared.map { _ in "shared" }, promise.isEmpty ? nil : "promise",
            changeable.map { _ in "changeable" }, position.map { _ in "position" },
            publishedAs.map { _ in "publishedAs" }, oncePerDevice.map { _ in "oncePerDevice" },
        ].compactMap { $0 } + about.fields
    }
}

// MARK: Copies

extension QuestionSet {
    /// Returns a copy of the set with new question ids and without responses. References between the
    /// questions use the new ids. The host decides anew whether to share the results of the copy. A copy with
    /// the name `check-in` is named.
    package func copied(as name: String? = nil, at now: Instant) -> QuestionSet {
        let ids = Dictionary(uniqueKeysWithValues: questions.map { ($0.id, QuestionID.make(at: now)) })
        let name = name ?? self.name
        return QuestionSet(
            name: name, title: title, description: description, next: next,
            questions: questions.map { $0.renamed(by: ids) },
            promise: name == Self.checkIn ? .named : promise, changeable: changeable, position: position)
    }
}

extension Question {
    /// Returns the question with new ids: its own id, and the ids in its references to other questions.
    /// - Parameter ids: the new ids by old ids. An id that is not listed does not change.
    package func renamed(by ids: [QuestionID: QuestionID]) -> Question {
        Question(
            id: ids[id] ?? id, name: name, title: title, detail: detail, placeholder: placeholder,
            required: required, isHidden: isHidden,
            kind: kind, rules: rules.map { $0.renamed(by: ids) },
            eligibility: eligibility.map { $0.renamed(by: ids) },
            branches: branches.map { Branch($0.test.renamed(by: ids), next: $0.next) })
    }
}

extension Rule {
    fileprivate func renamed(by ids: [QuestionID: QuestionID]) -> Rule {
        Rule(test.renamed(by: ids), message: message, written: written)
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

/// The counts and settings of a session's feedback set. The server can read them without reading the
/// questions.
package struct FeedbackSummary: Hashable, Sendable {
    package let questions: Int
    package var responses: Int
    package let promise: AnswerPromise
    /// Whether `promise` can never change again, as in `QuestionSet`.
    package let anonymityIsFixed: Bool
    package let shared: Bool
    package let openByHand: Bool?

    package init(
        questions: Int, responses: Int, promise: AnswerPromise, anonymityIsFixed: Bool = false, shared: Bool,
        openByHand: Bool?
    ) {
        self.questions = questions
        self.responses = responses
        self.promise = promise
        self.anonymityIsFixed = anonymityIsFixed
        self.shared = shared
        self.openByHand = openByHand
    }

    /// The summary of a session that has no feedback set.
    package static let none = FeedbackSummary(
        questions: 0, responses: 0, promise: .anonymous, shared: false, openByHand: nil)

    /// Returns whether the feedback set has questions and is open at `now`.
    package func isOpen(in session: Session, at now: Instant) -> Bool {
        questions > 0 && session.feedbackIsOpen(byHand: openByHand, at: now)
    }

    /// Whether nobody can link a response to an attendee.
    package var anonymous: Bool { promise == .anonymous }

    /// Returns whether `promise` can no longer change, as `QuestionSet.hasFixedAnonymity` does.
    package func hasFixedAnonymity(in session: Session, at now: Instant) -> Bool {
        anonymityIsFixed
            || questions > 0 && session.feedbackHasOpened(byHand: openByHand, byClock: true, at: now)
    }
}
