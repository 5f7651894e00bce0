import CPasswords
package import Meetings

extension Fields {
    /// Reads a new password, and rejects a well-known one.
    /// - Parameter email: the address of the account, if the request has it. A password that contains it is
    ///   an error.
    func newPassword(_ name: String, required: Bool = false, of email: String? = nil) -> String? {
        guard let typed = password(name, required: required, PasswordText.length) else { return nil }
        if let fault = NewPassword.fault(of: typed, email: email) { fail(name, fault) }
        return typed
    }
}

/// The rules for new passwords that depend on more than the length.
package enum NewPassword {
    /// Returns the reason why the password is too easy to guess, or nil.
    /// - Parameter email: the address of the account, or nil if the caller checks it later.
    package static func fault(of password: String, email: String?) -> FieldReason? {
        if let email, PasswordText.contains(address: email, password) { return .passwordContainsAddress }
        return isWellKnown(password) ? .wellKnownPassword : nil
    }

    /// Returns whether the list contains the password. Upper and lower case are equal. The search reads the
    /// embedded list in place, and copies nothing of it.
    static func isWellKnown(_ password: String) -> Bool {
        let wanted = Array(PasswordText.composed(password).lowercased().utf8)
        let list = Self.list
        var (low, high) = (list.startIndex, list.endIndex)
        while low < high {
            var start = (low + high) / 2
            while start > low, list[start - 1] != lineFeed { start -= 1 }
            let line = list[start...].prefix { $0 != lineFeed }
            if line.elementsEqual(wanted) { return true }
            if line.lexicographicallyPrecedes(wanted) { low = line.endIndex + 1 } else { high = start }
        }
        return false
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// The lines of the list, sorted by their bytes.
    static var list: UnsafeBufferPointer<UInt8> {
        var count = 0
        let start = cpasswords_bytes(&count)
        return UnsafeBufferPointer(start: start, count: count)
    }
}
