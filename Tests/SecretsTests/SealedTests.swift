import Secrets
import Testing

struct SealedTests {
    private let key = [UInt8](repeating: 7, count: 32)

    @Test(arguments: [0, 1, 16, 1000]) func `what was sealed is opened with its key and no other`(count: Int)
    {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        let sealed = Sealed.seal(bytes, with: key)
        #expect(Sealed.open(sealed, with: key) == bytes)
        #expect(Sealed.open(sealed, with: [UInt8](repeating: 8, count: 32)) == nil)
    }

    @Test func `no change goes unnoticed, and nothing can be read`() {
        let sealed = Sealed.seal(Array("kim@example.org".utf8), with: key)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(Sealed.open(changed, with: key) == nil)
        }
        for count in 0..<sealed.count { #expect(Sealed.open(Array(sealed.prefix(count)), with: key) == nil) }
        #expect(sealed.firstRange(of: Array("kim".utf8)) == nil)
        // A nonce each: the same bytes are sealed otherwise the next time.
        #expect(Sealed.seal(Array("kim@example.org".utf8), with: key) != sealed)
    }
}
