import Meetings
import Synchronization

/// The addresses under which clients reach this server: the operator's public URL; otherwise, behind a trusted
/// proxy, the address that the client of each request used; otherwise the listening address.
///
/// A room sends the same frames to all of its visitors and belongs to no request. A room therefore uses the
/// address of the latest request by a host of its session. Everybody can send a request with any host name, and
/// must not choose the address on the screen of a hall.
final class PublicAddresses: Sendable {
    /// The limit of `learned`. When it is reached, the oldest session is forgotten; the next request by one of
    /// its hosts adds it again.
    private static let mostSessions = 10_000

    private let given: PublicAddress?
    private let listening: PublicAddress
    private let learned = Mutex<[SessionID: PublicAddress]>([:])

    /// - Parameter given: the operator's public URL.
    init(given: PublicAddress?, listening: PublicAddress) {
        (self.given, self.listening) = (given, listening)
    }

    /// The address to name if there is no request: in the log, for example.
    var own: PublicAddress { given ?? listening }

    /// Returns the address that the client of a request used.
    /// - Parameter forwarded: nil if no trusted proxy forwarded the request.
    func address(for forwarded: ForwardedRequest?) -> PublicAddress {
        given ?? forwarded?.address ?? listening
    }

    /// Returns the address that the rooms of a session show.
    func address(for session: SessionID) -> PublicAddress {
        given ?? learned.withLock { $0[session] } ?? listening
    }

    /// Remembers the address that a host of this session used.
    func learn(_ session: SessionID, from forwarded: ForwardedRequest?) {
        guard given == nil, let address = forwarded?.address else { return }
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
