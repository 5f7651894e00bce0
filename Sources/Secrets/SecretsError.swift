internal import Glibc

/// What can go wrong with secrets. No description holds one.
package enum SecretsError: Error, Equatable, Sendable {
    /// libsodium found no source of randomness.
    case libraryNotStarted
    /// A C function had no memory for its work; Argon2id needs what `PasswordCost` says.
    case outOfMemory(operation: String)
    /// Others than its owner may read or write the file: it may be known already.
    case secretOpenToOthers(path: String, mode: UInt32)
    /// Something else than 32 bytes in a regular file.
    case secretDamaged(path: String, reason: String)
    /// A call on the file failed; `code` is its errno.
    case file(operation: String, path: String, code: Int32)
    /// Passwords have 1…1024 bytes here; what a good one is, is for the caller to say.
    case passwordLength(bytes: Int, limit: Int)
    /// Not the `$argon2id$…` string that `PasswordHasher` makes.
    case malformedPasswordHash
    /// A cost outside of what Argon2id or this module takes; `setting` names it with its range.
    case costOutOfRange(setting: String)
    /// As many passwords wait as may: answer with 503 and `Retry-After`.
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
        case .hasherBusy(let waiting): "\(waiting) passwords are waiting to be checked already"
        }
    }
}
