package import Meetings

/// A question set with its questions.
package struct QuestionSetBody: Codable, Hashable, Sendable {
    package let set: String
    /// The title in the caller's language. `titles` and `descriptions` have the texts in all languages.
    package let title: String?
    package let titles: LocalizedText?
    package let description: String?
    package let descriptions: LocalizedText?
    /// The set that follows this set, unless an answer leads to another set.
    package let next: String?
    package let questions: [Question]
    package let open: Bool
    package let shared: Bool
    package let anonymous: Bool
    /// What the form promises about names.
    package let promise: AnswerPromise
    /// Whether `promise` can no longer change, because the set was opened, or attendees have seen it.
    package let anonymityFixed: Bool
    /// Whether attendees can change their answers while the set is open.
    package let changeable: Bool
    /// The set's place in the order of the session's sets.
    package let position: Int
    package let responses: Int
    /// The name of the published form. Anybody may answer the form without a receipt.
    package let publishedAs: String?
    /// Whether the published form takes one response from each device.
    package let oncePerDevice: Bool
    package let version: Int

    package init(_ set: QuestionSet, open: Bool, anonymityFixed: Bool) {
        self.set = set.name
        title = set.title.plainIfAny
        titles = set.title.byLanguage
        description = set.description.plainIfAny
        descriptions = set.description.byLanguage
        next = set.next
        questions = set.questions
        self.open = open
        shared = set.shared
        anonymous = set.anonymous
        promise = set.promise
        self.anonymityFixed = anonymityFixed
        changeable = set.isChangeable
        position = set.position
        responses = set.responses
        publishedAs = set.publishedAs
        oncePerDevice = set.oncePerDevice
        version = set.version
    }
}

/// A question set in the list of its session's sets.
package struct QuestionSetSummary: Codable, Hashable, Sendable {
    package let set: String
    package let title: String?
    package let titles: LocalizedText?
    /// The text by which people recognize the set: its title, or else its first question. Nil if the set has
    /// neither. `headings` has the text in all languages.
    package let heading: String?
    package let headings: LocalizedText?
    package let questions: Int
    package let open: Bool
    package let shared: Bool
    /// Whether answers are anonymous. Nil for attendees while a host can still change it.
    package let anonymous: Bool?
    /// What the form promises about names. Nil for attendees while a host can still change it.
    package let promise: AnswerPromise?
    package let anonymityFixed: Bool
    /// Whether attendees can change their answers while the set is open.
    package let changeable: Bool
    /// The set's place in the order of the session's sets.
    package let position: Int
    package let responses: Int
    /// The number of responses that no result includes yet (`QuestionSet.pendingResponses`).
    package let pending: Int
    /// The number of responses by a published form. Their senders are unknown, so the responses do not count
    /// in the response rate.
    package let withoutReceipt: Int
    package let next: String?
    package let publishedAs: String?
    package let version: Int
    /// The questions of an open poll whose results are not shared, for the hall's screen only.
    package var asked: [AskedQuestion]?

    /// - Parameters:
    ///   - questions: the number of questions; nil if `set` has all of them.
    ///   - tellsAnonymity: whether the reader may know the promise.
    ///   - tellsQuestions: whether the reader may know the questions. If not, only a title is the heading.
    package init(
        _ set: QuestionSet, questions: Int? = nil, open: Bool, anonymityFixed: Bool,
        tellsAnonymity: Bool = true, tellsQuestions: Bool = true
    ) {
        self.set = set.name
        title = set.title.plainIfAny
        titles = set.title.byLanguage
        let heading = tellsQuestions ? set.heading : set.title
        self.heading = heading.plainIfAny
        headings = heading.byLanguage
        self.questions = questions ?? set.questions.count
        self.open = open
        shared = set.shared
        anonymous = tellsAnonymity ? set.anonymous : nil
        promise = tellsAnonymity ? set.promise : nil
        self.anonymityFixed = anonymityFixed
        changeable = set.isChangeable
        position = set.position
        responses = set.responses
        pending = set.pendingResponses
        withoutReceipt = set.withoutReceipt
        next = set.next
        publishedAs = set.publishedAs
        version = set.version
    }
}

extension QuestionSetSummary {
    /// The key that sorts the sets of a session.
    package var sortKey: (Int, Int, String) { QuestionSet.sortKey(set, position) }
}

