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

    /// Returns the pieces before, between and after two places: the end of `first` and the end of `second`,
    /// each before its last byte. Traps if the page does not contain them in this order.
    func split(inside first: String, _ second: String) -> [[UInt8]] {
        guard let one = text.firstRange(of: first), let two = text[one.upperBound...].firstRange(of: second)
        else { preconditionFailure("the page has no \(first) before \(second)") }
        let (middle, end) = (text.utf8.index(before: one.upperBound), text.utf8.index(before: two.upperBound))
        return [text.utf8[..<middle], text.utf8[middle..<end], text.utf8[end...]].map { Array($0) }
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
