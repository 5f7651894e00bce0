import Foundation
import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for accounts and profiles.
enum Accounts {
    static func signUp(_ context: RequestContext, _ request: SignUpRequest) async throws -> HTTPResponse {
        let isInvited =
            request.invitation.map {
                Invitation.isGood($0, for: request.email, at: context.now, keys: context.services.keys)
            } ?? false
        let attempts = "sign-up from \(context.origin)"
        // Hashing a password is expensive. The handler therefore rejects invalid sign-ups before it hashes
        // the password. The command checks the same rules again.
        let isFirst = try await context.storage.read { rows throws(JournalError) in try !rows.hasHadOperator()
        }
        if isFirst {
            try context.requireSetUp(request.setupToken)
        } else {
            if !isInvited { try context.requireAttempt(attempts, FailureLimits.signUp) }
            guard context.services.settings.signUp.takes(isInvited: isInvited) else {
                context.failed(attempts, FailureLimits.signUp)
                throw Refusal.signUpClosed
            }
            if !isInvited { try context.countNewAccount() }
        }
        let hash = try await context.services.passwords.hashOfNewAccount(Password(request.password).text)
        var profile = request.profile
        if request.termsAccepted { profile.termsAcceptedAt = context.now }
        do {
            let account = try await context.storage.perform(
                CreateAccount(
                    email: request.email, name: request.name, passwordHash: hash.encoded, profile: profile,
                    signUp: context.services.settings.signUp,
                    isInvited: isInvited, proof: isFirst ? .setUp : .none))
            if account.admin { SetupToken.remove(at: context.services.settings.setupTokenPath) }
            return .json(AccountBody(account), status: 201)
        } catch {
            if error is Refusal { context.failed(attempts, FailureLimits.signUp) }
            throw error
        }
    }

    static func invite(_ context: RequestContext, _ request: InviteRequest) async throws -> HTTPResponse {
        let expiresAt = context.now + Invitation.lifetime
        let text = Invitation.text(for: request.email, until: expiresAt, keys: context.services.keys)
        return .json(
            InvitationBody(email: request.email, invitation: text, expiresAt: expiresAt), status: 201)
    }

    static func availability(_ context: RequestContext) async throws -> HTTPResponse {
        let key = "availability \(context.origin)"
        try context.requireAttempt(key, FailureLimits.availability)
        context.failed(key, FailureLimits.availability)
        guard let email = context.query(.email).flatMap(EmailAddress.normalized) else {
            throw context.invalid(.email, .notAnEmail)
        }
        let taken = try await context.storage.read { rows throws(JournalError) in
            try rows.account(email: IdentityKey(email)) != nil
        }
        return .json(AvailabilityBody(available: !taken))
    }

    // MARK: The caller's own account

    static func me(_ context: RequestContext) async throws -> HTTPResponse {
        let account = try await own(context)
        return .json(AccountBody(account))
    }

    static func edit(_ context: RequestContext, _ request: EditAccountRequest) async throws -> HTTPResponse {
        let expected = try context.expectedVersion()
        let account: Account
        if let new = request.password, let current = request.currentPassword {
            account = try await context.withPassword(current, of: try await own(context).email) {
                own, checked in
                if let fault = NewPassword.fault(of: new, email: own.email) {
                    throw Refusal.invalid([FieldError("/password", fault)])
                }
                let hash = try await context.services.passwords.hash(Password(new).text)
                let change = EditAccount.NewPassword(
                    checked: checked.encoded, hash: hash.encoded, keeping: context.caller.token?.signIn)
                return try await context.storage.perform(
                    EditAccount(
                        id: context.accountID, name: request.name, password: change, profile: request.profile,
                        expected: expected))
            }
        } else {
            account = try await context.storage.perform(
                EditAccount(
                    id: context.accountID, name: request.name, profile: request.profile, expected: expected))
        }
        return .json(AccountBody(account))
    }

    static func withdraw(_ context: RequestContext, _ request: WithdrawRequest) async throws -> HTTPResponse {
        try await context.withPassword(request.password, of: try await own(context).email) {
            _, checked in
            try await context.perform(
                DeleteAccount(
                    id: context.accountID, checked: checked.encoded, confirmation: context.query(.confirm),
                    meetings: request.meetings))
        }
        return .noContent
    }

    private static func own(_ context: RequestContext) async throws -> Account {
        let id = context.accountID
        let found = try await context.storage.read { rows throws(JournalError) in try rows.account(id) }
        guard let found else { throw RequestError(.notSignedIn) }
        return found
    }
}