/// A question as the hall's screen shows it while people answer.
package struct AskedQuestion: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let title: String
    /// The title in several languages; nil if the title has no languages.
    package let titles: LocalizedText?
    package let kind: Question.KindName
    /// The choices in the form's order, or yes and no; nil for other kinds.
    package let choices: [Choice]?
    /// The number of points of a scale, or of stars; nil for other kinds.
    package let scale: Int?
    /// The labels of points of a scale. Nil if no point has a label.
    package let points: [TallyBody.Point]?
    /// The most words of one attendee for a word cloud; nil for other kinds.
    package let maxWords: Int?

    package struct Choice: Codable, Hashable, Sendable {
        package let label: String
        package let labels: LocalizedText?
    }

    package init(_ question: Question) {
        questionId = question.id
        title = question.title.plain
        titles = question.title.byLanguage
        kind = question.kindName
        let parts = question.kind.shown.asked()
        choices = parts.choices
        scale = parts.scale
        points = parts.points
        maxWords = parts.maxWords
    }

    /// The fields that depend on the kind.
    struct Parts {
        var choices: [Choice]?
        var scale: Int?
        var points: [TallyBody.Point]?
        var maxWords: Int?
    }
}

extension AskedQuestion.Parts {
    /// The parts of a question that only has choices.
    init(of choices: [Question.Choice]) {
        self.init(choices: choices.map { .init(label: $0.label.plain, labels: $0.label.byLanguage) })
    }
}

/// The question sets of a session.
package struct QuestionSetsBody: Codable, Hashable, Sendable {
    package let items: [QuestionSetSummary]

    package init(_ items: [QuestionSetSummary]) { self.items = items }
}

/// The server's answer to an attendee's response.
package struct ResponseBody: Codable, Hashable, Sendable {
    package let set: String
    package let anonymous: Bool
    package let promise: AnswerPromise
    /// Whether these answers replaced earlier ones.
    package let replaced: Bool
    /// The set that follows after these answers. The attendee may answer it now.
    package let next: String?
    /// The message of the host in the caller's language, or of the server, if the form is not meant for this
    /// attendee. In this case, nothing was stored.
    package let ended: String?

    package init(
        set: String, promise: AnswerPromise, replaced: Bool = false, next: String? = nil,
        ended: String? = nil
    ) {
        self.set = set
        anonymous = promise == .anonymous
        self.promise = promise
        self.replaced = replaced
        self.next = next
        self.ended = ended
    }
}

/// The results of a question set.
package struct ResultsBody: Codable, Hashable, Sendable {
    package let set: String
    package let anonymous: Bool
    package let promise: AnswerPromise
    package let shared: Bool
    package let open: Bool
    package let responses: Int
    /// The number of responses to an anonymous set that are held back until their group is complete.
    package let pending: Int
    /// The number of responses by a published form. Their senders are unknown, so the responses do not count
    /// in the response rate.
    package let withoutReceipt: Int
    /// The share of checked-in attendees who responded, 0–1. Responses without a receipt do not count.
    package let responseRate: Double
    package var tallies: [TallyBody]

    package init(_ set: QuestionSet, open: Bool, checkedIn: Int, tallies: [TallyBody]) {
        self.set = set.name
        anonymous = set.anonymous
        promise = set.promise
        shared = set.shared
        self.open = open
        responses = set.responses
        pending = set.pendingResponses
        withoutReceipt = set.withoutReceipt
        let received = Double(set.responses - set.withoutReceipt)
        responseRate = checkedIn == 0 ? 0 : min(1, (received / Double(checkedIn) * 1000).rounded() / 1000)
        self.tallies = tallies
    }
}

/// A text answer to a question.
package struct TextAnswerBody: Codable, Hashable, Sendable {
    package let text: String
    /// The time of the answer, rounded to the hour unless the set shows names. Nil for a word of a word
    /// cloud, which several people may have written.
    package let at: Instant?
    /// How many people wrote the word; nil for a text.
    package let count: Int?
    /// The id by which a host moderates the text. Only the list of answers has it. It reveals neither the
    /// person nor the order of answers.
    package let id: String?
    /// Whether shared results contain the text. Only the list of answers has it; tallies contain visible
    /// texts alone.
    package var status: TextStatus?

    package init(text: String, at: Instant, id: String? = nil, status: TextStatus? = nil) {
        self.text = text
        self.at = at
        count = nil
        self.id = id
        self.status = status
    }

    /// Makes the body of a word of a word cloud.
    package init(word: String, count: Int, id: String, status: TextStatus) {
        text = word
        at = nil
        self.count = count
        self.id = id
        self.status = status
    }

    /// - Parameter at: the moment of the response to `set`.
    package init(
        text: String, at: Instant, in set: QuestionSet, id: String? = nil, status: TextStatus? = nil
    ) {
        self.init(text: text, at: set.promise.showsNames ? at : at.startOfHour, id: id, status: status)
    }
}
