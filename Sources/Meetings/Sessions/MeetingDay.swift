/// A day of the calendar, which begins and ends at midnight of each meeting's zone.
package enum MeetingDay: Sendable {
    /// The day of this moment.
    case containing(Instant)
    case date(CivilDate)

    /// The time from the first midnight to the last one, among all zones.
    package var longest: Range<Instant> {
        switch self {
        case .containing(let now): now - .hours(26)..<now + .hours(26)
        case .date(let date):
            // Zones are at most 14 hours ahead of UTC, and at most 12 hours behind it.
            Instant(milliseconds: date.daysSince1970 * 86_400_000) - .hours(14)..<Instant(
                milliseconds: date.daysSince1970 * 86_400_000) + .hours(36)
        }
    }

    /// Whether a session takes place on this day. A session that has ended stays in its last day.
    package func contains(_ startsAt: Instant, _ endsAt: Instant, in zone: Zone) -> Bool {
        func day(_ instant: Instant) -> Int64 { WallTime(instant, in: zone).date.daysSince1970 }
        let asked =
            switch self {
            case .containing(let now): day(now)
            case .date(let date): date.daysSince1970
            }
        return day(startsAt) <= asked && asked <= day(endsAt - .milliseconds(1))
    }
}
