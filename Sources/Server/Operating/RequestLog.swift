import Glibc
import HTTPServer
import Meetings
import Synchronization
import Wire

/// A line a request, on standard error: never a secret, a name or an answer.
final class RequestLog: Sendable {
    private struct Line: Encodable {
        let time: Instant
        let request: String
        let method: String
        let path: String
        let status: Int
        let bytes: Int
        let milliseconds: Double
        /// Nil for responses: with the time, an address would join an anonymous answer to a phone.
        let peer: String?
    }

    private let format: LogFormat
    private let clock: any ServerClock
    private let sink: (@Sendable ([UInt8]) -> Void)?
    private let lock = Mutex(())

    /// Without a sink, lines go to standard error.
    init(_ format: LogFormat, clock: any ServerClock, sink: (@Sendable ([UInt8]) -> Void)? = nil) {
        self.format = format
        self.clock = clock
        self.sink = sink
    }

    /// - Parameter client: where it came from, a trusted proxy's word for it included.
    func request(_ exchange: HTTPExchange, from client: String, id: String) {
        guard format != .silent else { return }
        let path = Self.redacted(exchange.head.path)
        let line = Line(
            time: clock.now, request: id, method: exchange.head.method, path: path, status: exchange.status ?? 499,
            bytes: exchange.bodyBytes,
            milliseconds: Double(exchange.duration.components.attoseconds / 1_000_000_000_000) / 1000
                + Double(exchange.duration.components.seconds) * 1000,
            peer: Self.mayAnswer(exchange.head) ? nil : client)
        write(
            format == .json
                ? WireJSON.bytes(line)
                : Array(
                    "\(line.time) \(line.method) \(line.path) \(line.status) \(line.bytes)B \(line.milliseconds)ms \(line.peer ?? "-") \(id)"
                        .utf8))
    }

    /// Something an operator should know.
    func note(_ text: String) {
        guard format != .silent else { return }
        struct Note: Encodable {
            let time: Instant
            let note: String
        }
        write(format == .json ? WireJSON.bytes(Note(time: clock.now, note: text)) : Array("\(clock.now) \(text)".utf8))
    }

    private func write(_ line: [UInt8]) {
        if let sink { return sink(line) }
        let line = line + [10]
        // One write a line, so that lines of several threads do not mix; a log that cannot be written is nobody's failure.
        lock.withLock { _ in _ = Glibc.write(2, line, line.count) }
    }

    /// Whether a request answers questions, or is one that a browser sends just before (`OtherOrigins`), by its path alone: it may be refused for
    /// anything else.
    static func mayAnswer(_ head: HTTPRequestHead) -> Bool {
        guard !["GET", "HEAD"].contains(head.method) else { return false }
        let parts = segments(head.path)
        return parts == ["feedback"] || parts.starts(with: ["api", "answers"]) || parts.last == "responses"
    }

    /// As the router reads a path: empty segments do not count, and escapes stand for what they are.
    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { PercentCoding.decode($0) ?? String($0) }
    }

    /// Codes are worth something while they last.
    static func redacted(_ path: String) -> String {
        let parts = segments(path)
        guard let first = parts.first, ["c", "m"].contains(first.lowercased()) else { return String(path.prefix(200)) }
        return parts.count == 1 ? "/\(first)" : "/\(first)/…"
    }
}
