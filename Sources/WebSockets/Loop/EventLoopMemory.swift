import CLibWebSockets
import Glibc
import Synchronization

/// The memory to which C code has pointers while a loop exists: the libuv loop and timer, the table of
/// protocols with its names, and the pointer to the owner.
struct EventLoopMemory {
    let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    /// A pointer to the `EventLoop`, which is the user data of the context and of the timer. Nil until the
    /// loop starts.
    let owner = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    let tickMilliseconds: UInt64
    private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    private let subprotocol: UnsafeMutablePointer<CChar>
    private let vhostName: UnsafeMutablePointer<CChar>
    private let alpn: UnsafeMutablePointer<CChar>
    private let certificates: UnsafeMutablePointer<CChar>?
    /// The ping policy of libwebsockets. All fields are zero, so that libwebsockets sends no pings, because
    /// each new timer of libwebsockets searches a list. The server's own tick sends the pings.
    private let noRetries = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)

    /// The lock that allows only one `makeContext` at a time. libwebsockets loads its plug-in and sets its
    /// log level without a lock, and `makeContext` restores the action of SIGPIPE.
    static let making = Mutex(())

    init(_ configuration: EventLoop.Configuration) {
        tickMilliseconds = max(1, UInt64(configuration.tick / .milliseconds(1)))
        subprotocol = strdup(configuration.subprotocol)
        vhostName = strdup(configuration.name)
        alpn = strdup("http/1.1")
        certificates = configuration.certificates.map { strdup($0) }
        noRetries.initialize(to: lws_retry_bo_t())
        owner.initialize(to: nil)
        var only = lws_protocols()
        only.name = UnsafePointer(subprotocol)
        only.callback = eventLoopCalledBack
        // The most bytes that one RECEIVE callback of a client's connection delivers.
        only.rx_buffer_size = 4_096
        // Without this value, libwebsockets would split each send at `rx_buffer_size`, or at 4 KB.
        only.tx_packet_size = 1 << 20
        protocols.initialize(to: only)
        (protocols + 1).initialize(to: lws_protocols())
        uv_loop_init(loop)
        uv_timer_init(loop, timer)
        timer.pointee.data = UnsafeMutableRawPointer(owner)
    }

    func makeContext(_ configuration: EventLoop.Configuration) -> (
        context: OpaquePointer, vhost: OpaquePointer
    )? {
        var made: (context: OpaquePointer, vhost: OpaquePointer)?
        Self.making.withLock { _ in
            OpenFiles.settle()
            LibraryLog.applyDefault()
            // libwebsockets sets the process to ignore SIGPIPE. That is not necessary, because libwebsockets
            // sends with MSG_NOSIGNAL, and the threads of its loops block this signal. The previous action is
            // therefore restored.
            var pipe = sigaction()
            sigaction(SIGPIPE, nil, &pipe)
            defer { sigaction(SIGPIPE, &pipe, nil) }

            var foreign: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(loop)
            made = withUnsafeMutablePointer(to: &foreign) { foreign in
                var info = lws_context_creation_info()
                info.port = CONTEXT_PORT_NO_LISTEN_SERVER
                info.protocols = UnsafePointer(protocols)
                info.options = qring_lws_options() | (configuration.usesTLS ? qring_lws_option_tls() : 0)
                info.foreign_loops = foreign
                info.user = UnsafeMutableRawPointer(owner)
                // The buffer for the response headers of a server to which a client connects. libwebsockets
                // frees the buffer after the handshake.
                info.max_http_header_data = 12_288
                info.retry_and_idle_policy = UnsafePointer(noRetries)
                info.alpn = UnsafePointer(alpn)
                info.client_ssl_ca_filepath = certificates.map { UnsafePointer($0) }
                info.vhost_name = UnsafePointer(vhostName)
                guard let context = lws_create_context(&info) else { return nil }
                // This call fails only if there is no memory, and destroying the context would not help then.
                return lws_create_vhost(context, &info).map { (context, $0) }
            }
        }
        return made
    }

    func startTimer() { uv_timer_start(timer, eventLoopTicked, tickMilliseconds, tickMilliseconds) }

    /// Makes the timer call once an hour. It does not stop, because `uv_run` returns if a loop has no active
    /// handle.
    func slowTimer() { uv_timer_start(timer, eventLoopTicked, Self.hour, Self.hour) }

    private static let hour: UInt64 = 3_600_000

    func closeTimer() {
        uv_timer_stop(timer)
        uv_close(UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self), nil)
    }

    /// Frees all memory. Callers must first destroy the context and close the timer.
    func closeLoop() {
        uv_loop_close(loop)
        loop.deallocate()
        timer.deallocate()
        owner.deallocate()
        protocols.deallocate()
        noRetries.deallocate()
        free(subprotocol)
        free(vhostName)
        free(alpn)
        free(certificates)
    }
}

/// The process's limit of open files. libwebsockets reads this limit only when it creates a context.
enum OpenFiles {
    static let wanted: rlim_t = 65_536
    /// The highest limit that is left as it is. libwebsockets allocates 16 bytes for each possible file at
    /// once, and assumes a limit of 2,560 files if the real limit is above 10 million.
    static let most: rlim_t = 1_048_576

    /// Raises a limit below 65,536 to 65,536, or to the most that the system allows. Lowers a limit above
    /// 1,048,576 to 65,536.
    static func settle() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        guard limit.rlim_cur < wanted || limit.rlim_cur > most else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
