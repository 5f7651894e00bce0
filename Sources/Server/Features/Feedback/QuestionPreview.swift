import HTTPServer
import Journal
import Meetings
import Phrases

/// The page that shows a host a question set as attendees see it. It has no button, and stores nothing.
enum QuestionPreview {
    static func page(_ context: RequestContext) async throws -> HTTPResponse {
        let (record, language) = (context.record, context.language)
        let name = try Feedback.name(context)
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.questionSet(name, of: record.session.id)
        }
        guard let set = found else { throw Refusal.notFound(.questionSet) }
        let title = set.title.text(in: language.rawValue)
        let description = set.description.text(in: language.rawValue)
        let heading: HTML? = title.isEmpty ? nil : "<h2>\(title)</h2>"
        let about: HTML? = description.isEmpty ? nil : "<p>\(description)</p>"
        return .html(
            PageFrame(
                language: language, title: record.meeting.name, accent: record.meeting.accent,
                hasStage: true
            ).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1>\(Phrase.Page.preview.text(in: language))</h1>
                <p class="note">\(Phrase.Page.previewAbout.text(in: language))</p>
                \(heading)
                \(about)
                \(QuestionFields(set, language: language).html())
                """))
    }
}
