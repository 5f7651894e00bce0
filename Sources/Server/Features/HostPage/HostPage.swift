import HTTPServer
import Journal
import Phrases
import Wire

/// The handlers for the host's page. The page is the same for everybody; its scripts load the data of the
/// signed-in account through the API.
enum HostPage {
    private static let shell = PageShell(at: "/host.html")

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let language = context.language.forHosts
        return shell.filled([
            "icon": PageFrame.icon, "language": language.rawValue,
            "script": HostPhrases.path(of: ScriptBundle.hostPath, in: language),
            "signedIn": String(try await context.isSignedInByCookie()),
            "skip": Phrase.Page.skip.text(in: language),
            "loading": Phrase.Host.frame["loading"]?.text(in: language) ?? "",
            "needsScript": Phrase.Page.needsScript.text(in: language),
        ])
    }

    /// Returns the data that the sign-up form needs: the terms, the sign-up mode, and whether the set-up
    /// token is needed.
    static func signUpTerms(_ context: RequestContext) async throws -> HTTPResponse {
        let settings = context.services.settings
        let isFirst = try await context.storage.read { rows throws(JournalError) in try !rows.hasHadOperator()
        }
        return .json(
            SignUpTermsBody(
                signUp: settings.signUp.rawValue, form: settings.signUpForm.rawValue, isFirst: isFirst,
                needsSetupToken: isFirst && !context.isFromThisMachine,
                interestsWanted: settings.interestsWanted,
                interestsRequired: settings.requiresInterests,
                terms: settings.terms ?? Phrase.Page.terms.text(in: context.language), at: context.now))
    }
}
