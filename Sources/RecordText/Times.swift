internal import FoundationEssentials
package import Meetings

package enum SystemTime {
    /// The time of this machine's clock. Only the server decides whether a check-in is late or a session is
    /// over.
    package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

extension Zone {
    /// Returns the time zone with the name that the server sent; UTC if this machine does not know the name.
    package static func named(_ name: String) -> Zone { Zone(name) ?? .utc }
}

extension Instant {
    /// Returns the date and time in a zone: `2026-11-21 19:00`.
    package func wall(in zone: Zone) -> String { WallTime(self, in: zone).text }
    /// Returns the time of day in a zone: `19:00:05`.
    package func clock(in zone: Zone) -> String {
        let seconds = Int((milliseconds / 1000) % 60)
        return "\(WallTime(self, in: zone).text.suffix(5)):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}

extension Zone {
    /// The zone's city, such as `Seoul`; the whole name if it has no city.
    package var city: String {
        name.split(separator: "/").last.map { String($0).replacing("_", with: " ") } ?? name
    }

    /// Returns a label for times in this zone: its city, or nil if a clock in `home` shows the same time at
    /// this moment.
    package func label(at moment: Instant, for home: Zone) -> String? {
        moment.wall(in: self) == moment.wall(in: home) ? nil : city
    }
}

extension Instant {
    /// Returns the date and time in a zone, with the zone's label for people whose clock is in `home`:
    /// `2026-11-21 19:00 Seoul`.
    package func labelledWall(in zone: Zone, for home: Zone) -> String {
        wall(in: zone) + (zone.label(at: self, for: home).map { " \($0)" } ?? "")
    }
}
