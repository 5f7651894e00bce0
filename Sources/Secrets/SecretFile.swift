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

    /// The secret before the last rotation, and the end of its signatures.
    package struct Previous: Sendable {
        package let secret: ServerSecret
        /// The first moment at which its signatures are no longer valid, in milliseconds since 1970.
        package let endsAt: Int64
    }

    /// The bytes of the file of a previous secret: the secret, and `Previous.endsAt`, big-endian.
    private static let previousLength = length + 8

    /// Returns the path of the file with the previous secret.
    package static func previousPath(besides path: String) -> String { "\(path).previous" }

    /// Reads the secret before the last rotation. Returns nil if there is no file, so that no other secret is
    /// accepted.
    /// - Throws: as `loadOrCreate`.
    package static func loadPrevious(besides path: String) throws(SecretsError) -> Previous? {
        guard let bytes = try read(previousPath(besides: path), counts: [previousLength]),
            let secret = ServerSecret(bytes: Array(bytes.prefix(length)))
        else { return nil }
        return Previous(secret: secret, endsAt: bytes.suffix(8).reduce(0) { $0 << 8 | Int64($1) })
    }

    /// Returns the path of the file with the lasting keys, which exists after a rotation.
    package static func lastingPath(besides path: String) -> String { "\(path).lasting" }

    /// Reads the keys that a rotation has left unchanged. Returns nil if they are those of the secret. An
    /// older version stored the server's first secret: the keys derived from it replace it.
    /// - Throws: as `loadOrCreate`.
    package static func loadLasting(besides path: String) throws(SecretsError) -> LastingKeys? {
        let path = lastingPath(besides: path)
        guard let bytes = try read(path, counts: [LastingKeys.length, length]) else { return nil }
        guard let first = ServerSecret(bytes: bytes) else { return LastingKeys(bytes: bytes) }
        try Secrets.start()
        let keys = LastingKeys(from: first)
        try SecretFile.replace(path, with: keys.bytes)
        return keys
    }

    /// Replaces the secret by a new one. No server may run meanwhile. The old secret is stored first, so
    /// that an interrupted rotation loses nothing. A secret that an earlier rotation replaced is deleted.
    /// - Parameters:
    ///   - endsAt: the end of the old secret's signatures, in milliseconds since 1970; nil if they are
    ///     invalid at once.
    ///   - endsLasting: whether the lasting keys change, too. What they signed is invalid at once.
    /// - Throws: as `loadOrCreate`, and `file` with ENOENT if there is no secret.
    package static func rotate(
        at path: String, previousEndsAt endsAt: Int64?, endsLasting: Bool = false
    ) throws(SecretsError) {
        try Secrets.start()
        guard let old = try load(at: path) else {
            throw .file(operation: "open", path: path, code: ENOENT)
        }
        if endsLasting {
            try remove(lastingPath(besides: path))
        } else if try loadLasting(besides: path) == nil {
            try SecretFile.replace(lastingPath(besides: path), with: LastingKeys(from: old).bytes)
        }
        let previous = previousPath(besides: path)
        if let endsAt {
            let end = withUnsafeBytes(of: endsAt.bigEndian) { Array($0) }
            try SecretFile.replace(previous, with: old.key.array + end)
        } else {
            try remove(previous)
        }
        try SecretFile.replace(path, with: random())
    }

    /// Removes the file if there is one.
    private static func remove(_ path: String) throws(SecretsError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw .file(operation: "unlink", path: path, code: errno)
        }
    }

    /// Reads the secret. Returns nil if there is no file.
    private static func load(at path: String) throws(SecretsError) -> ServerSecret? {
        try read(path, counts: [length]).flatMap { ServerSecret(bytes: $0) }
    }

    /// Reads a file of one of these sizes that only its owner may read. Returns nil if there is no file.
    private static func read(_ path: String, counts: [Int]) throws(SecretsError) -> [UInt8]? {
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
        let count = Int(status.st_size)
        guard counts.contains(count), case let bytes = try opened.read(count), bytes.count == count else {
            throw .secretDamaged(path: path, reason: "it has \(count) bytes, not \(counts[0])")
        }
        return bytes
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
        try OpenFile(SecretFile.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync()
        return isOurs ? bytes : nil
    }
}

/// A file that only its owner may read.
package enum SecretFile {
    /// Gives the file this content, which appears as a whole or not at all.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SecretsError) {
        let draft = "\(path).\(Crockford.encode(Secrets.randomBytes(10)))"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        defer { unlink(draft) }
        try file.write(bytes)
        try file.sync()
        guard rename(draft, path) == 0 else { throw .file(operation: "rename", path: path, code: errno) }
        try OpenFile(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync()
    }

    fileprivate static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
