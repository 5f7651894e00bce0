internal import Foundation
internal import Glibc
internal import Synchronization

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
    func out(_ bytes: [UInt8])
    func err(_ text: String)
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
    package func out(_ text: String) { out(Array(text.utf8)) }
    package func outLine(_ text: String = "") { out(Array((text + "\n").utf8)) }
    package func errLine(_ text: String) { err(text + "\n") }
}

/// The process's own standard streams.
package final class StandardConsole: Console {
    private let asking = Mutex<termios?>(nil)
    private let isAsking = Atomic(false)

    package init() {}

    package var outIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    package var inIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    package var errIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package var width: Int? { outIsTerminal ? Self.columns(of: STDOUT_FILENO) : nil }
    package var errWidth: Int? { errIsTerminal ? Self.columns(of: STDERR_FILENO) : nil }

    private static func columns(of file: Int32) -> Int? {
        var size = winsize()
        return ioctl(file, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    package func out(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }
    package func err(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    private func write(_ bytes: [UInt8], to file: Int32) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno == EPIPE, file == STDOUT_FILENO {
                // The reader has closed the pipe (`qring watch
                // head`). Exit with the code that SIGPIPE would have caused: 128 + SIGPIPE.
                _exit(141)
            } else if errno != EINTR, errno != EAGAIN {
                return
            }
        }
    }

    package func ask(_ prompt: String, hidden: Bool) async -> String? {
        err(prompt)
        isAsking.store(true, ordering: .relaxed)
        if hidden { hideEcho() }
        let line = await onThread { Self.readLine() }
        if restoreEcho() { err("\n") }
        isAsking.store(false, ordering: .relaxed)
        return line
    }

    package func readInput() async -> [UInt8] {
        await onThread { Array(FileHandle.standardInput.readDataToEndOfFile()) }
    }

    package func restoreTerminal() -> Bool {
        if restoreEcho() { err("\n") }
        return isAsking.load(ordering: .relaxed)
    }

    private func hideEcho() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        asking.withLock { $0 = settings }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// Restores the echo. Returns whether it was hidden.
    private func restoreEcho() -> Bool {
        let settings = asking.withLock { settings in
            defer { settings = nil }
            return settings
        }
        guard var settings else { return false }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        return true
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

    /// Runs blocking work on its own thread, because it must not block a thread of Swift's pool.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: work()) }
        }
    }
}
