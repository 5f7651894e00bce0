import FrontDoor
import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for the web hooks of a meeting.
enum Webhooks {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = try meeting(context)
        let items = try await context.storage.read { rows throws(JournalError) in
            var items: [WebhookBody] = []
            // The web hook of a former host is invalid, also before it is deleted.
            for hook in try rows.webhooks(of: meeting) where try isShown(hook, rows) {
                items.append(try body(hook, rows, context))
            }
            return items
        }
        return .json(Page(items: items, nextCursor: nil))
    }

    static func add(_ context: RequestContext, _ request: CreateWebhookRequest) async throws -> HTTPResponse {
        // Without TLS, only the operator's own networks are allowed.
        guard request.isSecure || !context.services.settings.webhooksToPrivate.isEmpty else {
            throw Refusal.invalid([FieldError("/url", .notAWebhookAddress)])
        }
        let (id, secret) = (WebhookID.makeTimeless(), WebhookSecret())
        let hook = try await context.storage.perform(
            AddWebhook(
                id: id, meeting: try meeting(context), url: request.url, events: request.events,
                secret: secret.sealed(for: id.bytes, with: context.services.keys.webhookSecrets),
                actor: context.accountID))
        return .json(try await body(hook, context, secret: secret.text), status: 201)
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RemoveWebhook(
                id: try id(context), meeting: try meeting(context), actor: context.accountID))
        return .noContent
    }

    static func rotate(_ context: RequestContext) async throws -> HTTPResponse {
        let (id, secret) = (try id(context), WebhookSecret())
        let hook = try await context.storage.perform(
            RotateWebhook(
                id: id, meeting: try meeting(context),
                secret: secret.sealed(for: id.bytes, with: context.services.keys.webhookSecrets),
                actor: context.accountID))
        return .json(try await body(hook, context, secret: secret.text))
    }

    static func test(_ context: RequestContext) async throws -> HTTPResponse {
        let command = TestWebhook(
            id: try id(context), meeting: try meeting(context), actor: context.accountID)
        return try await context.perform(command) { test in
            .json(WebhookTestBody(delivery: test.delivery, pausedUntil: test.pausedUntil), status: 201)
        }
    }

    static func retry(_ context: RequestContext, _ request: RetryWebhookRequest) async throws -> HTTPResponse
    {
        let hook = try await context.storage.perform(
            RetryWebhook(
                id: try id(context), meeting: try meeting(context), delivery: request.delivery,
                actor: context.accountID))
        return .json(try await body(hook, context))
    }

    static func deliveries(_ context: RequestContext) async throws -> HTTPResponse {
        let (id, meeting, limit) = (try id(context), try meeting(context), try context.limit())
        let before = try context.cursor { $0.words.first.flatMap { MailID($0) } }
        let found = try await context.storage.read { rows throws(JournalError) -> [LoggedDelivery] in
            guard let hook = try rows.webhook(id), hook.meeting == meeting, try isShown(hook, rows) else {
                throw .refused(.notFound(.webhook))
            }
            return try rows.deliveries(of: id, before: before, limit: limit + 1)
        }
        let items = found.prefix(limit).map {
            WebhookDeliveryBody(id: $0.record.id, $0.message, session: $0.session, $0.record.delivery)
        }
        let next = found.count > limit ? Cursor(found[limit - 1].record.id.text).text : nil
        return .json(Page(items: items, nextCursor: next))
    }

    private static func meeting(_ context: RequestContext) throws -> MeetingID {
        try context.id(Meeting.self, .meeting)
    }

    private static func id(_ context: RequestContext) throws -> WebhookID {
        try context.id(Webhook.self, .webhook, named: "webhookId")
    }

    private static func isShown(_ hook: Webhook, _ rows: any ReadableRows) throws(JournalError) -> Bool {
        guard hook.end != .deleted else { return false }
        return try rows.role(of: hook.createdBy, in: hook.meeting)?.isHost ?? false
    }

    private static func body(
        _ hook: Webhook, _ rows: any ReadableRows, _ context: RequestContext, secret: String? = nil
    ) throws(JournalError) -> WebhookBody {
        WebhookBody(
            hook, createdBy: try rows.account(hook.createdBy)?.name ?? "", at: context.services.clock.now,
            isSwitchedOff: context.services.settings.limits.webhooks == .off, secret: secret)
    }

    private static func body(_ hook: Webhook, _ context: RequestContext, secret: String? = nil) async throws
        -> WebhookBody
    {
        try await context.storage.read { rows throws(JournalError) in
            try body(hook, rows, context, secret: secret)
        }
    }
}
