/// The grammar of the bytes in HTTP header fields (RFC 9110 §5). The front door and the servers use the same
/// grammar, so that they interpret all requests in the same way. The functions run for each byte of a
/// request. They are public and not `package`, because Swift 6.3 inlines no `package` function into another
/// module.
public enum HTTPGrammar {
    /// Whether a token may contain this byte (§5.6.2).
    @inlinable
    public static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a field value may contain this byte. All bytes are allowed except control characters other
    /// than the tab (§5.5).
    @inlinable
    public static func isFieldText(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7f) || byte == 0x09 }

    /// Converts an upper-case ASCII letter to lower case. Returns all other bytes unchanged. Field names are
    /// compared in lower case (§5.1).
    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
    }

    /// Removes spaces and tabs (OWS, §5.6.3) from the beginning and the end of `bytes`.
    @inlinable
    public static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest
    }

    /// Returns the text of a field value. A value with other bytes than ASCII is read as ISO 8859-1 (§5.5),
    /// one character for each byte.
    ///
    /// Read as UTF-8, a value could consist of thousands of combining marks. Swift sorts the marks of each
    /// letter in quadratic time when it compares a text, and ISO 8859-1 has none.
    @inlinable
    public static func text(ofValue bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }
}
