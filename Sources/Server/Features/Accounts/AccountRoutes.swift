import Meetings
import Wire

extension RouteTable {
    /// The routes for accounts, sign-ins and invitations to sign up.
    static let accounts: [Route] = [
        Route(
            .post, "/api/v1/accounts", .anyone, does: "Sign up", reading: SignUpRequest.self,
            gives: .json(AccountBody.self, status: 201),
            refuses: [
                .setupTokenRequired, .setupTokenNotValid, .signUpClosed, .emailTaken, .tooManyAttempts,
                .tooManySignUps,
            ], keys: .ignored(.secret),
            Accounts.signUp),
        Route(
            .get, "/api/v1/accounts/availability", .anyone,
            does: "Check whether an e-mail address has no account",
            query: [.email], gives: .json(AvailabilityBody.self), refuses: [.tooManyAttempts],
            Accounts.availability),
        Route(
            .post, "/api/v1/tokens", .anyone, does: "Sign in", reading: SignInRequest.self,
            gives: .json(TokenBody.self, status: 201),
            refuses: [.wrongCredentials, .accountSuspended, .tooManyAttempts, .tooManyChanges],
            keys: .ignored(.secret), SignIns.signIn),
        Route(
            .get, "/api/v1/tokens", .signedIn, does: "List the caller's sign-ins",
            gives: .json(Page<SignInBody>.self), allowsUnverified: true, SignIns.list),
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
            allowsUnverified: true, SignIns.signOut
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
            allowsUnverified: true, Accounts.me),
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
            refuses: [.wrongCredentials, .tooManyAttempts, .lastOperator, .confirmationNeeded, .notFound]
                + .ofScan,
            allowsUnverified: true, Accounts.withdraw),
    ]
}
