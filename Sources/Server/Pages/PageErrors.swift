import HTTPServer
import Meetings
import Phrases
import Wire

/// Shows problems as pages, for browsers that open a page or send a form.
enum PageErrors {
    /// Whether the client wants a page instead of JSON.
    static func wants(_ request: HTTPRequest) -> Bool {
        !request.path.hasPrefix("/api/") && (request.headers.first("accept")?.contains("text/html") ?? false)
    }

    /// Returns the page of `problem`, with a next step. The page of a session that is not open yet counts
    /// down and opens by itself.
    /// - Parameter meeting: the meeting in whose time zone and colour the page is; nil for no times.
    static func page(_ problem: Problem, of meeting: Meeting?, _ context: RequestContext) -> HTTPResponse {
        let language = context.language
        let isPosted = context.request.method == "POST"
        let detail =
            switch (meeting?.timeZone, problem.opensAt, problem.closedAt) {
            case (let zone?, let opensAt?, _):
                Phrase.Page.checkInOpensAt.text(
                    in: language, ["time": PageMoment.text(opensAt, in: zone, language)])
            case (let zone?, _, let closedAt?):
                Phrase.Page.checkInClosedAt.text(
                    in: language, ["time": PageMoment.text(closedAt, in: zone, language)])
            default: problem.detail
            }
        let waiting = problem.opensAt.map { WaitingPage(opensIn: $0.since(context.now), context: context) }
        let next: Phrase =
            [.grantNotValid, .codeNotValid].map(\ProblemCode.rawValue).contains(problem.code)
            ? .Page.tryAgain : .Page.joinAnother
        var response = HTTPResponse.html(
            PageFrame(
                language: language, title: problem.title, tone: waiting == nil ? "sorry" : "plain",
                accent: meeting?.accent, here: isPosted ? "/" : "",
                words: waiting == nil ? [:] : PageWords.clock,
                head: waiting?.refresh
            ).page(
                """
                <p class="eyebrow">\(meeting?.name ?? "QRing")</p>\
                <h1 id="result">\(problem.title)</h1><p>\(detail)</p>
                \(waiting?.html())
                <p><a class="button" href="/">\(next.text(in: language))</a></p>
                """
            ),
            status: problem.status)
        if let seconds = problem.retryAfterSeconds {
            response.headers.append(("Retry-After", String(seconds)))
        }
        return response
    }
}

/// The part of a page that waits until a session opens for check-in.
private struct WaitingPage {
    let opensIn: Duration
    let context: RequestContext

    private var seconds: Int { max(0, Int(opensIn.components.seconds)) + 1 }
    /// The code that the attendee typed; nil if the page has an address that can be loaded again.
    private var typedCode: String? {
        context.request.method == "POST" ? Form(context.request.body)?.first("joinCode") : nil
    }

    /// Loads the page again in a browser without scripts. A page with a typed code has a button instead,
    /// because its address has no code.
    var refresh: HTML? {
        if typedCode != nil { return nil }
        return "<noscript><meta http-equiv=\"refresh\" content=\"\(min(seconds, 60))\"></noscript>"
    }

    func html() -> HTML {
        let language = context.language
        let again: HTML? = typedCode.map {
            """
            <form class="again" method="post" action="/"><input type="hidden" name="joinCode" value="\($0)">
            <button type="submit">\(Phrase.Page.lookAgain.text(in: language))</button></form>
            """
        }
        return """
            <div class="card"><p class="countdown" role="timer" data-in="\(seconds)" \
            data-waits></p><p class="note">\(Phrase.Page.opensByItself.text(in: language))</p>\(again)</div>
            """
    }
}
