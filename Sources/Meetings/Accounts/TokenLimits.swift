/// What a named token may do. A program uses such a token instead of a sign-in.
package struct TokenLimits: Hashable, Sendable {
    package enum Access: String, Hashable, Sendable, Codable, CaseIterable { case read, write }

    package let access: Access
    /// The only meeting that the token opens; nil for all meetings of the account.
    package let meeting: MeetingID?

    /// The most named tokens of one account.
    package static let mostTokens = 50
    package static let standardLifetime = Duration.hours(24 * 90)
    package static let longestDays = 366
    package static let longestLifetime = Duration.hours(24 * longestDays)

    package init(access: Access, meeting: MeetingID?) {
        self.access = access
        self.meeting = meeting
    }
}
