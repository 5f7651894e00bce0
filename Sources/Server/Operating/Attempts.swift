import Foundation
import HTTPServer
import Meetings
import Wire

extension RequestContext {
    /// Whom failures are counted by: an IPv4 address, or an IPv6 network of 64 bits, of which anybody has all addresses.
    var origin: String {
        let peer = request.peer
        guard peer.contains(":") else { return peer }
        return Origin.network(ofIPv6: peer)
    }

    /// Throws 429 where too many attempts have failed.
    func requireAttempt(_ key: String, _ limit: FailureLimits.Limit) throws {
        guard let seconds = services.limits.wait(key, limit, at: now) else { return }
        throw Stop(.tooManyAttempts, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }

    func failed(_ key: String, _ limit: FailureLimits.Limit) { services.limits.failed(key, limit, at: now) }

    /// Counts what was wrong, and gives what to throw: the refusal, or 429 past the limit. For what is looked at in any case.
    func wrong(_ key: String, _ limit: FailureLimits.Limit, _ refusal: Refusal) -> any Error {
        do { try requireAttempt(key, limit) } catch { return error }
        failed(key, limit)
        return refusal
    }

    /// Something signed or stored that nobody was given.
    func forged(_ refusal: Refusal) -> any Error { wrong("forgery from \(origin)", FailureLimits.forgery, refusal) }
}

enum Origin {
    /// The first four of the eight groups; one that stands for IPv4 (RFC 4291 §2.5.5.2) is that.
    static func network(ofIPv6 text: String) -> String {
        let address = text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? text
        if let last = address.split(separator: ":").last, last.contains(".") { return String(last) }
        let halves = address.components(separatedBy: "::")
        let front = halves[0].split(separator: ":").map(String.init)
        let back = halves.count > 1 ? halves[1].split(separator: ":").map(String.init) : []
        let zeros = halves.count > 1 ? [String](repeating: "0", count: max(0, 8 - front.count - back.count)) : []
        return (front + zeros + back).prefix(4).joined(separator: ":") + "::/64"
    }
}
