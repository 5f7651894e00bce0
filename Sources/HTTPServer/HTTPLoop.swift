import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// What other threads send to the loop.
enum HTTPLoopMessage: Sendable {
    /// A connected socket and what is known of it.
    struct Arrival: Sendable {
        var descriptor: CInt
        var peer: String
        var keepsAlive = true
        var holding: (any AnyObject & Sendable)?
    }

    case socket(Arrival)
    /// This client gets `HTTPRefusal.tooManyConnections`, and the socket is closed.
    case turnAway(CInt)
    case answer(HTTPResponse, to: Connection, serial: UInt64)
    case drain(until: ContinuousClock.Instant, CheckedContinuation<Void, Never>?)
}

/// The loop of the one thread that touches the library. It polls the library's epoll descriptor and the
/// inbox's eventfd.
///
/// The library's own thread (`MHD_USE_EPOLL_INTERNAL_THREAD`) is not used, because it stalls when 128 sockets
/// are ready together. `HTTPLoop+Requests.swift` has the course of a request, and `HTTPLoop+Draining.swift`
/// the end.
///
/// `@unchecked Sendable`: `settings`, `responder`, `thread`, `inbox` and `counters` are Sendable themselves.
/// All other state belongs to the loop's thread (`preconditionOnLoop`), on which the library's callbacks run
/// as well; `init` runs before that thread exists.
final class HTTPLoop: @unchecked Sendable {
    let settings: HTTPSettings
    let responder: any HTTPResponder
    let thread = LoopThread(named: "http")
    let inbox: PolledInbox<HTTPLoopMessage>
    let counters: HTTPCounters
    var connections: [Connection] = []
    var inFlight = 0
    var starting: [Work] = []
    var draining: Draining?
    /// The connection whose request line was read last: the likely subject of the library's next message.
    var latest: Connection?
    /// The number of times that the library has run.
    var turn = 0
    /// The number of requests that the library itself has refused in this turn and that have not ended yet.
    var refusals = 0
    private var daemon: OpaquePointer?
    /// Lives as long as the daemon.
    private let callbacks = UnsafeMutablePointer<cmhd_callbacks>.allocate(capacity: 1)
    private var libraryEvents: CInt = -1
    private var arriving = HTTPLoopMessage.Arrival(descriptor: -1, peer: "")
    private var items: [HTTPLoopMessage] = []
    private let sweepInterval: Nanoseconds
    private var nextSweep: Nanoseconds = 0

    /// A request whose connection is suspended, and whose task has not begun.
    struct Work: Sendable {
        let request: HTTPRequest
        let connection: Connection
        let serial: UInt64
    }

    init(
        settings: HTTPSettings, counters: HTTPCounters, responder: any HTTPResponder
    ) throws(HTTPServerError) {
        guard let inbox = PolledInbox<HTTPLoopMessage>() else { throw .system(call: "eventfd", errno: errno) }
        (self.settings, self.counters, self.responder, self.inbox) = (settings, counters, responder, inbox)
        // All deadlines are compared together, a few times in the shortest of them, so that a request costs
        // one store and no timer.
        let shortest = min(settings.requestDeadline, settings.idleLimit, settings.answerDeadline).nanoseconds
        sweepInterval = min(max(shortest / 8, 10_000_000), 1_000_000_000)
        callbacks.initialize(
            to: cmhd_callbacks(
                context: Unmanaged.passUnretained(self).toOpaque(), answer: answerRequest, target: readTarget,
                completed: finishRequest,
                connection: changeConnection, hear: hearLibrary))
        // The library's limit must be higher than ours, which has a response. The memory of a connection
        // holds the head, its parsed form, and the head of the response. The library clears it after every
        // request, so that more memory costs more time.
        daemon = cmhd_start(
            callbacks, CUnsignedInt(settings.connectionLimit + 64), settings.headLimit * 2 + 4_096)
        guard let daemon else { throw .libraryDidNotStart }
        libraryEvents = cmhd_epoll_descriptor(daemon)
    }

    deinit {
        if let daemon { MHD_stop_daemon(daemon) }
        callbacks.deallocate()
    }

