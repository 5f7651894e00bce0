internal import Glibc

/// The token that makes the first account the operator's. It is in a file that only the server's own user can
/// read, so whoever has it runs the server. 120 random bits, in groups that can be read out and typed.
package struct SetupToken: Unprintable, Sendable {
    private let bytes: [UInt8]

    private static let length = 15
    /// Bytes of the longest file or text that is looked at.
    private static let longestText = 100

    private init?(_ typed: String) {
        let trimmed = typed.filter { !$0.isWhitespace }
        guard typed.utf8.count <= Self.longestText, let bytes = Crockford.decode(trimmed),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// `7K3M-Q2XW-…`. Treat it as the secret it is.
    package var text: String {
        let characters = Array(Crockford.encode(bytes))
        return stride(from: 0, to: characters.count, by: 4).map {
            String(characters[$0..<min($0 + 4, characters.count)])
        }
        .joined(separator: "-")
    }

    /// Whether `typed` is this token, compared in constant time. Ignores case, spaces and hyphens; look-alike
    /// characters are equal.
    package func matches(_ typed: String) -> Bool {
        SetupToken(typed).map { Secrets.areEqual($0.bytes, bytes) } ?? false
    }

    /// The token in the file at `path`, with mode 0600; a new one if there is none, or if others may have
    /// read it.
    /// - Throws: `file`, `libraryNotStarted`.
    package static func loadOrCreate(at path: String) throws(SecretsError) -> SetupToken {
        try Secrets.start()
        if let token = load(at: path) { return token }
        remove(at: path)
        let token = SetupToken(bytes: Secrets.randomBytes(length))
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        try file.write(Array("\(token.text)\n".utf8))
        try file.sync()
        return token
    }

    /// Nil if there is none, or if it is damaged or open to others.
    package static func load(at path: String) -> SetupToken? {
        // A link could lead elsewhere; O_NONBLOCK, because opening a FIFO waits otherwise.
        guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
            let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            let bytes = try? file.read(longestText + 1)
        else { return nil }
        return SetupToken(String(decoding: bytes, as: UTF8.self))
    }

    package static func remove(at path: String) { unlink(path) }
}
