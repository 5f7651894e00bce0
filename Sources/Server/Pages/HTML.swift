import Meetings
import Phrases

/// A piece of a page's HTML. Interpolated texts are escaped; only interpolated `HTML` is inserted unchanged.
struct HTML: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    private(set) var text: String

    static let mediaType = "text/html; charset=utf-8"

    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
    private init(text: String) { self.text = text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
        mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
        mutating func appendInterpolation(_ head: PageHead) { text += head.text }
        mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
        mutating func appendInterpolation(_ number: Int) { text += String(number) }
        mutating func appendInterpolation(_ plain: String) { text += HTML.escaped(plain) }
        mutating func appendInterpolation<Of>(_ id: ID<Of>) { text += id.text }
    }

    /// Returns the three pieces of the page around two gaps. The gaps are before the last byte of `first` and
    /// before the last byte of `second`. Traps if the page does not contain both in this order.
    func split(inside first: String, _ second: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        // A search of the bytes, because a search of the characters of a page takes 0.4 ms.
        func lastByte(of part: String, after start: Int) -> Int {
            let found = bytes.withUnsafeBufferPointer { bytes in
                bytes[start...].indices.first { bytes[$0...].starts(with: part.utf8) }
            }
            guard let found else { preconditionFailure("the page has no \(part)") }
            return found + part.utf8.count - 1
        }
        let one = lastByte(of: first, after: 0)
        let two = lastByte(of: second, after: one)
        return [Array(bytes[..<one]), Array(bytes[one..<two]), Array(bytes[two...])]
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            true
        default: false
        }
    }

    /// Returns `plain` with its special characters escaped, for use as text and in quoted attributes.
    private static func escaped(_ plain: String) -> String {
        guard plain.utf8.contains(where: isSpecial) else { return plain }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(plain.utf8.count * 2)
        for byte in plain.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
