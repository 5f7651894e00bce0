internal import Glibc
internal import Threads

/// A request of the abuse benchmark, complete except for the caller's token.
struct AbuseRequest: Sendable {
    enum Caller: Sendable {
        case nobody
        /// One of the owners of the meetings. Each connection has an owner of its own.
        case owner
        case bearer(String)
        case cookie(String)
    }

    var method: String
    var path: String
    var caller = Caller.owner
    var type = "application/json"
    var body: [UInt8] = []
    var headers: [String] = []

    /// Returns the bytes of the request.
    /// - Parameter owner: the token for the caller `owner`.
    func bytes(port: UInt16, owner: String) -> [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        switch caller {
        case .nobody: break
        case .owner: head += "Authorization: Bearer \(owner)\r\n"
        case .bearer(let token): head += "Authorization: Bearer \(token)\r\n"
        case .cookie(let cookie): head += "Cookie: \(cookie)\r\nSec-Fetch-Site: same-origin\r\n"
        }
        if !body.isEmpty { head += "Content-Type: \(type)\r\n" }
        if method == "PUT" || method == "PATCH" { head += "If-Match: *\r\n" }
        for header in headers { head += header + "\r\n" }
        return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
    }
}

struct AbuseAnswer: Sendable {
    /// The HTTP status; 0 if the connection was lost.
    let status: Int
    let body: [UInt8]
    let nanoseconds: UInt64
}

/// A connection that waits for each answer. It connects again if the server has closed it. Only one thread
/// may use it.
final class AbuseConnection {
    private let port: UInt16
    private var descriptor: CInt = -1
    private var buffer = [UInt8](repeating: 0, count: 262_144)

    init(port: UInt16) { self.port = port }

    deinit { disconnect() }

    /// Sends the bytes of a request, and returns the answer.
    func send(_ bytes: [UInt8]) -> AbuseAnswer {
        let started = MonotonicTime.now
        let known = descriptor >= 0
        if let answer = exchange(bytes, since: started) { return answer }
        disconnect()
        // The server may have closed an idle connection.
        if known, let answer = exchange(bytes, since: started) { return answer }
        disconnect()
        return AbuseAnswer(status: 0, body: [], nanoseconds: MonotonicTime.now - started)
    }

    private func exchange(_ bytes: [UInt8], since started: UInt64) -> AbuseAnswer? {
        if descriptor < 0 {
            guard let connected = try? LoopbackSocket.connect(port: port) else { return nil }
            descriptor = connected
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            // The server may answer without reading the rest of a body.
            if count <= 0 { break }
            sent += count
        }
        var answer: [UInt8] = []
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            answer += buffer[..<count]
            guard let head = answer.withUnsafeBytes({ AnswerHead($0) }), answer.count >= head.length else {
                continue
            }
            let taken = MonotonicTime.now - started
            if sent < bytes.count { disconnect() }
            return AbuseAnswer(
                status: head.status, body: Array(answer[head.bodyStart..<head.length]), nanoseconds: taken)
        }
    }

    private func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
