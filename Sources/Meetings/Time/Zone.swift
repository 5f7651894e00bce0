import ZoneDatabase

/// A time zone of the IANA database of this machine, such as `Asia/Seoul`.
package struct Zone: Hashable, Sendable {
    package let name: String
    private let rules: ZoneRules

    /// Makes a zone from its IANA name. Returns nil if the zone database has no such name. Abbreviations and
    /// fixed offsets (`KST`, `GMT+9`) are not IANA zones; `UTC` is allowed.
    package init?(_ name: String) {
        guard Self.isZone(name), let rules = ZoneRules.named(name) else { return nil }
        self.init(name, rules)
    }

    private init(_ name: String, _ rules: ZoneRules) { (self.name, self.rules) = (name, rules) }

    private static func isZone(_ name: String) -> Bool { name == "UTC" || name.contains("/") }

    /// Coordinated universal time.
    package static let utc = Zone("UTC", .utc)

    /// The zone of this machine. UTC if the machine's zone has no IANA name.
    package static var current: Zone { ZoneRules.nameOfThisMachine().flatMap(Zone.init) ?? .utc }

    /// Returns the names of all zones.
    package static func names() -> [String] { ZoneRules.names().filter(isZone) }

    package static func == (first: Zone, second: Zone) -> Bool { first.name == second.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Returns the local time at a moment, in seconds since 1970.
    fileprivate func localTime(at second: Int64) -> LocalTime { rules.localTime(at: second) }
    fileprivate func offset(at second: Int64) -> Int64 { Int64(localTime(at: second).offset) }
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
        let second = floorDivide(instant.milliseconds, 1000)
        let local = second + zone.offset(at: second)
        let day = floorDivide(local, 86_400)
        date = CivilDate(daysSince1970: day)
        hour = Int(local - day * 86_400) / 3600
        minute = Int(local - day * 86_400) / 60 % 60
    }

    /// Makes the time that is so many minutes after 1970-01-01 00:00 on the same clock.
    package init(minutesSince1970 minutes: Int64) {
        let day = floorDivide(minutes, 1440)
        date = CivilDate(daysSince1970: day)
        (hour, minute) = Int(minutes - day * 1440).quotientAndRemainder(dividingBy: 60)
    }

    /// The minutes since 1970-01-01 00:00 on the same clock; negative for earlier times.
    package var minutesSince1970: Int64 { date.daysSince1970 * 1440 + Int64(hour * 60 + minute) }

    /// Returns the moment at which clocks in `zone` show this time. If clocks are set forward and skip this
    /// time, the function uses the old offset (02:30 becomes 03:30). If clocks are set back and show this
    /// time twice, the function returns the first moment.
    package func instant(in zone: Zone) -> Instant {
        let local = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
        // Read the offsets one day before and one day after this time. At most one change is between them, so
        // no other offset is possible.
        let before = zone.offset(at: local - 86_400)
        let after = zone.offset(at: local + 86_400)
        for offset in [before, after] {
            let candidate = local - offset
            if zone.offset(at: candidate) == offset { return Instant(seconds: candidate) }
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
        let day: Int64 = 86_400
        var transitions: [ZoneTransition] = []
        var here = floorDivide(first.milliseconds, 1000)
        var before = offset(at: here)
        while here < floorDivide(last.milliseconds, 1000) {
            let next = here + day
            let after = offset(at: next)
            if after != before {
                var (low, high) = (here, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(at: middle) == before { low = middle } else { high = middle }
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
        let offset = offset(at: second)
        return transition(at: second, from: offset, to: offset)
    }

    /// Whether daylight saving time applies: clocks are ahead of another season's. The database calls the
    /// winter's time of Ireland the deviation.
    private func isDaylight(at second: Int64) -> Bool {
        let (here, season) = (localTime(at: second), Int64(90 * 86_400))
        return (Int64(-3)...3).contains {
            let other = localTime(at: second + $0 * season)
            return other.offset < here.offset && (other.isDaylight || here.isDaylight)
        }
    }

    private func transition(at second: Int64, from before: Int64, to after: Int64) -> ZoneTransition {
        let time = localTime(at: second)
        return ZoneTransition(
            at: Instant(seconds: second), offsetBefore: Int(before), offsetAfter: Int(after),
            isDaylight: isDaylight(at: second), abbreviation: time.abbreviation)
    }
}
