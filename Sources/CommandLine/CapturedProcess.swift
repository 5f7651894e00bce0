internal import Glibc
internal import Synchronization
internal import Threads

/// A program that runs without a terminal: its input is empty, and its output comes back as bytes.
package enum CapturedProcess {
    /// The milliseconds between two looks whether the program has ended although another one still holds its
    /// output open.
    private static let interval: Int32 = 200
    /// The seconds that a cancelled program has to end.
    private static let grace = 1

    /// POSIX_SPAWN_SETSID. <spawn.h> of glibc declares it for GNU programs only.
    private static let newSession: Int16 = 0x80

    /// Runs a program until it ends. If the task is cancelled, the program and the programs that it has
    /// started get SIGINT, and after some seconds SIGKILL.
    /// - Parameters:
    ///   - words: the program's path or its name on the `PATH`, and its arguments. No shell reads them.
    ///   - print: gets the output and the errors, on another thread.
    /// - Returns: the exit code; 128 and the number of the signal that ended the program; nil if the program
    ///   could not be started.
    package static func run(
        _ words: [String], environment: [String: String], print: @escaping @Sendable ([UInt8]) -> Void
    ) async -> Int32? {
        guard let program = Program(words, environment) else { return nil }
        return await withTaskCancellationHandler {
            await onOwnThread(named: "command") { program.wait(print) }
        } onCancel: {
            program.cancel()
        }
    }

    private final class Program: Sendable {
        private let process: pid_t
        private let output: Int32
        private let isOver = Mutex(false)
        private let isCancelled = Mutex<ContinuousClock.Instant?>(nil)

        init?(_ words: [String], _ environment: [String: String]) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            defer { close(ends[1]) }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            for file in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_adddup2(&actions, ends[1], file)
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // The program needs the signals that this program ignores. In a session of its own it has no
            // terminal, so that it can neither draw on the dashboard nor read its keys.
            var signals = sigset_t()
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            posix_spawnattr_setflags(
                &attributes,
                Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | CapturedProcess.newSession
            )
            var arguments = words.map { strdup($0) } + [nil]
            var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var started: pid_t = 0
            guard posix_spawnp(&started, words[0], &actions, &attributes, &arguments, &variables) == 0 else {
                close(ends[0])
                return nil
            }
            (process, output) = (started, ends[0])
        }

        func cancel() {
            isCancelled.withLock { $0 = .now }
            send(SIGINT)
        }

        /// Sends a signal to the program and its children. A process that is over may have given its number
        /// to another one.
        private func send(_ signal: Int32) {
            isOver.withLock { isOver in if !isOver { kill(-process, signal) } }
        }

        func wait(_ print: ([UInt8]) -> Void) -> Int32 {
            defer { close(output) }
            var part = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                if poll(&file, 1, CapturedProcess.interval) > 0 {
                    let count = read(output, &part, part.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    print(Array(part[..<count]))
                }
                if let code = ended() { return code }
                killLate()
            }
            while true {
                if let code = ended() { return code }
                usleep(UInt32(CapturedProcess.interval) * 100)
                killLate()
            }
        }

        private func killLate() {
            let since = isCancelled.withLock { $0 }
            if let since, .now - since > .seconds(CapturedProcess.grace) { send(SIGKILL) }
        }

        /// Returns the exit code if the program has ended. After a cancellation, the programs that it has
        /// started end with it.
        private func ended() -> Int32? {
            let isCancelled = isCancelled.withLock { $0 } != nil
            return isOver.withLock { isOver in
                var found = siginfo_t()
                guard waitid(P_PID, id_t(process), &found, WEXITED | WNOHANG | WNOWAIT) == 0 else {
                    // Nobody can wait for the program, because the caller of this one ignores SIGCHLD.
                    isOver = errno == ECHILD
                    return isOver ? 0 : nil
                }
                guard found.si_signo == SIGCHLD else { return nil }
                if isCancelled { kill(-process, SIGKILL) }
                var status: Int32 = 0
                guard waitpid(process, &status, WNOHANG) == process else { return nil }
                isOver = true
                let signal = status & 0x7F
                return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            }
        }
    }
}
