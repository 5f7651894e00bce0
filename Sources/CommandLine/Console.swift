internal import Glibc
internal import Synchronization
internal import Threads

/// The streams of a command. Data go to `out`, all other text goes to `err`, and `ask` asks the user a
/// question.
package protocol Console: Sendable {
    var outIsTerminal: Bool { get }
    var inIsTerminal: Bool { get }
    var errIsTerminal: Bool { get }
    /// The columns of the terminal behind `out`; nil without a terminal.
    var width: Int? { get }
    /// The columns of the terminal behind `err`; nil without a terminal.
    var errWidth: Int? { get }
    /// The rows of the terminal behind `out`; nil without a terminal.
    var height: Int? { get }
    /// The system's reason of the first failed write to standard output, such as "No space left on device";
    /// nil if all writes succeeded.
    var lostOutput: String? { get }
    func out(_ bytes: [UInt8])
    func err(_ text: String)
    /// Sends the following output to a pager, which starts with the first byte.
    /// - Parameter command: a command line of the shell.
    func page(through command: String, environment: [String: String])
    /// Waits until the user closes the pager. Does nothing if none runs.
    func endPaging()
    /// Returns one line without its line end; nil at the end of the input. If `hidden` is true, the terminal
    /// does not show the typed characters.
    func ask(_ prompt: String, hidden: Bool) async -> String?
    /// Returns all of standard input.
    func readInput() async -> [UInt8]
    /// Restores the terminal's echo after an interrupt. Returns whether a question was waiting for an answer.
    func restoreTerminal() -> Bool
}

extension Console {
    package var errIsTerminal: Bool { false }
    package var errWidth: Int? { nil }
    package var height: Int? { nil }
    package var lostOutput: String? { nil }
    package func page(through command: String, environment: [String: String]) {}
    package func endPaging() {}
    package func out(_ text: String) { out(Array(text.utf8)) }
    package func outLine(_ text: String = "") { out(Array((text + "\n").utf8)) }
    package func errLine(_ text: String) { err(text + "\n") }
}

