internal import Glibc

/// The errors of this target. Their descriptions contain no secrets.
package enum SecretsError: Error, Equatable, Sendable {
    /// libsodium found no source of random numbers.
    case libraryNotStarted
    /// A C function could not allocate memory. Argon2id needs the memory that `PasswordCost` defines.
    case outOfMemory(operation: String)
    /// Other users than the owner may read or write the file, so they may know the secret already.
    case secretOpenToOthers(path: String, mode: UInt32)
    /// The file is not a regular file of 32 bytes.
    case secretDamaged(path: String, reason: String)
    /// A system call for the file failed. `code` is the errno.
    case file(operation: String, path: String, code: Int32)
    /// The password does not have 1 to 1,024 bytes. The caller checks the quality of passwords.
    case passwordLength(bytes: Int, limit: Int)
    /// The text is not an `$argon2id$…` hash of `PasswordHasher`.
    case malformedPasswordHash
    /// The cost is outside the range of Argon2id or of this module. `setting` contains the value and the
    /// range.
    case costOutOfRange(setting: String)
    /// The text of a private key was given in place of a public key.
    case keyIsPrivate
    /// The text is not a key of this kind, or has a typing error.
    case malformedKey
    /// The encrypted file is not complete or was changed.
    case sealedFileDamaged(path: String, reason: String)
    /// The file was encrypted to another public key.
    case sealedForAnotherKey(path: String)
    /// A newer version has encrypted the file.
    case newerSealedFile(path: String)
    /// The caller cancelled the function.
    case cancelled
    /// The most passwords are already waiting. The server should answer with 503 and `Retry-After`.
    case hasherBusy(waiting: Int)
}

extension SecretsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .libraryNotStarted: "libsodium could not start: the system gives no random numbers"
        case .outOfMemory(let operation): "\(operation): not enough memory"
        case .secretOpenToOthers(let path, let mode):
            "\(path) is open to others (mode \(String(mode, radix: 8))): run `chmod 600 \(path)`, and renew "
                + "the secret if somebody may have read it"
        case .secretDamaged(let path, let reason):
            "\(path) is not a server secret: \(reason). Restore it from a backup: with a new one all codes, "
                + "receipts and grants die"
        case .file(let operation, let path, let code):
            "\(operation) \(path): \(String(cString: strerror(code)))"
        case .passwordLength(let bytes, let limit): "a password has 1 to \(limit) bytes, not \(bytes)"
        case .malformedPasswordHash: "this is no Argon2id password hash"
        case .costOutOfRange(let setting): "password cost out of range: \(setting)"
        case .keyIsPrivate: "this is a private key, which must not be on a server"
        case .malformedKey: "this is no key of QRing, or it has a typing error"
        case .sealedFileDamaged(let path, let reason): "\(path) is damaged: \(reason)"
        case .sealedForAnotherKey(let path): "\(path) was encrypted to another key"
        case .newerSealedFile(let path): "a newer version of QRing has encrypted \(path)"
        case .cancelled: "cancelled"
        case .hasherBusy(let waiting): "\(waiting) passwords are waiting to be checked already"
        }
    }
}
