internal import CSodium

/// The one secret of a server, 256 bits, of which every key of it is derived. `loadOrCreate` keeps it in a
/// file.
package struct ServerSecret: Unprintable, Sendable {
    let key: Bits256

    static let length = Bits256.length

    /// From bytes that are at hand, in tests and restores. Nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        key = Bits256 { $0.update(from: bytes, count: bytes.count) }
    }

    /// A new one.
    static func random() -> [UInt8] { Secrets.randomBytes(length) }
}
