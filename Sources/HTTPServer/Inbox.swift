import CMicroHTTPD
import Synchronization

/// What other threads have for the loop: new sockets, answers, and the wish to end.
///
/// The eventfd is signalled only by what makes the inbox non-empty: however many answers one commit lets go,
/// the loop is woken once for all of them.
final class Inbox: Sendable {
    /// A connected socket and what is known of it.
    struct Arrival: Sendable {
        var descriptor: CInt
        var peer: String
        var keepsAlive = true
        var holding: (any AnyObject & Sendable)?
    }

    enum Item: Sendable {
        case socket(Arrival)
        /// To be told that there is no room, and closed.
        case turnAway(CInt)
        case answer(HTTPResponse, to: Connection, serial: UInt64)
        case drain(until: ContinuousClock.Instant, CheckedContinuation<Void, Never>?)
    }

    private struct State {
        var items: [Item] = []
        var isClosed = false
    }

    /// For the loop to poll.
    let wake: CInt
    private let state = Mutex(State())

    init?() {
        wake = cmhd_eventfd_create()
        if wake < 0 { return nil }
    }

    deinit { _ = closeDescriptor(wake) }

    /// False where nobody will ever take it.
    func put(_ item: Item) -> Bool {
        let (isTaken, wakes) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.items.append(item)
            return (true, state.items.count == 1)
        }
        if wakes { cmhd_eventfd_signal(wake) }
        return isTaken
    }

    /// Moves everything into `items`, which must be empty; its storage is used for what comes next.
    func take(into items: inout [Item]) {
        cmhd_eventfd_clear(wake)
        state.withLock { swap(&$0.items, &items) }
    }

    /// Refuses everything from now on, and returns what was left.
    func close() -> [Item] {
        state.withLock { state in
            state.isClosed = true
            defer { state.items = [] }
            return state.items
        }
    }
}
