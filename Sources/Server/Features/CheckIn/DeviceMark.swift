import HTTPServer
import Meetings
import Secrets

/// The stored evidence of a check-in's origin: a shortened IP address, and a mark of the browser. Marks of
/// two sessions cannot be compared. Published forms that take one answer from each device use such marks,
/// too.
enum DeviceMark {
    /// Returns a random mark. The check-in page sets it as a cookie, and only its hash is stored.
    static func fresh() -> String { Crockford.encode(Secrets.randomBytes(16)) }

    static func evidence(of context: RequestContext, in session: SessionID) -> CheckInEvidence? {
        let mark = context.deviceCookie.map { Array($0.utf8) }
        return CheckInEvidence(
            device: mark.map { context.services.keys.device.mac(session.bytes + $0, length: 10) },
            network: network(of: context.client))
    }

    /// Returns the mark of the browser in a question set; nil without the cookie. Marks of two sets, and the
    /// mark of a check-in, cannot be compared.
    static func mark(of context: RequestContext, answering set: String, in session: SessionID) -> [UInt8]? {
        guard let cookie = context.deviceCookie else { return nil }
        // A name of a set has no byte 0.
        let message = session.bytes + Array(set.utf8) + [0] + Array(cookie.utf8)
        return context.services.keys.device.mac(message, length: 10)
    }

    /// Returns the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address; nil for any
    /// other text.
    static func network(of peer: String) -> String? {
        if let network = network(ofIPv4: peer) { return network }
        let address = peer.hasPrefix("::ffff:") && peer.contains(".") ? String(peer.dropFirst(7)) : peer
        let four = address.split(separator: ".", omittingEmptySubsequences: false)
        if four.count == 4, four.allSatisfy({ UInt8($0) != nil }) {
            return four.prefix(3).joined(separator: ".") + ".0/24"
        }
        guard let groups = groups(of: address) else { return nil }
        return groups.prefix(3).map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }

    /// Returns the first 24 bits of an IPv4 address in its usual form, which nearly every peer has. Returns
    /// nil for any other text.
    private static func network(ofIPv4 peer: String) -> String? {
        var (dots, digits, value) = (0, 0, 0)
        var end = peer.startIndex
        for index in peer.utf8.indices {
            let byte = peer.utf8[index]
            if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
                (dots, digits, value, end) = (dots + 1, 0, 0, index)
            } else {
                guard (0x30...0x39).contains(byte), digits < 3 else { return nil }
                (digits, value) = (digits + 1, value * 10 + Int(byte - 0x30))
                guard value <= 255 else { return nil }
            }
        }
        return dots == 3 && digits > 0 ? String(peer[..<end]) + ".0/24" : nil
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
