import HTTPServer
import Pages
import Secrets

/// The files of `Public`, compiled in, with entity tags of their contents.
struct StaticFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let body: [UInt8]
        let tag: String
    }

    private let files: [String: File]

    init() {
        func file(_ type: String, _ body: [UInt8]) -> File {
            File(type: type, body: body, tag: "\"\(Crockford.encode(Secrets.fingerprint(of: body)))\"")
        }
        files = [
            "/page.css": file("text/css; charset=utf-8", PublicFiles.pageCSS),
            "/page.js": file("text/javascript; charset=utf-8", PublicFiles.pageJS),
            "/present.css": file("text/css; charset=utf-8", PublicFiles.presentCSS),
            "/present.js": file("text/javascript; charset=utf-8", PublicFiles.presentJS),
        ]
    }

    /// Nil for what is no file.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        let headers = [
            ("ETag", file.tag), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ]
        // RFC 9110 §13.1.2: one of the tags, weak or strong, or any.
        let asked = request.headers.first("if-none-match") ?? ""
        if asked.contains(file.tag) || asked == "*" { return HTTPResponse(status: 304, headers: headers, body: file.body) }
        return HTTPResponse(status: 200, headers: headers + [("Content-Type", file.type)], body: file.body)
    }
}
