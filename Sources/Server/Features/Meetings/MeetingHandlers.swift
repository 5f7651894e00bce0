import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for meetings.
enum MeetingHandlers {
    static func create(_ context: RequestContext, _ request: CreateMeetingRequest) async throws
        -> HTTPResponse
    {
        guard let asked = request.session else { throw Refusal.invalid([FieldError("/session", .missing)]) }
        let now = context.now
        let meeting = Meeting(
            id: .make(at: now), name: request.name, description: request.description, venue: request.place,
            timeZone: request.timeZone,
            identifyBy: request.identifyBy, regulars: request.regulars,
            language: request.language?.rawValue, accent: request.accent,
            consent: request.consentText.isEmpty ? nil : Consent(number: 1, text: request.consentText),
            createdAt: now)
        var session = Session(
            id: .make(at: now), meetingID: meeting.id, round: 1, startsAt: asked.startsAt,
            endsAt: asked.endsAt,
            plannedCount: request.plannedCount, joinCode: JoinCode.random())
        session.take(asked.settings)
        return try await context.perform(
            CreateMeeting(
                meeting: meeting, session: session,
                sets: [QuestionSet(questions: asked.questions ?? [], anonymous: asked.anonymous)],
                owner: context.accountID, allowOverlap: asked.allowOverlap)
        ) { record in
            let body = context.sessionBody(record, for: .member)
            return .json(
                NewMeetingBody(meeting: context.meetingBody(record, role: .owner), session: body),
                status: 201,
                headers: [("Location", "/api/v1/meetings/\(meeting.id)")])
        }
    }

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, account, now) = (try context.limit(), context.accountID, context.now)
        let cursor = try context.cursor { cursor -> MeetingCursor? in
            guard let startsAt = cursor.integer(1), cursor.words.count == 3,
                let id = MeetingID(cursor.words[2])
            else { return nil }
            return MeetingCursor(
                ended: cursor.words[0] == "1", startsAt: Instant(milliseconds: startsAt), id: id)
        }
        let only = context.onlyMeeting
        let found = try await context.storage.read {
            rows throws(JournalError) -> [(SessionRecord, Role, SessionRecord?, hasImage: Bool)] in
            var listings: [(SessionRecord, Role, SessionRecord?, hasImage: Bool)] = []
            let records =
                if let only {
                    try rows.latestSession(of: only).map { [$0] } ?? []
                } else {
                    try rows.meetings(of: account, at: now, after: cursor, limit: limit + 1)
                }
            for record in records {
                // A token for one meeting may outlive the membership.
                let role = try rows.role(of: account, in: record.meeting.id)
                guard let role = role ?? (only == nil ? .viewer : nil), role.isReader else { continue }
                let meeting = record.meeting.id
                let nearest = try rows.nearestSession(of: meeting, at: now)
                listings.append((record, role, nearest, hasImage: try rows.hasImage(meeting)))
            }
            return listings
        }
        let items = found.prefix(limit).map { record, role, nearest, hasImage in
            var body = context.meetingBody(record, role: role)
            body.latestSession = context.sessionBody(record, for: .member)
            body.nearestSession = nearest.map { context.sessionBody($0, for: .member) }
            body.hasImage = hasImage
            return body
        }
        let next = found.count > limit ? found[limit - 1].0 : nil
        let words = next.map {
            Cursor(
                $0.session.isOver(at: now) ? "1" : "0", String($0.session.startsAt.milliseconds),
                $0.meeting.id.text
            ).text
        }
        return .json(Page(items: items, nextCursor: words))
    }

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, now) = (context.meeting, context.now)
        let (found, nearest, hasImage) = try await context.storage.read { rows throws(JournalError) in
            (
                try rows.latestSession(of: meeting.id), try rows.nearestSession(of: meeting.id, at: now),
                try rows.hasImage(meeting.id)
            )
        }
        guard let record = found else { throw Refusal.notFound(.meeting) }
        var body = context.meetingBody(record, role: context.role)
        body.hasImage = hasImage
        body.nearestSession = nearest.map { context.sessionBody($0, for: .member) }
        body.latestSession = context.sessionBody(record, for: .member)
        return .json(body)
    }

    static func edit(_ context: RequestContext, _ request: EditMeetingRequest) async throws -> HTTPResponse {
        let revokes = request.renewAllCodes || request.revokePresenterLinks
        return try await context.performLong(
            EditMeeting(
                id: context.meeting.id, name: request.name, description: request.description,
                venue: request.place,
                timeZone: request.timeZone, identifyBy: request.identifyBy, regulars: request.regulars,
                reminders: request.reminders, language: request.language.map { $0.map(\.rawValue) },
                accent: request.accent, consent: request.consentText, absences: request.absenceRule,
                renewsCode: request.renewCode, renewsAllCodes: request.renewAllCodes,
                revokesLinks: request.revokePresenterLinks,
                expected: try context.expectedVersion(),
                actor: context.accountID), revokes ? .codes : .identifyBy
        ) { record in
            .json(context.meetingBody(record, role: context.role))
        }
    }

    static func consents(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        return .json(
            ConsentsBody(
                try await context.storage.read { rows throws(JournalError) in
                    try rows.consents(of: meeting)
                }))
    }

    static func delete(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            DeleteMeeting(
                id: context.meeting.id, confirmation: context.query(.confirm), actor: context.accountID))
        return .noContent
    }
}
