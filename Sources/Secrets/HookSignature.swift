internal import CSodium

/// The signature of a message to another server, which shares a secret with this one.
package enum HookSignature {
    /// Returns HMAC-SHA-256 (RFC 2104) of the bytes `TIME.BODY` in lower-case hexadecimal digits.
    /// - Parameters:
    ///   - seconds: the time of the message, in seconds since 1970. The receiver refuses old messages.
    ///   - secret: the shared secret.
    package static func text(of body: [UInt8], at seconds: Int64, secret: [UInt8]) -> String {
        let mac = mac(of: Array("\(seconds).".utf8) + body, secret: secret)
        let digits = Array("0123456789abcdef")
        return String(mac.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Returns HMAC-SHA-256 (RFC 2104) of a message.
    static func mac(of message: [UInt8], secret: [UInt8]) -> [UInt8] {
        Secrets.mustBeReady()
        var state = crypto_auth_hmacsha256_state()
        var mac = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        // The functions always return 0: they have no reason to fail.
        _ = crypto_auth_hmacsha256_init(&state, secret, secret.count)
        _ = crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        _ = crypto_auth_hmacsha256_final(&state, &mac)
        return mac
    }
}
