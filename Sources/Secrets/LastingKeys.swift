/// The keys that a rotation of the secret does not change. People keep mails for years, so the links in them
/// must stay valid. A form takes one answer from each browser, so the marks of browsers must not change.
///
/// They are derived from the server's first secret. After a rotation, a file holds the keys and not that
/// secret, because all other keys of its time could be derived from it.
package struct LastingKeys: Sendable {
    package let device: MACKey
    package let unsubscribe: MACKey

    /// The length of the file's content.
    static let length = 2 * MACKey.length

    package init(from secret: ServerSecret) {
        device = .derive(from: secret, purpose: MACPurpose("device"))
        unsubscribe = .derive(from: secret, purpose: MACPurpose("unsubscr"))
    }

    /// Returns nil unless there are `length` bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.length, let device = MACKey(bytes: Array(bytes.prefix(MACKey.length))),
            let unsubscribe = MACKey(bytes: Array(bytes.suffix(MACKey.length)))
        else { return nil }
        (self.device, self.unsubscribe) = (device, unsubscribe)
    }

    var bytes: [UInt8] { device.bytes + unsubscribe.bytes }
}
