internal import Meetings
internal import Phrases
internal import Terminal

/// In which language, and with which characters and colours, the dashboard is drawn.
struct Look: Hashable, Sendable {
    let language: Language
    let isUTF8: Bool
    let isColourful: Bool

    /// Korean cannot be written in ASCII: English is.
    init(_ language: Language, isUTF8: Bool = true, isColourful: Bool = true) {
        self.language = isUTF8 ? language : .english
        self.isUTF8 = isUTF8
        self.isColourful = isColourful
    }

    /// A sentence; a value `\u{1}status` is a status by its name.
    func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        let said = values.mapValues { value in
            value.first == "\u{1}"
                ? AttendanceStatus(rawValue: String(value.dropFirst())).map(status) ?? value : value
        }
        let text = phrase.text(in: language, said)
        return isUTF8
            ? text : text.replacing("×", with: "x").replacing("…", with: "...").replacing("–", with: "-")
    }

    func status(_ status: AttendanceStatus) -> String { text(SessionSummary.status(status)) }

    func colour(of status: AttendanceStatus) -> Colour {
        switch status {
        case .present: .green
        case .late: .yellow
        case .awaited: .grey
        case .absent: .red
        case .excused: .cyan
        }
    }

    var dot: String { isUTF8 ? " · " : " - " }
    var dash: String { isUTF8 ? "–" : "-" }
    var bullet: String { isUTF8 ? "●" : "*" }
    var circle: String { isUTF8 ? "○" : "o" }
    var pointer: String { isUTF8 ? "▸" : ">" }
    var check: String { isUTF8 ? "✓" : "v" }
    var star: String { isUTF8 ? "★" : "*" }
    var caret: String { isUTF8 ? "▏" : "_" }
    var upDown: String { isUTF8 ? "↑↓" : "j/k" }

    // By characters, too: where there is no colour they are all that tells the parts of a bar apart.
    var full: String { isUTF8 ? "█" : "#" }
    var shaded: String { isUTF8 ? "▓" : "=" }
    var empty: String { isUTF8 ? "░" : "." }
}

extension Style {
    static let heading = Style(.bright, bold: true)
    static let quiet = Style(.grey)
    static let faint = Style(.faint)
    static let title = Style(.pureWhite, on: .bar, bold: true)
    static let titleQuiet = Style(.pureWhite, on: .bar)
    static let key = Style(.cyan, bold: true)
}
