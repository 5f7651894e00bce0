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
        try context.requireFit(request.profile, interests: request.profile.interests ?? [])
        if isFirst {
            try context.requireSetUp(request.setupToken)
        } else {
            if !isInvited { try context.requireAttempt(attempts, FailureLimits.signUp) }
            guard context.services.settings.signUp.takes(isInvited: isInvited) else {
                context.failed(attempts, FailureLimits.signUp)
                throw request.invitation == nil ? Refusal.signUpClosed : .invitationNotValid
            }
            if !isInvited {
                if context.services.settings.requiresVerification {
                    try await context.countCodeRequest(on: .mail)
                }
                try context.countNewAccount()
            }
        }
        let hash = try await context.services.passwords.hash(Password(request.password).text, .last)
        var profile = request.profile
        if request.termsAccepted { profile.termsAcceptedAt = context.now }
        let handle = context.services.settings.requiresVerification ? RandomToken() : nil
        do {
            let account = try await context.storage.perform(
                CreateAccount(
                    email: request.email, name: request.name, passwordHash: hash.encoded, profile: profile,
                    signUp: context.services.settings.signUp,
                    isInvited: isInvited, proof: isFirst ? .setUp : .none,
                    verification: handle.map {
                        RequestAccountCode(
                            .verification, to: request.email, handle: $0, language: context.language,
                            context.services.keys)
                    }))
            if account.admin { SetupToken.remove(at: context.services.settings.setupTokenPath) }
            return .json(
                AccountBody(account, codeHandle: account.verified ? nil : handle?.text), status: 201)
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
        var body = AccountBody(try await own(context))
        if context.caller.token?.limits != nil { body.hidePersonalDetails() }
        return .json(body)
    }

    static func edit(_ context: RequestContext, _ request: EditAccountRequest) async throws -> HTTPResponse {
        let expected = try context.expectedVersion()
        try context.requireFit(request.profile, interests: request.profile.interests)
        let account: Account
        if let new = request.password, let current = request.currentPassword {
            account = try await context.withPassword(current, of: try await own(context).email) {
                own, checked in
                if let fault = NewPassword.fault(of: new, email: own.email) {
                    throw Refusal.invalid([FieldError("/password", fault)])
                }
                let hash = try await context.services.passwords.hash(Password(new).text, .known)
                let change = EditAccount.NewPassword(
                    checked: checked.encoded, hash: hash.encoded, keeping: context.caller.token?.signIn)
                return try await context.storage.perform(
                    EditAccount(
                        id: context.accountID, name: request.name, password: change, profile: request.profile,
                        clearing: request.cleared, expected: expected))
            }
        } else {
            account = try await context.storage.perform(
                EditAccount(
                    id: context.accountID, name: request.name, profile: request.profile,
                    clearing: request.cleared, expected: expected))
        }
        return .json(AccountBody(account))
    }

    static func withdraw(_ context: RequestContext, _ request: WithdrawRequest) async throws -> HTTPResponse {
        let account = try await own(context)
        func delete(_ evidence: DeleteAccount.Evidence) async throws {
            try await context.perform(
                DeleteAccount(
                    id: account.id, evidence, confirmation: context.query(.confirm),
                    meetings: request.meetings))
        }
        switch request.proof {
        case .password(let password):
            try await context.withPassword(password, of: account.email) { _, checked in
                try await delete(.password(checked: checked.encoded))
            }
        case .code(let code, let handle):
            guard let phone = account.phone else {
                throw Refusal.invalid([FieldError("/password", .missing)])
            }
            let claim = AccountCode.Claim(code, handle, for: .phoneSignIn, of: phone, context.services.keys)
            try await context.prove(CheckAccountCode(claim))
            try await delete(.code(claim))
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

extension RequestContext {
    /// Checks the rules of a profile that depend on the day and on the operator's settings. Interests that
    /// differ only in case, width or spaces are the same.
    /// - Throws: `invalid` if the birth date is in the future, or if the operator requires more interests.
    fileprivate func requireFit(_ profile: Account.Profile, interests: [String]?) throws(Refusal) {
        var errors: [FieldError] = []
        if let birthDate = profile.birthDate, birthDate > AccountRulesBody.latestBirthDate(at: now) {
            errors.append(FieldError("/birthDate", .notADate))
        }
        let settings = services.settings
        if let interests, settings.requiresInterests,
            MatchPerson.distinct(interests).count < settings.interestsWanted
        {
            let most = Account.Profile.mostInterests.count
            errors.append(FieldError("/interests", .count(min: settings.interestsWanted, max: most)))
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }
}
