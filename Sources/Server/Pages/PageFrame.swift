import Phrases
import Wire

/// The parts that all pages for attendees share: the head, the links to other languages, and the script.
struct PageFrame {
    let language: Language
    let title: String
    /// The class of the body, which the style sheet uses.
    var tone = "plain"
    /// The path and query of the page, for the links to other languages. If it is empty, the links lead to
    /// the present address.
    var here = ""
    /// The texts that the page's script needs, by name.
    var words: [String: Phrase] = [:]
    /// A link above the links to other languages.
    var beside: HTML?
    /// The bar with the parts of an attendee's pages.
    var bar: HTML?
    /// More elements of the head.
    var head: HTML?

    /// The icon is part of the page, so that browsers do not request a favicon.
    static let icon =
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath "
        + "fill='%230b57d0' d='M1 1h6v6H1zM9 1h6v6H9zM1 9h6v6H1zM9 9h3v3H9zM12 12h3v3h-3z'/%3E%3C/svg%3E"

    /// The style sheet of the pages with a bar.
    private static let stage: HTML =
        "<link rel=\"stylesheet\" href=\"\(StaticFiles.base)/stage.css\" class=\"stage\">"

    /// Returns the whole page around `content`.
    func page(_ content: HTML) -> HTML {
        """
        \(PageHead.in(language))\
        <title>\(title)</title>
        \(bar == nil ? nil : Self.stage)
        \(head)
        </head>
        <body class="\(tone)"\(spoken)>
        <main>
        \(content)
        </main>
        <footer>
        \(beside)
        <nav aria-label="\(Phrase.Page.language.text(in: language))">\(Language.allCases.map(link))</nav>
        </footer>
        \(bar)
        </body>
        </html>

        """
    }

    private var spoken: HTML? {
        words.isEmpty ? nil : " data-words=\"\(Self.json(words, in: language))\""
    }

    /// Returns texts in `language` as a JSON object.
    static func json(_ words: [String: Phrase], in language: Language) -> String {
        String(decoding: WireJSON.bytes(words.mapValues { $0.text(in: language) }), as: UTF8.self)
    }

    private func link(_ other: Language) -> HTML {
        let address = "\(here)\(here.contains("?") ? "&" : "?")lang=\(other.rawValue)"
        let current: HTML? = other == language ? " aria-current=\"true\"" : nil
        return
            """
            <a href="\(address)" lang="\(other.rawValue)" \
            hreflang="\(other.rawValue)"\(current)>\(other.ownName)</a>\u{20}
            """
    }
}
