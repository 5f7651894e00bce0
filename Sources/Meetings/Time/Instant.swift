/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z (leap seconds do not count, as in
/// POSIX).
package struct Instant: Hashable, Sendable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.wholeMilliseconds)
    }

    package static func - (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds - duration.wholeMilliseconds)
    }

    /// From `other` to this moment; negative where `other` is later.
    package func since(_ other: Instant) -> Duration { .milliseconds(milliseconds - other.milliseconds) }

    /// The hour that this moment is in: all that is kept of when an anonymous response came.
    package var startOfHour: Instant {
        let hour: Int64 = 3_600_000
        let remainder = milliseconds % hour
        return Instant(milliseconds: milliseconds - (remainder < 0 ? remainder + hour : remainder))
    }
}

extension Duration {
    package static func minutes(_ minutes: Int) -> Duration { .seconds(minutes * 60) }
    package static func hours(_ hours: Int) -> Duration { .seconds(hours * 3600) }

    /// Rounded towards zero.
    package var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
