import Foundation
import HTTPServer
import Meetings
import Wire

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
