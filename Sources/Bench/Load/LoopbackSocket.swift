import Glibc

/// Makes system calls on sockets to this machine. Descriptors are plain numbers, because one `poll` takes
/// thousands of them.
enum LoopbackSocket {
    /// Returns a socket that is connected to a port of 127.0.0.1, with TCP_NODELAY.
    static func connect(port: UInt16) throws(BenchError) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure("socket") }
        var one: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let outcome = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 else {
            let error = failure("connect")
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Sends all bytes in one call, because a request is much smaller than the socket's buffer. Returns false
    /// if the server has closed the connection.
    static func send(_ bytes: [UInt8], on descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) == $0.count
        }
    }

    /// Raises the limit of open descriptors to the maximum of this process (at most 65,536), because every
    /// watcher needs a descriptor.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static func failure(_ call: String) -> BenchError {
        .system(call: call, reason: String(cString: strerror(errno)))
    }
}

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

/// Searches bytes as `memmem` does. Swift's Glibc module lacks `memmem`, because it is a GNU extension.
enum ByteSearch {
    static func first(_ needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let length = needle.utf8CodeUnitCount
        guard let start = bytes.baseAddress, bytes.count >= length else { return nil }
        let last = bytes.count - length
        var offset = 0
        while offset <= last, let found = memchr(start + offset, CInt(needle.utf8Start[0]), last - offset + 1)
        {
            if memcmp(found, needle.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
            offset = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}
