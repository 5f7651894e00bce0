internal import Foundation
package import Meetings

package enum SystemTime {
    /// The time by this machine's clock. The server decides what is late or over.
    package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

extension Zone {
    /// The zone that the server named; UTC if this machine does not know the name.
    package static func named(_ name: String) -> Zone { Zone(name) ?? .utc }
}

extension Instant {
    /// `2026-11-21 19:00`, in a zone.
    package func wall(in zone: Zone) -> String { WallTime(self, in: zone).text }
    /// `19:00:05`, in a zone.
    package func clock(in zone: Zone) -> String {
        let seconds = Int((milliseconds / 1000) % 60)
        return "\(WallTime(self, in: zone).text.suffix(5)):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
