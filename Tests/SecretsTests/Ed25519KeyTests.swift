import Testing

@testable import Secrets

@Suite struct Ed25519KeyTests {
    init() throws { try Secrets.start() }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.utf8.count, by: 2).compactMap {
            UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
        }
    }

    @Test func `the second example of RFC 8032 gets its key and its signature`() {
        let key = Ed25519Key(seed: bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        #expect(
            key.publicKey == bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        #expect(
            key.signature(of: [0x72])
                == bytes(
                    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"))
    }

    @Test func `a signature is valid for its message and its key alone`() {
        let (key, other) = (Ed25519Key(), Ed25519Key())
        let signature = key.signature(of: [1, 2, 3])
        #expect(Ed25519Key.verifies(signature, of: [1, 2, 3], by: key.publicKey))
        #expect(!Ed25519Key.verifies(signature, of: [1, 2], by: key.publicKey))
        #expect(!Ed25519Key.verifies(signature, of: [1, 2, 3], by: other.publicKey))
        #expect(!Ed25519Key.verifies([], of: [1, 2, 3], by: key.publicKey))
        #expect(!Ed25519Key.verifies(signature, of: [1, 2, 3], by: []))
        // A key of small order would verify forged signatures.
        #expect(
            !Ed25519Key.verifies(
                [UInt8](repeating: 0, count: 64), of: [], by: [UInt8](repeating: 0, count: 32)))
    }

    @Test func `a sealed key opens for its owner and its public key alone`() {
        let (key, sealing) = (Ed25519Key(), [UInt8](repeating: 7, count: Sealed.keyLength))
        let sealed = key.sealed(for: [1, 2], with: sealing)
        let opened = Ed25519Key(sealed: sealed, for: [1, 2], publicKey: key.publicKey, with: sealing)
        #expect(opened?.signature(of: [5]) == key.signature(of: [5]))
        #expect(Ed25519Key(sealed: sealed, for: [1, 3], publicKey: key.publicKey, with: sealing) == nil)
        #expect(
            Ed25519Key(sealed: sealed, for: [1, 2], publicKey: Ed25519Key().publicKey, with: sealing) == nil)
        #expect(
            Ed25519Key(
                sealed: sealed, for: [1, 2], publicKey: key.publicKey,
                with: [UInt8](repeating: 8, count: Sealed.keyLength)) == nil)
    }
}
