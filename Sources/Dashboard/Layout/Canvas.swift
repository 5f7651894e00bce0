package import Meetings
package import Phrases
internal import Terminal
internal import Wire

/// A grid of cells to draw on, with the areas that react to a mouse click.
struct Canvas {
    private(set) var grid: Grid
    let look: Look
    /// The areas that react to a click. If areas overlap, the later one counts.
    private(set) var targets: [(area: Area, target: Target?)] = []

    init(_ size: Size, _ look: Look) {
        grid = Grid(size)
        self.look = look
    }

    /// Puts text into a row of an area, and cuts it at the area's right end. Returns the column after the
    /// text.
    @discardableResult
    mutating func put(
        _ text: String, _ area: Area, row: Int = 0, from column: Int = 0, _ style: Style = .plain
    ) -> Int {
        guard row < area.rows, column < area.columns else { return column }
        let end = grid.put(
            text, column: area.column + column, row: area.row + row, style, limit: area.columns - column,
            ascii: !look.isUTF8)
        return end - area.column
    }

    /// Puts the parts of a line one after the other. A part that does not fit is cut, and the parts after it
    /// are omitted. Returns the column after the line.
    @discardableResult
    mutating func put(_ line: Line, _ area: Area, row: Int = 0, from column: Int = 0) -> Int {
        var at = column
        for part in line.parts { at = put(part.text, area, row: row, from: at, part.style) }
        return at
    }

    /// Puts text at the right end of a row. Omits text that is too wide.
    mutating func put(_ text: String, atEndOf area: Area, row: Int = 0, _ style: Style = .plain) {
        let width = DisplayWidth.of(text)
        guard width <= area.columns, row < area.rows else { return }
        put(text, area, row: row, from: area.columns - width, style)
    }

    mutating func put(centred text: String, _ area: Area, row: Int, _ style: Style = .plain) {
        put(text, area, row: row, from: max(0, (area.columns - DisplayWidth.of(text)) / 2), style)
    }

    mutating func fill(_ area: Area, _ character: Character = " ", _ style: Style) {
        grid.fill(area, character, style)
    }
    mutating func restyle(_ area: Area, _ change: (inout Style) -> Void) { grid.restyle(area, change) }

    mutating func mark(_ area: Area, _ target: Target?) { targets.append((area, target)) }

    /// Makes clicks into an area do nothing, because the area covers what was drawn there before.
    mutating func cover(_ area: Area) { mark(area, nil) }
}

/// A line of text whose parts have different styles.
struct Line: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        let text: String
        let style: Style
    }

    private(set) var parts: [Part] = []

    init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

    mutating func add(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts.append(Part(text: text, style: style)) }
    }

    var width: Int { parts.reduce(0) { $0 + DisplayWidth.of($1.text) } }
}

/// The language, characters and colours of the dashboard.
package struct Look: Hashable, Sendable {
    package let language: Language
    package let isUTF8: Bool
    package let isColourful: Bool
    /// The zone of the user's clock. Times in another zone have a label.
    package let zone: Zone

    /// Without UTF-8, the language is always English, because ASCII has no Korean letters.
    package init(_ language: Language, zone: Zone, isUTF8: Bool = true, isColourful: Bool = true) {
        self.zone = zone
        self.language = isUTF8 ? language : .english
        self.isUTF8 = isUTF8
        self.isColourful = isColourful
    }

    /// Returns a sentence in the user's language. A value such as `\u{1}late` is replaced by the name of this
    /// status.
    func text(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        let said = values.mapValues { value in
            value.first == "\u{1}"
                ? AttendanceStatus(rawValue: String(value.dropFirst())).map(status) ?? value : value
        }
        let text = phrase.text(in: language, said)
        return isUTF8
            ? text : text.replacing("×", with: "x").replacing("…", with: "...").replacing("–", with: "-")
    }

    func status(_ status: AttendanceStatus) -> String { text(status.phrase) }

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
    var times: String { isUTF8 ? "×" : "x" }
    var bullet: String { isUTF8 ? "●" : "*" }
    var circle: String { isUTF8 ? "○" : "o" }
    var pointer: String { isUTF8 ? "▸" : ">" }
    var check: String { isUTF8 ? "✓" : "v" }
    var star: String { isUTF8 ? "★" : "*" }
    var caret: String { isUTF8 ? "▏" : "_" }
    var upDown: String { isUTF8 ? "↑↓" : "j/k" }

    // The parts of a bar have different characters, because without colours only the characters distinguish
    // them.
    var full: String { isUTF8 ? "█" : "#" }
    var shaded: String { isUTF8 ? "▓" : "=" }
    var empty: String { isUTF8 ? "░" : "." }
}

extension Style {
    static let heading = Style(bold: true)
    static let quiet = Style(.grey)
    static let faint = Style(.faint)
    static let title = Style(.pureWhite, on: .bar, bold: true)
    static let titleQuiet = Style(.pureWhite, on: .bar)
    /// A fault that the host must notice. It has no colour, because no colour is visible on every ground.
    static let alarm = Style(bold: true, reversed: true)
    static let key = Style(.cyan, bold: true)
}
