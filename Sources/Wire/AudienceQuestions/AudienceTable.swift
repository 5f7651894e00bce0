package import Meetings
import Phrases

/// A session's questions from the audience as CSV, one line for each question. A question without a name has
/// an empty cell for the name.
package struct AudienceTable: Sendable {
    private var table: SpreadsheetTable<AudienceQuestionBody>

    package var bytes: [UInt8] { table.bytes }

    package init(of meeting: Meeting, _ form: TableForm) {
        let zone = meeting.timeZone
        table = SpreadsheetTable(
            form,
            [
                .init("at", form.word(Phrase.Export.askedAt)) { .text(WallTime($0.at, in: zone).text) },
                .init("text", form.word(Phrase.Export.question)) { .text($0.text) },
                .init("votes", form.word(Phrase.Export.votes)) { .number(String($0.votes)) },
                .init("status", form.word(Phrase.Export.status)) {
                    let status = $0.status.rawValue
                    return .text(Phrase.Record.questionStatuses[status].map(form.word) ?? status)
                },
                .init("pinned", form.word(Phrase.Export.pinned)) { form.yes($0.pinned) },
                .init("answer", form.word(Phrase.Export.answer)) { .text($0.answer ?? "") },
                .init("name", form.word(Phrase.Export.name)) { .text($0.name ?? "") },
            ])
    }

    /// Adds a line for a question, as members see it.
    package mutating func add(_ question: AudienceQuestionBody) { table.add(question) }
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
