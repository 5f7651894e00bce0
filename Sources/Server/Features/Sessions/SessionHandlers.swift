import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for sessions: a session by its id, the sessions of a meeting, and the sessions around a time.
enum SessionHandlers {
    static func show(_ context: RequestContext) async throws -> HTTPResponse { try shown(context) }

    /// Returns the session that the access check has found.
    static func shown(_ context: RequestContext) throws -> HTTPResponse {
        let body = context.sessionBody(context.record, for: .member)
        var response = HTTPResponse.json(
            encoded: context.services.sessionsForMembers.bytes(of: body), status: 200)
        response.headers.append(("ETag", "\"v\(body.version)\""))
        return response
    }

    static func edit(_ context: RequestContext, _ request: EditSessionRequest) async throws -> HTTPResponse {
        try await context.performLong(
            EditSession(
                id: context.record.session.id, startsAt: request.startsAt, endsAt: request.endsAt,
                settings: request.settings,
                renewsCode: request.renewCode, revokesLinks: request.revokePresenterLinks,
                allowOverlap: request.allowOverlap,
                note: request.note,
                expected: try context.expectedVersion(), actor: context.accountID), .lateLimit
        ) { outcome in
            var body = context.sessionBody(outcome.record, for: .member)
            let overlaps = context.visible(outcome.overlaps)
            if !overlaps.isEmpty { body.overlaps = overlaps.map(OverlapBody.init) }
            return .json(body)
        }
    }

    static func delete(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.perform(
            DeleteSession(
                id: context.record.session.id, confirmation: context.query(.confirm),
                actor: context.accountID))
        return .noContent
    }

    static func nearest(_ context: RequestContext) async throws -> HTTPResponse {
        let (account, now) = (context.accountID, context.now)
        let only = context.onlyMeeting
        let found = try await context.storage.read { rows throws(JournalError) in
            guard let only else { return try rows.nearestSession(of: account, at: now) }
            guard try rows.canRead(account, only) else { return nil }
            return try rows.nearestSession(of: only, at: now)
        }
        guard let found else { return .noContent }
        return .json(context.sessionBody(found, for: .member))
    }

