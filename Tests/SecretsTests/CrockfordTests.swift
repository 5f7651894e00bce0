import Testing

@testable import Secrets

struct CrockfordTests {
    /// RFC 4648 §10's base32 vectors, with each letter of its alphabet replaced by Crockford's of the same
    /// value.
    @Test(arguments: [
        ("", ""), ("f", "CR"), ("fo", "CSQG"), ("foo", "CSQPY"), ("foob", "CSQPYRG"), ("fooba", "CSQPYRK1"),
        ("foobar", "CSQPYRK1E8"),
    ])
    func `known bytes have known spellings`(bytes: String, text: String) {
        #expect(Crockford.encode(Array(bytes.utf8)) == text)
        #expect(Crockford.decode(text) == Array(bytes.utf8))
    }

    @Test func `bytes of any length come back, in capitals that QR's alphanumeric mode takes`() {
        for length in 0...80 {
            // Of every value, whatever the length.
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ length) }
            let text = Crockford.encode(bytes)
            #expect(text.utf8.count == (8 * length + 4) / 5)
            #expect(text.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) })
            #expect(Crockford.decode(text) == bytes)
            #expect(Crockford.decode(text.lowercased()) == bytes)
        }
    }

    @Test func `look-alikes and hyphens are read as what was meant`() {
        for text in ["iOlo1o10", "IoLOLOi0", "1O1-01-010", "-10101010-"] {
            #expect(Crockford.decode(text) == Crockford.decode("10101010"), "\(text)")
        }
        #expect(Crockford.decode("10101010") == [0x08, 0x02, 0x00, 0x80, 0x20])
    }

    @Test(arguments: ["U0", "u0", "0!", "0 ", " 0", "00=", "é0", "0\0", "０0", "{0", "@0", "[0", "`0"])
    func `other characters make it none`(text: String) {
        #expect(Crockford.decode(text) == nil)
    }

    @Test func `lengths that are no whole bytes, and bits of no byte, make it none`() {
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
