import Foundation
import HTTPServer
import Meetings
import Synchronization
import Wire

/// Counts failures, never successes: a hall that checks in behind one address is no attack, but a hundred
/// wrong passwords are.
///
/// There are two kinds of limits. Passwords and e-mail addresses with an account can be guessed, so a client
/// over the limit must wait before its next attempt is checked. Codes and signed values cannot be guessed, so
/// every attempt is checked and a valid one always succeeds. Only wrong ones must wait, and no stranger in
/// the hall can lock the others out.
final class FailureLimits: Sendable {
    struct Limit: Sendable {
        let failures: Int
        let within: Duration
    }

    /// By account and address: ten wrong passwords in 15 minutes.
    static let signIn = Limit(failures: 10, within: .minutes(15))
    /// By address: a client that tries many accounts.
    static let signInFromAddress = Limit(failures: 100, within: .minutes(15))
    /// By address: generous, because a whole hall may mistype behind one address. A valid code is always
    /// accepted.
    static let joinCode = Limit(failures: 600, within: .minutes(10))
    /// By address: forged codes, grants and receipts, and unknown refresh tokens; in rooms, any unknown
    /// token. An unknown token may have been genuine once, because signing out deletes its row. A valid one
    /// is always accepted.
    static let forgery = Limit(failures: 600, within: .minutes(10))
    /// By address: questions whether an e-mail address has an account. They are no failures, but each reveals
    /// something.
    static let availability = Limit(failures: 60, within: .minutes(1))
    /// By address: rejected sign-ups, which also reveal whether an account exists, and wrong set-up tokens.
    /// An invited person never waits.
    static let signUp = Limit(failures: 60, within: .minutes(1))

    /// By address: wrong answers to published forms, and unknown form names. Valid answers are always
    /// accepted.
    static let form = Limit(failures: 600, within: .minutes(10))
    /// By account: addresses to import from that could not be fetched.
    static let fetch = Limit(failures: 20, within: .minutes(10))

    private struct Record {
        var count = 0
        var began: Instant

        /// A clock that is set back ends the record, so that nobody waits longer than announced.
        func lasts(_ limit: Limit, at now: Instant) -> Bool { began <= now && now < began + limit.within }
    }

    /// Only a key's hash is stored, under a seed of this process, so that a long text takes no more memory
    /// than a short one.
    private static let mostKeys = 100_000
    private let records = Mutex<[Int: Record]>([:])

    var keyCount: Int { records.withLock { $0.count } }

    /// Returns the seconds to wait; nil if another attempt is allowed.
    func wait(_ key: String, _ limit: Limit, at now: Instant) -> Int? {
        records.withLock { records in
            guard let record = records[key.hashValue], record.lasts(limit, at: now),
                record.count >= limit.failures
            else { return nil }
            return Int((record.began + limit.within).since(now).components.seconds) + 1
        }
    }

    func failed(_ key: String, _ limit: Limit, at now: Instant) {
        records.withLock { records in
            if records.count >= Self.mostKeys {
                records = records.filter { now < $0.value.began + .minutes(15) }
            }
            // Under a flood the oldest records are dropped. Clearing all would reset every count.
            if records.count >= Self.mostKeys {
                for (key, _) in records.sorted(by: { $0.value.began < $1.value.began }).prefix(
                    Self.mostKeys / 10)
                { records[key] = nil }
            }
            var record = records[key.hashValue] ?? Record(began: now)
            if !record.lasts(limit, at: now) { record = Record(began: now) }
            record.count += 1
            records[key.hashValue] = record
        }
    }

    func succeeded(_ key: String) { records.withLock { $0[key.hashValue] = nil } }
}

extension RequestContext {
    /// The origin by which failures are counted: an IPv4 address, or an IPv6 network of 64 bits, because one
    /// client has all its addresses.
    var origin: String { Origin.of(client) }

    /// - Throws: 429 after too many failures.
    func requireAttempt(_ key: String, _ limit: FailureLimits.Limit) throws {
        guard let seconds = services.limits.wait(key, limit, at: services.clock.now) else { return }
        throw RequestError(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }

    func failed(_ key: String, _ limit: FailureLimits.Limit) {
        services.limits.failed(key, limit, at: services.clock.now)
    }

    /// Counts a wrong attempt that was checked. Returns the error to throw: the refusal, or 429 past the
    /// limit.
    func wrong(_ key: String, _ limit: FailureLimits.Limit, _ refusal: Refusal) -> any Error {
        do { try requireAttempt(key, limit) } catch { return error }
        failed(key, limit)
        return refusal
    }

    /// Counts a signed or stored value that this server never issued.
    func forged(_ refusal: Refusal) -> any Error {
        wrong(Origin.forgery(from: origin), FailureLimits.forgery, refusal)
    }
}

extension Services {
    /// Counts a forged token in a room. Returns false past the limit, when the client must wait; a valid
    /// token is still accepted.
    func isCounted(forgeryFrom origin: String) -> Bool {
        let (key, now) = (Origin.forgery(from: origin), clock.now)
        guard limits.wait(key, FailureLimits.forgery, at: now) == nil else { return false }
        limits.failed(key, FailureLimits.forgery, at: now)
        return true
    }
}

enum Origin {
    static func of(_ peer: String) -> String { peer.contains(":") ? network(ofIPv6: peer) : peer }

    /// HTTP requests and rooms share one count.
    static func forgery(from origin: String) -> String { "forgery from \(origin)" }

    /// Returns the first four of the eight groups. An address that contains an IPv4 one (RFC 4291 §2.5.5.2)
    /// counts as that.
    static func network(ofIPv6 text: String) -> String {
        let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        if let last = address.split(separator: ":").last, last.contains(".") { return String(last) }
        let halves = address.components(separatedBy: "::")
        let front = halves[0].split(separator: ":").map(String.init)
        let back = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
        let zeros =
            halves.count > 1 ? [String](repeating: "0", count: max(0, 8 - front.count - back.count)) : []
        return (front + zeros + back).prefix(4).joined(separator: ":") + "::/64"
    }
}
