import Glibc

/// A terminal that cannot move its cursor (`TERM=dumb`). Each changed picture is printed below the previous
/// one, in ASCII. Keys still arrive one by one.
final class PageDevice: ScreenDevice {
    private let before: termios
    private var shown = ""
    private(set) var size = TerminalSize.now ?? Size(columns: 80, rows: 24)

    /// Makes the terminal deliver each key immediately and without echo.
    /// - Parameter settings: the terminal's settings before the screen was opened.
    init(_ settings: termios) {
        before = settings
        take()
    }

    private func take() {
        var settings = before
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    func mayDraw(isUrgent: Bool) -> Bool { true }
    func stopWaiting() {}

    func draw(_ grid: Grid) {
        let text = grid.text
        guard text != shown else { return }
        shown = text
        // Omit the line end of the last row, because it would scroll the first row out of view.
        write("\n" + text.dropLast())
    }

    func copy(_ text: String) {}

    private func write(_ text: String) { StandardOutput.write(text) }

    func read() -> [ScreenEvent] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return String(decoding: bytes.prefix(count), as: UTF8.self).unicodeScalars.compactMap {
            Key(scalar: $0.value).map { .key($0) }
        }
    }

    func resize() { size = TerminalSize.now ?? size }

    func forget() {
        shown = ""
        take()
    }

    func close() {
        write("\n")
        var settings = before
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
}
