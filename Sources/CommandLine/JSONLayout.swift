package import Terminal

/// Lays JSON out for a reader at a terminal: one member or element on a line, with colours.
package struct JSONLayout {
    /// The style of each kind of token; nil leaves the token plain.
    private let paint: Paint
    /// Whether each member and element has its own line.
    private let isTall: Bool

    package init(paint: Paint, isTall: Bool) {
        self.paint = paint
        self.isTall = isTall
    }

    /// Returns the text with the layout. Control characters of a terminal inside texts are escaped, so that
    /// text of other people cannot move the cursor.
    /// - Parameter bytes: JSON. White space between its tokens is replaced.
    package func applied(to bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var depth = 0
        var index = bytes.startIndex
        func newLine() {
            guard isTall else { return }
            out.append(UInt8(ascii: "\n"))
            out += Array(repeating: UInt8(ascii: " "), count: 2 * max(0, depth))
        }
        while index < bytes.endIndex {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                out.append(byte)
                index += 1
                let next = Self.skippingSpace(bytes, index)
                if next < bytes.endIndex, bytes[next] == byte + 2 {
                    out.append(bytes[next])
                    index = next + 1
                } else {
                    depth += 1
                    newLine()
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                newLine()
                out.append(byte)
                index += 1
            case UInt8(ascii: ","):
                out.append(byte)
                newLine()
                index += 1
            case UInt8(ascii: ":"):
                out.append(byte)
                if isTall { out.append(UInt8(ascii: " ")) }
                index += 1
            case UInt8(ascii: "\""):
                let end = Self.endOfText(bytes, index)
                let after = Self.skippingSpace(bytes, end)
                let isKey = after < bytes.endIndex && bytes[after] == UInt8(ascii: ":")
                paint.write(Self.safe(bytes[index..<end]), as: isKey ? .key : .text, to: &out)
                index = end
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default:
                let end =
                    bytes[index...].firstIndex { ",]} \n\r\t".utf8.contains($0) } ?? bytes.endIndex
                let isWord = (97...122).contains(byte)
                paint.write(
                    Array(bytes[index..<end]),
                    as: byte == UInt8(ascii: "n") ? .null : isWord ? .flag : .number,
                    to: &out)
                index = end
            }
        }
        return out
    }

    private static func skippingSpace(_ bytes: [UInt8], _ start: Int) -> Int {
        bytes[start...].firstIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) } ?? bytes.endIndex
    }

    /// Returns the index after the closing quotation mark of the text that begins at `start`.
    private static func endOfText(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if bytes[index] == UInt8(ascii: "\"") {
                return index + 1
            } else {
                index += 1
            }
        }
        return bytes.endIndex
    }

    /// Escapes DEL, the C1 controls and the marks that reverse the direction of a line. The other controls
    /// are escaped in JSON already.
    private static func safe(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(where: { $0 >= 0x7F }) else { return Array(text) }
        var safe: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let hex = String(scalar.value, radix: 16)
                safe += Array("\\u\(String(repeating: "0", count: 4 - hex.utf8.count))\(hex)".utf8)
            default: safe += Array(String(scalar).utf8)
            }
        }
        return safe
    }
}
