import Compression
import FoundationEssentials
import Glibc
import HTTPServer
import Phrases
import Secrets

/// The beginning of every page for attendees, up to its title. It includes the style sheet, so that a phone
/// shows the page after one round trip. It is compressed once for each language.
struct PageHead {
    /// The text of the beginning.
    let text: String
    private let gzip: GzipBeginning
    /// The same beginning with a link to the style sheet, for a script that needs only the rest of the page.
    private let linked: [UInt8]

    private static let all = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { ($0, PageHead(language: $0)) })

    static func `in`(_ language: Language) -> PageHead { all[language] ?? PageHead(language: language) }

    /// The source of the style sheet for the content security policy (CSP 3 §6.7.2.2).
    static let styleHash: String = {
        "'sha256-\(Data(Secrets.sha256(of: Array(style.utf8))).base64EncodedString())'"
    }()

    private static let style = StyleSheet.joined("/page.css")

    private init(language: Language) {
        func page(_ style: String) -> String {
            """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="\(PageFrame.icon)">
            \(style)
            <script src="\(StaticFiles.base)\(ScriptBundle.phonePath)" type="module"></script>

            """
        }
        text = page("<style>\(Self.style)</style>")
        gzip = GzipBeginning(Array(text.utf8))
        linked = Array(page("<link rel=\"stylesheet\" href=\"\(StaticFiles.base)/page.css\">").utf8)
    }

    /// Whether `page` begins with this head. Compares all bytes, because another page may differ only near
    /// the end of the head.
    private func begins(_ page: [UInt8]) -> Bool {
        gzip.plain.withUnsafeBytes { own in
            page.withUnsafeBytes {
                guard $0.count >= own.count, let page = $0.baseAddress, let own = own.baseAddress else {
                    return false
                }
                return memcmp(page, own, gzip.plain.count) == 0
            }
        }
    }

    /// Returns the template of pages with this head. Returns nil if the first piece does not begin with it.
    func template(_ pieces: [[UInt8]]) -> GzipTemplate? {
        guard let first = pieces.first, begins(first) else { return nil }
        return GzipTemplate(gzip, [Array(first.dropFirst(gzip.plain.count))] + pieces.dropFirst())
    }

    /// Whether the client takes the page compressed with its head. A script gets the page without its style
    /// sheet.
    static func takesCompressed(_ request: HTTPRequest) -> Bool {
        StaticFiles.takesGzip(request.headers) && !isFromScript(request)
    }

    /// Whether a script sent the request. Browsers name the purpose of a request since 2023 (Fetch Metadata
    /// §2.1).
    private static func isFromScript(_ request: HTTPRequest) -> Bool {
        request.headers.first("sec-fetch-dest") == "empty"
    }

    private static let variance = ("Vary", "Accept-Encoding, Sec-Fetch-Dest")
    private static let compressed = ("Content-Encoding", "gzip")

    /// Adds the headers of a compressed page.
    static func markCompressed(_ response: inout HTTPResponse) {
        response.headers += [variance, compressed]
    }

    /// The types that are compressed: pages, and the pictures of codes, which are long texts of few letters.
    private static let fits: Set<String> = [HTML.mediaType, "image/svg+xml"]

    /// Returns the response as this client takes it: a page or a code is compressed, and a script gets a page
    /// for attendees without its style sheet. Other responses, and those that are compressed already, do not
    /// change.
    static func fitted(
        _ response: HTTPResponse, to request: HTTPRequest, in language: Language
    ) -> HTTPResponse {
        guard response.headers.contains(where: { $0.name == "Content-Type" && fits.contains($0.value) }),
            !response.headers.contains(where: { $0.name == "Content-Encoding" })
        else { return response }
        var (response, rest, beginning) = (response, response.body[...], GzipBeginning([]))
        let head = Self.in(language)
        if head.begins(response.body) {
            rest = rest.dropFirst(head.gzip.plain.count)
            if isFromScript(request) {
                rest = (head.linked + rest)[...]
                response.body = Array(rest)
            } else {
                beginning = head.gzip
            }
        }
        response.headers.append(variance)
        if StaticFiles.takesGzip(request.headers) {
            response.body = beginning.followed(by: rest)
            response.headers.append(compressed)
        }
        return response
    }
}
