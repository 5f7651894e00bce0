import Foundation
import Glibc
import SQLJournal
import Synchronization

/// A network between an engine and the server of the tests: a TCP port that forwards to a unix socket.
final class Link: Sendable {
    enum Direction: CaseIterable {
        case toServer, toClient
    }

    private final class Wire: Sendable {
        let client, server: Int32
        let lost = Mutex<Set<Direction>>([])
        private let ended = Atomic(0)

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        /// Forwards bytes until a side closes the connection. Lost bytes are discarded, and so is the end.
        func forward(_ direction: Direction) {
            let (from, to) = direction == .toServer ? (client, server) : (server, client)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(from, &buffer, buffer.count), count > 0 {
                guard !lost.withLock({ $0.contains(direction) }) else { continue }
                var sent = 0
                while sent < count {
                    let written = buffer[sent..<count].withUnsafeBytes {
                        send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard written > 0 else { break }
                    sent += written
                }
                if sent < count { break }
            }
            if !lost.withLock({ $0.contains(direction) }) { shutdown(to, Int32(SHUT_WR)) }
            guard ended.add(1, ordering: .acquiringAndReleasing).newValue == 2 else { return }
            close(client)
            close(server)
        }
    }

    private struct NoSocket: Error {
        let code = errno
    }

    let port: UInt16
    private let listener: Int32
    private let wires = Mutex<[Wire]>([])

    /// - Parameter path: the server's unix socket.
    init(to path: String) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isOpen else { throw NoSocket() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let server = Self.connect(to: path) else {
                    close(client)
                    continue
                }
                let wire = Wire(client: client, server: server)
                wires.withLock { $0.append(wire) }
                for direction in Direction.allCases {
                    Thread.detachNewThread { wire.forward(direction) }
                }
            }
            close(listener)
        }
    }

    private static func connect(to path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if !isConnected { close(descriptor) }
        return isConnected ? descriptor : nil
    }

    /// Loses everything from now on that passes on the connections that exist now. No side sees an end or an
    /// error. New connections work.
    func lose(_ directions: Set<Direction> = Set(Direction.allCases)) {
        for wire in wires.withLock({ $0 }) { wire.lost.withLock { $0.formUnion(directions) } }
    }

    /// Accepts no more connections. The connections that exist end when their sides close them.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }
}
