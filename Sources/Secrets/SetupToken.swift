internal import Glibc

/// The token that makes the first account an operator's account. The token is in a file that only the
/// server's user can read, so only a person who runs the server knows the token. It has 120 random bits,
/// written in groups of four characters.
package struct SetupToken: Unprintable, Sendable {
    private let bytes: [UInt8]

    private static let length = 15
    /// The longest file or text that is parsed, in bytes.
    private static let longestText = 100

    private init?(_ typed: String) {
        let trimmed = typed.filter { !$0.isWhitespace }
        guard typed.utf8.count <= Self.longestText, let bytes = Crockford.decode(trimmed),
            bytes.count == Self.length
        else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text of the token, such as `7K3M-Q2XW-…`. It is a secret and must not be logged.
    package var text: String {
        let characters = Array(Crockford.encode(bytes))
        return stride(from: 0, to: characters.count, by: 4).map {
            String(characters[$0..<min($0 + 4, characters.count)])
        }
        .joined(separator: "-")
    }

    /// Whether `typed` is this token. Case, spaces and hyphens are ignored, and look-alike characters are
    /// equal. The comparison takes constant time.
    package func matches(_ typed: String) -> Bool {
        SetupToken(typed).map { Secrets.areEqual($0.bytes, bytes) } ?? false
    }

    /// Reads the token from the file at `path`. If there is no valid file, or if other users may have read
    /// it, creates a new token and writes it to the file with mode 0600.
    /// - Throws: `file` if the file cannot be written, `libraryNotStarted`.
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

    /// Reads the token from the file at `path`. Returns nil if there is no file, or if the file is damaged or
    /// readable for other users.
    package static func load(at path: String) -> SetupToken? {
        // O_NOFOLLOW, because a symbolic link could lead to another file. O_NONBLOCK, because opening a FIFO
        // would block otherwise.
        guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
            let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
            let bytes = try? file.read(longestText + 1)
        else { return nil }
        return SetupToken(String(decoding: bytes, as: UTF8.self))
    }

    package static func remove(at path: String) { unlink(path) }
}
