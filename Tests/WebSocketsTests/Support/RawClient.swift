import Glibc

/// A websocket client that shares no code with the server. It has a blocking socket, and can build correct
/// and incorrect frames byte by byte.
final class RawClient {
    struct Frame: Equatable {
        var opcode: UInt8
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
        var closeCode: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    let fileDescriptor: CInt
    private(set) var head = ""
    private var unread: [UInt8] = []

    /// Connects without an upgrade. Reads fail after 20 s.
    init(port: UInt16, receiveBuffer: CInt? = nil) throws {
        fileDescriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            setsockopt(
                fileDescriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<CInt>.size))
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(fileDescriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = Loopback.address(port: port)
        let failed = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fileDescriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
            }
        }
        if failed { throw Loopback.Failure.system(errno) }
    }

    deinit { close(fileDescriptor) }

    /// Connects and completes the upgrade to websocket.
    convenience init(
        upgradingOn port: UInt16, path: String = "/rooms",
        headers: [String] = ["Sec-WebSocket-Protocol: qring.v1"],
        receiveBuffer: CInt? = nil
    ) throws {
        try self.init(port: port, receiveBuffer: receiveBuffer)
        try send(Self.upgrade(port: port, path: path, headers: headers))
        try receiveUpgrade()
    }

    static func upgrade(port: UInt16, path: String = "/rooms", headers: [String]) -> [UInt8] {
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    func receiveUpgrade() throws {
        while !head.hasSuffix("\r\n\r\n") { head.unicodeScalars.append(Unicode.Scalar(try byte())) }
        guard head.hasPrefix("HTTP/1.1 101 ") else { throw Loopback.Failure.notUpgraded(head) }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(fileDescriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Loopback.Failure.system(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns one masked frame. `first` is the complete first byte: FIN, reserved bits and opcode. The
    /// frame's length field has the value `announced` if it is not nil.
    static func frame(_ first: UInt8, _ payload: [UInt8], announcing announced: Int? = nil) -> [UInt8] {
        let count = announced ?? payload.count
        var bytes = [first]
        switch count {
        case ..<126: bytes.append(0x80 | UInt8(count))
        case ..<65_536: bytes += [0x80 | 126, UInt8(count >> 8), UInt8(count & 0xff)]
        default:
            bytes +=
                [0x80 | 127]
                + stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
        }
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    func send(text: String) throws { try send(Self.frame(0x81, Array(text.utf8))) }

    /// Returns the next frame that is not a ping, and answers the pings before it.
    func receive() throws -> Frame {
        while true {
            let first = try byte()
            var count = Int(try byte())
            if count == 126 {
                count = Int(try byte()) << 8 | Int(try byte())
            } else if count == 127 {
                count = 0
                for _ in 0..<8 { count = count << 8 | Int(try byte()) }
            }
            let payload = try bytes(count)
            if first == 0x89 {
                try send(Self.frame(0x8a, payload))
            } else {
                return Frame(opcode: first & 0xf, payload: payload)
            }
        }
    }

    /// Waits for a ping and answers it. Any other frame is an error.
    func answerPing() throws {
        guard try byte() == 0x89 else { throw Loopback.Failure.ended }
        try send(Self.frame(0x8a, try bytes(Int(try byte()))))
    }

    /// Reads up to the close frame, answers it, and returns its code. Returns nil if the connection ended
    /// without a close frame.
    func closeCode() throws -> Int? {
        do {
            while true {
                let frame = try receive()
                guard frame.opcode == 8 else { continue }
                try? send(Self.frame(0x88, frame.payload))
                return frame.closeCode
            }
        } catch Loopback.Failure.ended { return nil }
    }

    func byte() throws -> UInt8 { try bytes(1)[0] }

    private func bytes(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let got = recv(fileDescriptor, &chunk, chunk.count, 0)
            guard got > 0 else {
                throw got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
                    ? Loopback.Failure.timedOut : Loopback.Failure.ended
            }
            unread += chunk[..<got]
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }
}