/// The process's own standard streams.
package final class StandardConsole: Console {
    private let asking = Mutex<HiddenInput?>(nil)
    private let isAsking = Atomic(false)
    private let lost = Mutex<String?>(nil)
    private let paging = Mutex(Paging.off)

    private enum Paging {
        case off
        case wanted(String, [String: String])
        case running(Pager)
    }

    /// Opens each standard stream that the caller of the program has closed. Otherwise the next file or
    /// connection would get its number, and the output would go there. A write to the opened stdout fails.
    package init() {
        for (file, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
        where fcntl(file, F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
    }

    package var lostOutput: String? { lost.withLock { $0 } }

    package var outIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package var inIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    package var errIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package var width: Int? { outIsTerminal ? Self.length(\.ws_col, of: STDOUT_FILENO) : nil }
    package var errWidth: Int? { errIsTerminal ? Self.length(\.ws_col, of: STDERR_FILENO) : nil }
    package var height: Int? { outIsTerminal ? Self.length(\.ws_row, of: STDOUT_FILENO) : nil }

    private static func length(_ side: KeyPath<winsize, UInt16>, of file: Int32) -> Int? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size[keyPath: side] > 0 else { return nil }
        return Int(size[keyPath: side])
    }

    package func out(_ bytes: [UInt8]) {
        guard let pager = runningPager else { return write(bytes, to: STDOUT_FILENO) }
        if pager.write(bytes) { return }
        // The user has closed the pager, and has seen enough.
        endPaging()
        _exit(ExitCode.success.rawValue)
    }

    package func page(through command: String, environment: [String: String]) {
        guard outIsTerminal else { return }
        paging.withLock { $0 = .wanted(command, environment) }
    }

    package func endPaging() {
        let pager: Pager? = paging.withLock { paging in
            defer { paging = .off }
            if case .running(let pager) = paging { return pager } else { return nil }
        }
        if let pager, !pager.finish() {
            lost.withLock { $0 = $0 ?? "the pager cannot run" }
        }
    }

    /// The pager, which is started if it is wanted; nil without a pager.
    private var runningPager: Pager? {
        paging.withLock { paging in
            switch paging {
            case .off: return nil
            case .running(let pager): return pager
            case .wanted(let command, let environment):
                let pager = Pager(command, environment)
                paging = pager.map { .running($0) } ?? .off
                return pager
            }
        }
    }

    package func err(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    private func write(_ bytes: [UInt8], to file: Int32) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: break
            case EAGAIN:
                var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            case EPIPE where file == STDOUT_FILENO:
                // The reader has closed the pipe (`qring watch | head`). Exit with the code that SIGPIPE
                // would have caused: 128 + SIGPIPE.
                _exit(141)
            case let number:
                if file == STDOUT_FILENO {
                    let reason = String(cString: strerror(number))
                    lost.withLock { $0 = $0 ?? reason }
                }
                return
            }
        }
    }

    package func ask(_ prompt: String, hidden: Bool) async -> String? {
        err(prompt)
        isAsking.store(true, ordering: .relaxed)
        if hidden { hideEcho(prompt) }
        let line = await onOwnThread(named: "line") { Self.readLine() }
        if restoreEcho() { err("\n") }
        isAsking.store(false, ordering: .relaxed)
        return line
    }

    package func readInput() async -> [UInt8] {
        await onOwnThread(named: "input") { Self.readToEnd() }
    }

    package func restoreTerminal() -> Bool {
        if restoreEcho() { err("\n") }
        return isAsking.load(ordering: .relaxed)
    }

    private func hideEcho(_ prompt: String) {
        let hidden = HiddenInput(prompt)
        asking.withLock { $0 = hidden }
    }

    /// Restores the echo. Returns whether it was hidden.
    private func restoreEcho() -> Bool {
        let hidden = asking.withLock { hidden in
            defer { hidden = nil }
            return hidden
        }
        hidden?.end()
        return hidden != nil
    }

    /// Reads a line byte by byte, so that the bytes after the line remain for the next question.
    private static func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until the end of the input, or until an error.
    private static func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }
}

/// Terminal settings that do not show the typed characters. After Ctrl-Z and `fg`, the shell shows them
/// again, so a handler of SIGCONT hides them and repeats the prompt.
private struct HiddenInput: Sendable {
    private let before: termios

    /// Hides the typed characters. Returns nil if standard input is no terminal.
    init?(_ prompt: String) {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: prompt.utf8.count)
        _ = text.initialize(from: prompt.utf8)
        let hidden = UnsafeMutablePointer<Hidden>.allocate(capacity: 1)
        hidden.initialize(to: Hidden(settings: settings, prompt: UnsafeBufferPointer(text)))
        hiddenInput.store(hidden, ordering: .releasing)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = hideAgain
        action.sa_flags = Int32(SA_RESTART)
        sigaction(SIGCONT, &action, nil)
    }

    func end() {
        signal(SIGCONT, SIG_DFL)
        var settings = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    fileprivate struct Hidden {
        var settings: termios
        let prompt: UnsafeBufferPointer<UInt8>
    }
}

// The pointer is written before the handler is installed. A handler of another thread may still run when the
// next prompt writes the pointer. This handler reads either the old or the new pointer, and the memory of
// both is never freed. The atomic value is not `Sendable` only because pointers are not.
nonisolated(unsafe) private let hiddenInput = Atomic<UnsafeMutablePointer<HiddenInput.Hidden>?>(nil)

/// Hides typed characters after a suspension. It makes only calls that signal-safety(7) allows, and uses only
/// memory that was allocated before.
private func hideAgain(_ number: Int32) {
    guard let hidden = hiddenInput.load(ordering: .acquiring) else { return }
    let before = errno
    tcsetattr(STDIN_FILENO, TCSANOW, &hidden.pointee.settings)
    _ = write(STDERR_FILENO, hidden.pointee.prompt.baseAddress, hidden.pointee.prompt.count)
    errno = before
}
