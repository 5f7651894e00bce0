internal import CSodium
internal import Glibc

/// The public key to which files are encrypted. A server stores only this key, so nobody can decrypt a file
/// with what a server has.
package struct SealingKey: Hashable, Sendable {
    /// 32 bytes of X25519.
    let bytes: [UInt8]

    /// The key as text: a prefix, the bytes and a checksum.
    package var text: String { KeyText.sealing.text(of: bytes) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the text of a key.
    /// - Throws: `.keyIsPrivate` for the text of a private key, `.malformedKey` for any other text. The
    ///   checksum detects a typing error, because nobody could decrypt the files.
    package init(_ text: String) throws(SecretsError) {
        if KeyText.opening.bytes(of: text) != nil { throw .keyIsPrivate }
        guard let bytes = KeyText.sealing.bytes(of: text) else { throw .malformedKey }
        self.bytes = bytes
    }
}

/// The private key that decrypts files. It belongs on no server.
package struct OpeningKey: Unprintable, Sendable {
    private let key: Bits256

    /// Creates a random key.
    package init() {
        Secrets.mustBeReady()
        var publicKey = [UInt8](repeating: 0, count: KeyText.length)
        key = Bits256 { _ = crypto_box_keypair(&publicKey, $0) }
    }

    /// Reads the file with a private key.
    /// - Throws: `.file`; `.malformedKey` if the file has no private key.
    package init(file path: String) throws(SecretsError) {
        try Secrets.start()
        let text = String(decoding: try OpenFile(path, O_RDONLY | O_CLOEXEC).read(1000), as: UTF8.self)
        guard let bytes = KeyText.opening.bytes(of: text) else { throw .malformedKey }
        key = Bits256 { $0.update(from: bytes, count: KeyText.length) }
    }

    /// Writes the key into a new file that only its owner can read.
    /// - Throws: `.file`, with EEXIST if the path exists.
    package func write(to path: String) throws(SecretsError) {
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        try file.write(Array((KeyText.opening.text(of: key.array) + "\n").utf8))
        try file.sync()
    }

    /// The public key that belongs to this key.
    package var sealingKey: SealingKey {
        var bytes = [UInt8](repeating: 0, count: KeyText.length)
        let result = key.withBytes { crypto_scalarmult_base(&bytes, $0) }
        precondition(result == 0, "every private key has a public key")
        return SealingKey(bytes: bytes)
    }

    fileprivate func open(_ sealed: ArraySlice<UInt8>) -> [UInt8]? {
        var opened = [UInt8](repeating: 0, count: SealedFile.keyLength)
        let result = key.withBytes {
            crypto_box_seal_open(&opened, Array(sealed), UInt64(sealed.count), sealingKey.bytes, $0)
        }
        return result == 0 ? opened : nil
    }
}

/// The text form of a key: a prefix, and 72 hexadecimal digits of the key and of a checksum of four bytes.
private enum KeyText: String {
    case sealing = "qring-public-"
    case opening = "qring-private-"

    static let length = 32

    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        Array(Secrets.fingerprint(of: Array(rawValue.utf8) + bytes).prefix(4))
    }

    func text(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return rawValue
            + String((bytes + checksum(bytes)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Returns the key; nil if the text is malformed. White space around the text is ignored.
    func bytes(of text: String) -> [UInt8]? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, words[0].hasPrefix(rawValue) else { return nil }
        let digits = words[0].dropFirst(rawValue.count).map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == 2 * (Self.length + 4), !digits.contains(nil) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map {
            UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0))
        }
        let key = Array(bytes.prefix(Self.length))
        return Array(bytes.dropFirst(Self.length)) == checksum(key) ? key : nil
    }
}

