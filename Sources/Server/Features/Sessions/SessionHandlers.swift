import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// One session, its neighbours, its people and its journal.
enum SessionHandlers {
    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let body = context.sessionBody(context.record, for: .member)
        return .json(body)
    }

    static func edit(_ context: RequestContext, _ request: EditSessionRequest) async throws -> HTTPResponse {
        let outcome = try await context.storage.perform(
            EditSession(
                id: context.record.session.id, startsAt: request.startsAt, endsAt: request.endsAt,
                settings: request.settings,
                renewsCode: request.renewCode, revokesLinks: request.revokePresenterLinks,
                allowOverlap: request.allowOverlap,
                note: request.note,
                expected: try context.expectedVersion(), actor: context.accountID))
        context.services.rooms?.end(presenterLinks: outcome.revokedLinks)
        if request.endsAt != nil { context.services.rooms?.timesMoved(of: outcome.record.session.id) }
        var body = context.sessionBody(outcome.record, for: .member)
        if !outcome.overlaps.isEmpty { body.overlaps = outcome.overlaps.map(OverlapBody.init) }
        return .json(body)
    }

    static func delete(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            DeleteSession(
                id: context.record.session.id, confirmation: context.query("confirm"),
                actor: context.accountID))
        return .noContent
    }

    static func nearest(_ context: RequestContext) async throws -> HTTPResponse {
        let (account, now) = (context.accountID, context.now)
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.nearestSession(of: account, at: now)
        }
        guard let found else { return .noContent }
        return .json(context.sessionBody(found, for: .member))
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

    static func attendees(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, record, now) = (try context.limit(), context.record, context.now)
        let after = try context.cursor().map { cursor in
            guard let id = cursor.words.first.flatMap({ AttendeeID($0) }) else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            return id
        }
        let isOver = record.session.isOver(at: now)
        let statuses = try context.query("status").map { try recorded(asking: $0, isOver: isOver) }
        let text = try context.searched()
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.attendees(
                of: record.session.id, statuses: statuses, text: text, after: after, limit: limit + 1)
        }
        let items = found.prefix(limit).map {
            AttendeeBody(forMembers: $0, identifyBy: record.meeting.identifyBy, sessionIsOver: isOver)
        }
        return .json(
            Page(
                items: Array(items),
                nextCursor: found.count > limit ? Cursor(found[limit - 1].id.text).text : nil))
    }

    /// What the records say of those whom everybody sees under a status.
    private static func recorded(asking status: String, isOver: Bool) throws -> Set<RecordedStatus> {
        guard let status = AttendanceStatus(rawValue: status) else {
            throw Refusal.invalid([
                FieldError("?status", .notOneOf(AttendanceStatus.allCases.map(\.rawValue)))
            ])
        }
        return Set(RecordedStatus.allCases.filter { $0.shown(sessionIsOver: isOver) == status })
    }

    static func journal(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, id) = (try context.limit(), context.record.session.id)
        var since: Int64 = 0
        if let text = context.query("since") {
            guard let number = Int64(text), number >= 0 else {
                throw Refusal.invalid([FieldError("?since", .range(min: 0, max: .max))])
            }
            since = number
        }
        if let cursor = try context.cursor() {
            guard let sequence = cursor.integer(0), sequence >= 0 else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            since = sequence
        }
        let after = since
        let (items, isLast) = try await context.storage.read { rows throws(JournalError) in
            let found = try rows.events(of: id, after: after, limit: limit + 1)
            return (try rows.bodies(of: Array(found.prefix(limit))), found.count <= limit)
        }
        return .json(
            Page(items: items, nextCursor: isLast ? nil : items.last.map { Cursor(String($0.sequence)).text })
        )
    }

    // MARK: Presenters

    static func present(_ context: RequestContext) async throws -> HTTPResponse {
        let token = RandomToken()
        let session = context.record.session
        let link = try await context.storage.perform(
            AddPresenterLink(session: session.id, hash: token.storedHash, actor: context.accountID))
        let text = BearerToken.presenter + token.text
        return .json(
            PresenterLinkBody(
                id: link.id, url: context.address.presenterURL(session: session.id, token: text),
                token: text,
                expiresAt: session.endsAt),
            status: 201)
    }

    /// By id, which is the order of their making.
    static func presenterLinks(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, session) = (try context.limit(), context.record.session.id)
        let after = try context.cursor().map { cursor in
            guard let id = cursor.words.first.flatMap({ PresenterLinkID($0) }) else {
                throw Refusal.invalid([FieldError("?cursor", .notAnID)])
            }
            return id
        }
        let page = try await context.storage.read { rows throws(JournalError) -> Page<PresenterLinkSummary> in
            let found = try rows.presenterLinks(of: session).filter { link in
                after.map { link.id > $0 } ?? true
            }
            var items: [PresenterLinkSummary] = []
            for link in found.prefix(limit) {
                if let creator = try rows.account(link.createdBy) {
                    items.append(PresenterLinkSummary(link, by: creator))
                }
            }
            return Page(
                items: items, nextCursor: found.count > limit ? Cursor(found[limit - 1].id.text).text : nil)
        }
        return .json(page)
    }

    static func stopPresenting(_ context: RequestContext) async throws -> HTTPResponse {
        let link = try context.id(PresenterLink.self, .presenterLink, named: "linkId")
        try await context.storage.perform(
            RevokePresenterLink(session: context.record.session.id, link: link, actor: context.accountID))
        context.services.rooms?.end(presenterLinks: [link])
        return .noContent
    }
}
