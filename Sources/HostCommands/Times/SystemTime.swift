internal import Foundation
package import Meetings

package enum SystemTime {
    /// By this machine's clock. What is over or late is the server's to say.
    package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

extension Zone {
    /// A zone that the server named; UTC where this machine does not know it.
    static func named(_ name: String) -> Zone { Zone(name) ?? .utc }
}

extension Instant {
    /// `2026-11-21 19:00`, in a zone.
    func wall(in zone: Zone) -> String { WallTime(self, in: zone).text }
    /// `19:00:05`, in a zone.
    func clock(in zone: Zone) -> String {
        let seconds = Int((milliseconds / 1000) % 60)
        return "\(WallTime(self, in: zone).text.suffix(5)):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
