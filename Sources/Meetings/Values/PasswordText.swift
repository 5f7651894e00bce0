import Foundation

/// A password as somebody types it.
package enum PasswordText {
    /// Characters of a new password.
    package static let length = 8...200
    /// UTF-8 bytes of the composed form, about 340 Korean syllables: the limit of the password hasher.
    package static let mostBytes = 1024

    /// The form that is hashed (NFC): keyboards give the same password composed or decomposed (RFC 8265
    /// §4.2).
    package static func composed(_ typed: String) -> String { typed.precomposedStringWithCanonicalMapping }

    /// Whether the composed form has at most `mostBytes`. Composition removes at most three quarters of the
    /// bytes.
    package static func fits(_ typed: String) -> Bool {
        typed.utf8.count <= mostBytes
            || (typed.utf8.count <= 4 * mostBytes && composed(typed).utf8.count <= mostBytes)
    }
}
