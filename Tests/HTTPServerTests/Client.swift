import Foundation

/// Runs a blocking function on a new thread. The pool has only one thread for each core, and the server's
/// tasks need these threads.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

struct ClientError: Error, CustomStringConvertible {
    let description: String
}

/// The response to one request.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: String
}

/// A client that sends exactly the given bytes, and reads each response up to its Content-Length.
///
/// `@unchecked Sendable`: each test awaits every call, so only one task uses the client at a time.
final class Client: @unchecked Sendable {
    let descriptor: CInt
    private var received: [UInt8] = []
    private var isClosed = false

    init(descriptor: CInt) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    func close() {
        if !isClosed { _ = Glibc.close(descriptor) }
        isClosed = true
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends one byte. Returns false if the server has closed the connection.
    func sendOne(_ text: String) -> Bool {
        Glibc.send(descriptor, text, 1, CInt(MSG_NOSIGNAL)) == 1
    }

    func finishSending() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

    /// Returns the next response. `toHead` is true for a HEAD request, whose response has a Content-Length
    /// but no body.
    func answer(toHead: Bool = false) async throws -> Answer {
        try await offPool { try self.readAnswer(toHead: toHead) }
    }

    func ask(_ text: String) async throws -> Answer {
        send(text)
        return try await answer()
    }

    /// Waits until the server closes or resets the connection, and returns the bytes that arrived before.
    func remainder() async throws -> String {
        try await offPool {
            while try self.readMore(resetIsEnd: true) {}
            return String(decoding: self.received, as: UTF8.self)
        }
    }

    private func readAnswer(toHead: Bool) throws -> Answer {
        let blank = Array("\r\n\r\n".utf8)
        while true {
            if let end = received.firstRange(of: blank) {
                let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(
                    separatedBy: "\r\n")
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    let parts = line.split(separator: ":", maxSplits: 1).map {
                        $0.trimmingCharacters(in: .whitespaces)
                    }
                    headers[parts[0].lowercased()] =
                        headers[parts[0].lowercased()].map { $0 + "|" + parts[1] } ?? parts[1]
                }
                let status = Int(lines[0].split(separator: " ")[1]) ?? 0
                let length = toHead || status == 304 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
                if received.count >= end.upperBound + length {
                    let body = String(
                        decoding: received[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
                    received.removeFirst(end.upperBound + length)
                    if status == 100 { continue }
                    return Answer(status: status, headers: headers, body: body)
                }
            }
            guard try readMore(resetIsEnd: false) else {
                throw ClientError(description: "closed after: \(String(decoding: received, as: UTF8.self))")
            }
        }
    }

    private func readMore(resetIsEnd: Bool) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { received += buffer[..<count] }
        if count < 0, resetIsEnd, errno == ECONNRESET { return false }
        guard count >= 0 else { throw ClientError(description: "recv: \(String(cString: strerror(errno)))") }
        return count > 0
    }
}
