/// One field line of RFC 9110 §5, without folding, and without white space before its colon.
struct HeaderField {
    /// In lower case.
    let name: [UInt8]
    /// Without white space around it.
    let value: Slice<UnsafeRawBufferPointer>

    /// Nil where the line is not exactly `token ":" OWS value OWS`; a folded line begins with white space,
    /// which no token does.
    init?(line: Slice<UnsafeRawBufferPointer>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        let name = line[..<colon]
        guard name.allSatisfy(Self.isToken), line.allSatisfy(Self.isAllowedInLine) else { return nil }
        self.name = name.map(Self.lowercased)
        self.value = Self.trimmed(line[(colon + 1)...])
    }

    /// The elements of a comma-separated value (RFC 9110 §5.6.1); empty ones are passed over, as it asks.
    var elements: some Sequence<Slice<UnsafeRawBufferPointer>> {
        value.split(separator: UInt8(ascii: ",")).lazy.map(Self.trimmed).filter { !$0.isEmpty }
    }

    static func isAllowedInLine(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7f) || byte == UInt8(ascii: "\t")
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var rest = bytes
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest
    }
}
