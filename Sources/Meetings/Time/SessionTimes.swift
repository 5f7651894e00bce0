/// What a session's start and end must keep to.
package enum SessionTimes {
    package static let mostDays = 14

    /// Returns nil if both times are valid. The end must be after the start, at most 14 days later. Both must
    /// be in the years 1970 to 2199, because a series could otherwise reach years that RFC 3339 cannot write.
    package static func error(startsAt: Instant, endsAt: Instant) -> FieldReason? {
        if !startsAt.isSensible || !endsAt.isSensible { return .outsideTheYears }
        if endsAt <= startsAt { return .endsBeforeStart }
        if endsAt.since(startsAt) > .hours(24 * mostDays) { return .tooLongASession(maxDays: mostDays) }
        return nil
    }
}
