internal import CSodium

/// The purpose of a key, for example `receipt`. Each purpose has its own key, so that the server never
/// accepts a receipt as a grant. Each purpose is declared only once:
/// `extension MACPurpose { package static let receipt = MACPurpose("receipt") }`.
package struct MACPurpose: Hashable, Sendable {
    /// The "context" parameter of crypto_kdf, which has 8 bytes: "typically a short string describing what
    /// the key is going to be used for".
    fileprivate let context: InlineArray<8, UInt8>
    /// The "subkey id" parameter of crypto_kdf.
    fileprivate let generation: UInt64

    /// - Parameters:
    ///   - name: 1 to 8 ASCII characters.
    ///   - generation: a number that changes the key. Increase it if the format of the signed messages
    ///     changes.
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

/// A key for message authentication codes (MACs). The algorithm is keyed BLAKE2b-256 (RFC 7693 §2.9), which
/// takes less than a microsecond for the data of a code or a receipt. The caller must build messages from
/// fields with a fixed width or with a stored length, so that no two records result in the same message.
package struct MACKey: Unprintable, Sendable {
    private let key: Bits256

    /// The length of a complete MAC, in bytes.
    package static let length = Bits256.length
    /// The length of the shortest allowed MAC, in bytes (80 bits).
    package static let shortest = 10

    private init(key: Bits256) { self.key = key }

    /// Returns nil unless there are 32 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        key = Bits256 { $0.update(from: bytes, count: bytes.count) }
    }

    var bytes: [UInt8] { key.array }

    /// Derives a server's key for one purpose. The same secret and purpose always result in the same key.
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

    /// Returns the MAC of `message`, or its first `length` bytes.
    /// - Parameter length: 10 to 32. The function traps on any other value.
    package func mac(_ message: [UInt8], length: Int = MACKey.length) -> [UInt8] {
        precondition(Self.shortest...Self.length ~= length, "a code has 10 to 32 bytes")
        return Array(whole(message).array.prefix(length))
    }

    /// Whether `mac` is the MAC of `message`, complete or cut to at least 10 bytes. The result is false for
    /// any other length. The duration of the comparison does not depend on the position of the first
    /// difference. This function allocates no memory.
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
