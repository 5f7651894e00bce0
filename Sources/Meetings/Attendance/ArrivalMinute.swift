/// How many came in a minute of the clock, of those who count as checked in now.
package struct ArrivalMinute: Hashable, Sendable, Codable {
    /// Its first moment.
    package let at: Instant
    package let checkedIn: Int

    /// A day and a night: of a longer session, the newest are told.
    package static let most = 1440

    package init(at: Instant, checkedIn: Int) {
        self.at = at
        self.checkedIn = checkedIn
    }
}
