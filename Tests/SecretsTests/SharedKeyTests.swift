import Secrets
import Testing

/// The key that two owners of Ed25519 keys share.
struct SharedKeyTests {
    init() throws { try Secrets.start() }

    @Test func `two owners compute the same key, and a third one another`() throws {
        let (one, other, third) = (Ed25519Key(), Ed25519Key(), Ed25519Key())
        let shared = try #require(one.sharedKey(with: other.publicKey))
        #expect(other.sharedKey(with: one.publicKey) == shared)
        #expect(third.sharedKey(with: one.publicKey) != shared)
        #expect(Sealed.open(Sealed.seal([1, 2], with: shared), with: shared) == [1, 2])
    }

    @Test func `a malformed key and one of small order share nothing`() {
        let key = Ed25519Key()
        #expect(key.sharedKey(with: []) == nil)
        #expect(key.sharedKey(with: [UInt8](repeating: 7, count: 31)) == nil)
        // The neutral element of the curve.
        #expect(key.sharedKey(with: [1] + [UInt8](repeating: 0, count: 31)) == nil)
    }
}
