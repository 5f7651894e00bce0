internal import CSodium

/// The secret of a web hook, which signs its requests (Standard Webhooks 1.0.0, "Symmetric signatures").
package struct WebhookSecret: Unprintable, Sendable {
    private let bytes: [UInt8]

    /// The number of random bytes; the standard allows 24 to 64.
    private static let length = 32

    /// Creates a random secret.
    package init() { bytes = Secrets.randomBytes(Self.length) }

    /// The text for the receiver: `whsec_`, then base64 (RFC 4648 §4). It must not be logged or stored.
    package var text: String { "whsec_" + Base64.standard.encode(bytes) }

    /// Returns the sealed secret, for the database. It opens only for the same owner.
    /// - Parameter owner: the bytes of the web hook's id.
    package func sealed(for owner: [UInt8], with key: [UInt8]) -> [UInt8] {
        Sealed.seal(owner + bytes, with: key)
    }

    /// Opens a sealed secret. Returns nil if it was sealed with another key or for another owner.
    package init?(sealed: [UInt8], for owner: [UInt8], with key: [UInt8]) {
        guard let opened = Sealed.open(sealed, with: key), opened.starts(with: owner),
            opened.count == owner.count + Self.length
        else { return nil }
        bytes = Array(opened.dropFirst(owner.count))
    }

    /// Returns the signature of a request: `v1,` and base64 of HMAC-SHA256 of `ID.SECONDS.BODY`.
    package func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        "v1,"
            + Base64.standard.encode(
                HookSignature.mac(of: Array("\(id).\(seconds).".utf8) + body, secret: bytes))
    }
}
