import Meetings
import Secrets
import Synchronization

/// The tickets for event streams. A browser cannot send a bearer header with `EventSource`, and a token in a
/// URL would reach logs. So the page exchanges its token for a ticket, which is valid for 30 s.
///
/// A ticket is the encrypted token with the ticket's end, so that every node of a database can open it. Each
/// node accepts a ticket once.
final class RoomTickets: Sendable {
    static let lifetime = Duration.seconds(30)
    /// The most used tickets that are remembered. Then the oldest one is forgotten, and could be used again
    /// until its end.
    static let mostUsed = 50_000
    private static let prefix = "qtk_"

    private struct Used {
        /// The nonces of used tickets, and their order.
        var nonces: Set<[UInt8]> = []
        var order: [(nonce: [UInt8], end: Instant)] = []
    }

    private let key: [UInt8]
    private let used = Mutex(Used())

    init(keys: Keys) { key = keys.ticket.mac(Array("seal".utf8)) }

    /// Returns a ticket for the right that `token` has proved, and the ticket's end.
    func issue(for token: String, at now: Instant) -> (text: String, expiresAt: Instant) {
        let end = now + Self.lifetime
        let time = withUnsafeBytes(of: end.milliseconds.bigEndian) { Array($0) }
        return (Self.prefix + Crockford.encode(Sealed.seal(time + token.utf8, with: key)), end)
    }

    /// Whether the ticket is valid at this moment.
    func isValid(_ text: String, at now: Instant) -> Bool {
        guard let ticket = read(text, at: now) else { return false }
        return used.withLock { !$0.nonces.contains(ticket.nonce) }
    }

    /// Uses the ticket up. Returns the token for which it was issued; nil if the ticket is not valid.
    func redeem(_ text: String, at now: Instant) -> String? {
        guard let ticket = read(text, at: now) else { return nil }
        let isFirst = used.withLock { used in
            let kept = max(
                used.order.firstIndex { $0.end > now } ?? used.order.count, used.order.count - Self.mostUsed + 1)
            for (nonce, _) in used.order.prefix(kept) { used.nonces.remove(nonce) }
            used.order.removeFirst(kept)
            guard used.nonces.insert(ticket.nonce).inserted else { return false }
            used.order.append((ticket.nonce, ticket.end))
            return true
        }
        return isFirst ? ticket.token : nil
    }

    /// Decrypts a ticket. Returns nil if this server's key did not make it, or if it has expired.
    private func read(_ text: String, at now: Instant) -> (token: String, nonce: [UInt8], end: Instant)? {
        guard text.hasPrefix(Self.prefix), let sealed = Crockford.decode(text.dropFirst(Self.prefix.count)),
            let bytes = Sealed.open(sealed, with: key), bytes.count >= 8
        else { return nil }
        let end = Instant(milliseconds: bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        guard now < end, end <= now + Self.lifetime else { return nil }
        let token = String(decoding: bytes.dropFirst(8), as: UTF8.self)
        return (token, Array(sealed.prefix(Sealed.nonceLength)), end)
    }
}
