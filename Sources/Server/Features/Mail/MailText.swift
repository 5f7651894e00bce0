import Phrases

/// The text of a mail as parts, from which the text part and the HTML part are made. The HTML needs no
/// images, no style sheet and no script: without them it reads as the text part does.
struct MailText {
    enum Part {
        case paragraph(String)
        case list([String])
        /// A code that the reader types.
        case code(String)
        /// A link. The HTML shows the URL below the button too, for readers whose program shows no links.
        case link(label: String, url: String)
        /// A small text at the end.
        case note(String)
        /// A small text at the end, with a link.
        case footnote(String, label: String, url: String)
    }

    let subject: String
    let language: Language
    let parts: [Part]

    var plain: String {
        parts.map { part in
            switch part {
            case .paragraph(let text): text
            case .list(let items): items.map { "- \($0)" }.joined(separator: "\n")
            case .code(let code): "    \(code)"
            case .link(let label, let url): labelled(label, url)
            case .note(let text): "--\n\(text)"
            case .footnote(let text, let label, let url): "--\n\(text)\n" + labelled(label, url)
            }
        }.joined(separator: "\n\n") + "\n"
    }

    private func labelled(_ label: String, _ url: String) -> String {
        Phrase.Mail.labelled.text(in: language, ["label": label]) + "\n" + url
    }

    /// The colours are those of `Public/look.css`. Programs that ignore `prefers-color-scheme` show the light
    /// ones, which are set on each element.
    var html: HTML {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <meta name="color-scheme" content="light dark">
        <meta name="supported-color-schemes" content="light dark">
        <title>\(subject)</title>
        <style>
        :root { color-scheme: light dark; }
        @media (prefers-color-scheme: dark) {
        .page { background: #12141c !important; }
        .card { background: #1c1f2b !important; color: #eef0f7 !important; }
        .soft { color: #adb3c6 !important; }
        .code { background: #2a2950 !important; color: #eef0f7 !important; }
        .button { background: #b3b5ff !important; color: #1b1758 !important; }
        .link { color: #b3b5ff !important; }
        }
        </style>
        </head>
        <body class="page" style="margin:0;padding:16px;background:#f4f5fa">
        <main class="card" style="max-width:560px;margin:0 auto;padding:24px;border-radius:12px;
        background:#ffffff;color:#171a26;font:17px/1.5 system-ui,'Noto Sans KR','Malgun Gothic',sans-serif;
        word-break:keep-all;overflow-wrap:anywhere">
        \(parts.map(Self.html))
        </main>
        </body>
        </html>

        """
    }

    private static func item(_ text: String) -> HTML { "<li>\(text)</li>\n" }

    private static func html(_ part: Part) -> HTML {
        switch part {
        case .paragraph(let text): return "<p style=\"margin:0 0 16px\">\(text)</p>\n"
        case .list(let items):
            return """
                <ul style="margin:0 0 16px;padding-inline-start:24px">\(items.map(Self.item))</ul>

                """
        case .code(let code):
            return """
                <p class="code" style="margin:0 0 16px;padding:12px;border-radius:8px;background:#ecebfd;
                font-size:30px;font-weight:700;letter-spacing:6px;text-align:center">\(code)</p>

                """
        case .link(let label, let url):
            return """
                <p style="margin:0 0 8px"><a class="button" href="\(url)" style="display:inline-block;
                padding:12px 20px;border-radius:8px;background:#4338ca;color:#ffffff;font-weight:600;
                text-decoration:none">\(label)</a></p>
                <p class="soft" style="margin:0 0 16px;color:#555b6e;font-size:14px"><a class="link"
                href="\(url)" style="color:#4338ca">\(url)</a></p>

                """
        case .note(let text):
            return "<p class=\"soft\" style=\"margin:0 0 8px;color:#555b6e;font-size:14px\">\(text)</p>\n"
        case .footnote(let text, let label, let url):
            return """
                <p class="soft" style="margin:0 0 8px;color:#555b6e;font-size:14px">\(text) <a class="link"
                href="\(url)" style="color:#4338ca">\(label)</a></p>

                """
        }
    }
}
