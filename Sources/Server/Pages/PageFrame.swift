import Meetings
import Phrases
import Wire

/// The parts that all pages for attendees share: the head, the links to other languages, and the script.
struct PageFrame {
    let language: Language
    let title: String
    /// The class of the body, which the style sheet uses.
    var tone = "plain"
    /// The colour of the meeting that the page is about.
    var accent: Accent?
    /// The path and query of the page, for the links to other languages. If it is empty, the links lead to
    /// the present address.
    var here = ""
    /// The texts that the page's script needs, by name.
    var words: [String: Phrase] = [:]
    /// A link above the links to other languages.
    var beside: HTML?
    /// Whether the page needs the style sheet of questions and of the stage, although it has no bar.
    var hasStage = false
    /// The bar with the parts of an attendee's pages.
    var bar: HTML?
    /// More elements of the head.
    var head: HTML?

    /// The icon is part of the page, so that browsers do not request a favicon.
    static let icon = Icon.dataURL(of: "/icons/mark.svg")

    /// The style sheet of the pages with a bar.
    private static let stage: HTML =
        "<link rel=\"stylesheet\" href=\"\(StaticFiles.base)/stage.css\" class=\"stage\">"

    /// Returns the whole page around `content`.
    func page(_ content: HTML) -> HTML {
        """
        \(PageHead.in(language))\
        <title>\(title)</title>
        \(hasStage || bar != nil ? Self.stage : nil)
        \(head)
        </head>
        <body class="\(tone)\(accent.className)"\(spoken)>
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

extension Accent? {
    /// The class of the style sheet, behind a space; nil for the product's own colour.
    var className: HTML? { map { " accent-\($0.rawValue)" } }
}
