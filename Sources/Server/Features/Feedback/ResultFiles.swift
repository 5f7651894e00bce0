import HTTPServer
import Journal
import Meetings
import Phrases
import Rooms
import Wire

/// A set's results as files: every response that is shown, in no order where the set is anonymous.
enum ResultFiles {
    @concurrent
    static func table(_ context: RequestContext) async throws -> HTTPResponse {
        let (results, shown) = try await shown(context)
        var table = ResultsTable(
            results.set, of: context.record.meeting, in: context.language,
            byteOrderMark: try context.flag("bom") ?? false)
        for response in shown { table.add(response) }
        return file("text/csv; charset=utf-8", table.bytes, "csv", results.set, context)
    }

    @concurrent
    static func json(_ context: RequestContext) async throws -> HTTPResponse {
        let (results, shown) = try await shown(context)
        let (record, now) = (context.record, context.now)
        let body = ResultsFileBody(
            results.body(in: record, at: now), results.set, of: record.session, in: record.meeting, at: now,
            shown)
        return file("application/json", WireJSON.bytes(body), "json", results.set, context)
    }

    /// Results and responses as they stood at one moment, so that the one can be counted by the other.
    private static func shown(_ context: RequestContext) async throws -> (SetResults, [ShownResponse]) {
        let (name, session, language) = (
            try Feedback.name(context), context.record.session.id, context.language.rawValue
        )
        let found = try await context.storage.read {
            rows throws(JournalError) -> (SetResults, [ShownResponse])? in
            guard let set = try rows.questionSet(name, of: session)?.told(in: language) else { return nil }
            let tallies = try rows.tallies(of: session, set: name)
            var shown: [ShownResponse] = []
            var cursor: ResponseCursor?
            while true {
                let page = try rows.responses(of: session, set: name, after: cursor, limit: 1000)
                for response in page {
                    let response = response.showing(set.shownAnswers(of: response, by: tallies))
                    // Nothing of it may be seen, its hour neither.
                    if response.answers.isEmpty { continue }
                    let attendee: Attendee? =
                        if let id = response.attendeeID, !set.anonymous { try rows.attendee(behind: id) } else
                        { nil }
                    shown.append(ShownResponse(response, by: attendee))
                }
                guard page.count == 1000, let last = page.last else { break }
                cursor = ResponseCursor(at: last.at, id: last.id)
            }
            return (try ResultsReader.results(of: set, in: session, from: rows), shown)
        }
        guard let (results, shown) = found else { throw Refusal.notFound(.questionSet) }
        return (results, results.set.anonymous ? shown.shuffled() : shown)
    }

    private static func file(
        _ type: String, _ bytes: [UInt8], _ ending: String, _ set: QuestionSet, _ context: RequestContext
    )
        -> HTTPResponse
    {
        let (meeting, round) = (context.record.meeting.name, context.record.session.round)
        return Exports.file(
            type, bytes, name: "\(meeting) \(round) \(set.name).\(ending)",
            plainName: "results-\(round)-\(set.name).\(ending)")
    }
}
