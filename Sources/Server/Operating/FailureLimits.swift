import Foundation
import HTTPServer
import Meetings
import Synchronization
import Wire

/// Counts failures, never successes: a hall that checks in behind one address is no attack, and a hundred
/// wrong passwords are.
///
/// Two kinds. Where a right answer can be guessed in so many attempts (passwords, addresses that have an
/// account), whoever has failed so often waits before the next attempt is looked at. Where it cannot (codes
/// and everything signed), each attempt is looked at, a right one is always taken, and only wrong ones are
/// told to wait: no stranger in the hall can keep the others out.
final class FailureLimits: Sendable {
    struct Limit: Sendable {
        let failures: Int
        let within: Duration
    }

    /// By account and address: ten wrong passwords in a quarter of an hour.
    static let signIn = Limit(failures: 10, within: .minutes(15))
    /// By address: who tries many accounts.
    static let signInFromAddress = Limit(failures: 100, within: .minutes(15))
    /// By address: generous, since a whole hall may mistype behind one. A right one is always taken.
    static let joinCode = Limit(failures: 600, within: .minutes(10))
    /// By address: codes, grants and receipts that nobody was given, and refresh tokens, in rooms any tokens,
    /// that are not known, once-genuine ones among them: no row is kept of what was signed out. A right one
    /// is always taken.
    static let forgery = Limit(failures: 600, within: .minutes(10))
    /// By address: questions after accounts, which are no failures but tell something each.
    static let availability = Limit(failures: 60, within: .minutes(1))
    /// By address: rejected sign-ups, which also reveal whether an account exists, and wrong set-up tokens.
    /// An invited person never waits.
    static let signUp = Limit(failures: 60, within: .minutes(1))

    /// By address: wrong answers to published forms, and names of forms that are none. Right answers are
    /// always taken.
    static let form = Limit(failures: 600, within: .minutes(10))
    /// By account: addresses that were named to be imported from, and gave nothing.
    static let fetch = Limit(failures: 20, within: .minutes(10))

    private struct Record {
        var count = 0
        var began: Instant

        /// A clock that is set back ends it: nobody waits longer than was said.
        func lasts(_ limit: Limit, at now: Instant) -> Bool { began <= now && now < began + limit.within }
    }

    /// What a key weighs is the same however long a text somebody chose: only its hash is kept, under a seed
    /// of this process.
    private static let mostKeys = 100_000
    private let records = Mutex<[Int: Record]>([:])

    var keyCount: Int { records.withLock { $0.count } }

    /// Seconds to wait, or nil where another attempt is allowed.
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
            // Under a flood the oldest go first: clearing all would reset everybody's.
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
    /// Whom failures are counted by: an IPv4 address, or an IPv6 network of 64 bits, of which anybody has all
    /// addresses.
    var origin: String { Origin.of(client) }

    /// Throws 429 where too many attempts have failed.
    func requireAttempt(_ key: String, _ limit: FailureLimits.Limit) throws {
        guard let seconds = services.limits.wait(key, limit, at: services.clock.now) else { return }
        throw RequestError(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }

    func failed(_ key: String, _ limit: FailureLimits.Limit) {
        services.limits.failed(key, limit, at: services.clock.now)
    }

    /// Counts what was wrong, and gives what to throw: the refusal, or 429 past the limit. For what is looked
    /// at in any case.
    func wrong(_ key: String, _ limit: FailureLimits.Limit, _ refusal: Refusal) -> any Error {
        do { try requireAttempt(key, limit) } catch { return error }
        failed(key, limit)
        return refusal
    }

    /// Something signed or stored that nobody was given.
    func forged(_ refusal: Refusal) -> any Error {
        wrong(Origin.forgery(from: origin), FailureLimits.forgery, refusal)
    }
}

extension Services {
    /// False where so many have been counted that there is nothing left but to wait; what is genuine is taken
    /// all the same.
    func isCounted(forgeryFrom origin: String) -> Bool {
        let (key, now) = (Origin.forgery(from: origin), clock.now)
        guard limits.wait(key, FailureLimits.forgery, at: now) == nil else { return false }
        limits.failed(key, FailureLimits.forgery, at: now)
        return true
    }
}

enum Origin {
    static func of(_ peer: String) -> String { peer.contains(":") ? network(ofIPv6: peer) : peer }

    /// One count for requests and rooms: who is told to wait at the one is told so at the other.
    static func forgery(from origin: String) -> String { "forgery from \(origin)" }

    /// The first four of the eight groups; one that stands for IPv4 (RFC 4291 §2.5.5.2) is that.
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
