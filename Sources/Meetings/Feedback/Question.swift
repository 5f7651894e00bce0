/// One question of a session's question set.
package struct Question: Hashable, Sendable {
    package let id: QuestionID
    /// 1–200 characters.
    package var title: String
    /// At most 1,000 characters; empty where there is none.
    package var detail: String
    package var required: Bool
    package var kind: Kind

    package enum Kind: Hashable, Sendable {
        /// 2–50 choices; between `minSelections` and `maxSelections` of them are an answer.
        case multipleChoice(choices: [Choice], minSelections: Int, maxSelections: Int)
        /// A text of 1–`maxLength` characters; `maxLength` is 1–5,000.
        case shortAnswer(maxLength: Int)
        /// 1–`scale` stars; `scale` is 2–10.
        case rating(scale: Int)
    }

    package struct Choice: Hashable, Sendable, Codable {
        /// 1–40 characters, unique in its question.
        package let id: String
        /// 1–200 characters.
        package var label: String

        package init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    package init(id: QuestionID, title: String, detail: String = "", required: Bool = false, kind: Kind) {
        self.id = id
        self.title = title
        self.detail = detail
        self.required = required
        self.kind = kind
    }

    /// Whether answers to `other` are answers to this one too: nothing but words and hiding differ.
    package func asksTheSame(as other: Question) -> Bool {
        guard id == other.id else { return false }
        switch (kind, other.kind) {
        case (.multipleChoice(let choices, let min, let max), .multipleChoice(let others, let otherMin, let otherMax)):
            return choices.map(\.id) == others.map(\.id) && min == otherMin && max == otherMax && required == other.required
        case (.shortAnswer(let length), .shortAnswer(let otherLength)): return length == otherLength && required == other.required
        case (.rating(let scale), .rating(let otherScale)): return scale == otherScale && required == other.required
        default: return false
        }
    }
}

/// A named group of questions that are answered together.
package struct QuestionSet: Hashable, Sendable {
    /// `feedback`, unless a host named another: 1–40 characters of `a–z 0–9 -`.
    package let name: String
    package var questions: [Question]
    /// Set by a host by hand; nil leaves it to the feedback window.
    package var openByHand: Bool?
    /// Whether the audience sees results.
    package var shared: Bool
    /// Fixed once there are responses.
    package var anonymous: Bool
    package var responses: Int
    /// How many of them results show: all where named, moving in steps of `smallestGroup` where anonymous.
    package var publishedResponses: Int
    package var version: Int

    package static let feedback = "feedback"
    /// Results of fewer responses than this are shown to nobody, and anonymous ones move in steps of it.
    package static let smallestGroup = 3
    package static let mostQuestions = 50

    package init(
        name: String = feedback, questions: [Question] = [], openByHand: Bool? = nil, shared: Bool = false, anonymous: Bool = true,
        responses: Int = 0, publishedResponses: Int = 0, version: Int = 1
    ) {
        self.name = name
        self.questions = questions
        self.openByHand = openByHand
        self.shared = shared
        self.anonymous = anonymous
        self.responses = responses
        self.publishedResponses = publishedResponses
        self.version = version
    }

    /// 1–40 characters of `a–z 0–9 -`.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    }

    package var summary: FeedbackSummary {
        FeedbackSummary(questions: questions.count, responses: responses, anonymous: anonymous, shared: shared, openByHand: openByHand)
    }

    package func isOpen(in session: Session, at now: Instant) -> Bool { session.feedbackIsOpen(byHand: openByHand, at: now) }

    /// Nil where answers are taken.
    package func refusal(in session: Session, at now: Instant) -> Refusal? {
        if isOpen(in: session, at: now) { return nil }
        if openByHand == nil, now < session.feedbackOpensAt { return .feedbackNotOpen(opensAt: session.feedbackOpensAt) }
        return .feedbackClosed
    }
}
