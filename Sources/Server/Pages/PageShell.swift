import HTTPServer
import Pages
import Phrases

/// An HTML file of `Public` with placeholders. Values are not escaped, so they must not contain texts that
/// people entered. `{files}` is the beginning of the addresses of scripts and style sheets, and `{modules}`
/// the links to all modules that the page's script imports.
struct PageShell {
    private let text: String
    /// The links by which the browser loads the script's modules at once, and not one after another.
    private let modules: String

    /// Reads the file with this path. Traps if the file is not compiled in.
    init(at path: String) {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        text = String(decoding: file.bytes, as: UTF8.self)
        let script = text.firstMatch(of: #/src="\{files\}(/[^"]+)"/#).map { String($0.output.1) }
        modules = Self.imports(of: script ?? "").sorted().map {
            "<link rel=\"modulepreload\" href=\"\(StaticFiles.base)\($0)\">"
        }.joined(separator: "\n")
    }

    /// Returns the paths of the modules that a script of `Public` imports, directly or through others.
    private static func imports(of script: String) -> Set<String> {
        var (found, queue) = (Set<String>(), [script])
        while let path = queue.popLast() {
            guard let file = PublicFile(at: path) else { continue }
            let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: #/(?m)^(?:import|\}).* from "([^"]+)";$/#) {
                let name = match.output.1
                let module = name.hasPrefix("./") ? folder + name.dropFirst(1) : String(name)
                if found.insert(module).inserted { queue.append(module) }
            }
        }
        return found
    }

    /// Returns the page with `values` in place of its placeholders.
    func filled(_ values: [String: String]) -> HTTPResponse {
        let values = values.merging(["files": StaticFiles.base, "modules": modules]) { given, _ in given }
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
