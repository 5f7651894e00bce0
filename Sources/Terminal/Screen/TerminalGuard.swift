import CNCurses
import Glibc

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

    /// Ends the guard, because the terminal is already restored.
    consuming func release() {
        var word: UInt8 = 1
        _ = write(pipe, &word, 1)
        Glibc.close(pipe)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
}
