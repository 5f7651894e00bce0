import HTTPServer
import Phrases

/// Says on every page, and to every program, that the server's disk is full. Data can be read meanwhile.
enum StorageNotice {
    /// The header of all responses while nothing can be saved. The host's page and the commands read it.
    static let header = ("QRing-Storage", "full")

    /// Adds the header, and a line above the content of a page.
    static func add(to response: inout HTTPResponse, in language: Language) {
        response.headers.append(header)
        guard response.headers.contains(where: { $0.name == "Content-Type" && $0.value == HTML.mediaType }),
            let main = response.body.firstRange(of: Array("<main".utf8))
        else { return }
        let line: HTML =
            "<p class=\"storage\" role=\"status\">\(Phrase.Page.storageFull.text(in: language))</p>\n"
        response.body.insert(contentsOf: Array(line.text.utf8), at: main.lowerBound)
    }
}
