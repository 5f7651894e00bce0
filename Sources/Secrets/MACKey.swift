internal import CSodium

/// What a key is for. Keys of different purposes have nothing to do with each other, so that a receipt is
/// never a grant. State each once: `extension MACPurpose { package static let receipt = MACPurpose("receipt")
/// }`.
package struct MACPurpose: Hashable, Sendable {
    /// The "context" of crypto_kdf, 8 bytes: "typically a short string describing what the key is going to be
    /// used for".
    fileprivate let context: InlineArray<8, UInt8>
    /// The "subkey id".
    fileprivate let generation: UInt64

    /// - Parameters:
    ///   - name: 1 to 8 ASCII characters, written in the source.
    ///   - generation: another one is another key, for the day on which what is signed changes its form.
    package init(_ name: StaticString, generation: UInt64 = 1) {
        precondition(name.isASCII && 1...8 ~= name.utf8CodeUnitCount, "a purpose has 1 to 8 ASCII characters")
        let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        context = InlineArray { $0 < letters.count ? letters[$0] : 0 }
        self.generation = generation
    }

    package static func == (one: MACPurpose, other: MACPurpose) -> Bool {
        one.generation == other.generation
            && one.context.indices.allSatisfy { one.context[$0] == other.context[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(generation)
        for index in context.indices { hasher.combine(context[index]) }
    }
}

/// A key for message authentication codes: BLAKE2b-256 in its keyed mode (RFC 7693 §2.9), well under a
/// microsecond for what fits a code or a receipt. The caller builds messages of fields with fixed widths, or
/// with their lengths, so that no two records give the same bytes.
package struct MACKey: Unprintable, Sendable {
    private let key: Bits256

    /// Bytes of a whole code.
    package static let length = Bits256.length
    /// Bytes of the shortest code that is made or believed: 80 bits.
    package static let shortest = 10

    /// The key of a server for one purpose. The same secret and purpose give the same key, always.
    package static func derive(from secret: ServerSecret, purpose: MACPurpose) -> MACKey {
        Secrets.mustBeReady()
        let subkey = Bits256 { subkey in
            let result = secret.key.withBytes { master in
                withUnsafePointer(to: purpose.context) {
                    $0.withMemoryRebound(to: CChar.self, capacity: Int(crypto_kdf_blake2b_CONTEXTBYTES)) {
                        crypto_kdf_derive_from_key(subkey, length, purpose.generation, $0, master)
                    }
                }
            }
            precondition(result == 0, "crypto_kdf makes keys of 16 to 64 bytes")
        }
        return MACKey(key: subkey)
    }

    /// The code of `message`, or its first `length` bytes.
    /// - Parameter length: 10…32; anything else is a programmer's error and traps.
    package func mac(_ message: [UInt8], length: Int = MACKey.length) -> [UInt8] {
        precondition(Self.shortest...Self.length ~= length, "a code has 10 to 32 bytes")
        return Array(whole(message).array.prefix(length))
    }

    /// Whether `mac` is the code of `message`, whole or truncated to 10 bytes and more, in a time that does
    /// not depend on where they differ. False for any other length. Allocates nothing.
    package func verifies(_ mac: [UInt8], of message: [UInt8]) -> Bool {
        guard Self.shortest...Self.length ~= mac.count else { return false }
        return whole(message).withBytes { sodium_memcmp($0, mac, mac.count) == 0 }
    }

    private func whole(_ message: [UInt8]) -> Bits256 {
        Bits256 { mac in
            let result = key.withBytes {
                crypto_generichash(mac, Self.length, message, UInt64(message.count), $0, Self.length)
            }
            precondition(result == 0, "BLAKE2b takes a key of 32 bytes and any input")
        }
    }
}
