import Testing

@testable import Secrets

struct CrockfordTests {
    /// The base32 test vectors of RFC 4648 §10. Crockford's letter of the same value replaces each letter.
    @Test(arguments: [
        ("", ""), ("f", "CR"), ("fo", "CSQG"), ("foo", "CSQPY"), ("foob", "CSQPYRG"), ("fooba", "CSQPYRK1"),
        ("foobar", "CSQPYRK1E8"),
    ])
    func `encoding and decoding agree with the known test vectors`(bytes: String, text: String) {
        #expect(Crockford.encode(Array(bytes.utf8)) == text)
        #expect(Crockford.decode(text) == Array(bytes.utf8))
    }

    @Test func `bytes of any length are encoded for QR's alphanumeric mode and decoded unchanged`() {
        for length in 0...80 {
            // The byte values differ from length to length.
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ length) }
            let text = Crockford.encode(bytes)
            #expect(text.utf8.count == (8 * length + 4) / 5)
            #expect(text.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) })
            #expect(Crockford.decode(text) == bytes)
            #expect(Crockford.decode(text.lowercased()) == bytes)
        }
    }

    @Test func `decoding accepts look-alike letters and ignores hyphens`() {
        for text in ["iOlo1o10", "IoLOLOi0", "1O1-01-010", "-10101010-"] {
            #expect(Crockford.decode(text) == Crockford.decode("10101010"), "\(text)")
        }
        #expect(Crockford.decode("10101010") == [0x08, 0x02, 0x00, 0x80, 0x20])
    }

    @Test(arguments: ["U0", "u0", "0!", "0 ", " 0", "00=", "é0", "0\0", "０0", "{0", "@0", "[0", "`0"])
    func `decoding rejects a text with any other character`(text: String) {
        #expect(Crockford.decode(text) == nil)
    }

    @Test func `decoding rejects lengths without whole bytes, and leftover bits that are not zero`() {
        for length in [1, 3, 6, 9, 11, 14] {
            #expect(Crockford.decode(String(repeating: "0", count: length)) == nil)
        }
        for length in [2, 4, 5, 7, 8, 10] {
            #expect(Crockford.decode(String(repeating: "0", count: length)) != nil)
        }
        #expect(Crockford.decode("CR") != nil)
        for wrong in ["CS", "CT", "CV", "CSQH", "CSQPZ", "CSQPYRH"] {
            #expect(Crockford.decode(wrong) == nil, "\(wrong)")
        }
    }
}
