import CLibWebSockets
import Synchronization
import Threads

/// The owner of an event loop, which calls all functions on its thread. They must not block.
protocol EventLoopWork: AnyObject, Sendable {
    /// Called after `wake()`.
    func awoke()
    /// Called every `EventLoop.Configuration.tick`.
    func ticked()
    /// Handles a connection's event. The library gets the result: another than 0 closes the connection.
    func handle(
        _ event: lws_callback_reasons, of connection: OpaquePointer, _ input: UnsafeMutableRawPointer?,
        _ length: Int
    ) -> CInt
    /// Called last, before the thread ends.
    func ended()
}

/// A libwebsockets context with its libuv loop and its thread.
///
/// The libuv loop is lent to the library ("foreign"): on its own loop the library would take over SIGINT,
/// SIGTERM, SIGHUP, SIGSEGV and SIGFPE of the whole process.
///
/// `@unchecked Sendable`: all state is set before the thread starts and used on that thread only, with two
/// exceptions. `phase` has a lock, and `wake` uses `context` only under that lock, while the loop is running.
final class EventLoop: @unchecked Sendable {
    struct Configuration {
        var name: String
        var subprotocol: String
        var tick: Duration
        var usesTLS = false
        /// A file of certificates that a client trusts, in addition to the system's.
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
        // Only a loop that was never started still has its context here.
        if phase.withLock({ $0 == .idle }) { takeDown() }
    }

    /// Milliseconds of a monotonic clock, read once per turn of the loop. Only on the loop's thread.
    var now: UInt64 { uv_now(memory.loop) }

    /// Starts the thread, which holds the loop and its work until `stop`.
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

    /// Makes the loop call `awoke` soon; has no effect if the loop has ended. Any thread may call this:
    /// "lws_cancel_service: may be called from other threads".
    func wake() {
        phase.withLock { phase in
            if phase == .running { lws_cancel_service(context) }
        }
    }

    /// Traps in debug builds if another thread than the loop's runs this.
    func preconditionOnLoop() { thread.preconditionOnLoop() }

    /// Ends this turn of the loop, and then the thread. Only on the loop's thread.
    func stop() {
        preconditionOnLoop()
        uv_stop(memory.loop)
    }

    private func run() {
        uv_timer_start(memory.timer, eventLoopTicked, memory.tickMilliseconds, memory.tickMilliseconds)
        uv_run(memory.loop, UV_RUN_DEFAULT)
        phase.withLock { $0 = .ended }
        takeDown()
        work?.ended()
        work = nil
    }

    /// Destroys the context in the library's two stages. The first closes every connection, which libuv
    /// completes in turns of its loop; the second frees the memory. If the first cannot be completed, the
    /// memory leaks.
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

private nonisolated func eventLoopTicked(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let owner = timer?.pointee.data?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self).pointee
    else { return }
    Unmanaged<EventLoop>.fromOpaque(owner).takeUnretainedValue().ticked()
}

/// The library's callback. Other events return before any state is touched, because some of them come in the
/// middle of a write.
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
