/// Text in the language of man(7), which groff and mandoc read.
struct Roff {
    private(set) var text: String

    init(title: String, date: String, version: String, manual: String) {
        text =
            ".TH \"\(Self.escaped(title.uppercased()))\" \"1\" \"\(date)\" \"qring \(version)\" "
            + "\"\(Self.escaped(manual))\"\n"
        // Neither hyphens nor stretched spaces in what people copy.
        text += ".nh\n.ad l\n"
    }

    mutating func section(_ heading: String) { text += ".SH \"\(Self.escaped(heading))\"\n" }

    /// A line of roff of its own.
    mutating func line(_ roff: String) { text += roff + "\n" }

    mutating func prose(_ words: String) {
        if !text.hasSuffix("\"\n") || !(text.split(separator: "\n").last ?? "").hasPrefix(".SH") {
            text += ".PP\n"
        }
        text += Self.escaped(words) + "\n"
    }

    /// A tag and what it means.
    mutating func item(_ roff: String, _ meaning: String) {
        text += ".TP\n\(roff)\n\(Self.escaped(meaning))\n"
    }

    mutating func item(bold name: String, _ meaning: String) {
        item("\\fB\(Self.escaped(name))\\fR", meaning)
    }

    mutating func references(_ pages: [String]) {
        for (index, page) in pages.enumerated() {
            text += ".BR \(Self.escaped(page)) (1)\(index == pages.count - 1 ? "" : ",")\n"
        }
    }

    /// Capitals stand for what somebody types: in italics, brackets and bars not.
    static func placeholder(_ name: String) -> String {
        var roff = ""
        var word = ""
        func flushed() -> String { word.isEmpty ? "" : "\\fI\(escaped(word))\\fR" }
        for character in name {
            if "[]|".contains(character) {
                roff += flushed() + String(character)
                word = ""
            } else {
                word.append(character)
            }
        }
        return roff + flushed()
    }

    /// A backslash is `\e`, a hyphen is to be copied as one, and a line begins with no dot or apostrophe of
    /// roff's.
    static func escaped(_ text: String) -> String {
        let body = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing(
            "\"", with: "\\(dq"
        ).replacing(
            "'", with: "\\(aq"
        )
        .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha").replacing("`", with: "\\(ga")
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}
