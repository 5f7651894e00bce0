import CLibWebSockets
import Synchronization
import Threads

/// The owner of an event loop. The loop calls all functions on its own thread, and they must not block.
protocol EventLoopWork: AnyObject, Sendable {
    /// The loop calls this function after `wake()`.
    func awoke()
    /// The loop calls this function once per `EventLoop.Configuration.tick`, unless `EventLoop.ticks` is
    /// false.
    func ticked()
    /// Handles an event of a connection. The result is passed to libwebsockets, which closes the connection
    /// if the result is not 0.
    func handle(
        _ event: lws_callback_reasons, of connection: OpaquePointer, _ input: UnsafeMutableRawPointer?,
        _ length: Int
    ) -> CInt
    /// The loop calls this function last, before its thread ends.
    func ended()
}

/// A libwebsockets context with its own libuv loop and its own thread.
///
/// This class creates the libuv loop and passes the loop to libwebsockets as a "foreign" loop. If
/// libwebsockets created the loop, libwebsockets would handle SIGINT, SIGTERM, SIGHUP, SIGSEGV and SIGFPE for
/// the whole process.
///
/// `@unchecked Sendable`: all state is set before the thread starts, and only that thread uses the state,
/// with two exceptions. `phase` has a lock, and `wake` uses `context` only under that lock, while the loop is
/// running.
final class EventLoop: @unchecked Sendable {
    struct Configuration {
        var name: String
        var subprotocol: String
        var tick: Duration
        var usesTLS = false
        /// The path of a file with certificates that a client trusts, in addition to the system's
        /// certificates.
        var certificates: String?
    }

    private enum Phase { case idle, running, ended }

    let context: OpaquePointer
    let vhost: OpaquePointer
    private let thread: LoopThread
    private let memory: EventLoopMemory
    private let phase = Mutex(Phase.idle)
    private var work: (any EventLoopWork)?

    init(_ configuration: Configuration) throws(WebSocketError) {
        let memory = EventLoopMemory(configuration)
        thread = LoopThread(named: configuration.name)
        guard let (context, vhost) = memory.makeContext(configuration) else { throw .noContext }
        self.context = context
        self.vhost = vhost
        self.memory = memory
    }

    deinit {
        // If the loop was started, its thread has destroyed the context already.
        if phase.withLock({ $0 == .idle }) { takeDown() }
    }

    /// The time in milliseconds of a monotonic clock, read once per iteration of the loop. Only the loop's
    /// thread may read this property.
    var now: UInt64 { uv_now(memory.loop) }

    /// Starts the thread. The thread retains this loop and `work` until `stop`.
    ///
    /// - Throws: `.noThread`.
    func start(_ work: any EventLoopWork) throws(WebSocketError) {
        self.work = work
        memory.owner.pointee = Unmanaged.passUnretained(self).toOpaque()
        phase.withLock { $0 = .running }
        do throws(ThreadNotStarted) {
            try thread.start { self.run() }
        } catch {
            self.work = nil
            phase.withLock { $0 = .idle }
            throw .noThread(error.errno)
        }
    }

    /// Makes the loop call `awoke` soon. Has no effect if the loop is not running. Any thread may call this
    /// function, because libwebsockets says of `lws_cancel_service`: "may be called from other threads".
    func wake() {
        phase.withLock { phase in
            if phase == .running { lws_cancel_service(context) }
        }
    }

    /// Traps in debug builds if the caller is not on the loop's thread.
    func preconditionOnLoop() { thread.preconditionOnLoop() }

    /// Whether the loop calls `ticked`. An owner without deadlines sets this to false, so that an idle loop
    /// does not wake up. Only the loop's thread may use this property.
    var ticks = true {
        didSet {
            preconditionOnLoop()
            guard ticks != oldValue else { return }
            if ticks { memory.startTimer() } else { memory.slowTimer() }
        }
    }

    /// Ends the loop after the current iteration, and then its thread. Only the loop's thread may call this
    /// function.
    func stop() {
        preconditionOnLoop()
        uv_stop(memory.loop)
    }

    private func run() {
        memory.startTimer()
        uv_run(memory.loop, UV_RUN_DEFAULT)
        phase.withLock { $0 = .ended }
        takeDown()
        work?.ended()
        work = nil
    }

    /// Destroys the context with two calls of `lws_context_destroy`. The first call closes all connections,
    /// and libuv completes the closing in later iterations of the loop. The second call frees the memory. If
    /// the closing cannot be completed, the memory leaks.
    private func takeDown() {
        let pipe = PipeClosing()
        pipe.find(in: memory.loop)
        lws_context_destroy(context)
        pipe.intercept()
        memory.closeTimer()
        withExtendedLifetime(pipe) { _ = uv_run(memory.loop, UV_RUN_DEFAULT) }
        guard pipe.isComplete else { return }
        lws_context_destroy(context)
        memory.closeLoop()
    }

    fileprivate func ticked() { work?.ticked() }

    fileprivate func handle(
        _ event: lws_callback_reasons, _ connection: OpaquePointer, _ input: UnsafeMutableRawPointer?,
        _ length: Int
    )
        -> CInt
    {
        guard let work else { return 0 }
        if event == LWS_CALLBACK_EVENT_WAIT_CANCELLED {
            work.awoke()
            return 0
        }
        return work.handle(event, of: connection, input, length)
    }
}

nonisolated func eventLoopTicked(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let owner = timer?.pointee.data?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
    else { return }
    Unmanaged<EventLoop>.fromOpaque(owner).takeUnretainedValue().ticked()
}

/// The callback that libwebsockets calls for all events. Events that are not listed return at once and touch
/// no state, because libwebsockets reports some of them in the middle of a write.
nonisolated func eventLoopCalledBack(
    _ connection: OpaquePointer?, _ event: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?,
    _ length: Int
) -> CInt {
    switch event {
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED, LWS_CALLBACK_WSI_DESTROY, LWS_CALLBACK_RAW_RX,
        LWS_CALLBACK_RAW_WRITEABLE,
        LWS_CALLBACK_RAW_CLOSE, LWS_CALLBACK_WS_PEER_INITIATED_CLOSE,
        LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH,
        LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER, LWS_CALLBACK_CLIENT_ESTABLISHED,
        LWS_CALLBACK_CLIENT_CONNECTION_ERROR, LWS_CALLBACK_CLIENT_RECEIVE, LWS_CALLBACK_CLIENT_WRITEABLE,
        LWS_CALLBACK_CLIENT_CLOSED,
        LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        guard let connection, let context = lws_get_context(connection),
            let owner = lws_context_user(context)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
                .pointee
        else { return 0 }
        return Unmanaged<EventLoop>.fromOpaque(owner).takeUnretainedValue().handle(
            event, connection, input, length)
    default:
        return 0
    }
}
