import Secrets
import Testing

struct SealedTests {
    private let key = [UInt8](repeating: 7, count: 32)

    @Test(arguments: [0, 1, 16, 1000]) func `sealed bytes can be opened only with their own key`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        let sealed = Sealed.seal(bytes, with: key)
        #expect(Sealed.open(sealed, with: key) == bytes)
        #expect(Sealed.open(sealed, with: [UInt8](repeating: 8, count: 32)) == nil)
    }

    @Test func `changed or cut sealed bytes cannot be opened, and sealed bytes show no plain text`() {
        let sealed = Sealed.seal(Array("kim@example.org".utf8), with: key)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(Sealed.open(changed, with: key) == nil)
        }
        for count in 0..<sealed.count { #expect(Sealed.open(Array(sealed.prefix(count)), with: key) == nil) }
        #expect(sealed.firstRange(of: Array("kim".utf8)) == nil)
        // Each seal has a new nonce, so the same bytes give different sealed bytes.
        #expect(Sealed.seal(Array("kim@example.org".utf8), with: key) != sealed)
        let nonce = Array(sealed.prefix(Sealed.nonceLength))
        #expect(Sealed.seal(Array("kim@example.org".utf8), with: key, nonce: nonce) == sealed)
    }
}
