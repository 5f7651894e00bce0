import HTTPServer
import Journal
import Meetings
import Wire

/// When people came, for a plot: a few numbers, where a list of ten thousand people would come to the same.
enum Arrivals {
    static func byMinute(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        let minutes = try await context.storage.read { rows throws(JournalError) in
            try rows.arrivalMinutes(of: id, limit: ArrivalMinute.most)
        }
        return .json(ArrivalsBody(minutes: minutes))
    }
}
