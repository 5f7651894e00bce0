internal import Glibc
internal import Synchronization
internal import Threads

/// An HTTP/1.1 server of a few lines on a real socket. Each connection has a thread, and the test gives the
/// answer to each request.
package final class TinyServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// Names in lower case.
        package let headers: [String: String]
        package let body: String
        /// 1 for the first connection.
        package let connection: Int
    }

    package struct Answer: Sendable {
        package var status = 200
        package var type = "application/json"
        package var headers: [String] = []
        package var body = "{}"
        /// Closes the connection after it, without a word.
        package var hangsUp = false

        package init(
            status: Int = 200, type: String = "application/json", headers: [String] = [], body: String = "{}",
            hangsUp: Bool = false
        ) {
            (self.status, self.type, self.headers, self.body, self.hangsUp) = (
                status, type, headers, body, hangsUp
            )
        }
    }

    private struct State {
        var connections = 0
        var requests: [Request] = []
        var open: Set<Int32> = []
        var listens = true
    }

    package let port: Int
    package var url: String { "http://127.0.0.1:\(port)" }
    private let listener: Int32
    private let state = Mutex(State())
    /// Nil keeps the connection silent.
    private let respond: @Sendable (Request) -> Answer?

    package init(_ respond: @escaping @Sendable (Request) -> Answer?) throws {
        self.respond = respond
        (listener, port) = try Self.listen()
        let (listener, serving) = (listener, self)
        try LoopThread(named: "tiny-server").start {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else {
                    // Closed by whom it serves: closed by another, its number could be another server's
                    // listener by the next accept.
                    serving.state.withLock {
                        $0.listens = false
                        close(listener)
                    }
                    return
                }
                let number = serving.state.withLock { state in
                    state.connections += 1
                    state.open.insert(socket)
                    return state.connections
                }
                try? LoopThread(named: "tiny-connection").start { serving.serve(socket, number) }
            }
        }
    }

    struct NoSocket: Error {}

    static func listen() throws -> (Int32, Int) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && Glibc.listen(socket, 256) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        guard bound else { throw NoSocket() }
        return (socket, Int(UInt16(bigEndian: address.sin_port)))
    }

    package var connections: Int { state.withLock { $0.connections } }
    package var requests: [Request] { state.withLock { $0.requests } }

    package func stop() {
        // A number that was closed may be a socket of another test by now.
        state.withLock { state in
            if state.listens { shutdown(listener, Int32(SHUT_RDWR)) }
            for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ socket: Int32, _ number: Int) {
        defer {
            state.withLock {
                _ = $0.open.remove(socket)
                close(socket)
            }
        }
        var buffer: [UInt8] = []
        while let request = read(socket, &buffer, number) {
            state.withLock { $0.requests.append(request) }
            guard let answer = respond(request) else { continue }
            var text =
                "HTTP/1.1 \(answer.status) X\r\nContent-Type: \(answer.type)\r\nContent-Length: "
                + "\(answer.body.utf8.count)\r\n"
            for header in answer.headers { text += header + "\r\n" }
            let bytes = Array((text + "\r\n" + answer.body).utf8)
            guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count, !answer.hangsUp else {
                return
            }
        }
    }

    private func read(_ socket: Int32, _ buffer: inout [UInt8], _ number: Int) -> Request? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let request = parse(&buffer, number) { return request }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffer += chunk[..<count]
        }
    }

    private func parse(_ buffer: inout [UInt8], _ number: Int) -> Request? {
        let text = String(decoding: buffer, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        }
        let head = text[..<end.upperBound].utf8.count
        let length = Int(headers["content-length"] ?? "0") ?? 0
        guard buffer.count >= head + length else { return nil }
        let body = String(decoding: buffer[head..<head + length], as: UTF8.self)
        buffer.removeFirst(head + length)
        return Request(
            method: String(words[0]), target: String(words[1]), headers: headers, body: body,
            connection: number)
    }
}
