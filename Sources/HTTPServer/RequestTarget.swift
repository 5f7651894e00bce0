/// What a request asks for (RFC 9112 §3.2), split but not decoded: origin form (`/path?query`), or the
/// absolute form that a server "MUST accept" although only proxies are sent it.
struct RequestTarget: Equatable, Sendable {
    let path: String
    /// Without its question mark; empty where there is none.
    let query: String

    /// Nil where a byte is not visible ASCII, an escape is malformed or stands for NUL, or there is a
    /// fragment.
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
