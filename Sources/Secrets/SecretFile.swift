internal import Glibc

extension ServerSecret {
    /// Reads the secret from the file at `path`. If there is no file, creates a secret and writes it to this
    /// file with mode 0600.
    ///
    /// A crash never leaves an incomplete file: the 32 bytes are written to a new file in the same folder
    /// (`O_EXCL`) and synced. Then `link` gives this file its final name, and the folder is synced. `link`
    /// never replaces an existing file. `rename` would replace it, so if two servers started at the same
    /// time, one of them would continue with a secret that is no longer in the file. This function blocks, so
    /// servers call it when they start.
    /// - Throws: `secretOpenToOthers` if the file's mode gives its group or other users any permission,
    ///   `secretDamaged`, `file`, `libraryNotStarted`.
    package static func loadOrCreate(at path: String) throws(SecretsError) -> ServerSecret {
        try Secrets.start()
        if let secret = try load(at: path) { return secret }
        let created = try create(at: path)
        // The file is read again, even if this process created it, because the next start will use the secret
        // in the file.
        guard let secret = try load(at: path) else {
            throw .file(operation: "open", path: path, code: ENOENT)
        }
        if let created, !Secrets.areEqual(created, secret.key.array) {
            throw .secretDamaged(path: path, reason: "it changed while it was being created")
        }
        return secret
    }

    /// Reads the secret. Returns nil if there is no file.
    private static func load(at path: String) throws(SecretsError) -> ServerSecret? {
        // O_NOFOLLOW, because a symbolic link could lead to a file that another user writes. O_NONBLOCK,
        // because opening a FIFO would block otherwise.
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

    /// Writes a new secret to the file. Returns its bytes, or nil if another process created the file first.
    private static func create(at path: String) throws(SecretsError) -> [UInt8]? {
        let bytes = random()
        let draft = "\(path).\(Crockford.encode(Secrets.randomBytes(10)))"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        // The draft is deleted in all cases. After a successful `link`, it is only a second name of the
        // secret's file.
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
