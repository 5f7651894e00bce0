/// What a session's start and end must keep to.
package enum SessionTimes {
    package static let mostDays = 14

    /// Nil where both are fine. The end must come after the start, at most 14 days later, and both within the years that requests may name: a
    /// series could go on for centuries otherwise, past what RFC 3339 can write.
    package static func error(startsAt: Instant, endsAt: Instant) -> FieldReason? {
        if !startsAt.isSensible || !endsAt.isSensible { return .outsideTheYears }
        if endsAt <= startsAt { return .endsBeforeStart }
        if endsAt.since(startsAt) > .hours(24 * mostDays) { return .tooLongASession(maxDays: mostDays) }
        return nil
    }
}
