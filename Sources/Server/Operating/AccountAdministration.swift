import FoundationEssentials
package import Journal
package import Meetings
import Secrets
package import Wire

/// The account commands that work directly on the data folder, while no server uses it.
package struct AccountAdministration: Sendable {
    private let storage: Storage
    private let settings: ServerSettings

    package init(_ storage: Storage, folder: String) {
        self.storage = storage
        settings = ServerSettings(dataFolder: folder)
    }

    /// Creates an account as a sign-up does. The server's sign-up mode does not limit this command.
    /// - Parameter isOperator: whether the account is an operator's account. The first account always is.
    /// - Throws: `Refusal`, `JournalError`, `SecretsError`.
    package func create(email: String, name: String, password: String, isOperator: Bool) async throws
        -> AccountBody
    {
        let fields = ["email": email, "name": name, "password": password]
        let request = try Fields.read(
            SignUpRequest.self, from: try JSONDocument(Array(try JSONEncoder().encode(fields))))
        let hash = try await PasswordHasher().hash(Password(request.password).text)
        let account = try await storage.perform(
            CreateAccount(
                email: request.email, name: request.name, passwordHash: hash.encoded,
                profile: request.profile, signUp: .open,
                proof: isOperator ? .dataFolder : .setUp))
        if account.admin { SetupToken.remove(at: settings.setupTokenPath) }
        return AccountBody(account)
    }

    /// Returns the account with its sign-ins, newest first.
    package func show(_ email: String) async throws(JournalError) -> AccountReport {
        let now = SystemClock().now
        return try await storage.read { rows throws(JournalError) -> AccountReport in
            guard let account = try rows.account(email: IdentityKey(email)) else {
                throw .refused(.notFound(.account))
            }
            return try rows.report(of: account, at: now)
        }
    }

    /// Returns an invitation to sign up, as an operator's account gives it.
    /// - Throws: `SecretsError` if the server's secret cannot be read.
    package func invite(_ email: String) throws -> InvitationBody {
        guard let email = EmailAddress.normalized(email) else {
            throw Refusal.invalid([FieldError("/email", .notAnEmail)])
        }
        let keys = try Keys(folder: settings.dataFolder)
        let expiresAt = SystemClock().now + Invitation.lifetime
        return InvitationBody(
            email: email, invitation: Invitation.text(for: email, until: expiresAt, keys: keys),
            expiresAt: expiresAt)
    }

    /// Replaces the server's secret. Signatures of the old one stay valid for the grace period, which may be
    /// zero. Returns their end.
    /// - Parameter endsLasting: whether unsubscribe links and marks of browsers end, too, at once.
    /// - Throws: `SecretsError` if the secret cannot be read or written.
    package func rotateSecret(grace: Duration, endsLasting: Bool) throws -> Instant {
        let end = SystemClock().now + grace
        try ServerSecret.rotate(
            at: "\(settings.dataFolder)/secret",
            previousEndsAt: grace > .zero ? end.milliseconds : nil, endsLasting: endsLasting)
        return end
    }

    package func suspend(_ email: String) async throws(JournalError) -> AccountBody {
        AccountBody(try await storage.perform(SuspendAccount(id: try await id(of: email))))
    }

    package func resume(_ email: String) async throws(JournalError) -> AccountBody {
        AccountBody(try await storage.perform(ResumeAccount(id: try await id(of: email))))
    }

    /// Sets a new password and ends all sign-ins of the account.
    /// - Parameter password: the new password; nil makes a random one.
    /// - Returns: the account, and the random password if one was made.
    /// - Throws: `Refusal` if the password is too weak; `JournalError`, `SecretsError`.
    package func resetPassword(of email: String, to password: String?) async throws
        -> (account: AccountBody, made: String?)
    {
        let id = try await id(of: email)
        let made = password == nil ? String(RandomToken().text.prefix(20)) : nil
        let new = password ?? made ?? ""
        guard PasswordText.length.contains(new.count), PasswordText.fits(new) else {
            let (least, most) = (PasswordText.length.lowerBound, PasswordText.length.upperBound)
            throw Refusal.invalid([FieldError("/password", .length(min: least, max: most))])
        }
        if let fault = NewPassword.fault(of: new, email: email) {
            throw Refusal.invalid([FieldError("/password", fault)])
        }
        let hash = try await PasswordHasher().hash(Password(new).text)
        return (AccountBody(try await storage.perform(ResetPassword(id: id, hash: hash.encoded))), made)
    }

    /// Deletes the account, and the meetings that no other account owns. The account is hidden at once. If it
    /// has many meetings, the server erases them after its next start.
    /// - Parameter confirmation: the e-mail address again, if meetings would be deleted.
    package func delete(_ email: String, confirmation: String?) async throws(JournalError) -> AccountBody {
        let found = try await storage.read { rows throws(JournalError) in
            try rows.account(email: IdentityKey(email))
        }
        guard let found else { throw .refused(.notFound(.account)) }
        try await storage.perform(
            DeleteAccount(id: found.id, .dataFolder, confirmation: confirmation, meetings: .delete))
        return AccountBody(found)
    }

    private func id(of email: String) async throws(JournalError) -> AccountID {
        let found = try await storage.read { rows throws(JournalError) in
            try rows.account(email: IdentityKey(email))?.id
        }
        guard let found else { throw .refused(.notFound(.account)) }
        return found
    }

    package func makeOperator(_ email: String) async throws(JournalError) -> AccountBody {
        let account = try await storage.perform(MakeOperator(email: email))
        SetupToken.remove(at: settings.setupTokenPath)
        return AccountBody(account)
    }

    /// Returns the action log of the server, newest first.
    package static func actions(in storage: Storage) async throws(JournalError) -> [ActionBody] {
        var all: [ActionBody] = []
        while true {
            let cursor = all.last?.id
            let page = try await storage.read { rows throws(JournalError) in
                try rows.actionBodies(in: nil, before: cursor, limit: Self.page)
            }
            all += page
            if page.count < Self.page { return all }
        }
    }

    private static let page = 200

    /// Returns all accounts, oldest first.
    package func list() async throws(JournalError) -> [AccountBody] {
        var all: [AccountBody] = []
        while true {
            let cursor = all.last?.id
            let page = try await storage.read { rows throws(JournalError) in
                try rows.accounts(after: cursor, limit: Self.page)
            }
            all += page.map { AccountBody($0) }
            if page.count < Self.page { return all }
        }
    }
}

extension ReadableRows {
    /// Returns the account with its sign-ins, newest first.
    func report(of account: Account, at now: Instant) throws(JournalError) -> AccountReport {
        AccountReport(
            account: AccountBody(account),
            signIns: try signIns(of: account.id).filter { $0.expiresAt > now }
                .map { SignInBody($0, current: false) },
            ownedMeetings: try meetingCount(ownedBy: account.id))
    }
}
