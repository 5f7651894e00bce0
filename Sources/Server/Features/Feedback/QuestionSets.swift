import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// A session's question sets together, and copies of another session's.
enum QuestionSets {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        return body(
            try await context.storage.read { rows throws(JournalError) in try rows.questionSets(of: id) },
            context)
    }

    static func copy(_ context: RequestContext, _ request: CopyQuestionsRequest) async throws -> HTTPResponse
    {
        try await context.perform(
            CopyQuestions(
                session: context.record.session.id, from: request.from, set: request.set,
                copyName: request.copyName,
                actor: context.accountID)
        ) { body($0, context, status: 201) }
    }

    private static func body(_ sets: [QuestionSet], _ context: RequestContext, status: Int = 200)
        -> HTTPResponse
    {
        let (session, now, language) = (context.record.session, context.now, context.language.rawValue)
        return .json(
            QuestionSetsBody(
                sets.map {
                    QuestionSetSummary(
                        $0.told(in: language), open: $0.isOpen(in: session, at: now),
                        anonymityFixed: $0.hasFixedAnonymity(in: session, at: now))
                }), status: status)
    }
}

extension Rule {
    /// What is said where a form is not meant for somebody.
    func ending(in language: Language) -> String {
        message.isEmpty ? Phrase.Page.notForYou.text(in: language) : message.text(in: language.rawValue)
    }
}
