import CNCurses
import Glibc
import Synchronization

/// A child process that restores the terminal if this process cannot, for example after kill -9. It sleeps
/// until this process ends, and then ends itself.
struct TerminalGuard: ~Copyable {
    private let child: pid_t
    /// The write end of the pipe; the guard process waits at the read end.
    let pipe: Int32

    /// The signals that a terminal sends to all of its processes, and the signals that would stop the guard's
    /// work in the background.
    private static let ignored = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE]

    /// Starts the guard. Returns nil if the system cannot create a process; then only `close` and signals
    /// restore the terminal.
    static func start(restoring settings: termios, with bytes: [UInt8]) -> TerminalGuard? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        var before = settings
        let text = bytes.map { CChar(bitPattern: $0) }
        let child = cncurses_guard(
            ends[0], ends[1], STDOUT_FILENO, &before, MemoryLayout<termios>.size, text, text.count, ignored,
            ignored.count)
        Glibc.close(ends[0])
        guard child > 0 else {
            Glibc.close(ends[1])
            return nil
        }
        // Programs that this process starts must not inherit the pipe, because the guard would wait for their
        // end as well.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        return TerminalGuard(child: child, pipe: ends[1])
    }

    /// Ends the guard process. The caller must restore the terminal first, because the guard then exits
    /// without restoring it.
    consuming func release() {
        var word: UInt8 = 1
        _ = write(pipe, &word, 1)
        Glibc.close(pipe)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
}

/// Restores the terminal when the program crashes, before the Swift runtime reports the crash. Otherwise the
/// report would disappear with the screen, and nobody could see the question that Swift's backtrace may ask.
struct CrashRescue: ~Copyable {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    /// Installs the handlers.
    /// - Parameter pipe: the write end of the guard's pipe; after a crash, the handler tells the guard to
    ///   end.
    init(restoring settings: termios, with bytes: [UInt8], telling pipe: Int32) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        let before = UnsafeMutablePointer<sigaction>.allocate(capacity: Self.signals.count)
        before.initialize(repeating: sigaction(), count: Self.signals.count)
        let saved = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        saved.initialize(
            to: Saved(settings: settings, bytes: UnsafeBufferPointer(copy), pipe: pipe, before: before))
        savedForCrashes.store(saved, ordering: .releasing)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = restoreAndCrash
        // Run the handler on the runtime's alternate stack, if there is one, because the crash may be a stack
        // overflow.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        for (index, number) in Self.signals.enumerated() { sigaction(number, &action, before + index) }
    }

    /// Restores the runtime's own handlers. The memory is never freed, because a handler may still run on
    /// another thread.
    consuming func end() {
        guard let saved = savedForCrashes.load(ordering: .acquiring) else { return }
        for (index, number) in Self.signals.enumerated() {
            sigaction(number, saved.pointee.before + index, nil)
        }
    }

    fileprivate struct Saved {
        var settings: termios
        let bytes: UnsafeBufferPointer<UInt8>
        let pipe: Int32
        /// The previous signal actions, in the order of `signals`. This is a pointer, because a signal
        /// handler must not allocate memory.
        let before: UnsafeMutablePointer<sigaction>
    }

    /// Returns the signal's index in `signals`; nil for other signals.
    fileprivate static func index(of number: Int32) -> Int? {
        switch number {
        case SIGSEGV: 0
        case SIGBUS: 1
        case SIGILL: 2
        case SIGTRAP: 3
        case SIGABRT: 4
        case SIGFPE: 5
        case SIGSYS: 6
        default: nil
        }
    }
}

// The pointer is written before the handlers are installed, and never while they are installed. A handler of
// another thread may still run when a second screen writes the pointer. This handler reads either the old or
// the new pointer, and the memory of both is never freed. The atomic value is not `Sendable` only because
// pointers are not.
nonisolated(unsafe) private let savedForCrashes = Atomic<UnsafeMutablePointer<CrashRescue.Saved>?>(nil)

/// Restores the terminal and lets the program crash. It makes only calls that signal-safety(7) allows, and
/// uses only memory that was allocated before.
private func restoreAndCrash(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    guard let saved = savedForCrashes.load(ordering: .acquiring),
        let index = CrashRescue.index(of: number)
    else { return }
    _ = write(STDOUT_FILENO, saved.pointee.bytes.baseAddress, saved.pointee.bytes.count)
    tcsetattr(STDIN_FILENO, TCSANOW, &saved.pointee.settings)
    var word: UInt8 = 1
    _ = write(saved.pointee.pipe, &word, 1)
    // Code 0 is SI_USER: another process has sent the signal. It does not occur again when this handler
    // returns, so restore the default action, which ends the process.
    let code = info?.pointee.si_code ?? 0
    if code == 0 { signal(number, SIG_DFL) } else { sigaction(number, saved.pointee.before + index, nil) }
    // A fault occurs again when this handler returns. A signal from abort(3) or from another process does
    // not, so raise it again.
    if code <= 0 { raise(number) }
}
