import Testing

@testable import Secrets

struct MACKeyTests {
    /// Expected codes for the master key 00 01 … 1f. Python's hashlib computed them, independently of
    /// libsodium:
    ///
    ///     key = hashlib.blake2b(b'', digest_size=32, key=bytes(range(32)),
    ///                           salt=generation.to_bytes(8, 'little') + bytes(8),
    ///                           person=name.ljust(8, b'\0') + bytes(8)).digest()
    ///     mac = hashlib.blake2b(message, digest_size=32, key=key).hexdigest()
    @Test(
        arguments: [
            (
                "receipt", 1, Array("session 42".utf8),
                "aa3c51e859fd400ca28f814f92e5328f91a2a8fd1917df6ba22792fd706ecd35"
            ),
            ("receipt", 1, [], "d176e382adeaaf5f70f7275fc4661b794a45a8602608d410fd73bda3729af811"),
            (
                "receipt", 1, Array(0..<200),
                "244c46251c31244ca55fa549f0d1888af21c60d884c9ad7abae1810a28ba4bd7"
            ),
            (
                "receipt", 2, Array("session 42".utf8),
                "eb5bc0ab0ca76620725dafadd37a2e8715062673ed30ce58efd388e89c802c6c"
            ),
            (
                "joincode", 1, Array("session 42".utf8),
                "f05aa6ea99f7bca4ac4e1f468fea46c5271a79a2ee5f78bbce480065918fd22f"
            ),
        ] as [(String, UInt64, [UInt8], String)])
    func `the authentication codes equal those of Python's hashlib`(
        name: String, generation: UInt64, message: [UInt8], expected: String
    ) throws {
        let key = MACKey.derive(
            from: try secret(),
            purpose: name == "receipt"
                ? MACPurpose("receipt", generation: generation) : MACPurpose("joincode"))
        #expect(hex(key.mac(message)) == expected)
        #expect(hex(key.mac(message, length: 10)) == expected.prefix(20))
    }

    @Test func `an authentication code is accepted only with 10 to 32 bytes`() throws {
        let key = MACKey.derive(from: try secret(), purpose: MACPurpose("grant"))
        let whole = key.mac(message)
        for length in 0...32 {
            #expect(
                key.verifies(Array(whole.prefix(length)), of: message) == (length >= 10), "\(length) bytes")
        }
        #expect(!key.verifies(whole + [0], of: message))
        #expect(!key.verifies(whole + whole, of: message))
    }

    @Test func `verification fails if any bit of the code or of the message changes`() throws {
        let key = MACKey.derive(from: try secret(), purpose: MACPurpose("grant"))
        let mac = key.mac(message, length: 10)
        for bit in 0..<80 {
            var forged = mac
            forged[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(forged, of: message))
        }
        for bit in 0..<8 * message.count {
            var other = message
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(mac, of: other))
        }
        #expect(!key.verifies(mac, of: message + [0]))
        #expect(!key.verifies(mac, of: message.dropLast()))
        #expect(key.verifies(mac, of: message))
    }

    @Test func `keys of different purposes, generations or secrets reject each other's codes`() throws {
        let purposes = [
            MACPurpose("grant"), MACPurpose("receipt"), MACPurpose("grant", generation: 2), MACPurpose("g"),
            MACPurpose("grantgra"),
        ]
        let other = try #require(ServerSecret(bytes: Array(1...32)))
        for (index, purpose) in purposes.enumerated() {
            let mac = MACKey.derive(from: try secret(), purpose: purpose).mac(message)
            #expect(!MACKey.derive(from: other, purpose: purpose).verifies(mac, of: message))
            for (otherIndex, second) in purposes.enumerated() {
                let same = index == otherIndex
                #expect(MACKey.derive(from: try secret(), purpose: second).verifies(mac, of: message) == same)
                #expect((purpose == second) == same)
            }
        }
        #expect(Set(purposes).count == purposes.count)
    }

    @Test func `a server secret is rejected unless it has exactly 32 bytes`() {
        for length in [0, 16, 31, 33, 64] {
            #expect(ServerSecret(bytes: Array(repeating: 1, count: length)) == nil)
        }
    }

    private let message = Array("01JD3Q7T5Z0000000000000000".utf8)

    private func secret() throws -> ServerSecret {
        try #require(ServerSecret(bytes: Array(0..<32)))
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