    /// The body of the thread; returns when the server is drained.
    func run() {
        var polled = [
            pollfd(fd: libraryEvents, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            _ = poll(&polled, 2, millisecondsToWait())
            if polled[1].revents != 0 { takeInbox() }
            turn += 1
            refusals = 0
            _ = MHD_run(daemon)
            if !starting.isEmpty { startTasks() }
            let now = MonotonicTime.now
            if now >= nextSweep { sweep(at: now) }
            if draining != nil, continueDraining(at: now) { return }
        }
    }

    private func millisecondsToWait() -> CInt {
        var wait: CInt = -1
        var asked: CUnsignedLongLong = 0
        // Zero if a request is pipelined behind the one that was just answered.
        if MHD_get_timeout(daemon, &asked) == .YES { wait = CInt(min(asked, 60_000)) }
        // Draining is short: looking every 5 ms is simpler than a list of what it waits for.
        if draining != nil { return wait < 0 ? 5 : min(wait, 5) }
        guard !connections.isEmpty else { return wait }
        let now = MonotonicTime.now
        let untilSweep = nextSweep > now ? CInt((nextSweep - now) / 1_000_000 + 1) : 0
        return wait < 0 ? untilSweep : min(wait, untilSweep)
    }

    private func takeInbox() {
        thread.preconditionOnLoop()
        inbox.wake.clear()
        inbox.take(into: &items)
        for item in items {
            switch item {
            case .socket(let arrival): adopt(arrival)
            case .turnAway(let descriptor): turnAway(descriptor)
            case .answer(let answer, let connection, let serial):
                resume(connection, serial: serial, with: answer)
            case .drain(let deadline, let continuation): beginDraining(until: deadline, continuation)
            }
        }
        items.removeAll(keepingCapacity: true)
    }

    // MARK: Connections

    private func adopt(_ arrival: HTTPLoopMessage.Arrival) {
        let descriptor = arrival.descriptor
        guard draining == nil else {
            RawResponse.sendAndClose(refusal(.shuttingDown, head: nil), on: descriptor)
            return
        }
        guard connections.count < settings.connectionLimit else {
            return turnAway(descriptor)
        }
        // The library announces the connection from within this call. It uses the address only for a limit
        // per address, which is not set. If it refuses the socket, it has closed it.
        arriving = arrival
        defer { arriving.holding = nil }
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        _ = MHD_add_connection(daemon, descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    private func turnAway(_ descriptor: CInt) {
        counters.turnedAwayConnections.add(1, ordering: .relaxed)
        RawResponse.sendAndClose(refusal(.tooManyConnections, head: nil), on: descriptor)
    }

    func beginConnection(_ library: OpaquePointer) -> Connection {
        thread.preconditionOnLoop()
        let connection = Connection(arriving, library: library)
        connection.index = connections.count
        connection.deadline = MonotonicTime.now + settings.requestDeadline.nanoseconds
        connections.append(connection)
        counters.adoptedConnections.add(1, ordering: .relaxed)
        counters.openConnections.store(connections.count, ordering: .relaxed)
        return connection
    }

    func endConnection(_ connection: Connection) {
        thread.preconditionOnLoop()
        if latest === connection { latest = nil }
        // The library ends a connection whose first line it cannot read, with or without a response, and does
        // not say which connection that was. It is this one if neither this target nor the client has ended
        // it.
        if connection.phase == .idle, !connection.isLast, draining == nil,
            refusals > 0 || connection.wasClosedHereFirst
        {
            refusals -= 1
            responder.finished(
                HTTPExchange(
                    head: outline(of: connection), status: 400, bodyBytes: 0, duration: .zero,
                    isComplete: false, tag: ""))
        }
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        counters.openConnections.store(connections.count, ordering: .relaxed)
    }

    /// Ends the connections whose deadline is over. The library's `CONNECTION_TIMEOUT` is not used, because
    /// each byte would renew it.
    private func sweep(at now: Nanoseconds) {
        thread.preconditionOnLoop()
        nextSweep = now + sweepInterval
        for connection in connections {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            connection.deadline = nil
            counters.timeouts.add(1, ordering: .relaxed)
            switch connection.phase {
            case .head, .body, .refusedBody:
                connection.status = HTTPRefusal.tooSlow.status
                RawResponse.send(refusal(.tooSlow, head: connection.head), on: connection.descriptor)
            // An idle client needs no response, and half a response cannot be followed by another.
            case .idle, .answering, .suspended: break
            }
            connection.sever()
        }
    }

    func stopLibrary() {
        if let daemon { MHD_stop_daemon(daemon) }
        daemon = nil
    }
}
