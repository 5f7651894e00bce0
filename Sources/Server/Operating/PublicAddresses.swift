import Meetings
import Synchronization

/// Where the server is reached: as the operator says; else, through a trusted proxy, as each request says of
/// itself; else where it listens.
///
/// What a room shows goes to all of its watchers alike, and is nobody's request. There the address counts by
/// which a host of the session asked last: everybody may ask by any name, and must not choose what a hall's
/// screen shows.
final class PublicAddresses: Sendable {
    /// Sessions without a room are told where they are by the next request; the oldest are forgotten first,
    /// roughly.
    private static let mostSessions = 10_000

    private let given: PublicAddress?
    private let listening: PublicAddress
    private let learned = Mutex<[SessionID: PublicAddress]>([:])

    init(given: PublicAddress?, listening: PublicAddress) {
        (self.given, self.listening) = (given, listening)
    }

    /// For the request that is being answered.
    var current: PublicAddress { given ?? Reached.current?.address ?? listening }

    /// For what a room shows.
    func address(for session: SessionID) -> PublicAddress {
        given ?? learned.withLock { $0[session] } ?? listening
    }

    /// A host of this session sends the request that is being answered.
    func learn(_ session: SessionID) {
        guard given == nil, let address = Reached.current?.address else { return }
        learned.withLock { learned in
            // Ids are ordered by time.
            if learned[session] == nil, learned.count >= Self.mostSessions,
                let oldest = learned.keys.min(by: { $0.text < $1.text })
            {
                learned[oldest] = nil
            }
            learned[session] = address
        }
    }
}
