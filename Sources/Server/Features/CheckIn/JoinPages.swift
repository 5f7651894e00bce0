import HTTPServer
import Meetings
import Phrases
import Wire

/// For those who cannot scan: type the join code.
enum JoinPages {
    static func front(_ context: RequestContext) async throws -> HTTPResponse { .html(page(context)) }

    static func join(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.form()
        do {
            let outcome = try await CodeExchange(services: context.services).exchange(
                joinCode: form.first("joinCode") ?? "", context: context)
            return try await CheckInPages.form(outcome, context)
        } catch Refusal.codeNotValid {
            let said = Problem(code: .codeNotValid, in: context.language).detail
            return .html(page(context, typed: form.first("joinCode") ?? "", error: said), status: 422)
        }
    }

    private static func page(_ context: RequestContext, typed: String = "", error: String? = nil) -> HTML {
        let language = context.language
        let said: HTML? = error.map { "<p class=\"error\" id=\"joinCode-error\">\($0)</p>" }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"joinCode-error\""
        let hosts: HTML = "<p><a href=\"/host\">\(Phrase.Page.forHosts.text(in: language))</a></p>"
        return PageFrame(language: language, title: "QRing", beside: hosts).page(
            """
            <p class="eyebrow">QRing</p>
            <h1>\(Phrase.Page.join.text(in: language))</h1>
            <form method="post" action="/">
            <label for="joinCode">\(Phrase.Page.joinCode.text(in: language))</label>
            <input id="joinCode" name="joinCode" class="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="12" value="\(typed)" required\(invalid)>
            \(said)
            <p class="note">\(Phrase.Page.joinHint.text(in: language))</p>
            <button type="submit">\(Phrase.Page.proceed.text(in: language))</button>
            </form>
            """)
    }
}
