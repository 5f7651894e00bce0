/// Crockford's base32 encoding (crockford.com/base32.html) without check symbols. It is used for codes that
/// people read, type and say, and its characters fit into the alphanumeric mode of QR codes. Each character
/// encodes 5 bits, the highest bits first. Unused bits of the last character are zero.
package enum Crockford {
    /// The 32 ASCII characters. A `StaticString`, because a static array costs a check at each access.
    private static var alphabet: StaticString { "0123456789ABCDEFGHJKMNPQRSTVWXYZ" }

    /// Encodes bytes as upper-case text of `(8 × bytes + 4) / 5` characters. The text begins with `prefix`.
    package static func encode(_ bytes: [UInt8], after prefix: String = "") -> String {
        String(unsafeUninitializedCapacity: prefix.utf8.count + (bytes.count * 8 + 4) / 5) { buffer in
            var bits: UInt = 0
            var count = 0
            var length = buffer.initialize(fromContentsOf: prefix.utf8)
            func put(_ value: UInt) {
                buffer[length] = alphabet.utf8Start[Int(value & 31)]
                length += 1
            }
            for byte in bytes {
                bits = bits << 8 | UInt(byte)
                count += 8
                while count >= 5 {
                    count -= 5
                    put(bits >> UInt(count))
                }
            }
            if count > 0 { put(bits << UInt(5 - count)) }
            return length
        }
    }

    /// Decodes `text` in upper or lower case. `I` and `L` are read as 1 and `O` as 0, and hyphens are
    /// ignored.
    ///
    /// Returns nil if `text` contains another character (`U` is not in the alphabet), if its length does not
    /// encode a whole number of bytes, or if an unused bit of the last character is set. Therefore every
    /// value has only one spelling, apart from case, hyphens and look-alike characters. Callers must limit
    /// the length of `text`, because this function accepts any length.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var text = String(text)
        return text.withUTF8(decode)
    }

    /// Decodes the end of an address whose last two parts are this letter, in either case, and the encoded
    /// bytes; or a text that is the encoded bytes alone. White space is ignored.
    package static func decode(_ address: String, after letter: String) -> [UInt8]? {
        let parts = address.filter { !$0.isWhitespace }.split(
            separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count == 1 || parts[parts.count - 2].lowercased() == letter else {
            return nil
        }
        return decode(last)
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 5 / 8)
        var bits: UInt = 0
        var count = 0
        let values = values
        for character in text where character != UInt8(ascii: "-") {
            guard let value = value(of: character, in: values) else { return nil }
            bits = bits << 5 | value
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt(count)))
            }
            bits &= (1 << UInt(count)) - 1
        }
        return count < 5 && bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8, in values: [UInt8]) -> UInt? {
        let isLower = UInt8(ascii: "a")...UInt8(ascii: "z") ~= character
        let found = values[Int(isLower ? character - 32 : character)]
        return found == none ? nil : UInt(found)
    }

    private static let none: UInt8 = 255
    /// The values of all characters, indexed by the upper-case character. `none` marks characters outside the
    /// alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        for value in 0..<32 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
        values[Int(UInt8(ascii: "I"))] = 1
        values[Int(UInt8(ascii: "L"))] = 1
        values[Int(UInt8(ascii: "O"))] = 0
        return values
    }()
}
