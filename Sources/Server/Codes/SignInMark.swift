import Meetings
import Secrets

/// The proof that a client has signed in to an account before: `qsm_` with a random id and a MAC. It opens
/// nothing. It only gives the client's passwords a count and a queue of their own (`withPassword`), so that
/// strangers behind the same address do not delay them.
///
/// The MAC covers the account's id and its stored hash. So a new password voids all marks, and the deletion
/// of the account does too. A sign-out voids none, because the owner needs the mark for the next sign-in.
enum SignInMark {
    static let prefix = "qsm_"
    /// The most marks in the cookie of a browser. Several people may share one.
    static let mostInCookie = 4
    /// A year, in seconds. Each sign-in starts it again.
    static let cookieSeconds = 60 * 60 * 24 * 365
    private static let (idLength, macLength) = (8, 16)

    /// Returns a new mark; nil for an account without a password.
    static func make(for account: Account, _ keys: Keys) -> String? {
        guard !account.passwordHash.isEmpty else { return nil }
        let id = Secrets.randomBytes(idLength)
        let mac = keys.signInMark.mac(message(id[...], account), length: macLength)
        return Crockford.encode(id + mac, after: prefix)
    }

    /// Returns the mark's id as text; nil if this server did not make the mark for this account and password.
    static func id(of text: String, for account: Account, _ keys: Keys) -> String? {
        guard text.hasPrefix(prefix), let bytes = Crockford.decode(text.dropFirst(prefix.count)),
            bytes.count == idLength + macLength, !account.passwordHash.isEmpty
        else { return nil }
        let (id, mac) = (bytes[..<idLength], Array(bytes[idLength...]))
        guard keys.signInMark.verifies(mac, of: message(id, account)) else { return nil }
        return Crockford.encode(Array(id))
    }

    private static func message(_ id: ArraySlice<UInt8>, _ account: Account) -> [UInt8] {
        var message = SignedBytes()
        message.put(account.id)
        message.put(Array(id))
        // The hash is the last field, because its length varies.
        message.put(Array(account.passwordHash.utf8))
        return message.bytes
    }
}

extension RequestContext {
    /// The marks in the browser's cookie, the newest first.
    var signInMarks: [String] {
        let marks = cookie(Cookies.marks)?.split(separator: ".").map(String.init) ?? []
        return Array(marks.prefix(SignInMark.mostInCookie))
    }

    /// Returns the cookie with one more mark. The browser sends it only to the path that signs in.
    func cookie(adding mark: String) -> (name: String, value: String) {
        let marks = [mark] + signInMarks.filter { $0 != mark }.prefix(SignInMark.mostInCookie - 1)
        return (
            "Set-Cookie",
            Cookies.set(
                Cookies.marks, marks.joined(separator: "."), path: WebSignIns.signInPath,
                seconds: SignInMark.cookieSeconds, secure: address.isSecure)
        )
    }
}