    static func ofDay(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, account) = (try context.limit(), context.accountID)
        let day = try context.date().map { MeetingDay.date($0) } ?? .containing(context.now)
        let after = try context.cursor { cursor -> (Instant, SessionID)? in
            guard let start = cursor.integer(0), cursor.words.count == 2,
                let id = SessionID(cursor.words[1])
            else { return nil }
            return (Instant(milliseconds: start), id)
        }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.sessions(of: account, on: day, after: after, limit: limit + 1)
        }
        let last = found.count > limit ? found[limit - 1].session : nil
        return page(
            found.prefix(limit), next: last.map { Cursor(String($0.startsAt.milliseconds), $0.id.text).text },
            context)
    }

    static func overlap(_ context: RequestContext, _ request: OverlapRequest) async throws -> HTTPResponse {
        let account = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.sessionsOverlapping(
                request.startsAt, request.endsAt, ownedBy: account, except: request.exceptSessionId, limit: 20
            )
        }
        return .json(OverlapsBody(found.map { Overlap($0.session, meetingName: $0.meeting.name) }))
    }

    // MARK: The sessions of a meeting

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting, now) = (try context.limit(), context.meeting, context.now)
        // Rejects a malformed cursor, even if the result fits on one page.
        _ = try context.cursor()
        let text = try context.searched() ?? ""
        // A title can begin with a number or a day, so a search that finds no round is for a title.
        let title = RoundSearch.Title(text)
        switch RoundSearch(text, in: meeting, at: now) {
        case .all: return try await all(context, limit: limit)
        case .round(let round):
            let found = try await context.storage.read { rows throws(JournalError) in
                try rows.session(of: meeting.id, round: round)
            }
            if let found { return page([found], next: nil, context) }
            return try await titled(title, context, limit: limit)
        case .starting(let ranges):
            let isOfTitles = try context.cursor()?.words.count == 1
            if !isOfTitles, let found = try await starting(ranges, context, limit: limit) { return found }
            return try await titled(title, context, limit: limit)
        case .titled(let title): return try await titled(title, context, limit: limit)
        }
    }

    /// Lists the sessions with this part of a title, the newest round first. The cursor holds the round of
    /// the last item on the page.
    private static func titled(_ title: RoundSearch.Title, _ context: RequestContext, limit: Int) async throws
        -> HTTPResponse
    {
        let meeting = context.meeting.id
        let before = try context.cursor { $0.integer(0).map { Int($0) } } ?? .max
        let found = try await context.storage.read { rows throws(JournalError) -> [SessionRecord] in
            let rounds = try rows.sessionTitles(of: meeting).filter {
                $0.round < before && title.matches($0.title)
            }
            var found: [SessionRecord] = []
            for (round, _) in rounds.prefix(limit + 1) {
                if let session = try rows.session(of: meeting, round: round) { found.append(session) }
            }
            return found
        }
        let next = found.count > limit ? Cursor(String(found[limit - 1].session.round)).text : nil
        return page(found.prefix(limit), next: next, context)
    }

    private static func all(_ context: RequestContext, limit: Int) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        let before = try context.cursor { $0.integer(0).map { Int($0) } }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.sessions(of: meeting, before: before, limit: limit + 1)
        }
        let next = found.count > limit ? Cursor(String(found[limit - 1].session.round)).text : nil
        return page(found.prefix(limit), next: next, context)
    }

    /// Lists the sessions that start in the given ranges, the latest day first; nil if there are none. The
    /// cursor holds the start and the round of the last item on the page.
    private static func starting(_ ranges: [Range<Instant>], _ context: RequestContext, limit: Int)
        async throws -> HTTPResponse?
    {
        let meeting = context.meeting.id
        let before = try context.cursor { cursor -> RoundCursor? in
            guard let startsAt = cursor.integer(0), let round = cursor.integer(1) else { return nil }
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
        if found.isEmpty, before == nil { return nil }
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
        try await context.count(newSessions: request.count)
        return try await context.performLong(
            RepeatMeeting(
                meeting: context.meeting.id, rule: request.rule, count: request.count, first: request.first,
                settings: request.settings, meetingValues: request.meetingValues,
                allowOverlap: request.allowOverlap, actor: context.accountID), .series
        ) { made in
            .json(
                Page(
                    items: made.map { context.sessionBody($0, for: .member) },
                    nextCursor: nil), status: 201)
        }
    }

    static func proceed(_ context: RequestContext, _ asked: ContinueRequest) async throws -> HTTPResponse {
        let request = asked.session
        try await context.count(newSessions: 1)
        return try await context.performLong(
            ContinueMeeting(
                meeting: context.meeting.id, startsAt: request.startsAt, endsAt: request.endsAt,
                settings: request.settings,
                questions: request.questions, anonymous: request.anonymous,
                meetingValues: asked.meetingValues,
                allowOverlap: request.allowOverlap, actor: context.accountID), .session
        ) { record in
            let body = context.sessionBody(record, for: .member)
            return .json(body, status: 201, headers: [("Location", "/api/v1/sessions/\(body.id)")])
        }
    }
}

extension ReadableRows {
    /// Returns the account's sessions that take place on this day, in each meeting's zone, ordered by start.
    func sessions(of account: AccountID, on day: MeetingDay, after: (Instant, SessionID)?, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        var (found, last): ([SessionRecord], (Instant, SessionID)?) = ([], after)
        // A page can hold sessions that take place on the day before or after, in their zones.
        while found.count < limit {
            let page = try sessions(
                of: account, atDoor: false, overlapping: day.longest, after: last, limit: limit)
            found += page.filter {
                day.contains($0.session.startsAt, $0.session.endsAt, in: $0.meeting.timeZone)
            }
            guard page.count == limit, let end = page.last?.session else { break }
            last = (end.startsAt, end.id)
        }
        return Array(found.prefix(limit))
    }
}
