import Foundation
import Glibc
import Testing

/// An HTTP response, as it was received through the socket.
struct Answer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(header name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }

    /// Returns the JSON value at a path such as `session.id` or `items.0.name`.
    func json(_ path: String) -> Any? {
        var value = try? JSONSerialization.jsonObject(with: Data(body))
        for part in path.split(separator: ".") {
            if let array = value as? [Any], let index = Int(part) {
                value = array.indices.contains(index) ? array[index] : nil
            } else {
                value = (value as? [String: Any])?[String(part)]
            }
        }
        return value is NSNull ? nil : value
    }

    func string(_ path: String) -> String? { json(path) as? String }
    func int(_ path: String) -> Int? { json(path) as? Int }

    /// Returns the text at `path` of each item of a page.
    func items(_ path: String) -> [String] {
        let items = json("items") as? [[String: Any]] ?? []
        return items.compactMap { item in
            var value: Any? = item
            for part in path.split(separator: ".") { value = (value as? [String: Any])?[String(part)] }
            return value as? String
        }
    }
}

enum SocketFailure: Error { case connect, send, timedOut, malformed }

extension Site {
    /// Sends one request on a new connection.
    func send(
        _ method: String, _ path: String, bearer: String? = nil, json: String? = nil, form: String? = nil,
        bytes: [UInt8]? = nil,
        headers: [(String, String)] = [], saysWhatItSaw: Bool = true, host: String? = nil
    ) async throws -> Answer {
        var headers = headers
        // Most tests are not about two hosts, so their edits overwrite any version.
        if saysWhatItSaw, ["PATCH", "PUT"].contains(method),
            !headers.contains(where: { ["If-Match", "If-None-Match"].contains($0.0) })
        {
            headers.append(("If-Match", "*"))
        }
        var head =
            "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n"
        if let bearer { head += "Authorization: Bearer \(bearer)\r\n" }
        if json != nil { head += "Content-Type: application/json\r\n" }
        if form != nil { head += "Content-Type: application/x-www-form-urlencoded\r\n" }
        let body = bytes ?? (json ?? form).map { Array($0.utf8) }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let request = Array((head + "\r\n").utf8) + (body ?? [])
        let port = port
        let received: Result<[UInt8], any Error> = await withCheckedContinuation { continuation in
            // The exchange blocks a new thread, because Swift's thread pool is small and also runs the tasks
            // and the writer.
            Thread.detachNewThread {
                continuation.resume(returning: Result { try exchange(request, port: port) })
            }
        }
        return try Answer(try received.get())
    }
}

private func exchange(_ request: [UInt8], port: UInt16) throws -> [UInt8] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { throw SocketFailure.connect }
    var sent = 0
    while sent < request.count {
        let count = request[sent...].withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw SocketFailure.send }
        sent += count
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
        let count = recv(descriptor, &chunk, chunk.count, 0)
        // A signal of another test ends a wait that has a time limit.
        if count < 0, errno == EINTR { continue }
        guard count >= 0 || errno != EAGAIN else { throw SocketFailure.timedOut }
        guard count > 0 else { return bytes }
        bytes += chunk.prefix(count)
    }
}

extension Answer {
    fileprivate init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { throw SocketFailure.malformed }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw SocketFailure.malformed
        }
        self.status = status
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                line[..<colon].lowercased(),
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        body = Array(bytes[end.upperBound...])
    }
}
