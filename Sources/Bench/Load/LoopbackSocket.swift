internal import Glibc

/// Functions for sockets to this machine. Descriptors are plain numbers, because one `poll` gets thousands of
/// them.
enum LoopbackSocket {
    /// Returns a socket with TCP_NODELAY that is connected to a port of 127.0.0.1.
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

    /// Sends all bytes, which are far fewer than the socket's buffer can contain. Returns false if the other
    /// side has closed the connection.
    static func send(_ bytes: [UInt8], on descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) == $0.count
        }
    }

    /// Raises the process's limit of open files to the highest allowed value, because a crowd needs many
    /// descriptors.
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
