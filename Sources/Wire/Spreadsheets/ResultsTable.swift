package import Meetings
import Phrases

/// A response that the results include. `attendee` is set if the set is named and the attendee is known.
package struct ShownResponse: Sendable {
    package let response: Response
    package let attendee: Attendee?

    package init(_ response: Response, by attendee: Attendee? = nil) {
        self.response = response
        self.attendee = attendee
    }
}

/// The number of texts that a file of results leaves out, because a host has hidden them or has not shown
/// them yet.
package struct OmittedTexts: Codable, Hashable, Sendable {
    package let questionId: QuestionID
    package let hidden: Int
    package let pending: Int

    package init(questionId: QuestionID, hidden: Int, pending: Int) {
        self.questionId = questionId
        self.hidden = hidden
        self.pending = pending
    }
}

/// A set's responses as CSV, one line for each response. Unless the set shows names, the table has no column
/// that identifies a person, and shows only the hour of each response.
package struct ResultsTable: Sendable {
    private var table: SpreadsheetTable<ShownResponse>

    package var bytes: [UInt8] { table.bytes }

    /// Creates a table with its header. The heading of a question says how many of its texts are left out.
    package init(
        _ set: QuestionSet, of meeting: Meeting, omitting omitted: [OmittedTexts] = [], _ form: TableForm
    ) {
        let who = set.promise.showsNames ? Self.namedColumns(meeting, form) : []
        let when = Self.timeColumn(set, meeting.timeZone, form)
        let answers = set.questions.map { question in
            TableColumn<ShownResponse>(
                question.id.text, Self.heading(of: question, omitting: omitted, form)
            ) { question.cell(for: $0.response.answers[question.id], in: form.language) }
        }
        table = SpreadsheetTable(form, who + [when] + answers)
    }

    private static func namedColumns(_ meeting: Meeting, _ form: TableForm) -> [TableColumn<ShownResponse>] {
        let (key, identity) =
            meeting.identifyBy == .number
            ? ("number", Phrase.Export.number) : ("email", Phrase.Export.email)
        return [
            .init("name", form.word(Phrase.Export.name)) { .text($0.attendee?.name ?? "") },
            .init(key, form.word(identity)) { .text($0.attendee?.identity ?? "") },
        ]
    }

    private static func timeColumn(
        _ set: QuestionSet, _ zone: Zone, _ form: TableForm
    ) -> TableColumn<ShownResponse> {
        guard set.promise.showsNames else {
            return .init("at", form.word(Phrase.Export.hour)) {
                .text(WallTime($0.response.at.startOfHour, in: zone).text)
            }
        }
        return .init("at", form.word(Phrase.Export.answeredAt)) { shown in
            let wall = WallTime(shown.response.at, in: zone).text
            // A response without a known attendee has only the hour, even if the set is named.
            return .text(shown.attendee == nil ? wall : "\(wall):\(shown.response.at.secondText)")
        }
    }

    private static func heading(
        of question: Question, omitting omitted: [OmittedTexts], _ form: TableForm
    ) -> String {
        let title = question.title.text(in: form.language.rawValue)
        guard let left = omitted.first(where: { $0.questionId == question.id }) else { return title }
        let counts = [
            (Phrase.Export.hiddenTexts, left.hidden), (Phrase.Export.pendingTexts, left.pending),
        ]
        let notes = counts.filter { $0.1 > 0 }.map { $0.text(in: form.language, ["count": String($1)]) }
        return "\(title) (\(notes.joined(separator: ", ")))"
    }

    /// Adds a line for a response.
    package mutating func add(_ shown: ShownResponse) { table.add(shown) }
}

extension Question {
    fileprivate func cell(for answer: Answer?, in language: Language) -> SpreadsheetLines.Cell {
        switch answer {
        case nil: .text("")
        case .number(let number): .number(Amount.text(number))
        case let answer?: .text(parts(of: answer, in: language, .cell).joined(separator: "; "))
        }
    }
}

/// The file of a set's results: its questions, its results, and every response that the results include.
package struct ResultsFileBody: Codable, Hashable, Sendable {
    package let sessionId: SessionID
    package let meetingName: String
    package let round: Int
    package let exportedAt: Instant
    package let results: ResultsBody
    package let questions: [Question]
    package let responses: [ResponseRow]
    /// The questions of which texts are left out of `responses`.
    package let omittedTexts: [OmittedTexts]
    /// The texts of `responses` that at least two answers share, for each question that has such texts.
    package let repeatedTexts: [RepeatedTexts]

    /// A response with its answers.
    package struct ResponseRow: Codable, Hashable, Sendable {
        /// The time of the response, rounded to the hour if no attendee is named.
        package let at: Instant
        package let attendeeId: AttendeeID?
        package let name: String?
        package let answers: NamedAnswers
    }

    package init(
        _ results: ResultsBody, _ set: QuestionSet, of session: Session, in meeting: Meeting, at now: Instant,
        _ shown: [ShownResponse], omitting omitted: [OmittedTexts] = []
    ) {
        omittedTexts = omitted
        repeatedTexts = RepeatedTexts.among(shown, to: set)
        sessionId = session.id
        meetingName = meeting.name
        round = session.round
        exportedAt = now
        self.results = results
        questions = set.questions
        responses = shown.map { shown in
            ResponseRow(
                at: set.promise.showsNames ? shown.response.at : shown.response.at.startOfHour,
                attendeeId: shown.attendee?.id, name: shown.attendee?.name,
                answers: NamedAnswers(
                    set.questions.compactMap { question in
                        shown.response.answers[question.id].map { (question.id.text, $0) }
                    }))
        }
    }
}

/// The answers as `{questionId: value}`, in the order of the questions.
package struct NamedAnswers: Codable, Hashable, Sendable {
    package let answers: [String: Answer]
    private let order: [String]

    package init(_ answers: [(String, Answer)]) {
        self.answers = Dictionary(answers) { first, _ in first }
        order = answers.map(\.0)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: LocalizedText.Tag.self)
        self.init(
            try container.allKeys.map { ($0.stringValue, try container.decode(Answer.self, forKey: $0)) })
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: LocalizedText.Tag.self)
        for name in order {
            try container.encodeIfPresent(answers[name], forKey: LocalizedText.Tag(stringValue: name))
        }
    }
}

extension NamedAnswers: SchemaDescribed {
    static var schema: Schema { .map(Answer.schema) }
    static var example: NamedAnswers { NamedAnswers([]) }
}
