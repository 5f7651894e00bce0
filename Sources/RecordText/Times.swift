internal import Foundation
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
