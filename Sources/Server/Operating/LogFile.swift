import Glibc
import Synchronization

/// Appends log lines to a file. Only its owner may read it, because lines have addresses.
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
    /// - Returns: the system's error text, or nil on success. After an error, lines still go to the old file.
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
