import CNCurses
import Glibc

/// A screen that draws through ncurses. It writes only the cells that have changed.
final class CursesDevice: ScreenDevice {
    /// The time in milliseconds after which an Esc is a key and not the beginning of a key's sequence. People
    /// do not notice a delay below 50 ms. A sequence arrives in one piece, even over a slow connection.
    private static let escapeDelay: Int32 = 25

    private let settings: ScreenSettings
    private var colours: Int32 = 0
    private var pairs: [[Int32?]: Int32] = [:]
    private var shown: Grid?
    private(set) var size: Size
    private var pacing = RepaintPacing()
    /// Whether the terminal understands questions about its status, as those with a report of the cursor do.
    private let answers: Bool

    /// Returns nil if `TERM` names an unknown terminal.
    init?(_ settings: ScreenSettings) {
        self.settings = settings
        cncurses_use_locale(settings.isUTF8)
        guard cncurses_open(Self.escapeDelay) else { return nil }
        if settings.isColourful { colours = cncurses_start_colours() }
        cncurses_start_mouse()
        cncurses_define_ready()
        answers = cncurses_capability("u7") != nil
        size = TerminalSize.now ?? Size(columns: 80, rows: 24)
    }

    /// The bytes that restore this kind of terminal after the screen has used it.
    static var restoringBytes: [UInt8] {
        // Terminfo has no names for the sequences of the mouse.
        var bytes = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)
        for name in ["rmkx", "sgr0", "cnorm", "rmcup"] {
            if let text = cncurses_capability(name) { bytes += Array(String(cString: text).utf8) }
        }
        return bytes + Array("\r\n".utf8)
    }

    func mayDraw(isUrgent: Bool) -> Bool { pacing.mayDraw(isUrgent: isUrgent) }
    func stopWaiting() { pacing.forget() }

    func draw(_ grid: Grid) {
        guard grid != shown else { return }
        let columns = grid.size.columns
        if shown?.size != grid.size {
            cncurses_clear()
            shown = nil
        }
        let before = shown?.cells
        grid.cells.withUnsafeBufferPointer { cells in
            for index in cells.indices {
                let cell = cells[index]
                guard let character = cell.character, before?[index] != cell else { continue }
                put(
                    character, cell.style, row: Int32(index / columns), column: Int32(index % columns),
                    wide: isWide(cells, index, columns))
            }
        }
        shown = grid
        cncurses_refresh()
        guard answers else { return }
        StandardOutput.write("\u{1B}[5n")
        pacing.drew()
    }

    func copy(_ text: String) {
        // ncurses has written everything of its own, because each drawing ends with a refresh.
        StandardOutput.write(Clipboard.sequence(for: text))
    }

    private func isWide(_ cells: UnsafeBufferPointer<Grid.Cell>, _ index: Int, _ columns: Int) -> Bool {
        (index + 1) % columns != 0 && index + 1 < cells.count && cells[index + 1].character == nil
    }

    private func put(_ character: Character, _ style: Style, row: Int32, column: Int32, wide: Bool) {
        var scalars: [UInt32] = []
        for scalar in character.unicodeScalars {
            // Use only the first part of a joined sequence, because terminals do not agree on the width of
            // the combined picture. Omit the selector of a picture for the same reason.
            if !scalars.isEmpty, cncurses_width(scalar.value) != 0 || scalar.value == 0x200D { break }
            if scalar.value != 0xFE0F { scalars.append(scalar.value) }
        }
        let look = CellLook(style, of: character, colours: Int(colours), theme: settings.theme)
        let (attributes, pair) = rendering(of: look)
        guard let first = scalars.first, cncurses_width(first) > 0 else {
            return cncurses_put(row, column, [0x3F], 1, attributes, pair)
        }
        if wide, cncurses_width(first) == 1 { cncurses_put(row, column + 1, [0x20], 1, attributes, pair) }
        cncurses_put(row, column, scalars, Int32(scalars.count), attributes, pair)
    }

    private func rendering(of look: CellLook) -> (attributes: UInt32, pair: Int32) {
        var attributes: UInt32 = 0
        if look.isBold { attributes |= CNCURSES_BOLD }
        if look.isDim { attributes |= CNCURSES_DIM }
        if look.isReversed { attributes |= CNCURSES_REVERSED }
        guard look.ink != nil || look.ground != nil else { return (attributes, 0) }
        return (attributes, pair(look.ink, look.ground))
    }

    private func pair(_ ink: Int32?, _ ground: Int32?) -> Int32 {
        if let known = pairs[[ink, ground]] { return known }
        let number = Int32(pairs.count + 1)
        guard number < cncurses_pairs() else { return 0 }
        // The number -1 means the terminal's default colour.
        cncurses_set_pair(number, ink ?? -1, ground ?? -1)
        pairs[[ink, ground]] = number
        return number
    }

    func read() -> [ScreenEvent] {
        var events: [ScreenEvent] = []
        var key: UInt32 = 0
        while true {
            switch cncurses_key(&key) {
            case 1: if let key = Key(scalar: key) { events.append(.key(key)) }
            case 2 where Int32(key) == CNCURSES_READY: pacing.answered()
            case 2: if let event = event(code: Int32(key)) { events.append(event) }
            default: return events
            }
        }
    }

    private func event(code: Int32) -> ScreenEvent? {
        switch code {
        case KEY_UP: .key(.up)
        case KEY_DOWN: .key(.down)
        case KEY_LEFT: .key(.left)
        case KEY_RIGHT: .key(.right)
        case KEY_PPAGE: .key(.pageUp)
        case KEY_NPAGE: .key(.pageDown)
        case KEY_HOME: .key(.home)
        case KEY_END: .key(.end)
        case KEY_ENTER: .key(.enter)
        case KEY_BTAB: .key(.backTab)
        case KEY_BACKSPACE, KEY_DC: .key(.backspace)
        case KEY_MOUSE: mouse()
        default: nil
        }
    }

    private func mouse() -> ScreenEvent? {
        var (row, column): (Int32, Int32) = (0, 0)
        return switch cncurses_mouse(&row, &column) {
        case 1: .pressed(column: Int(column), row: Int(row))
        case 2: .scrolled(up: true, column: Int(column), row: Int(row))
        case 3: .scrolled(up: false, column: Int(column), row: Int(row))
        default: nil
        }
    }

    func resize() {
        size = TerminalSize.now ?? size
        cncurses_resize(Int32(size.rows), Int32(size.columns))
        forget()
    }

    func forget() {
        shown = nil
        cncurses_forget()
    }

    /// Restores the terminal. Waits for the answers that are on their way, because the shell would read them.
    func close() {
        while pacing.unconfirmed > 0 {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, pacing.hasAnswered ? 1000 : 100) > 0, input.revents & Int16(POLLIN) != 0
            else { break }
            let before = pacing.unconfirmed
            if read().isEmpty, pacing.unconfirmed == before { break }
        }
        pacing.forget()
        cncurses_close()
    }
}
