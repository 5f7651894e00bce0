import Meetings
import Wire

extension RouteTable {
    /// The routes for the web hooks of a meeting.
    static let webhooks: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/webhooks", .member(.host, of: .meeting),
            does: "List the web hooks", gives: .json(Page<WebhookBody>.self), Webhooks.list),
        Route(
            .post, "/api/v1/meetings/{id}/webhooks", .member(.host, of: .meeting),
            does: "Add a web hook", reading: CreateWebhookRequest.self,
            gives: .json(WebhookBody.self, status: 201), refuses: [.limitReached, .webhooksOff],
            keys: .ignored(.secret), Webhooks.add),
        Route(
            .delete, "/api/v1/meetings/{id}/webhooks/{webhookId}", .member(.host, of: .meeting),
            does: "Delete a web hook", gives: .noContent, Webhooks.remove),
        Route(
            .post, "/api/v1/meetings/{id}/webhooks/{webhookId}/rotate", .member(.host, of: .meeting),
            does: "Replace the secret of a web hook", gives: .json(WebhookBody.self),
            keys: .ignored(.secret), Webhooks.rotate),
        Route(
            .post, "/api/v1/meetings/{id}/webhooks/{webhookId}/test", .member(.host, of: .meeting),
            does: "Send a test to a web hook", gives: .json(WebhookTestBody.self, status: 201),
            refuses: [.limitReached, .webhooksOff], Webhooks.test),
        Route(
            .post, "/api/v1/meetings/{id}/webhooks/{webhookId}/retry", .member(.host, of: .meeting),
            does: "Enable a web hook, and retry one delivery or all that wait",
            reading: RetryWebhookRequest.self, gives: .json(WebhookBody.self),
            refuses: [.webhooksOff], keys: .ignored(.changesNothing), Webhooks.retry),
        Route(
            .get, "/api/v1/meetings/{id}/webhooks/{webhookId}/deliveries", .member(.host, of: .meeting),
            does: "List the deliveries of a web hook, newest first", query: .page(),
            gives: .json(Page<WebhookDeliveryBody>.self), Webhooks.deliveries),
    ]
}
