import HTTPGrammar

/// The method of a request (RFC 9110 §9.1).
enum RequestMethod {
    /// The longest accepted method, in bytes. The longest method in IANA's registry, `UPDATEREDIRECTREF`, has
    /// 17 bytes.
    static let longest = 20

    /// Whether the method is a token (§5.6.2) of at most `longest` bytes. libmicrohttpd itself accepts all
    /// bytes except spaces.
    static func isWellFormed(_ method: UnsafePointer<CChar>) -> Bool {
        var count = 0
        while method[count] != 0 {
            guard count < longest, HTTPGrammar.isToken(UInt8(bitPattern: method[count])) else { return false }
            count += 1
        }
        return count > 0
    }
}

/// A request without its body. It is an object, because the loop, the task and the log hand it on several
/// times, and a copy of the texts would cost more than the reference.
package final class HTTPRequestHead: Sendable {
    /// The method, as the client sent it. Methods are case-sensitive (RFC 9110 §9.1).
    package let method: String
    /// The part of the target before the question mark, as the client sent it. The path begins with `/` and
    /// is not decoded, so that `%2F` and `/` differ. Callers must split the path first, and then decode each
    /// segment with `PercentCoding.decode`. The path contains only visible ASCII characters and valid
    /// escapes, but no escape for NUL.
    package let path: String
    /// The part of the target after the question mark, as the client sent it. Empty if there is no question
    /// mark. The same characters and escapes are allowed as in the path.
    package let rawQuery: String
    package let headers: HTTPHeaders
    /// The IP address of the connection's remote end, without a port. If the server is behind a proxy, this
    /// is the proxy's address.
    package let peer: String
    /// Whether this is the first request of its connection.
    package let isFirst: Bool

    package init(
        method: String, path: String, rawQuery: String = "", headers: HTTPHeaders = HTTPHeaders(),
        peer: String, isFirst: Bool = true
    ) {
        (self.method, self.path, self.rawQuery, self.headers, self.peer) = (
            method, path, rawQuery, headers, peer
        )
        self.isFirst = isFirst
    }

    /// The name-value pairs of the query in order, decoded like a form (`+` is a space). Pairs with invalid
    /// escapes are omitted, and a name without `=` has an empty value. Each call decodes the query again.
    package var query: [(name: String, value: String)] {
        rawQuery.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard
                let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = parts.count == 2 ? PercentCoding.decode(parts[1], plusIsSpace: true) : ""
            else { return nil }
            return (name, value)
        }
    }

    /// The first value of the name, as `query` has it. Other values are not decoded.
    package func queryValue(_ name: String) -> String? {
        var (query, name) = (rawQuery, name)
        return query.withUTF8 { query in
            name.withUTF8 { name in
                var rest = query[...]
                while !rest.isEmpty {
                    let pair = rest.prefix { $0 != UInt8(ascii: "&") }
                    rest = rest[pair.endIndex...].dropFirst()
                    let written = pair.prefix { $0 != UInt8(ascii: "=") }
                    guard !pair.isEmpty, PercentCoding.decodes(written, to: name) else { continue }
                    let value = UnsafeBufferPointer(rebasing: pair[written.endIndex...].dropFirst())
                    if let text = PercentCoding.decode(value, plusIsSpace: true) { return text }
                }
                return nil
            }
        }
    }
}

/// A complete request; an object for the same reason as `HTTPRequestHead`.
package final class HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    /// The body without transfer coding. Its size is at most the limit that `HTTPResponder.admit` returned.
    package let body: [UInt8]
    /// The object that `HTTPResponder.admit` returned for this request.
    package let context: (any AnyObject & Sendable)?

    package init(head: HTTPRequestHead, body: [UInt8] = [], context: (any AnyObject & Sendable)? = nil) {
        (self.head, self.body, self.context) = (head, body, context)
    }

    package var method: String { head.method }
    package var path: String { head.path }
    package var rawQuery: String { head.rawQuery }
    package var query: [(name: String, value: String)] { head.query }
    package var headers: HTTPHeaders { head.headers }
    package var peer: String { head.peer }
}

/// The target of a request (RFC 9112 §3.2), split into path and query but not decoded. The target is in
/// origin form (`/path?query`) or in absolute form. Clients send the absolute form only to proxies, but a
/// server "MUST accept" it.
struct RequestTarget: Equatable, Sendable {
    let path: String
    /// The query without the question mark. Empty if there is no question mark.
    let query: String

    /// Parses a target. Returns nil if a byte is not visible ASCII, if an escape is malformed or encodes NUL,
    /// or if there is a fragment.
    init?(_ bytes: some Collection<UInt8>) {
        var rest = bytes[...]
        if rest.first != UInt8(ascii: "/") {
            let scheme = Array("http://".utf8)
            guard rest.count > scheme.count,
                rest.prefix(scheme.count).map({ $0 | 0x20 }) == scheme.map({ $0 | 0x20 })
            else { return nil }
            rest = rest.dropFirst(scheme.count)
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash != rest.startIndex else {
                return nil
            }
            rest = rest[slash...]
        }
        guard Self.isWellFormed(rest) else { return nil }
        guard let mark = rest.firstIndex(of: UInt8(ascii: "?")) else {
            path = String(decoding: rest, as: UTF8.self)
            query = ""
            return
        }
        path = String(decoding: rest[..<mark], as: UTF8.self)
        query = String(decoding: rest[rest.index(after: mark)...], as: UTF8.self)
    }

    private static func isWellFormed(_ bytes: some Collection<UInt8>) -> Bool {
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "#") else { return false }
            guard byte == UInt8(ascii: "%") else { continue }
            guard
                let high = iterator.next().flatMap(PercentCoding.digit),
                let low = iterator.next().flatMap(PercentCoding.digit),
                high | low != 0
            else { return false }
        }
        return true
    }
}

/// Strict percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    /// Decodes percent-encoded text. Returns nil if an escape does not have two hexadecimal digits or encodes
    /// NUL, or if the result is not UTF-8. If `plusIsSpace` is true, `+` is decoded as a space, as in forms
    /// and queries.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var text = String(text)
        return text.withUTF8 { decode($0, plusIsSpace: plusIsSpace) }
    }

    /// Whether the text decodes to these bytes, with a `+` as a space.
    fileprivate static func decodes(
        _ text: Slice<UnsafeBufferPointer<UInt8>>, to bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let text = UnsafeBufferPointer(rebasing: text)
        guard isEscaped(text, plusIsSpace: true) else { return text.elementsEqual(bytes) }
        return decode(text, plusIsSpace: true)?.utf8.elementsEqual(bytes) == true
    }

    private static func isEscaped(_ text: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> Bool {
        text.contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
    }

    fileprivate static func decode(_ text: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String? {
        guard isEscaped(text, plusIsSpace: plusIsSpace) else {
            return String(validating: text, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var bytes = text.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit),
                    high | low != 0
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Percent-encodes all bytes of the text except the unreserved characters (§2.3).
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte < 128,
                scalar.properties.isAlphabetic || (48...57).contains(byte)
                    || "-._~".unicodeScalars.contains(scalar)
            {
                encoded.unicodeScalars.append(scalar)
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return encoded
    }

    /// Returns the value of a hexadecimal digit, or nil if the byte is not a hexadecimal digit.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
