package import Meetings

package struct QuestionSetBody: Codable, Hashable, Sendable {
    package let set: String
    package let questions: [Question]
    package let open: Bool
    package let shared: Bool
    package let anonymous: Bool
    package let responses: Int
    package let version: Int

    package init(_ set: QuestionSet, open: Bool) {
        self.set = set.name
        questions = set.questions
        self.open = open
        shared = set.shared
        anonymous = set.anonymous
        responses = set.responses
        version = set.version
    }
}

package struct ResponseBody: Codable, Hashable, Sendable {
    package let set: String
    package let anonymous: Bool

    package init(set: String, anonymous: Bool) {
        self.set = set
        self.anonymous = anonymous
    }
}

package struct ResultsBody: Codable, Hashable, Sendable {
    package let set: String
    package let anonymous: Bool
    package let shared: Bool
    package let open: Bool
    package let responses: Int
    /// Responses among those who checked in, 0–1.
    package let responseRate: Double
    package let tallies: [TallyBody]

    package init(_ set: QuestionSet, open: Bool, checkedIn: Int, tallies: [TallyBody]) {
        self.set = set.name
        anonymous = set.anonymous
        shared = set.shared
        self.open = open
        responses = set.responses
        responseRate = checkedIn == 0 ? 0 : min(1, (Double(set.responses) / Double(checkedIn) * 1000).rounded() / 1000)
        self.tallies = tallies
    }
}

/// The running result of a question, or the reason why it is hidden.
package struct TallyBody: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let set: String
    package let title: String
    package let kind: Question.KindName
    package let answers: Int
    /// Most chosen first.
    package var choices: [ChoiceCount]?
    /// `counts[0]` is one star.
    package var counts: [Int]?
    /// Two decimals.
    package var average: Double?
    package var latest: [TextAnswerBody]?
    package var hidden: Hidden?

    package struct ChoiceCount: Codable, Hashable, Sendable {
        package let id: String
        package let label: String
        package let count: Int
    }

    package struct Hidden: Codable, Hashable, Sendable {
        /// `too_few_responses`.
        package let reason: String
        package let minimum: Int
    }

    /// At most this many newest texts stand in a tally.
    package static let mostTexts = 7

    /// `latest` is read for short answers only.
    package init(_ question: Question, in set: QuestionSet, count: TallyCount, latest: [TextAnswerBody]) {
        questionId = question.id
        self.set = set.name
        title = question.title
        kind = question.kindName
        guard !set.anonymous || set.publishedResponses >= QuestionSet.smallestGroup else {
            answers = 0
            hidden = Hidden(reason: "too_few_responses", minimum: QuestionSet.smallestGroup)
            return
        }
        answers = count.answers
        switch question.kind {
        case .multipleChoice(let options, _, _):
            choices = zip(options, count.counts).map { ChoiceCount(id: $0.id, label: $0.label, count: $1) }
                .enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
        case .rating:
            counts = count.counts
            average = count.average.map { ($0 * 100).rounded() / 100 }
        case .shortAnswer: self.latest = latest
        }
    }
}

package struct TextAnswerBody: Codable, Hashable, Sendable {
    package let text: String
    /// The hour, where the set is anonymous.
    package let at: Instant

    package init(text: String, at: Instant) {
        self.text = text
        self.at = at
    }
}

package struct EventBody: Codable, Sendable {
    package let sequence: Int64
    package let at: Instant
    package let kind: Event.Kind
    package let attendeeId: AttendeeID?
    package let actor: String
    package let data: EventData

    package init(_ event: Event) {
        sequence = event.sequence
        at = event.at
        kind = event.kind
        attendeeId = event.attendeeID
        actor = event.actor.text
        data = event.data
    }
}
