internal import CSodium

/// Base64 (RFC 4648).
package enum Base64: Sendable {
    /// The standard alphabet, with padding (§4).
    case standard
    /// The alphabet for URLs, without padding (§5).
    case url

    private var variant: Int32 {
        switch self {
        case .standard: sodium_base64_VARIANT_ORIGINAL
        case .url: sodium_base64_VARIANT_URLSAFE_NO_PADDING
        }
    }

    package func encode(_ bytes: [UInt8]) -> String {
        // The buffer has one more character for the final NUL.
        var characters = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
        sodium_bin2base64(&characters, characters.count, bytes, bytes.count, variant)
        return String(decoding: characters.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns nil unless `encode` makes exactly this text.
    package func decode(_ text: some StringProtocol) -> [UInt8]? {
        var text = String(text)
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                var bytes = [UInt8](repeating: 0, count: utf8.count / 4 * 3 + 2)
                var length = 0
                // The decoder is strict: it refuses other alphabets and unused bits that are set. Because
                // `b64_end` is nil, it also refuses further characters.
                let result = sodium_base642bin(
                    &bytes, bytes.count, characters.baseAddress, characters.count, nil, &length, nil,
                    variant)
                return result == 0 ? Array(bytes[..<length]) : nil
            }
        }
    }
}
