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

    /// Returns the page of `problem`. Its times are in the time zone of `meeting`, if given.
    static func page(_ problem: Problem, of meeting: Meeting?, language: Language, isPosted: Bool)
        -> HTTPResponse
    {
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
        let next: HTML =
            problem.code == ProblemCode.grantNotValid.rawValue
                || problem.code == ProblemCode.codeNotValid.rawValue
            ? "<p><a href=\"/\">\(Phrase.Page.tryAgain.text(in: language))</a></p>" : ""
        var response = HTTPResponse.html(
            PageFrame(language: language, title: problem.title, tone: "sorry", here: isPosted ? "/" : "")
                .page(
                    """
                    <p class="eyebrow">\(meeting?.name ?? "QRing")</p>\
                    <h1 id="result">\(problem.title)</h1><p>\(detail)</p>\(next)
                    """
                ),
            status: problem.status)
        if let seconds = problem.retryAfterSeconds {
            response.headers.append(("Retry-After", String(seconds)))
        }
        return response
    }
}
