internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization

/// A terminal taken for drawing, by a thread of its own, which alone touches it. It sleeps until a key, a
/// signal or a grid comes.
///
/// The terminal is given back by `close`, by a signal that ends the program, before a stop (Ctrl-Z), in a
/// crash before anything is said of it, and, should this process be killed, by its guard.
package final class Screen: Sendable {
    private struct State {
        var pending: Grid?
        var isClosing = false
        var closed: CheckedContinuation<Void, Never>?
        var hasClosed = false
    }

    /// What happens on it, until `close` or a signal ends it.
    package let events: AsyncStream<ScreenEvent>
    package let settings: ScreenSettings
    private let tell: AsyncStream<ScreenEvent>.Continuation
    private let signals: SignalPipe
    private let state = Mutex(State())

    /// After a signal the program has so long to end by itself.
    private static let grace = 2

    private init(_ settings: ScreenSettings, _ signals: SignalPipe) {
        self.settings = settings
        self.signals = signals
        (events, tell) = AsyncStream.makeStream()
    }

    /// Takes the terminal behind standard input and output. Nil where there is none, or `TERM` names none
    /// that is known. The first event is the size.
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

    /// Draws it as soon as the thread is free; of several that wait, the newest.
    package func show(_ grid: Grid) {
        state.withLock { $0.pending = grid }
        signals.wake()
    }

    /// Gives the terminal back.
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

    // MARK: The thread

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
        tell.yield(.resized(device.size))
        opened(true)
        let ending = serve(device)
        device.close()
        rescue.end()
        keeper.take()?.release()
        signals.releaseSignals()
        if let ending {
            // Should the program hang, the signal still ends it.
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.grace)) { _exit(128 + ending) }
            tell.yield(.ended(signal: ending))
        }
        tell.finish()
        let waiting = state.withLock { state in
            state.hasClosed = true
            return state.closed
        }
        waiting?.resume()
    }

    /// Until it is closed, which gives nil, or a signal ends it.
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
                    tell.yield(event)
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

    /// The signal that ends the program, if one of them does.
    private func heed(_ numbers: [Int32], _ device: any ScreenDevice) -> Int32? {
        for number in numbers {
            switch number {
            case _ where SignalPipe.ending.contains(number): return number
            case SIGTSTP:
                device.close()
                kill(getpid(), SIGSTOP)
            // Goes on here after SIGCONT, which comes as a byte of its own.
            case SIGCONT, SIGWINCH:
                device.resize()
                tell.yield(.resized(device.size))
                if number == SIGCONT {
                    device.forget()
                    tell.yield(.key(.redraw))
                }
            default: break
            }
        }
        return nil
    }
}
