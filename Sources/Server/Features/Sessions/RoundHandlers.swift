import HTTPServer
import Journal
import Meetings
import Wire

/// The rounds of a meeting: found, and planned ahead.
enum RoundHandlers {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting, now) = (try context.limit(), context.meeting, context.now)
        // One that is none is refused, also where what is searched for has one page.
        _ = try context.cursor()
        switch RoundSearch(try context.searched() ?? "", in: meeting, at: now) {
        case .all: return try await all(context, limit: limit)
        case .none: return page([], next: nil, context)
        case .round(let round):
            let found = try await context.storage.read { rows throws(JournalError) in
                try rows.session(of: meeting.id, round: round)
            }
            return page(found.map { [$0] } ?? [], next: nil, context)
        case .starting(let ranges): return try await starting(ranges, context, limit: limit)
        }
    }

    private static func all(_ context: RequestContext, limit: Int) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        let before = try context.cursor().map { cursor in
            guard let round = cursor.integer(0) else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            return Int(round)
        }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.sessions(of: meeting, before: before, limit: limit + 1)
        }
        let next = found.count > limit ? Cursor(String(found[limit - 1].session.round)).text : nil
        return page(found.prefix(limit), next: next, context)
    }

    /// The latest days first; the cursor says the moment and the round that the last page ended with.
    private static func starting(_ ranges: [Range<Instant>], _ context: RequestContext, limit: Int)
        async throws -> HTTPResponse
    {
        let meeting = context.meeting.id
        let before = try context.cursor().map { cursor in
            guard let startsAt = cursor.integer(0), let round = cursor.integer(1) else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            return RoundCursor(startsAt: Instant(milliseconds: startsAt), round: Int(round))
        }
        let found = try await context.storage.read { rows throws(JournalError) -> [SessionRecord] in
            var found: [SessionRecord] = []
            for range in ranges where found.count <= limit {
                found += try rows.sessions(
                    of: meeting, starting: range, before: before, limit: limit + 1 - found.count)
            }
            return found
        }
        let last = found.count > limit ? found[limit - 1].session : nil
        return page(
            found.prefix(limit),
            next: last.map { Cursor(String($0.startsAt.milliseconds), String($0.round)).text }, context)
    }

    private static func page(
        _ records: some Sequence<SessionRecord>, next: String?, _ context: RequestContext
    ) -> HTTPResponse {
        .json(
            Page(
                items: records.map { context.sessionBody($0, for: .member) },
                nextCursor: next))
    }

    static func plan(_ context: RequestContext, _ request: RepeatRequest) async throws -> HTTPResponse {
        try await context.perform(
            RepeatMeeting(
                meeting: context.meeting.id, rule: request.rule, count: request.count, first: request.first,
                settings: request.settings,
                allowOverlap: request.allowOverlap, actor: context.accountID)
        ) { made in
            .json(
                Page(
                    items: made.map { context.sessionBody($0, for: .member) },
                    nextCursor: nil), status: 201)
        }
    }
}
