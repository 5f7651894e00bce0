package import Meetings
package import Phrases

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

/// A set's responses as CSV (RFC 4180), one line for each response. Unless the set shows names, the
/// table has no column that identifies a person, and shows only the hour of each response.
package struct ResultsTable: Sendable {
    private let set: QuestionSet
    private let language: Language
    private let zone: Zone
    private var lines: SpreadsheetLines

    package var bytes: [UInt8] { lines.bytes }

    /// Creates a table with its header in the caller's language. The title of a question says how many of its
    /// texts are left out.
    package init(
        _ set: QuestionSet, of meeting: Meeting, omitting omitted: [OmittedTexts] = [],
        in language: Language, byteOrderMark: Bool
    ) {
        self.set = set
        self.language = language
        zone = meeting.timeZone
        lines = SpreadsheetLines(byteOrderMark: byteOrderMark)
        let identity = meeting.identifyBy == .number ? Phrase.Export.number : Phrase.Export.email
        let heads =
            !set.promise.showsNames
            ? [Phrase.Export.hour] : [Phrase.Export.name, identity, Phrase.Export.answeredAt]
        let titles = set.questions.map { question in
            let title = question.title.text(in: language.rawValue)
            guard let left = omitted.first(where: { $0.questionId == question.id }) else { return title }
            let counts = [
                (Phrase.Export.hiddenTexts, left.hidden), (Phrase.Export.pendingTexts, left.pending),
            ]
            let notes = counts.filter { $0.1 > 0 }.map { $0.text(in: language, ["count": String($1)]) }
            return "\(title) (\(notes.joined(separator: ", ")))"
        }
        lines.add(heads.map { $0.text(in: language) } + titles)
    }

    /// Adds a line for a response.
    package mutating func add(_ shown: ShownResponse) {
        let at = set.promise.showsNames ? shown.response.at : shown.response.at.startOfHour
        let wall = WallTime(at, in: zone).text
        let answers = set.questions.map { cell(shown.response.answers[$0.id], to: $0) }
        guard set.promise.showsNames else { return lines.add([.text(wall)] + answers) }
        // A response without a known attendee has only the hour, even if the set is named.
        let moment = shown.attendee == nil ? wall : "\(wall):\(shown.response.at.secondText)"
        lines.add(
            [.text(shown.attendee?.name ?? ""), .text(shown.attendee?.identity ?? ""), .text(moment)]
                + answers)
    }

    private func cell(_ answer: Answer?, to question: Question) -> SpreadsheetLines.Cell {
        switch answer {
        case nil: return .text("")
        case .text(let text): return .text(text)
        case .number(let number): return .number(Amount.text(number))
        case .choices: return .text(answer.map { question.text(of: $0, in: language) } ?? "")
        }
    }
}

extension Question {
    /// Returns the answer as people read it: labels instead of the ids of choices.
    package func text(of answer: Answer, in language: Language) -> String {
        switch answer {
        case .text(let text): return text
        case .number(let number): return Amount.text(number)
        case .choices(let ids, let other):
            if kindName == .wordCloud { return ids.joined(separator: "; ") }
            if kindName == .yesNo {
                return ids.compactMap(YesNo.init).map { $0.phrase.text(in: language) }.joined(separator: "; ")
            }
            guard case .multipleChoice(let choices, _, _) = kind else { return "" }
            let chosen = choices.filter { ids.contains($0.id) }.map { choice in
                let label = choice.label.text(in: language.rawValue)
                return choice.isOther ? other.map { "\(label): \($0)" } ?? label : label
            }
            return chosen.joined(separator: "; ")
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
