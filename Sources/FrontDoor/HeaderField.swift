import HTTPGrammar

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
        guard name.allSatisfy(HTTPGrammar.isToken), line.allSatisfy(HTTPGrammar.isFieldText) else { return nil }
        self.name = name.map(HTTPGrammar.lowercased)
        self.value = HTTPGrammar.trimmed(line[(colon + 1)...])
    }

    /// The elements of a comma-separated value (RFC 9110 §5.6.1); empty ones are passed over, as it asks.
    var elements: some Sequence<Slice<UnsafeRawBufferPointer>> {
        value.split(separator: UInt8(ascii: ",")).lazy.map(HTTPGrammar.trimmed).filter { !$0.isEmpty }
    }
}
