/// The rule by which a meeting repeats. A series counts calendar days and wall-clock times in the meeting's
/// zone, so that its local time does not change when clocks change.
package enum SeriesRule: Hashable, Sendable {
    case weekly
    /// The meeting repeats on these days of each week. If a host only says "weekdays", the days are Monday to
    /// Friday.
    case weekdays(Set<Weekday>)
    /// The meeting repeats after this number of days, 1–366.
    case everyDays(Int)

    /// The largest number of sessions that one request can create.
    package static let most = 100
    /// The allowed values of `everyDays`.
    package static let days = 1...366

    /// Returns the next day of the series after `date`. `date` must be a day of the series.
    package func day(after date: CivilDate) -> CivilDate {
        let today = date.daysSince1970
        switch self {
        case .weekly: return CivilDate(daysSince1970: today + 7)
        case .everyDays(let days): return CivilDate(daysSince1970: today + Int64(max(1, days)))
        case .weekdays(let days):
            let next = (1...7).map { CivilDate(daysSince1970: today + Int64($0)) }.first {
                days.contains($0.weekday)
            }
            return next ?? CivilDate(daysSince1970: today + 7)
        }
    }

    /// Returns the times of the next `count` sessions after the session with the given start and end.
    package func times(after startsAt: Instant, endsAt: Instant, count: Int, in zone: Zone) -> [(
        startsAt: Instant, endsAt: Instant
    )] {
        let pattern = WallPattern(startsAt: startsAt, endsAt: endsAt, in: zone)
        var date = WallTime(startsAt, in: zone).date
        return (0..<count).map { _ in
            date = day(after: date)
            return pattern.times(on: date, in: zone)
        }
    }
}

/// The wall-clock start and end of a session, independent of the day.
package struct WallPattern: Hashable, Sendable {
    private let start: WallTime
    private let end: WallTime
    /// The number of days from the start to the end: 1 for a session across midnight.
    private let days: Int64
    /// The seconds and milliseconds of the start, in milliseconds.
    private let startRest: Int64
    private let endRest: Int64

    /// Makes the pattern of a session from its times on the clocks of `zone`.
    package init(startsAt: Instant, endsAt: Instant, in zone: Zone) {
        start = WallTime(startsAt, in: zone)
        end = WallTime(endsAt, in: zone)
        days = end.date.daysSince1970 - start.date.daysSince1970
        startRest = startsAt.milliseconds - floorDivide(startsAt.milliseconds, 60_000) * 60_000
        endRest = endsAt.milliseconds - floorDivide(endsAt.milliseconds, 60_000) * 60_000
    }

    /// Returns the start and end of a session on `date`. If clocks skip one of the times, or show it twice,
    /// `WallTime.instant(in:)` decides the moment. If the end would then be at or before the start, the
    /// session lasts as long as the difference between the two clock times.
    package func times(on date: CivilDate, in zone: Zone) -> (startsAt: Instant, endsAt: Instant) {
        let startsAt = moment(start, on: date, startRest, in: zone)
        let endsAt = moment(end, on: CivilDate(daysSince1970: date.daysSince1970 + days), endRest, in: zone)
        if endsAt > startsAt { return (startsAt, endsAt) }
        let minutes = days * 1440 + Int64(end.hour * 60 + end.minute - start.hour * 60 - start.minute)
        return (startsAt, startsAt + .milliseconds(max(60_000, minutes * 60_000 + endRest - startRest)))
    }

    private func moment(_ reading: WallTime, on date: CivilDate, _ rest: Int64, in zone: Zone) -> Instant {
        guard let reading = WallTime(date: date, hour: reading.hour, minute: reading.minute) else {
            preconditionFailure("an hour and a minute that were read from a clock")
        }
        return reading.instant(in: zone) + .milliseconds(rest)
    }
}

/// A day of the week.
package enum Weekday: String, Sendable, Codable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// The days from Monday to Friday.
    package static let working: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}

extension CivilDate {
    /// The day of the week of this date.
    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let days = daysSince1970 + 3
        return Weekday.allCases[Int(days - floorDivide(days, 7) * 7)]
    }
}
