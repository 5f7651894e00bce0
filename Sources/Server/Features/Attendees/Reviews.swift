import HTTPServer
import Journal
import Meetings
import Wire

/// What is unusual about a session's check-ins.
enum Reviews {
    static func review(_ context: RequestContext) async throws -> HTTPResponse {
        let session = context.record.session
        let facts = try await context.storage.read { rows throws(JournalError) in
            try rows.checkInFacts(of: session.id)
        }
        return .json(await body(of: facts, session, context))
    }

    @concurrent
    private static func body(of facts: [CheckInFact], _ session: Session, _ context: RequestContext) async
        -> ReviewBody
    {
        ReviewBody(
            checkedIn: facts.count(where: \.status.countsAsCheckedIn),
            findings: SessionReview.findings(facts, in: session).map {
                ReviewBody.Finding($0, in: context.language)
            })
    }
}
