package import Foundation

/// An IANA time zone that this machine knows, such as `Asia/Seoul`.
package struct Zone: Hashable, Sendable {
    package let name: String

    /// Nil for a name that is not in the zone database. Abbreviations and fixed offsets (`KST`, `GMT+9`) are
    /// no IANA zones; `UTC` is one.
    package init?(_ name: String) {
        guard name.utf8.count <= 64, name == "UTC" || name.contains("/"), TimeZone(identifier: name) != nil
        else { return nil }
        self.name = name
    }

    private init(known: String) { name = known }

    package static let utc = Zone(known: "UTC")

    /// The machine's own zone, or UTC where it has none with a name.
    package static var current: Zone { Zone(TimeZone.current.identifier) ?? .utc }

    package var timeZone: TimeZone { TimeZone(identifier: name) ?? .gmt }
}

/// A wall-clock reading, which is a moment only together with a zone.
package struct WallTime: Hashable, Sendable {
    package let date: CivilDate
    package let hour: Int
    package let minute: Int

    /// Nil unless the hour is 0–23 and the minute 0–59.
    package init?(date: CivilDate, hour: Int, minute: Int) {
        guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
    }

    package init(_ instant: Instant, in zone: Zone) {
        let offset = zone.timeZone.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
        let local = floorDivide(instant.milliseconds, 1000) + Int64(offset)
        let day = floorDivide(local, 86_400)
        date = CivilDate(daysSince1970: day)
        hour = Int(local - day * 86_400) / 3600
        minute = Int(local - day * 86_400) / 60 % 60
    }

    /// Where clocks are set forward over this reading, the moment that the old offset gives (02:30 becomes
    /// 03:30); where they are set back and it comes twice, the first one.
    package func instant(in zone: Zone) -> Instant {
        let local = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60)
        let zone = zone.timeZone
        // Offsets are asked a day before and after: at most one change lies between, and both candidates are
        // then known.
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

    package var text: String {
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(date.year)-\(padded(date.month))-\(padded(date.day)) \(padded(hour)):\(padded(minute))"
    }
}
