import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for hosts who ask for replies.
enum ReplyHandlers {
    static func settings(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        return answer(
            try await context.storage.read { rows throws(JournalError) in try rows.replySettings(of: id) },
            context)
    }

    static func edit(_ context: RequestContext, _ request: ReplySettingsRequest) async throws -> HTTPResponse
    {
        let id = context.record.session.id
        let (settings, hasMore) = try await context.storage.perform(
            SetReplies(
                of: id, mode: request.mode, capacity: request.capacity, mostGuests: request.mostGuests,
                code: ReplyCode.make(), renewsCode: request.renewLink,
                expected: try context.expectedVersion(), actor: context.accountID))
        guard hasMore else { return answer(settings, context) }
        while try await context.storage.perform(ContinuePromotions(in: id)) {}
        return try await self.settings(context)
    }

    private static func answer(_ settings: ReplySettings?, _ context: RequestContext) -> HTTPResponse {
        .json(ReplySettingsBody(settings, url: context.address.replyURL))
    }

    static func image(_ context: RequestContext) async throws -> HTTPResponse {
        let id = context.record.session.id
        let settings = try await context.storage.read { rows throws(JournalError) in
            try rows.replySettings(of: id)
        }
        guard let settings else { throw Refusal.notFound(.page) }
        return try await CodeImages.draw(context.address.replyURL(code: settings.code), as: .svg, context)
    }

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, id) = (try context.limit(), context.record.session.id)
        let status = try context.choice(.replyStatus).flatMap(Reply.Status.init)
        let after = try context.cursor { cursor -> ReplyCursor? in
            guard cursor.words.count == 3, let status = Reply.Status(rawValue: cursor.words[0]),
                let place = Int64(cursor.words[1]), let id = ReplyID(cursor.words[2])
            else { return nil }
            return ReplyCursor(status: status, place: place, id: id)
        }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.replies(of: id, status: status, after: after, limit: limit + 1)
        }
        let last = found.count > limit ? found[limit - 1] : nil
        return .json(
            Page(
                items: found.prefix(limit).map { ReplyBody($0) },
                nextCursor: last.map { Cursor($0.status.rawValue, String($0.place), $0.id.text).text }))
    }

    @concurrent
    static func table(_ context: RequestContext) async throws -> HTTPResponse {
        let record = context.record
        var table = ReplyTable(of: record.meeting, try context.tableForm())
        var last: ReplyCursor?
        repeat {
            let page = try await context.storage.scan { [last] rows throws(JournalError) in
                try rows.replies(of: record.session.id, status: nil, after: last, limit: 1000)
            }
            for reply in page { table.add(reply) }
            last = page.count == 1000 ? page.last.map { ReplyCursor($0) } : nil
        } while last != nil
        return Exports.file(
            "text/csv; charset=utf-8", table.bytes,
            name: "\(record.meeting.name) \(record.session.round) RSVP.csv",
            plainName: "replies-\(record.session.round).csv")
    }

    static func decide(_ context: RequestContext, _ request: DecideReplyRequest) async throws -> HTTPResponse
    {
        try await context.perform(
            DecideReply(
                request.approve ? .approve(beyondCapacity: request.beyondCapacity) : .decline,
                about: try context.id(Reply.self, .reply, named: "replyId"), in: context.record.session.id,
                actor: context.accountID)
        ) { .json(ReplyBody($0)) }
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RemoveReply(
                try context.id(Reply.self, .reply, named: "replyId"), in: context.record.session.id,
                actor: context.accountID))
        return .noContent
    }

    static func mail(_ context: RequestContext, _ request: MailReplyLinksRequest) async throws -> HTTPResponse
    {
        func send(_ receivers: MailReplyLinks.Receivers) async throws -> MailReplyLinks.Outcome {
            try await context.storage.perform(
                MailReplyLinks(
                    of: context.record.session.id, to: receivers, language: context.language.rawValue,
                    actor: context.accountID))
        }
        let total: MailReplyLinks.Outcome
        if let person = request.personId {
            total = try await send(.person(person))
        } else {
            total = try await context.inTurn {
                var total = try await send(.everybody(after: nil))
                while let next = total.next {
                    let part = try await send(.everybody(after: next))
                    total.queued += part.queued
                    total.withoutAddress += part.withoutAddress
                    total.mailedBefore += part.mailedBefore
                    (total.isLimited, total.next) = (total.isLimited || part.isLimited, part.next)
                }
                return total
            }
        }
        return .json(
            ReplyLinksMailedBody(
                queued: total.queued, withoutAddress: total.withoutAddress,
                mailedBefore: total.mailedBefore, limitReached: total.isLimited))
    }
}
