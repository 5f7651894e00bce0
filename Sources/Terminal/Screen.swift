import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Threads

/// A terminal that a dashboard draws on. Only the screen's own thread uses the terminal; this thread sleeps
/// until a key, a signal or a new grid arrives.
///
/// The terminal is restored in each of these cases:
/// - `close` is called, or a signal ends the program.
/// - The program is suspended (Ctrl-Z).
/// - The program crashes; the terminal is restored before the runtime reports the crash.
/// - The process is killed; the guard process then restores the terminal.
package final class Screen: Sendable {
    private struct Picture {
        let grid: Grid
        /// Whether it shows the effect of a key.
        let isUrgent: Bool
    }

    private struct State {
        var pending: Picture?
        var copied: String?
        var rings = false
        var isClosing = false
        var closed: CheckedContinuation<Void, Never>?
        var hasClosed = false
    }

    /// The events of the screen, until `close` or a signal ends them.
    package let events: AsyncStream<ScreenEvent>
    package let settings: ScreenSettings
    private let continuation: AsyncStream<ScreenEvent>.Continuation
    private let signals: SignalPipe
    private let state = Mutex(State())

    /// The seconds that the program has to end after a signal.
    private static let grace = 2

    private init(_ settings: ScreenSettings, _ signals: SignalPipe) {
        self.settings = settings
        self.signals = signals
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Opens the terminal behind standard input and output. Returns nil if there is no terminal, or if `TERM`
    /// names an unknown one. The first event is the size.
    package static func open(_ settings: ScreenSettings) async -> Screen? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let signals = SignalPipe() else {
            return nil
        }
        let screen = Screen(settings, signals)
        let isOpen = await withCheckedContinuation { continuation in
            do throws(ThreadNotStarted) {
                try LoopThread(named: "screen").start { screen.run { continuation.resume(returning: $0) } }
            } catch { continuation.resume(returning: false) }
        }
        return isOpen ? screen : nil
    }

    /// Draws the grid as soon as the thread and the terminal are ready. If several grids are waiting, it
    /// draws only the newest.
    /// - Parameter isUrgent: whether the grid shows the effect of a key.
    package func show(_ grid: Grid, isUrgent: Bool) {
        state.withLock { state in
            state.pending = Picture(grid: grid, isUrgent: isUrgent || state.pending?.isUrgent == true)
        }
        signals.wake()
    }

    /// Puts a text into the terminal's clipboard.
    package func copy(_ text: String) {
        state.withLock { $0.copied = text }
        signals.wake()
    }

    /// Rings the terminal's bell.
    package func ring() {
        state.withLock { $0.rings = true }
        signals.wake()
    }

    /// Restores the terminal.
    package func close() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                state.isClosing = true
                if !state.hasClosed { state.closed = continuation }
                return state.hasClosed
            }
            if isOver { continuation.resume() } else { signals.wake() }
        }
    }

    // MARK: The screen's thread

    private func run(_ opened: (Bool) -> Void) {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return opened(false) }
        let device: any ScreenDevice
        let restoring: [UInt8]
        if settings.canMove {
            guard let curses = CursesDevice(settings) else { return opened(false) }
            device = curses
            restoring = CursesDevice.restoringBytes
        } else {
            device = PageDevice(before)
            restoring = []
        }
        var keeper = TerminalGuard.start(restoring: before, with: restoring)
        let rescue = CrashRescue(restoring: before, with: restoring, telling: keeper?.pipe ?? -1)
        signals.catchSignals()
        continuation.yield(.resized(device.size))
        opened(true)
        let ending = serve(device)
        device.close()
        rescue.end()
        keeper.take()?.release()
        signals.releaseSignals()
        if let ending {
            // End the program after the grace time, in case it hangs.
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.grace)) { _exit(128 + ending) }
            continuation.yield(.ended(signal: ending))
        }
        continuation.finish()
        let waiting = state.withLock { state in
            state.hasClosed = true
            return state.closed
        }
        waiting?.resume()
    }

    /// Handles input until the screen is closed or a signal ends the program. Returns this signal; nil if the
    /// screen was closed.
    private func serve(_ device: any ScreenDevice) -> Int32? {
        var files = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
        ]
        var waitingSince: ContinuousClock.Instant?
        while true {
            let waited = waitingSince.map { Int((ContinuousClock.now - $0) / .milliseconds(1)) }
            let ready = poll(&files, 2, waited.map { Int32(max(0, RepaintPacing.patience - $0)) } ?? -1)
            if ready < 0 {
                if errno == EINTR { continue }
                return SIGHUP
            }
            if ready == 0 { device.stopWaiting() }
            if files[1].revents != 0, let ending = heed(signals.drain(), device) { return ending }
            if files[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return SIGHUP }
            if files[0].revents & Int16(POLLIN) != 0 {
                for event in device.read() {
                    if event == .key(.redraw) { device.forget() }
                    continuation.yield(event)
                }
            }
            let (picture, copied, rings, isClosing) = state.withLock { state in
                let mayDraw = state.pending.map { device.mayDraw(isUrgent: $0.isUrgent) } ?? false
                defer {
                    if mayDraw { state.pending = nil }
                    (state.copied, state.rings) = (nil, false)
                }
                return (mayDraw ? state.pending : nil, state.copied, state.rings, state.isClosing)
            }
            let isWaiting = state.withLock { $0.pending != nil }
            waitingSince = isWaiting ? waitingSince ?? .now : nil
            if isClosing { return nil }
            if let copied { device.copy(copied) }
            if rings { StandardOutput.write("\u{7}") }
            if let picture { device.draw(picture.grid) }
        }
    }

    /// Handles signals. Returns the signal that ends the program; nil if there is none.
    private func heed(_ numbers: [Int32], _ device: any ScreenDevice) -> Int32? {
        for number in numbers {
            switch number {
            case _ where SignalPipe.ending.contains(number): return number
            case SIGTSTP:
                device.close()
                kill(getpid(), SIGSTOP)
            // After SIGCONT, the program continues here. SIGCONT also arrives as a byte in the pipe.
            case SIGCONT, SIGWINCH:
                device.resize()
                continuation.yield(.resized(device.size))
                if number == SIGCONT {
                    device.forget()
                    continuation.yield(.key(.redraw))
                }
            default: break
            }
        }
        return nil
    }
}