/// An encrypted file that can be written without the key that reads it (docs/operations.md has the format).
///
/// A random key encrypts the content in chunks (libsodium's secretstream, XChaCha20-Poly1305), and only this
/// key is encrypted to the public key (`crypto_box_seal`). Each chunk authenticates all chunks before it, the
/// first one also the header, and the last one says that it is the last. So a file that was cut off, put
/// together or changed is rejected.
package enum SealedFile {
    private static let magic = Array("QRingBak".utf8)
    private static let version: UInt8 = 1
    /// The bytes of a chunk's content. Only the last chunk may be shorter.
    static let chunk = 65_536
    /// The chunks between two flushes, which keep the last flush short.
    private static let chunksInFlush = 16
    fileprivate static let keyLength = Int(crypto_secretstream_xchacha20poly1305_KEYBYTES)
    private static let sealedKeyLength = keyLength + crypto_box_sealbytes()
    private static let streamHeaderLength = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    private static let overhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)
    /// The header: magic, version, public key, sealed key, and the header of the stream.
    static let headerLength = magic.count + 1 + KeyText.length + sealedKeyLength + streamHeaderLength

    /// Whether the file begins as an encrypted file does.
    package static func isSealed(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) else { return false }
        return (try? file.read(magic.count)) == magic
    }

    /// Encrypts the file `source` into the new file `target` of mode 0600, syncs it, and reads it again to
    /// verify it.
    /// - Parameter goesOn: is called for each chunk; returns false to cancel.
    /// - Throws: `.file`, `.cancelled`; `.sealedFileDamaged` if the file that was read again differs.
    package static func seal(
        _ source: String, into target: String, for receiver: SealingKey, goesOn: () -> Bool = { true }
    ) throws(SecretsError) {
        try Secrets.start()
        let from = try OpenFile(source, O_RDONLY | O_CLOEXEC)
        let size = Int(try from.status().st_size)
        let to = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        var key = [UInt8](repeating: 0, count: keyLength)
        crypto_secretstream_xchacha20poly1305_keygen(&key)
        defer { sodium_memzero(&key, keyLength) }
        var sealedKey = [UInt8](repeating: 0, count: sealedKeyLength)
        guard crypto_box_seal(&sealedKey, key, UInt64(keyLength), receiver.bytes) == 0 else {
            throw .malformedKey
        }
        var state = crypto_secretstream_xchacha20poly1305_state()
        var streamHeader = [UInt8](repeating: 0, count: streamHeaderLength)
        _ = crypto_secretstream_xchacha20poly1305_init_push(&state, &streamHeader, key)
        let header = magic + [version] + receiver.bytes + sealedKey + streamHeader
        try to.write(header)
        var (left, number) = (size, 0)
        repeat {
            guard goesOn() else { throw .cancelled }
            let bytes = try from.read(min(chunk, left))
            guard bytes.count == min(chunk, left) else {
                throw .sealedFileDamaged(path: source, reason: "the file became shorter")
            }
            left -= bytes.count
            let tag = left == 0 ? crypto_secretstream_xchacha20poly1305_tag_final() : 0
            var sealed = [UInt8](repeating: 0, count: bytes.count + overhead)
            let extra = number == 0 ? header : []
            number += 1
            _ = crypto_secretstream_xchacha20poly1305_push(
                &state, &sealed, nil, bytes, UInt64(bytes.count), extra, UInt64(extra.count), tag)
            try to.write(sealed)
            if number.isMultiple(of: chunksInFlush) { try to.sync() }
        } while left > 0
        try to.sync()
        let again = try OpenFile(source, O_RDONLY | O_CLOEXEC)
        try read(
            target, goesOn, key: { _ in key },
            into: { bytes throws(SecretsError) in
                guard try again.read(bytes.count) == bytes else {
                    throw .sealedFileDamaged(path: target, reason: "it differs from what was written")
                }
            })
    }

    /// Decrypts the file `source` into the new file `target` of mode 0600, and syncs it. After an error, the
    /// target may hold a part of the content; the caller deletes it.
    /// - Throws: `.file`, `.cancelled`, `.sealedForAnotherKey`, `.newerSealedFile`; `.sealedFileDamaged` if
    ///   the file is not complete or was changed.
    package static func open(
        _ source: String, into target: String, with key: OpeningKey, goesOn: () -> Bool = { true }
    ) throws(SecretsError) {
        try Secrets.start()
        let to = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
        try read(
            source, goesOn,
            key: { header throws(SecretsError) in
                guard Array(header.dropFirst(magic.count + 1).prefix(KeyText.length)) == key.sealingKey.bytes
                else { throw .sealedForAnotherKey(path: source) }
                return key.open(header.dropFirst(magic.count + 1 + KeyText.length).prefix(sealedKeyLength))
            }, into: { bytes throws(SecretsError) in try to.write(bytes) })
        try to.sync()
    }

    /// Reads and authenticates all chunks.
    private static func read(
        _ path: String, _ goesOn: () -> Bool, key: ([UInt8]) throws(SecretsError) -> [UInt8]?,
        into body: ([UInt8]) throws(SecretsError) -> Void
    ) throws(SecretsError) {
        func damaged(_ reason: String) -> SecretsError { .sealedFileDamaged(path: path, reason: reason) }
        let file = try OpenFile(path, O_RDONLY | O_CLOEXEC)
        let header = try file.read(headerLength)
        guard header.starts(with: magic) else { throw damaged("it is not an encrypted file of QRing") }
        guard header.count == headerLength else { throw damaged("its end is missing") }
        guard header[magic.count] == version else { throw .newerSealedFile(path: path) }
        guard var key = try key(header) else { throw damaged("its key was changed") }
        defer { sodium_memzero(&key, keyLength) }
        var state = crypto_secretstream_xchacha20poly1305_state()
        guard
            crypto_secretstream_xchacha20poly1305_init_pull(
                &state, Array(header.suffix(streamHeaderLength)), key) == 0
        else { throw damaged("its header was changed") }
        var extra = header
        while true {
            guard goesOn() else { throw .cancelled }
            let sealed = try file.read(chunk + overhead)
            guard sealed.count >= overhead else { throw damaged("its end is missing") }
            var bytes = [UInt8](repeating: 0, count: sealed.count - overhead)
            var tag: UInt8 = 0
            let result = crypto_secretstream_xchacha20poly1305_pull(
                &state, &bytes, nil, &tag, sealed, UInt64(sealed.count), extra, UInt64(extra.count))
            guard result == 0 else { throw damaged("a part of it was changed, moved or cut off") }
            extra = []
            try body(bytes)
            guard tag == crypto_secretstream_xchacha20poly1305_tag_final() else { continue }
            guard try file.read(1).isEmpty else { throw damaged("it has bytes after its end") }
            return
        }
    }
}
