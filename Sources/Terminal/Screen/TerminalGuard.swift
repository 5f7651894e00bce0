import CNCurses
import Glibc

/// A process that gives the terminal back when this one cannot: after kill -9. It costs one sleeping process,
/// and ends with this one however that ends.
struct TerminalGuard: ~Copyable {
    private let child: pid_t
    /// Whose other end the guard waits on.
    let pipe: Int32

    /// What a terminal sends to everybody in it, and what would stop its work in the background.
    private static let ignored = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU, SIGTTIN, SIGPIPE]

    /// Nil where there can be no further process; then only `close` and signals give the terminal back.
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
        // Not for programs that this one starts: they would keep the guard waiting.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        return TerminalGuard(child: child, pipe: ends[1])
    }

    /// The terminal is as it was: the guard goes.
    consuming func release() {
        var word: UInt8 = 1
        _ = write(pipe, &word, 1)
        Glibc.close(pipe)
        while waitpid(child, nil, 0) < 0, errno == EINTR {}
    }
}
