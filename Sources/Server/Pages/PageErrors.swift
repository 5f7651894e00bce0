import HTTPServer
import Meetings
import Phrases
import Wire

/// A problem as a page, for browsers that open or post one of the pages.
enum PageErrors {
    static func wants(_ request: HTTPRequest) -> Bool {
        !request.path.hasPrefix("/api/") && (request.headers.first("accept")?.contains("text/html") ?? false)
    }

    static func page(_ problem: Problem, language: Language) -> HTTPResponse {
        let next: HTML =
            problem.code == ProblemCode.grantNotValid.rawValue || problem.code == ProblemCode.codeNotValid.rawValue
            ? "<p><a href=\"/\">\(Phrase.Page.tryAgain.text(in: language))</a></p>" : ""
        var response = HTTPResponse.html(
            PageFrame(language: language, title: problem.title, tone: "sorry").page(
                "<p class=\"eyebrow\">QRing</p><h1 id=\"result\">\(problem.title)</h1><p>\(problem.detail)</p>\(next)"),
            status: problem.status)
        if let seconds = problem.retryAfterSeconds { response.headers.append(("Retry-After", String(seconds))) }
        return response
    }
}
