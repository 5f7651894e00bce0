import Glibc
import HTTPServer
import Meetings
import Synchronization
import Wire

/// Logs one line for each request, on standard error or in a file, without secrets, names or answers.
final class RequestLog: Sendable {
    private struct Line: Encodable {
        let time: Instant
        let request: String
        let method: String
        let path: String
        let status: Int
        let bytes: Int
        let milliseconds: Double
        /// The client's IP address. Nil for responses to question sets, because the address and the time
        /// together would link an anonymous answer to a phone.
        let peer: String?
    }

    private let format: LogFormat
    private let clock: any ServerClock
    private let file: LogFile?
    private let sink: (@Sendable ([UInt8]) -> Void)?
    private let lock = Mutex(())

    /// Creates a log. Without a file or a sink, lines are written to standard error.
    init(
        _ format: LogFormat, clock: any ServerClock, file: LogFile? = nil,
        sink: (@Sendable ([UInt8]) -> Void)? = nil
    ) {
        self.format = format
        self.clock = clock
        self.file = file
        self.sink = sink
    }

    /// Reopens the log file, and logs whether that succeeded.
    func reopen() {
        guard let file else {
            return note("SIGHUP: the log goes to standard error, so no file was reopened; see --log-file")
        }
        if let reason = file.reopen() {
            note("SIGHUP: the log file could not be reopened, and lines still go to the old file: \(reason)")
        } else {
            note("SIGHUP: the log file was reopened")
        }
    }

    /// - Parameter client: the client's address, which a trusted proxy may have reported.
    func request(_ exchange: HTTPExchange, from client: String, id: String) {
        guard format != .silent else { return }
        let parts = Self.segments(exchange.head.path)
        let path = Self.redacted(exchange.head.path, parts)
        let line = Line(
            time: clock.now, request: id, method: exchange.head.method, path: path,
            status: exchange.status ?? 499,
            bytes: exchange.bodyBytes,
            milliseconds: Double(exchange.duration.components.attoseconds / 1_000_000_000_000) / 1000
                + Double(exchange.duration.components.seconds) * 1000,
            peer: Self.logsAddress(exchange.head.method, parts) ? client : nil)
        write(
            format == .json
                ? WireJSON.bytes(line)
                : Array(
                    """
                    \(line.time) \(line.method) \(line.path) \(line.status) \(line.bytes)B \
                    \(line.milliseconds)ms \(line.peer ?? "-") \(id)
                    """.utf8))
    }

    /// Logs a message for the operator.
    func note(_ text: String) {
        guard format != .silent else { return }
        struct Note: Encodable {
            let time: Instant
            let note: String
        }
        write(
            format == .json
                ? WireJSON.bytes(Note(time: clock.now, note: text)) : Array("\(clock.now) \(text)".utf8))
    }

    private func write(_ line: [UInt8]) {
        let escaped = Self.escaped(line)
        if let sink { return sink(escaped) }
        let line = escaped + [10]
        if let file { return file.write(line) }
        // Each line is written by one call, so that lines of several threads do not mix. A failed write is
        // ignored.
        lock.withLock { _ in _ = Glibc.write(2, line, line.count) }
    }

    /// Returns the line without characters that move a terminal's cursor, change its colours or end a line.
    /// C0, DEL, C1, U+2028 and U+2029 become escapes such as `\\u001b`, which JSON reads as the same
    /// character. `line` is UTF-8; the JSON encoder has already escaped C0.
    static func escaped(_ line: [UInt8]) -> [UInt8] {
        // Fast path: nearly every line contains only printable ASCII.
        guard line.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return line }
        var escaped: [UInt8] = []
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16)
                escaped +=
                    Array("\\u".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
                    + Array(digits.utf8)
            default: escaped += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
        return escaped
    }

    /// The routes that declare `logsAddress: false`.
    private static let routesWithoutAddress = Router(RouteTable.all.filter { !$0.logsAddress })

    /// Whether the line of a request has the client's address. Only the path decides, because the server may
    /// refuse the request for any reason, and because a browser sends a preflight just before the request
    /// (`OtherOrigins`).
    private static func logsAddress(_ method: String, _ parts: [String]) -> Bool {
        switch routesWithoutAddress.match(method, parts) {
        case .found: false
        case .methodNotAllowed: ["GET", "HEAD"].contains(method)
        case .notFound: true
        }
    }

    /// Splits a path as the router does: it ignores empty segments and decodes escapes.
    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { part in
            part.utf8.contains(UInt8(ascii: "%"))
                ? PercentCoding.decode(part) ?? String(part) : String(part)
        }
    }

    /// Returns the path without its code, because anybody who reads the log could use a code that is still
    /// valid.
    static func redacted(_ path: String) -> String { redacted(path, segments(path)) }

    private static func redacted(_ path: String, _ parts: [String]) -> String {
        if parts.count == 1, JoinCode.normalized(parts[0]) != nil || CheckInCode(parts[0]) != nil {
            return "/…"
        }
        if parts.count > 3, parts[..<3].elementsEqual(["api", "v1", "certificates"]) {
            return "/api/v1/certificates/…"
        }
        guard let first = parts.first, ["a", "c", "m", "p", "r", "unsubscribe"].contains(first.lowercased())
        else {
            return String(path.prefix(200))
        }
        return parts.count == 1 ? "/\(first)" : "/\(first)/…"
    }
}

/// A file to which the log is appended. Only its owner may read the file, because lines contain IP addresses.
final class LogFile: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32>

    /// - Throws: `StartError.logFile` with the system's error text if the file cannot be opened.
    init(_ path: String) throws(QRingServer.StartError) {
        self.path = path
        let opened = Self.open(path)
        guard opened >= 0 else { throw .logFile(path, reason: String(cString: strerror(errno))) }
        descriptor = Mutex(opened)
    }

    deinit { _ = descriptor.withLock { close($0) } }

    /// Writes a line. A line that cannot be written is lost, because the server must not stop because of its
    /// log.
    func write(_ line: [UInt8]) {
        _ = descriptor.withLock { Glibc.write($0, line, line.count) }
    }

    /// Opens the path again, after a log rotation has moved the file.
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

    /// Returns a descriptor; negative after an error. If the path is a pipe without a reader, opening fails
    /// instead of blocking.
    private static func open(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    }
}
