internal import Glibc

extension ServerSecret {
    /// The secret in the file at `path`; where there is none yet, a new one, which is written there with mode
    /// 0600.
    ///
    /// It is either there whole or not at all: 32 bytes go to a new file beside it (`O_EXCL`), are synced,
    /// and that file gets the name by `link`, which never replaces one. (`rename` would: of two servers that
    /// start together, one would go on with a secret that is no longer in the file.) Then the folder is
    /// synced. It blocks; call it at start.
    /// - Throws: `secretOpenToOthers` where group or others have any right, `secretDamaged`, `file`,
    ///   `libraryNotStarted`.
    package static func loadOrCreate(at path: String) throws(SecretsError) -> ServerSecret {
        try Secrets.start()
        if let secret = try load(at: path) { return secret }
        let created = try create(at: path)
        // Read it back, whoever made it: what counts is what the next start will find.
        guard let secret = try load(at: path) else {
            throw .file(operation: "open", path: path, code: ENOENT)
        }
        if let created, !Secrets.areEqual(created, secret.key.array) {
            throw .secretDamaged(path: path, reason: "it changed while it was being created")
        }
        return secret
    }

    /// Nil where there is no file.
    private static func load(at path: String) throws(SecretsError) -> ServerSecret? {
        // A link could lead to a file that somebody else writes; O_NONBLOCK, because opening a FIFO waits
        // otherwise.
        let opened: OpenFile
        do throws(SecretsError) {
            opened = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        } catch {
            if case .file(_, _, ENOENT) = error { return nil }
            throw error
        }
        let status = try opened.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .secretDamaged(path: path, reason: "it is no regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .secretOpenToOthers(path: path, mode: status.st_mode & 0o7777)
        }
        guard status.st_size == length, let secret = ServerSecret(bytes: try opened.read(length)) else {
            throw .secretDamaged(path: path, reason: "it has \(status.st_size) bytes, not \(length)")
        }
        return secret
    }

    /// The bytes written; nil where another process was faster.
    private static func create(at path: String) throws(SecretsError) -> [UInt8]? {
        let bytes = random()
        let draft = "\(path).\(Crockford.encode(Secrets.randomBytes(10)))"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        // The draft is a second name of the secret, or of nothing: either way it goes.
        defer { unlink(draft) }
        try file.write(bytes)
        try file.sync()
        let isOurs = link(draft, path) == 0
        let code = errno
        guard isOurs || code == EEXIST else { throw .file(operation: "link", path: path, code: code) }
        try OpenFile(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync()
        return isOurs ? bytes : nil
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
