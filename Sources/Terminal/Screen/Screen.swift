internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// A terminal that a dashboard draws on. Only the screen's own thread uses the terminal; this thread sleeps
/// until a key, a signal or a new grid arrives.
///
/// The terminal is restored in each of these cases:
/// - `close` is called, or a signal ends the program.
/// - The program is suspended (Ctrl-Z).
/// - The program crashes; the terminal is restored before the runtime reports the crash.
/// - The process is killed; the guard process then restores the terminal.
package final class Screen: Sendable {
    private struct State {
        var pending: Grid?
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
            Thread.detachNewThread { screen.run { continuation.resume(returning: $0) } }
        }
        return isOpen ? screen : nil
    }

    /// Draws the grid as soon as the thread is ready. If several grids are waiting, it draws only the newest.
    package func show(_ grid: Grid) {
        state.withLock { $0.pending = grid }
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
        while true {
            if poll(&files, 2, -1) < 0 {
                if errno == EINTR { continue }
                return SIGHUP
            }
            if files[1].revents != 0, let ending = heed(signals.drain(), device) { return ending }
            if files[0].revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { return SIGHUP }
            if files[0].revents & Int16(POLLIN) != 0 {
                for event in device.read() {
                    if event == .key(.redraw) { device.forget() }
                    continuation.yield(event)
                }
            }
            let (grid, isClosing) = state.withLock { state in
                defer { state.pending = nil }
                return (state.pending, state.isClosing)
            }
            if isClosing { return nil }
            if let grid { device.draw(grid) }
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
