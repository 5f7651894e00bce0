internal import Glibc

/// Parses the head of an HTTP response as far as a load generator needs it: the status, and the lengths of
/// the head and the body.
package struct AnswerHead: Equatable, Sendable {
    package let status: Int
    package let bodyStart: Int
    /// The length of the head and the body, in bytes.
    package let length: Int

    /// Returns nil if the head is incomplete.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 12, let end = ByteSearch.first("\r\n\r\n", in: bytes) else { return nil }
        status = (9..<12).reduce(0) { $0 * 10 + Int(bytes[$1] &- 48) }
        let head = end + 4
        var body = 0
        let fields = UnsafeRawBufferPointer(rebasing: bytes[..<head])
        // The two measured servers write this header field in these two forms.
        if let field = ByteSearch.first("\r\nContent-Length:", in: fields)
            ?? ByteSearch.first("\r\ncontent-length:", in: fields)
        {
            var offset = field + 17
            while offset < head, bytes[offset] == 32 { offset += 1 }
            while offset < head, bytes[offset] >= 48, bytes[offset] <= 57 {
                body = body * 10 + Int(bytes[offset] - 48)
                offset += 1
            }
        }
        bodyStart = head
        length = head + body
    }
}

/// Sends single requests outside the measured part.
enum PlainHTTP {
    static func get(_ path: String, port: UInt16) -> (status: Int, body: [UInt8])? {
        guard let descriptor = try? LoopbackSocket.connect(port: port) else { return nil }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let request = Array(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
        guard LoopbackSocket.send(request, on: descriptor) else { return nil }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count <= 0 { return nil }
            answer += piece[..<count]
            guard let head = answer.withUnsafeBytes({ AnswerHead($0) }), answer.count >= head.length else {
                continue
            }
            return (head.status, Array(answer[head.bodyStart...]))
        }
    }
}
