package import Meetings
package import Wire

/// A web hook to add.
package struct NewWebhook: Encodable, Sendable {
    package let url: String
    /// The wanted types of events; nil for all.
    package let events: [String]?

    package init(url: String, events: [String]?) { (self.url, self.events) = (url, events) }
}

extension APIClient {
    /// Adds a web hook. Only this answer and the answer of a rotation contain its secret.
    package func addWebhook(_ hook: NewWebhook, to meeting: MeetingID) async throws(APIError) -> WebhookBody {
        try await post(path(meeting), hook)
    }

    package func webhooks(of meeting: MeetingID) async throws(APIError) -> [WebhookBody] {
        try await all(path(meeting))
    }

    package func deleteWebhook(_ id: WebhookID, of meeting: MeetingID) async throws(APIError) {
        _ = try await send(APICall("DELETE", path(meeting, id)))
    }

    /// Replaces the secret.
    package func rotateWebhook(_ id: WebhookID, of meeting: MeetingID) async throws(APIError) -> WebhookBody {
        try await post(path(meeting, id) + "/rotate", NoFields())
    }

    /// Queues a test.
    package func testWebhook(_ id: WebhookID, of meeting: MeetingID) async throws(APIError) -> WebhookTestBody
    {
        try await post(path(meeting, id) + "/test", NoFields())
    }

    /// Enables the web hook, and makes one delivery due at once; nil for all that wait.
    package func retryWebhook(_ id: WebhookID, of meeting: MeetingID, delivery: String?)
        async throws(APIError) -> WebhookBody
    {
        struct Body: Encodable { let delivery: String? }
        return try await post(path(meeting, id) + "/retry", Body(delivery: delivery))
    }

    /// Returns the deliveries, newest first.
    package func deliveries(of id: WebhookID, of meeting: MeetingID) async throws(APIError)
        -> [WebhookDeliveryBody]
    {
        try await all(path(meeting, id) + "/deliveries")
    }

    private func path(_ meeting: MeetingID, _ hook: WebhookID? = nil) -> String {
        "/api/v1/meetings/\(meeting)/webhooks" + (hook.map { "/\($0)" } ?? "")
    }
}

private struct NoFields: Encodable {}
