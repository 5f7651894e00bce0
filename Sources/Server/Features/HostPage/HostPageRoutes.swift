import Meetings
import Wire

extension RouteTable {
    /// The routes of the host's page and of its sign-ins by cookie.
    static let hostPage: [Route] = [
        Route(.get, "/host", .anyone, does: "Show the host's page", gives: .page, HostPage.open),
        Route(
            .get, "/api/v1/sessions/{id}/preview.html", .member(.viewer, of: .session),
            does: "Show a question set as attendees see it", query: [.set], gives: .file("text/html"),
            QuestionPreview.page),
        Route(
            .get, "/host/sign-up", .anyone, does: "Show who can sign up, and the terms",
            gives: .json(SignUpTermsBody.self),
            HostPage.signUpTerms),
        Route(
            .post, "/host/sign-in", .anyone, does: "Sign in by cookie, from the host's page",
            reading: SignInRequest.self,
            gives: .json(WebSignInBody.self, status: 201),
            refuses: [
                .wrongCredentials, .accountSuspended, .tooManyAttempts, .tooManyChanges, .originNotAllowed,
            ],
            sends: [.cookies], WebSignIns.signIn),
        Route(
            .post, "/host/phone-sign-in", .anyone, does: "Sign in by cookie with the code on the phone",
            reading: PhoneSignInRequest.self, gives: .json(WebSignInBody.self, status: 201),
            refuses: [
                .confirmationCodeNotValid, .accountSuspended, .tooManyAttempts, .originNotAllowed,
            ],
            sends: [.cookies], WebSignIns.signInByPhone),
        Route(
            .post, "/host/renew", .anyone, does: "Renew the cookies of a sign-in",
            gives: .json(WebSignInBody.self, status: 201),
            refuses: [
                .notSignedIn, .wrongCredentials, .signInEnded, .accountSuspended, .accountWithdrawn,
                .tooManyAttempts, .originNotAllowed,
            ],
            sends: [.cookies],
            WebSignIns.renew),
        Route(
            .post, "/host/sign-out", .signedIn, does: "Sign out, and clear the cookies", gives: .noContent,
            sends: [.cookies], allowsUnverified: true, namedTokens: .all,
            WebSignIns.signOut),
    ]
}
