/// The limits of each account.
package struct AccountLimits: Hashable, Sendable {
    /// The most meetings that one account may own.
    package var mostMeetings: Int
    /// The most mails to rosters and invited people that one account may cause within 24 hours.
    package var mostMailsPerDay: Int

    package init(mostMeetings: Int = 5_000, mostMailsPerDay: Int = 2_000) {
        self.mostMeetings = mostMeetings
        self.mostMailsPerDay = mostMailsPerDay
    }
}
