/// How a meeting repeats. A series is counted in days of the calendar and times of the wall clock in the
/// meeting's zone, so that it keeps its local time when clocks are set forward or back.
package enum SeriesRule: Hashable, Sendable {
    case weekly
    /// On these days of each week; Monday to Friday where a host says only "weekdays".
    case weekdays(Set<Weekday>)
    /// 1–366.
    case everyDays(Int)

    package static let most = 100
    package static let days = 1...366

    /// The first day behind `date` that the rule gives, for a series that `date` is a day of.
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

    /// The next `count` sessions behind one that starts and ends at these moments.
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

/// When a session starts and ends by the wall clock, on whatever day.
package struct WallPattern: Hashable, Sendable {
    private let start: WallTime
    private let end: WallTime
    /// Days from the start's to the end's: 1 for a session across midnight.
    private let days: Int64
    /// Beyond whole minutes, in milliseconds.
    private let startRest: Int64
    private let endRest: Int64

    package init(startsAt: Instant, endsAt: Instant, in zone: Zone) {
        start = WallTime(startsAt, in: zone)
        end = WallTime(endsAt, in: zone)
        days = end.date.daysSince1970 - start.date.daysSince1970
        startRest = startsAt.milliseconds - floorDivide(startsAt.milliseconds, 60_000) * 60_000
        endRest = endsAt.milliseconds - floorDivide(endsAt.milliseconds, 60_000) * 60_000
    }

    /// A reading inside a gap is moved behind it, one that comes twice is the first (`WallTime.instant`).
    /// Where that would put the end at or before the start, the session lasts as long as the two readings are
    /// apart.
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

package enum Weekday: String, Sendable, Codable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    package static let working: Set<Weekday> = [.monday, .tuesday, .wednesday, .thursday, .friday]
}

extension CivilDate {
    package var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let days = daysSince1970 + 3
        return Weekday.allCases[Int(days - floorDivide(days, 7) * 7)]
    }
}
