import Meetings
import Wire

extension RouteTable {
    /// The routes for accounts, sign-ins and invitations to sign up.
    static let accounts: [Route] = [
        Route(
            .post, "/api/v1/accounts", .anyone, does: "Sign up", reading: SignUpRequest.self,
            gives: .json(AccountBody.self, status: 201),
            refuses: [
                .setupTokenRequired, .setupTokenNotValid, .signUpClosed, .invitationNotValid, .emailTaken,
                .tooManyAttempts, .tooManySignUps, .tooManyCodeRequests,
            ], keys: .ignored(.secret),
            Accounts.signUp),
        Route(
            .get, "/api/v1/accounts/availability", .anyone,
            does: "Check whether an e-mail address has no account",
            query: [.email], gives: .json(AvailabilityBody.self), refuses: [.tooManyAttempts],
            Accounts.availability),
        Route(
            .post, "/api/v1/accounts/verifications", .anyone,
            does: "Send a code that verifies an e-mail address", reading: CodeRequest.self,
            gives: .json(CodeSentBody.self, status: 202), refuses: [.tooManyCodeRequests],
            keys: .ignored(.secret), AccountCodes.requestVerification),
        Route(
            .put, "/api/v1/accounts/verifications", .anyone, does: "Verify an e-mail address by its code",
            reading: VerifyRequest.self, gives: .json(VerifiedBody.self),
            refuses: [.confirmationCodeNotValid, .tooManyAttempts], AccountCodes.verify),
        Route(
            .post, "/api/v1/accounts/password-resets", .anyone, does: "Send a code for a new password",
            reading: CodeRequest.self, gives: .json(CodeSentBody.self, status: 202),
            refuses: [.tooManyCodeRequests], keys: .ignored(.secret), AccountCodes.requestReset),
        Route(
            .put, "/api/v1/accounts/password-resets", .anyone,
            does: "Set a new password by a code, and end all sign-ins",
            reading: ResetPasswordRequest.self, gives: .noContent,
            refuses: [.confirmationCodeNotValid, .tooManyAttempts], AccountCodes.reset),
        Route(
            .post, "/api/v1/tokens", .anyone, does: "Sign in", reading: SignInRequest.self,
            gives: .json(TokenBody.self, status: 201),
            refuses: [.wrongCredentials, .accountSuspended, .tooManyAttempts, .tooManyChanges],
            keys: .ignored(.secret), SignIns.signIn),
        Route(
            .post, "/api/v1/phone-tokens", .anyone, does: "Send a code to a phone",
            reading: PhoneCodeRequest.self, gives: .json(CodeSentBody.self, status: 202),
            refuses: [.tooManyCodeRequests], keys: .ignored(.secret), AccountCodes.requestPhoneCode),
        Route(
            .put, "/api/v1/phone-tokens", .anyone, does: "Sign in by the code on the phone",
            reading: PhoneSignInRequest.self, gives: .json(PhoneTokenBody.self, status: 201),
            refuses: [.confirmationCodeNotValid, .accountSuspended, .tooManyAttempts],
            AccountCodes.signInByPhone),
        Route(
            .get, "/api/v1/tokens", .signedIn, does: "List the caller's sign-ins",
            gives: .json(Page<SignInBody>.self), allowsUnverified: true, SignIns.list),
        Route(
            .post, "/api/v1/tokens/named", .signedIn,
            does: "Create a named token, which may be limited to reading and to one meeting",
            reading: NamedTokenRequest.self, gives: .json(NamedTokenBody.self, status: 201),
            refuses: [.notAllowed, .limitReached, .notFound], keys: .ignored(.secret),
            SignIns.createNamedToken),
        Route(
            .post, "/api/v1/tokens/refresh", .anyone,
            does: "Exchange a refresh token for a new pair; the old access token stops working",
            reading: RefreshRequest.self, gives: .json(TokenBody.self, status: 201),
            refuses: [
                .wrongCredentials, .signInEnded, .accountSuspended, .accountWithdrawn, .tooManyAttempts,
            ],
            keys: .ignored(.secret), SignIns.refresh),
        Route(
            .delete, "/api/v1/tokens/current", .signedIn, does: "Sign out", gives: .noContent,
            allowsUnverified: true, namedTokens: .all, SignIns.signOut
        ),
        Route(
            .delete, "/api/v1/tokens/{id}", .signedIn, does: "End one of the caller's sign-ins",
            gives: .noContent, allowsUnverified: true, SignIns.end),
        Route(
            .post, "/api/v1/invitations", .operator, does: "Invite an e-mail address to sign up",
            reading: InviteRequest.self,
            gives: .json(InvitationBody.self, status: 201), keys: .ignored(.secret), Accounts.invite),
        Route(
            .get, "/api/v1/me", .signedIn, does: "Show the caller's account", gives: .json(AccountBody.self),
            allowsUnverified: true, namedTokens: .all, Accounts.me),
        Route(
            .patch, "/api/v1/me", .signedIn, does: "Edit the caller's account",
            reading: EditAccountRequest.self,
            gives: .json(AccountBody.self),
            refuses: [.wrongCredentials, .tooManyAttempts, .notFound], allowsUnverified: true,
            Accounts.edit),
        Route(
            .delete, "/api/v1/me", .signedIn,
            does: "Delete the caller's account and everything that only it owns",
            reading: WithdrawRequest.self,
            query: [.confirm], gives: .noContent,
            refuses: [
                .wrongCredentials, .confirmationCodeNotValid, .tooManyAttempts, .lastOperator,
                .confirmationNeeded, .notFound,
            ]
                + .ofScan,
            allowsUnverified: true, Accounts.withdraw),
    ]
}
