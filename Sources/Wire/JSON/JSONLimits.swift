/// Why a text is not read as JSON, and where reading stopped.
package struct JSONFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable, CaseIterable {
        case notJSON, tooDeep, keyTooLong, tooManyValues
    }

    package let reason: Reason
    /// Counted from 1.
    package let line: Int

    package init(_ reason: Reason, line: Int) {
        self.reason = reason
        self.line = line
    }
}

/// What a JSON text may be, whatever its size in bytes. One pass over the bytes checks this before the parser
/// allocates anything.
package enum JSONLimits {
    /// Levels of objects and arrays. The deepest body of the API has seven.
    package static let mostLevels = 32
    /// Bytes of a member's name as it is written, escapes included. The longest name that a body needs is a
    /// question's: 40 characters.
    package static let mostKeyBytes = 4096
    /// Values of every kind, objects and arrays included. A roster of 20,000 people with every field that the
    /// API lists has 240,002.
    package static let mostValues = 250_000

    /// The limit that the text exceeds, or nil. The text need not be JSON: what comes before the first error
    /// of syntax is counted exactly, and the parser reads no further than that.
    static func fault(in bytes: [UInt8]) -> JSONFault? {
        bytes.withUnsafeBufferPointer { bytes in
            var (levels, values, keyBytes, at) = (0, 0, 0, 0)
            func fault(_ reason: JSONFault.Reason) -> JSONFault {
                JSONFault(reason, line: 1 + bytes[..<at].count { $0 == UInt8(ascii: "\n") })
            }
            while at < bytes.count {
                switch bytes[at] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    (levels, values) = (levels + 1, values + 1)
                    if levels > mostLevels { return fault(.tooDeep) }
                    if values > mostValues { return fault(.tooManyValues) }
                case UInt8(ascii: "}"), UInt8(ascii: "]"): levels -= 1
                case UInt8(ascii: "\""):
                    let end = endOfText(at: at, bytes)
                    // A colon behind it makes it a name, which is no value.
                    (keyBytes, values, at) = (end - at - 1, values + 1, end)
                case UInt8(ascii: ":"):
                    values -= 1
                    if keyBytes > mostKeyBytes { return fault(.keyTooLong) }
                case UInt8(ascii: ","): if values > mostValues { return fault(.tooManyValues) }
                case let byte where isSpace(byte): break
                default:
                    values += 1
                    while at + 1 < bytes.count, isWithinScalar(bytes[at + 1]) { at += 1 }
                }
                at += 1
            }
            return values > mostValues ? fault(.tooManyValues) : nil
        }
    }

    /// The index of the closing quotation mark; the end of the bytes if there is none.
    static func endOfText(at start: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var at = start + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(at, bytes.count)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether a number, `true`, `false` or `null` goes on with this byte.
    private static func isWithinScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"),
            UInt8(ascii: "\""):
            false
        default: !isSpace(byte)
        }
    }
}
