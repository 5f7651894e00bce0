import Foundation
import HTTPServer
import Synchronization

/// A server without a front door, to which a test connects over loopback.
final class TestServer: Sendable {
    let server: HTTPServer
    let responder: TestResponder
    private let listener: CInt
    private let port: UInt16
    private let connecting = Mutex(())

    init(_ responder: TestResponder = TestResponder(), settings: HTTPSettings = HTTPSettings()) throws {
        _ = Self.enoughDescriptors
        self.responder = responder
        server = try HTTPServer(settings: settings, responder: responder)
        server.start()
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1_024) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw ClientError(description: "no listener") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Returns a client on a new connection. The server adopts the other end, or turns it away if
    /// `isTurnedAway` is true.
    func connect(
        keepsAlive: Bool = true, holding: (any AnyObject & Sendable)? = nil, isTurnedAway: Bool = false
    ) throws -> Client {
        Client(
            descriptor: try connectDescriptor(
                keepsAlive: keepsAlive, holding: holding, isTurnedAway: isTurnedAway))
    }

    func connectDescriptor(
        keepsAlive: Bool = true, holding: (any AnyObject & Sendable)? = nil, isTurnedAway: Bool = false
    ) throws -> CInt {
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(port: port)
        // Only one thread connects at a time, so that the accepted socket is the other end of this client's
        // socket.
        let accepted = connecting.withLock { _ in
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            return isConnected ? accept(listener, nil, nil) : -1
        }
        guard accepted >= 0 else {
            throw ClientError(description: "not connected: \(String(cString: strerror(errno)))")
        }
        var on: CInt = 1
        for end in [client, accepted] {
            setsockopt(end, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        }
        if isTurnedAway {
            server.turnAway(accepted)
        } else {
            server.adopt(accepted, peer: "192.0.2.7", keepsAlive: keepsAlive, holding: holding)
        }
        return client
    }

    /// Raises the limit of open files to 8,192, because both ends of 512 connections exceed the usual soft
    /// limit of 1,024.
    private static let enoughDescriptors: Void = {
        let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < 8_192 else { return }
        limit.rlim_cur = min(8_192, limit.rlim_max)
        setrlimit(kind, &limit)
    }()

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
