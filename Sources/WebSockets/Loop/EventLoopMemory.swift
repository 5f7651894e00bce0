import CLibWebSockets
import Glibc
import Synchronization

/// What C keeps pointers to while a loop lives: the libuv loop and timer, the protocol table, its names, and
/// who owns it all.
struct EventLoopMemory {
    let loop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    /// Points to the `EventLoop`; the context's user data and the timer's. Empty until it starts.
    let owner = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    let tickMilliseconds: UInt64
    private let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    private let subprotocol: UnsafeMutablePointer<CChar>
    private let vhostName: UnsafeMutablePointer<CChar>
    private let alpn: UnsafeMutablePointer<CChar>
    private let certificates: UnsafeMutablePointer<CChar>?
    /// All zero: no pings of the library's own, whose timers walk a list on every insertion.
    private let noRetries = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)

    /// Contexts are made one at a time: the library loads its plug-in and sets its log level without a lock,
    /// and SIGPIPE is put back.
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
        // Of a client's connection: what it hands us at once.
        only.rx_buffer_size = 4_096
        // Without it each send is cut at `rx_buffer_size`, or at 4 KB.
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
            // The library ignores SIGPIPE for the whole process. It has no need to: it sends with
            // MSG_NOSIGNAL, and on its threads every signal is blocked.
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
                // Of the server that a client connects to; freed with the handshake.
                info.max_http_header_data = 12_288
                info.retry_and_idle_policy = UnsafePointer(noRetries)
                info.alpn = UnsafePointer(alpn)
                info.client_ssl_ca_filepath = certificates.map { UnsafePointer($0) }
                info.vhost_name = UnsafePointer(vhostName)
                guard let context = lws_create_context(&info) else { return nil }
                // Where this fails there is no memory, and nothing to be gained by destroying the context.
                return lws_create_vhost(context, &info).map { (context, $0) }
            }
        }
        return made
    }

    func closeTimer() {
        uv_timer_stop(timer)
        uv_close(UnsafeMutableRawPointer(timer).assumingMemoryBound(to: uv_handle_t.self), nil)
    }

    /// When nothing of the library's is left on the loop, and the timer is closed.
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
