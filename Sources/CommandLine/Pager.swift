internal import Glibc

/// A program that a command starts, such as a pager or a browser.
package struct ChildProcess: Sendable {
    private let process: pid_t

    /// Starts a command line of the shell. Returns nil if no process can be started.
    /// - Parameters:
    ///   - command: the command line. It finds `arguments` as `$1` and so on.
    ///   - input: the descriptor of the program's standard input; nil for the standard input of this program.
    ///   - inOwnGroup: whether the program gets a process group of its own, so that Ctrl-C at the terminal
    ///     does not reach it.
    package init?(
        shell command: String, _ arguments: [String] = [], environment: [String: String],
        input: Int32? = nil, inOwnGroup: Bool = false
    ) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        // The program needs the signals that this program ignores.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let ownGroup = inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | ownGroup))
        var words: [UnsafeMutablePointer<CChar>?] =
            (["sh", "-c", command, "sh"] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var started: pid_t = 0
        guard posix_spawn(&started, "/bin/sh", &actions, &attributes, &words, &variables) == 0 else {
            return nil
        }
        process = started
    }

    /// Waits until the program ends. The caller must call this function once.
    /// - Returns: the exit code; 128 and the number of the signal that ended the program.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// A running pager, which shows the output of a command at the terminal.
final class Pager: Sendable {
    private let program: ChildProcess
    /// The pipe to the pager's standard input.
    private let pipe: Int32

    /// Starts a command line, as environ(7) describes `PAGER`. Returns nil if no process can be started.
    /// - Parameter variables: the environment of the pager. `LESS` is FRX unless it is set, so that less
    ///   shows colours, and ends at once if the output fits on the screen.
    init?(_ command: String, _ variables: [String: String]) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let environment = variables.merging(["LESS": "FRX"]) { set, _ in set }
        let program = ChildProcess(shell: command, environment: environment, input: ends[0])
        close(ends[0])
        guard let program else {
            close(ends[1])
            return nil
        }
        self.program = program
        pipe = ends[1]
    }

    /// Writes bytes. Returns false if the user has closed the pager.
    func write(_ bytes: [UInt8]) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count >= 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Waits until the user closes the pager. Ctrl-C belongs to the pager meanwhile. The caller must call
    /// this function once, as the last one.
    /// - Returns: whether the pager could run.
    func finish() -> Bool {
        close(pipe)
        signal(SIGINT, SIG_IGN)
        // The shell exits with 126 or 127 if it cannot run the command (POSIX.1-2017, XCU 2.8.2).
        return ![126, 127].contains(program.wait())
    }
}
