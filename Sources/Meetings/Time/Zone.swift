package import Foundation

/// A time zone of the IANA database of this machine, such as `Asia/Seoul`.
package struct Zone: Hashable, Sendable {
    package let name: String

    /// Makes a zone from its IANA name. Returns nil if the zone database has no such name. Abbreviations and
    /// fixed offsets (`KST`, `GMT+9`) are not IANA zones; `UTC` is allowed.
    package init?(_ name: String) {
        guard name.utf8.count <= 64, name == "UTC" || name.contains("/"), TimeZone(identifier: name) != nil
        else { return nil }
        self.name = name
    }

    private init(known: String) { name = known }

    /// Coordinated universal time.
    package static let utc = Zone(known: "UTC")

    /// The zone of this machine. UTC if the machine's zone has no IANA name.
    package static var current: Zone { Zone(TimeZone.current.identifier) ?? .utc }

    /// The same time zone as a value of Foundation's `TimeZone`.
    package var timeZone: TimeZone { TimeZone(identifier: name) ?? .gmt }
}

/// A date and time as a clock shows it. The moment is known only together with a time zone.
package struct WallTime: Hashable, Sendable {
    package let date: CivilDate
    package let hour: Int
    package let minute: Int

    /// Makes a wall time. Returns nil unless the hour is 0–23 and the minute is 0–59.
    package init?(date: CivilDate, hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
    }

    /// Makes the time that clocks in `zone` show at `instant`, without seconds.
    package init(_ instant: Instant, in zone: Zone) {
        let offset = zone.timeZone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
        let local = floorDivide(instant.milliseconds, 1000) + Int64(offset)
        let day = floorDivide(local, 86_400)
        date = CivilDate(daysSince1970: day)
        hour = Int(local - day * 86_400) / 3600
        minute = Int(local - day * 86_400) / 60 % 60
    }

    /// Returns the moment at which clocks in `zone` show this time. If clocks are set forward and skip this
    /// time, the function uses the old offset (02:30 becomes 03:30). If clocks are set back and show this
    /// time twice, the function returns the first moment.
    package func instant(in zone: Zone) -> Instant {
        let local = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
        let zone = zone.timeZone
        // Read the offsets one day before and one day after this time. At most one change is between them, so
        // no other offset is possible.
        let before = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local - 86_400))))
        let after = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local + 86_400))))
        for offset in [before, after] {
            let candidate = local - offset
            if Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(candidate)))) == offset {
                return Instant(seconds: candidate)
            }
        }
        return Instant(seconds: local - before)
    }

    /// The date and time as text, such as `2026-11-21 19:00`.
    package var text: String {
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date.year)-\(padded(date.month))-\(padded(date.day)) \(padded(hour)):\(padded(minute))"
    }
}

/// A change of a zone's clocks, as in the zone database of this machine.
package struct ZoneTransition: Hashable, Sendable {
    /// The first moment at which the new offset applies.
    package let at: Instant
    /// The offset before the change, in seconds east of Greenwich. `offsetAfter` has the same unit.
    package let offsetBefore: Int
    package let offsetAfter: Int
    /// Whether daylight saving time applies after the change.
    package let isDaylight: Bool
    /// The abbreviation of the zone after the change, such as `CEST`.
    package let abbreviation: String
}

extension Zone {
    /// Returns the clock changes between two moments. The function compares the offsets of consecutive days,
    /// because some clocks changed twice within weeks. Then it finds each change to the second.
    package func transitions(from first: Instant, to last: Instant) -> [ZoneTransition] {
        let zone = timeZone
        let day: Int64 = 86_400
        func offset(_ second: Int64) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }
        var transitions: [ZoneTransition] = []
        var here = floorDivide(first.milliseconds, 1000)
        var before = offset(here)
        while here < floorDivide(last.milliseconds, 1000) {
            let next = here + day
            let after = offset(next)
            if after != before {
                var (low, high) = (here, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == before { low = middle } else { high = middle }
                }
                transitions.append(transition(at: high, from: before, to: after))
            }
            (here, before) = (next, after)
        }
        return transitions
    }

    /// Returns the offset at `moment`. The result has the form of a clock change at this moment.
    package func observance(at moment: Instant) -> ZoneTransition {
        let second = floorDivide(moment.milliseconds, 1000)
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        return transition(at: second, from: offset, to: offset)
    }

    private func transition(at second: Int64, from before: Int, to after: Int) -> ZoneTransition {
        let (zone, date) = (timeZone, Date(timeIntervalSince1970: Double(second)))
        return ZoneTransition(
            at: Instant(seconds: second), offsetBefore: before, offsetAfter: after,
            isDaylight: zone.isDaylightSavingTime(for: date),
            abbreviation: zone.abbreviation(for: date) ?? "")
    }
}
