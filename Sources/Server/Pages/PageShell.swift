import HTTPServer
import Pages
import Phrases

/// An HTML file of `Public` with placeholders. Values are not escaped, so they must not contain texts of
/// people.
struct PageShell {
    private let text: String

    /// Traps if no file with this path is compiled in.
    init(at path: String) {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        text = String(decoding: file.bytes, as: UTF8.self)
    }

    /// Returns the page with its values.
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
