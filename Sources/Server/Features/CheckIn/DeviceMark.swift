import HTTPServer
import Meetings
import Secrets

/// The stored evidence of a check-in's origin: a shortened IP address, and a mark of the browser. Marks of
/// two sessions cannot be compared.
enum DeviceMark {
    /// Returns a random mark. The check-in page sets it as a cookie, and only its hash is stored.
    static func fresh() -> String { Crockford.encode(Secrets.randomBytes(16)) }

    static func evidence(of context: RequestContext, in session: SessionID) -> CheckInEvidence? {
        let mark = context.deviceCookie.map { Array($0.utf8) }
        return CheckInEvidence(
            device: mark.map { context.services.keys.device.mac(session.bytes + $0, length: 10) },
            network: network(of: context.client))
    }

    /// Returns the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address; nil for any
    /// other text.
    static func network(of peer: String) -> String? {
        let address = peer.hasPrefix("::ffff:") && peer.contains(".") ? String(peer.dropFirst(7)) : peer
        let four = address.split(separator: ".", omittingEmptySubsequences: false)
        if four.count == 4, four.allSatisfy({ UInt8($0) != nil }) {
            return four.prefix(3).joined(separator: ".") + ".0/24"
        }
        guard let groups = groups(of: address) else { return nil }
        return groups.prefix(3).map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }

    /// Returns the eight groups of an IPv6 address (RFC 4291 §2.2), without a zone.
    private static func groups(of address: String) -> [UInt16]? {
        let bare = address.prefix { $0 != "%" }
        let halves = bare.components(of: "::")
        guard bare.contains(":"), halves.count <= 2 else { return nil }
        let read = halves.map { half in half.split(separator: ":").map { UInt16($0, radix: 16) } }
        let known = read.joined().compactMap(\.self)
        guard known.count == read.joined().count, halves.count == 2 ? known.count < 8 : known.count == 8
        else { return nil }
        let head = read[0].compactMap(\.self)
        let tail = halves.count == 2 ? read[1].compactMap(\.self) : []
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }
}

extension Substring {
    fileprivate func components(of separator: String) -> [Substring] {
        guard let found = firstRange(of: separator) else { return [self] }
        return [self[..<found.lowerBound]] + self[found.upperBound...].components(of: separator)
    }
}
