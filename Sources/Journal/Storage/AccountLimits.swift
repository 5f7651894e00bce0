/// The limits of each account.
package struct AccountLimits: Hashable, Sendable {
    /// The most meetings that one account may own.
    package var mostMeetings: Int
    /// The most mails to rosters and invited people that one account may cause within 24 hours.
    package var mostMailsPerDay: Int
    /// Whether meetings can have web hooks.
    package var webhooks: WebhookUse

    package init(
        mostMeetings: Int = 5_000, mostMailsPerDay: Int = 2_000, webhooks: WebhookUse = .on
    ) {
        self.mostMeetings = mostMeetings
        self.mostMailsPerDay = mostMailsPerDay
        self.webhooks = webhooks
    }
}

/// Whether the operator lets the server send the events of meetings to web hooks.
package enum WebhookUse: String, Sendable, CaseIterable {
    case on
    /// Nobody adds a web hook. Those that exist stay, but get no events.
    case off
}
