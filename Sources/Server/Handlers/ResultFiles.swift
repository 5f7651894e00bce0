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
        let (set, shown) = try await responses(context)
        var table = ResultsTable(set, of: context.record.meeting, in: context.language, byteOrderMark: try context.flag("bom") ?? false)
        for response in shown { table.add(response) }
        return file("text/csv; charset=utf-8", table.bytes, "csv", set, context)
    }

    @concurrent
    static func json(_ context: RequestContext) async throws -> HTTPResponse {
        let (found, shown) = try await responses(context)
        let set = found.told(in: context.language.rawValue)
        let (record, now) = (context.record, context.now)
        let results = try await context.storage.read { rows throws(JournalError) in
            try ResultsReader.results(of: set, in: record.session.id, from: rows)
        }
        let body = ResultsBody(
            set, open: set.isOpen(in: record.session, at: now), checkedIn: record.attendance(at: now).checkedIn, tallies: results.tallies)
        let bytes = WireJSON.bytes(ResultsFileBody(body, set, of: record.session, in: record.meeting, at: now, shown))
        return file("application/json", bytes, "json", set, context)
    }

    private static func responses(_ context: RequestContext) async throws -> (QuestionSet, [ShownResponse]) {
        let (name, session) = (try Feedback.name(context), context.record.session.id)
        let found = try await context.storage.read { rows throws(JournalError) -> (QuestionSet, [ShownResponse])? in
            guard let set = try rows.questionSet(name, of: session) else { return nil }
            // The minimum group holds for files as it does for counts.
            if set.anonymous, set.publishedResponses < QuestionSet.smallestGroup { return (set, []) }
            var shown: [ShownResponse] = []
            var cursor: ResponseCursor?
            while true {
                let page = try rows.responses(of: session, set: name, after: cursor, limit: 1000)
                for response in page {
                    let attendee: Attendee? =
                        if let id = response.attendeeID, !set.anonymous { try rows.attendee(behind: id) } else { nil }
                    shown.append(ShownResponse(response, by: attendee))
                }
                guard page.count == 1000, let last = page.last else { return (set, shown) }
                cursor = ResponseCursor(at: last.at, id: last.id)
            }
        }
        guard let (set, shown) = found else { throw Refusal.notFound(.questionSet) }
        return (set, set.anonymous ? shown.shuffled() : shown)
    }

    private static func file(_ type: String, _ bytes: [UInt8], _ ending: String, _ set: QuestionSet, _ context: RequestContext)
        -> HTTPResponse
    {
        let (meeting, round) = (context.record.meeting.name, context.record.session.round)
        return Exports.file(
            type, bytes, name: "\(meeting) \(round) \(set.name).\(ending)", plainName: "results-\(round)-\(set.name).\(ending)")
    }
}
