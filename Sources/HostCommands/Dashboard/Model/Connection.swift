internal import Client
internal import Meetings
internal import Wire

/// How a room is connected, as it is shown.
enum Connection: Hashable, Sendable {
    case connecting
    /// `since` it was connected again, and whether nothing was missed; nil at first.
    case live(resumed: Resumption?)
    case waiting(until: Instant)

    struct Resumption: Hashable, Sendable {
        let at: Instant
        let recovered: Bool
    }

    /// For so long it is said that the connection is back.
    static let resumptionShows = Duration.seconds(5)

    mutating func take(_ update: RoomUpdate, now: Instant) {
        switch update {
        case .joined(let joined):
            if case .waiting = self {
                self = .live(resumed: Resumption(at: now, recovered: joined.recovered))
            } else {
                self = .live(resumed: nil)
            }
        case .reconnecting(let delay, _): self = .waiting(until: now + delay)
        default: break
        }
    }
}
