/// The short twin of a check-in code, for typing: six characters without those that look alike.
package enum JoinCode {
    package static let length = 6
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ")

    package static func random() -> String {
        var random = SystemRandomNumberGenerator()
        return String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    /// Six characters of what is random already; at least six bytes.
    package static func text(of bytes: [UInt8]) -> String {
        String(bytes.prefix(length).map { alphabet[Int($0) % alphabet.count] })
    }

    /// What somebody typed, as it is kept: upper case, without spaces and hyphens. Nil for what cannot be
    /// one.
    package static func normalized(_ typed: String) -> String? {
        guard typed.utf8.count <= 32 else { return nil }
        let code = typed.filter { !$0.isWhitespace && $0 != "-" }
        // Upper case can be longer than what was typed: ß would be two characters of a code.
        guard code.utf8.count == length, code.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let upper = code.uppercased()
        return upper.allSatisfy(alphabet.contains) ? upper : nil
    }
}
