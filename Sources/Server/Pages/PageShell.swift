import HTTPServer
import Pages
import Phrases

/// An HTML file of `Public` with placeholders. Values are not escaped, so they must not contain texts that
/// people entered. `{files}` is the beginning of the addresses of scripts and style sheets.
struct PageShell {
    private let text: String

    /// Reads the file with this path. Traps if the file is not compiled in.
    init(at path: String) {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        text = String(decoding: file.bytes, as: UTF8.self)
    }

    /// Returns the page with `values` in place of its placeholders.
    func filled(_ values: [String: String]) -> HTTPResponse {
        let values = values.merging(["files": StaticFiles.base]) { given, _ in given }
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", HTML.mediaType), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", PageSafety.policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: Array(Phrase.filled(text, values, in: .english).utf8))
    }
}
