import Meetings
import Secrets
import Synchronization

/// The tickets for event streams. A browser cannot send a bearer header with `EventSource`, and a token in a
/// URL would reach logs. So the page exchanges its token for a ticket, which is valid once and for 30 s.
final class RoomTickets: Sendable {
    /// A right, as the client proved it.
    private struct Ticket {
        let token: String
        let holder: RoomRight.Holder
        let expiresAt: Instant
    }

    private struct State {
        var tickets: [String: Ticket] = [:]
        /// The tickets in the order of their ends, some of which are used.
        var order: [String] = []
        /// The valid tickets of each holder, oldest first.
        var byHolder: [RoomRight.Holder: [String]] = [:]

        mutating func remove(_ text: String) -> Ticket? {
            guard let ticket = tickets.removeValue(forKey: text) else { return nil }
            byHolder[ticket.holder]?.removeAll { $0 == text }
            if byHolder[ticket.holder]?.isEmpty == true { byHolder[ticket.holder] = nil }
            return ticket
        }

        /// Removes the expired tickets, and the oldest ones if there are too many.
        mutating func tidy(at now: Instant) {
            let kept = order.firstIndex { tickets[$0].map { $0.expiresAt > now } ?? false } ?? order.count
            let first = max(kept, order.count - RoomTickets.most)
            for text in order[..<first] { _ = remove(text) }
            order.removeFirst(first)
        }
    }

    static let lifetime = Duration.seconds(30)
    /// The most valid tickets, and the most of one holder. The oldest ones end first.
    static let most = 50_000
    static let mostOfHolder = 50
    private static let prefix = "qtk_"

    private let state = Mutex(State())

    /// Returns a ticket for the right that `token` has proved, and the ticket's end.
    func issue(for token: String, _ right: RoomRight, at now: Instant) -> (text: String, expiresAt: Instant) {
        let (text, end) = (Self.prefix + RandomToken().text, now + Self.lifetime)
        state.withLock { state in
            state.tidy(at: now)
            if let held = state.byHolder[right.holder], held.count >= Self.mostOfHolder {
                _ = state.remove(held[0])
            }
            state.tickets[text] = Ticket(token: token, holder: right.holder, expiresAt: end)
            state.order.append(text)
            state.byHolder[right.holder, default: []].append(text)
        }
        return (text, end)
    }

    /// Whether the ticket is valid at this moment.
    func isValid(_ text: String, at now: Instant) -> Bool {
        state.withLock { $0.tickets[text].map { $0.expiresAt > now } ?? false }
    }

    /// Uses the ticket up. Returns the token for which it was issued; nil if the ticket is not valid.
    func redeem(_ text: String, at now: Instant) -> String? {
        guard let ticket = state.withLock({ $0.remove(text) }), ticket.expiresAt > now else { return nil }
        return ticket.token
    }
}
