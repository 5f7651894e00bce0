package import Meetings
package import Phrases

/// A session's questions from the audience as CSV (RFC 4180), one line for each question. A question without
/// a name has an empty cell for the name.
package struct AudienceTable: Sendable {
    private let language: Language
    private let zone: Zone
    private var lines: SpreadsheetLines

    package var bytes: [UInt8] { lines.bytes }

    /// Creates a table with its header in the caller's language.
    package init(of meeting: Meeting, in language: Language, byteOrderMark: Bool) {
        self.language = language
        zone = meeting.timeZone
        lines = SpreadsheetLines(byteOrderMark: byteOrderMark)
        lines.add(
            [
                Phrase.Export.askedAt, .Export.question, .Export.votes, .Export.status, .Export.pinned,
                .Export.answer, .Export.name,
            ].map { $0.text(in: language) })
    }

    /// Adds a line for a question, as members see it.
    package mutating func add(_ question: AudienceQuestionBody) {
        let status = Phrase.Record.questionStatuses[question.status.rawValue]?.text(in: language)
        lines.add([
            .text(WallTime(question.at, in: zone).text), .text(question.text),
            .number(String(question.votes)), .text(status ?? question.status.rawValue),
            .text(question.pinned ? Phrase.Export.yes.text(in: language) : ""),
            .text(question.answer ?? ""), .text(question.name ?? ""),
        ])
    }
}

/// The file of a session's questions from the audience.
package struct AudienceFileBody: Codable, Hashable, Sendable {
    package let sessionId: SessionID
    package let meetingName: String
    package let round: Int
    package let exportedAt: Instant
    package let questions: [AudienceQuestionBody]

    package init(_ record: SessionRecord, at now: Instant, _ questions: [AudienceQuestionBody]) {
        sessionId = record.session.id
        meetingName = record.meeting.name
        round = record.session.round
        exportedAt = now
        self.questions = questions
    }
}
