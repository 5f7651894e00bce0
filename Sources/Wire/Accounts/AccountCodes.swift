package import Meetings

/// The request that asks for a code on a phone.
package struct PhoneCodeRequest: Readable, Sendable {
    /// The number, in the form of E.164.
    package let phone: String

    package init(reading fields: Fields) { phone = fields.phoneNumber("phone", required: true) ?? "" }
}

/// The request that signs a person in by the code on the phone. `name` is the name of a new account.
package struct PhoneSignInRequest: Readable, Sendable {
    /// The number, in the form of E.164.
    package let phone: String
    package let code: String
    package let handle: String?
    package let name: String?
    package let client: String

    package init(reading fields: Fields) {
        phone = fields.phoneNumber("phone", required: true) ?? ""
        code = fields.text("code", required: true, 1...100) ?? ""
        handle = fields.text("handle", 1...100)
        name = fields.name("name")
        client = fields.name("client") ?? ""
    }
}

/// The request that asks for a code by mail.
package struct CodeRequest: Readable, Sendable {
    package let email: String

    package init(reading fields: Fields) { email = fields.email("email", required: true) ?? "" }
}

/// The answer to a request for a code. It is the same for every address.
package struct CodeSentBody: Codable, Hashable, Sendable {
    /// The time for which the code is valid.
    package let expiresInSeconds: Int
    /// The time after which the server usually sends another code.
    package let pauseSeconds: Int
    /// The moment from which the server sends another code.
    package let nextMessageAt: Instant
    /// Belongs to the code of this message. A client shows it with the code, so that strangers cannot use up
    /// the code's tries. Nil if this request sent nothing.
    package let handle: String?

    package init(expiresInSeconds: Int, pauseSeconds: Int, nextMessageAt: Instant, handle: String?) {
        self.expiresInSeconds = expiresInSeconds
        self.pauseSeconds = pauseSeconds
        self.nextMessageAt = nextMessageAt
        self.handle = handle
    }
}

/// The request that verifies an e-mail address. `code` is the code from the mail, or the token of its link.
package struct VerifyRequest: Readable, Sendable {
    package let email: String
    package let code: String
    package let handle: String?

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        code = fields.text("code", required: true, 1...100) ?? ""
        handle = fields.text("handle", 1...100)
    }
}

/// The answer to a right code. `verified` is always true.
package struct VerifiedBody: Codable, Hashable, Sendable {
    package let verified: Bool

    package init(verified: Bool) { self.verified = verified }
}

/// The request that sets a new password with a code from a mail, or with the token of the mail's link.
package struct ResetPasswordRequest: Readable, Sendable {
    package let email: String
    package let code: String
    package let handle: String?
    package let password: String

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        code = fields.text("code", required: true, 1...100) ?? ""
        handle = fields.text("handle", 1...100)
        password = fields.newPassword("password", required: true, of: email) ?? ""
    }
}
