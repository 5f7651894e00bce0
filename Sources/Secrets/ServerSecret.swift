internal import CSodium

/// The secret of a server, with 256 bits. All keys of the server are derived from this secret. `loadOrCreate`
/// stores it in a file.
package struct ServerSecret: Unprintable, Sendable {
    let key: Bits256

    static let length = Bits256.length

    /// Creates a secret from existing bytes, for tests and restored backups. Returns nil unless there are 32
    /// bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        key = Bits256 { $0.update(from: bytes, count: bytes.count) }
    }

    /// The fingerprint: a text by which servers compare their secrets. It does not reveal the secret.
    package var fingerprint: String {
        Crockford.encode(MACKey.derive(from: self, purpose: MACPurpose("database")).bytes)
    }

    /// Returns the bytes of a new random secret.
    static func random() -> [UInt8] { Secrets.randomBytes(length) }
}
