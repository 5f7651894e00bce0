import HTTPServer
import Pages
import Phrases

/// A page of `Public` with `{…}` to be filled in. Nothing that people wrote may be filled in: it is not
/// escaped.
struct PageShell {
    private let text: String

    /// Traps where the file is not compiled in.
    init(at path: String) {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        text = String(decoding: file.bytes, as: UTF8.self)
    }

    func filled(_ values: [String: String]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", PageSafety.policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: Array(Phrase.filled(text, values).utf8))
    }
}
