import Glibc
import Synchronization

/// A log that goes to a file of its own, to which every line is appended. Only its owner may read it: lines have addresses.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// - Throws: what the system says if the file cannot be opened or made.
    init(_ path: String) throws(QRingServer.StartError) {
        self.path = path
        let opened = Self.open(path)
        guard opened >= 0 else { throw .logFile(path, reason: String(cString: strerror(errno))) }
        descriptor = Mutex(opened)
    }

    deinit { _ = descriptor.withLock { close($0) } }

    /// A line that cannot be written is lost; a server does not stop for its log.
    func write(_ line: [UInt8]) {
        _ = descriptor.withLock { Glibc.write($0, line, line.count) }
    }

    /// Opens the path again, after a rotation has moved the file away.
    /// - Returns: why it could not, in the system's words; lines then go where they went before. Nil if it could.
    func reopen() -> String? {
        let opened = Self.open(path)
        guard opened >= 0 else { return String(cString: strerror(errno)) }
        let old = descriptor.withLock { current in
            defer { current = opened }
            return current
        }
        close(old)
        return nil
    }

    /// A pipe without a reader is an error and not a wait.
    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    }
}