/// A key, by its meaning.
package enum Key: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backTab, backspace
    case up, down, left, right, pageUp, pageDown, home, end
    /// Ctrl-L, which draws everything again.
    case redraw
    /// Ctrl with a small letter. The terminal driver takes some of them, for example Ctrl-C.
    case control(Character)

    /// Returns the key of a control character or of a plain character; nil if the character has no meaning
    /// here.
    init?(scalar: UInt32) {
        switch scalar {
        case 0x09: self = .tab
        case 0x0A, 0x0D: self = .enter
        case 0x08, 0x7F: self = .backspace
        case 0x0C: self = .redraw
        case 0x1B: self = .escape
        case 1...26:
            guard let letter = Unicode.Scalar(scalar + 0x60) else { return nil }
            self = .control(Character(letter))
        case 0..<0x20: return nil
        default:
            guard let scalar = Unicode.Scalar(scalar) else { return nil }
            self = .character(Character(scalar))
        }
    }
}

/// An event from the screen.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    case pressed(column: Int, row: Int)
    case scrolled(up: Bool, column: Int, row: Int)
    case resized(Size)
    /// The last event: a signal such as SIGINT or SIGTERM has arrived, and the terminal is already restored.
    case ended(signal: Int32)
}

/// The capabilities of the terminal that a screen may use.
package struct ScreenSettings: Hashable, Sendable {
    package var isColourful: Bool
    /// Whether the screen may write characters beyond ASCII.
    package var isUTF8: Bool
    /// Whether the terminal can move its cursor. With `TERM=dumb` it cannot, so each picture is printed below
    /// the previous one.
    package var canMove: Bool
    package var theme: Theme

    package init(
        isColourful: Bool = true, isUTF8: Bool = true, canMove: Bool = true, theme: Theme = .standard
    ) {
        self.isColourful = isColourful
        self.isUTF8 = isUTF8
        self.canMove = canMove
        self.theme = theme
    }
}

/// A terminal to draw on. Only one thread may use it.
protocol ScreenDevice: AnyObject {
    var size: Size { get }
    func draw(_ grid: Grid)
    /// Whether the terminal has drawn enough of the earlier pictures (`RepaintPacing`).
    func mayDraw(isUrgent: Bool) -> Bool
    /// Draws without waiting for the terminal, which gives no answer.
    func stopWaiting()
    /// Puts a text into the clipboard, if the terminal has one.
    func copy(_ text: String)
    /// Returns the keys and mouse events that have arrived, without waiting.
    func read() -> [ScreenEvent]
    /// Adapts to the terminal's new size.
    func resize()
    /// Makes the next drawing draw every cell.
    func forget()
    /// Restores the terminal. A later drawing takes the terminal again, so this function is also suitable
    /// before a suspension (Ctrl-Z).
    func close()
}

/// The terminal behind standard output, without ncurses.
enum StandardOutput {
    /// Writes all of the text. Ignores a terminal that is gone, because reading its keys reports this.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

package enum Clipboard {
    /// Returns the sequence with which a terminal puts a text into its clipboard (OSC 52 of xterm).
    package static func sequence(for text: String) -> String {
        "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }
}

package enum TerminalSize {
    /// The size of the terminal behind standard output; nil without a terminal, or if the terminal does not
    /// report its size.
    package static var now: Size? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
