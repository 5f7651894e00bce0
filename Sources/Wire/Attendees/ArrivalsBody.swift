package import Meetings

/// Minutes in which somebody came, oldest first; the newest 1,440.
package struct ArrivalsBody: Codable, Hashable, Sendable {
    package let minutes: [ArrivalMinute]

    package init(minutes: [ArrivalMinute]) { self.minutes = minutes }
}
