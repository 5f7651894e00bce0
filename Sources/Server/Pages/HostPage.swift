import HTTPServer
import Journal
import Phrases
import Wire

/// The host's page: a shell, the same for everybody. Its scripts load the data through the API, for the
/// account that is signed in.
enum HostPage {
    private static let shell = PageShell(at: "/host.html")

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let language = context.language
        return shell.filled([
            "icon": PageFrame.icon, "language": language.rawValue,
            "signedIn": String(try await context.isSignedInByCookie()),
            "skip": Phrase.Page.skip.text(in: language),
            "needsScript": Phrase.Page.needsScript.text(in: language),
        ])
    }

    /// Returns what the sign-up needs: the terms, who may sign up, and whether the set-up token is needed.
    static func signUpTerms(_ context: RequestContext) async throws -> HTTPResponse {
        let settings = context.services.settings
        let isFirst = try await context.storage.read { rows throws(JournalError) in try !rows.hasHadOperator()
        }
        return .json(
            SignUpTermsBody(
                signUp: settings.signUp.rawValue, isFirst: isFirst,
                needsSetupToken: isFirst && !context.isFromThisMachine,
                interestsWanted: settings.interestsWanted,
                terms: settings.terms ?? Phrase.Page.terms.text(in: context.language)))
    }
}
