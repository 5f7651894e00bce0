import HTTPServer
import Meetings
import Wire

/// Sign-ins of the host's page: the tokens are cookies that no script sees.
///
/// A cookie comes by itself with what any site sends here, so each of these asks that our own page sent it;
/// else a stranger's page could sign a visitor in as somebody else.
enum WebSignIns {
    static let renewalPath = "/host/renew"

    static func signIn(_ context: RequestContext, _ request: SignInRequest) async throws -> HTTPResponse {
        try context.requireOwnPage()
        return answer(try await SignIns.begun(context, request), context)
    }

    static func renew(_ context: RequestContext) async throws -> HTTPResponse {
        try context.requireOwnPage()
        guard let token = context.cookie(Cookies.renewal) else { throw RequestError(.notSignedIn) }
        return answer(try await SignIns.renewed(context, refreshToken: token), context)
    }

    static func signOut(_ context: RequestContext) async throws -> HTTPResponse {
        var response = try await SignIns.signOut(context)
        response.headers += cookies(access: "", refresh: "", seconds: (0, 0), context)
        return response
    }

    private static func answer(_ token: TokenBody, _ context: RequestContext) -> HTTPResponse {
        let seconds = Int(token.expiresAt.since(context.now).components.seconds)
        return .json(
            WebSignInBody(expiresAt: token.expiresAt, verified: token.verified), status: 201,
            headers: cookies(
                access: token.accessToken, refresh: token.refreshToken,
                seconds: (seconds, Int(SignIns.refreshTokenLifetime.components.seconds)), context))
    }

    private static func cookies(
        access: String, refresh: String, seconds: (access: Int, refresh: Int), _ context: RequestContext
    ) -> [(name: String, value: String)] {
        let secure = context.address.isSecure
        return [
            ("Set-Cookie", Cookies.set(Cookies.signIn, access, seconds: seconds.access, secure: secure)),
            (
                "Set-Cookie",
                Cookies.set(
                    Cookies.renewal, refresh, path: renewalPath, seconds: seconds.refresh, secure: secure)
            ),
        ]
    }
}

extension RequestContext {
    func requireOwnPage() throws {
        guard isSameOrigin else { throw RequestError(.originNotAllowed) }
    }
}
