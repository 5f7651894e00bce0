import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// A message from another thread to the loop.
enum HTTPLoopMessage: Sendable {
    /// A connected socket, with its properties.
    struct Arrival: Sendable {
        var descriptor: CInt
        var peer: String
        var keepsAlive = true
        var holding: (any AnyObject & Sendable)?
    }

    case socket(Arrival)
    /// A socket on which the loop sends `HTTPRefusal.tooManyConnections`. The loop then closes the socket.
    case turnAway(CInt)
    case answer(HTTPResponse, to: Connection, serial: UInt64)
    /// The result of a check before the body: nil if the body may be read, or the response that refuses it.
    case checked(HTTPResponse?, Connection, serial: UInt64)
    /// The next part of a task that runs on the loop.
    case run(UnownedJob)
    case drain(until: ContinuousClock.Instant, CheckedContinuation<Void, Never>?)
}

/// The event loop of the HTTP server. Only its thread calls libmicrohttpd. The loop polls the epoll
/// descriptor of libmicrohttpd and the eventfd of the inbox.
///
/// The loop does not use the thread of libmicrohttpd (`MHD_USE_EPOLL_INTERNAL_THREAD`), because that thread
/// stalls when 128 sockets are ready at the same time. `HTTPLoop+Requests.swift` handles the requests, and
/// `HTTPLoop+Draining.swift` ends the server.
///
/// `@unchecked Sendable`: `settings`, `responder`, `thread`, `inbox`, `executor` and `counters` are Sendable.
/// Only the loop's thread uses all other state (`preconditionOnLoop`). The callbacks of libmicrohttpd run on
/// this thread too. `init` runs before this thread exists.
final class HTTPLoop: @unchecked Sendable {
    let settings: HTTPSettings
    let responder: any HTTPResponder
    let thread = LoopThread(named: "http")
    let inbox: PolledInbox<HTTPLoopMessage>
    let executor: LoopExecutor
    let counters: HTTPCounters
    var connections: [Connection] = []
    var inFlight = 0
    /// The number of requests whose response waits for news. `inFlight` does not count them.
    var waiting = 0
    var starting: [Work] = []
    var bodies: BodyShares
    var draining: Draining?
    /// The connection whose request line was read last. The next log message of libmicrohttpd probably
    /// concerns this connection.
    var latest: Connection?
    /// The number of calls of `MHD_run`.
    var turn = 0
    /// The number of requests that libmicrohttpd itself has refused in this iteration and that have not ended
    /// yet.
    var refusals = 0
    private var daemon: OpaquePointer?
    /// The callbacks for libmicrohttpd. This memory must exist as long as the daemon.
    private let callbacks = UnsafeMutablePointer<cmhd_callbacks>.allocate(capacity: 1)
    /// The certificate and its key, which the library does not copy; nil for plain HTTP.
    private var tls: (certificate: UnsafeMutablePointer<CChar>?, key: UnsafeMutablePointer<CChar>?) = (
        nil, nil
    )
    private var libraryEvents: CInt = -1
    /// The limits of `settings` for a connection, in nanoseconds. They are converted once, because arithmetic
    /// with a `Duration` (128 bits) is slow.
    let limits: (request: Nanoseconds, idle: Nanoseconds, answer: Nanoseconds)
    private var arriving = HTTPLoopMessage.Arrival(descriptor: -1, peer: "")
    private var items: [HTTPLoopMessage] = []
    private let sweepInterval: Nanoseconds
    private var nextSweep: Nanoseconds = 0

    /// A request whose connection is suspended and whose task has not started.
    struct Work: Sendable {
        enum Kind: Sendable {
            case answer(HTTPRequest)
            /// The check before the body.
            case check(@Sendable () async -> HTTPResponse?)
        }

        let kind: Kind
        let connection: Connection
        let serial: UInt64
        /// Whether the loop's thread runs the task.
        let isOnLoop: Bool
    }

    init(
        settings: HTTPSettings, counters: HTTPCounters, responder: any HTTPResponder
    ) throws(HTTPServerError) {
        guard let inbox = PolledInbox<HTTPLoopMessage>() else { throw .system(call: "eventfd", errno: errno) }
        (self.settings, self.counters, self.responder, self.inbox) = (settings, counters, responder, inbox)
        executor = LoopExecutor(inbox)
        limits = (
            settings.requestDeadline.nanoseconds, settings.idleLimit.nanoseconds,
            settings.answerDeadline.nanoseconds
        )
        bodies = BodyShares(settings)
        // The loop checks all deadlines together, eight times within the shortest limit but at most every 10
        // ms. A request therefore needs no timer of its own, only one stored deadline.
        let shortest = min(limits.request, limits.idle, limits.answer)
        sweepInterval = min(max(shortest / 8, 10_000_000), 1_000_000_000)
        callbacks.initialize(
            to: cmhd_callbacks(
                context: Unmanaged.passUnretained(self).toOpaque(), answer: answerRequest, target: readTarget,
                completed: finishRequest,
                connection: changeConnection, hear: hearLibrary))
        // The connection limit of libmicrohttpd must be higher than the limit of the settings, because this
        // loop sends a response to the refused clients. The memory of a connection contains the head, its
        // parsed form, and the head of the response. libmicrohttpd clears this memory after every request, so
        // a larger size costs time.
        if let given = settings.tls { tls = (strdup(given.certificate), strdup(given.key)) }
        daemon = cmhd_start(
            callbacks, CUnsignedInt(settings.connectionLimit + 64), settings.headLimit * 2 + 4_096,
            tls.certificate, tls.key)
        guard let daemon else { throw .libraryDidNotStart }
        libraryEvents = cmhd_epoll_descriptor(daemon)
    }

    deinit {
        if let daemon { MHD_stop_daemon(daemon) }
        callbacks.deallocate()
        free(tls.certificate)
        free(tls.key)
    }

    /// Runs the loop on its thread. Returns when the server is drained.
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
        // The timeout is 0 if the client has sent another request before it received the last response
        // (pipelining).
        if MHD_get_timeout(daemon, &asked) == .YES { wait = CInt(min(asked, 60_000)) }
        // Draining is short, so checking every 5 ms is simple enough.
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
            case .checked(let refusal, let connection, let serial):
                resume(connection, serial: serial, checked: refusal)
            case .run(let job): executor.run(job)
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
        // libmicrohttpd calls `changeConnection` within this call. It uses the address only for a limit per
        // address, which is not set. If libmicrohttpd refuses the socket, it closes the socket.
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
        connection.deadline = MonotonicTime.now + limits.request
        connections.append(connection)
        counters.adoptedConnections.add(1, ordering: .relaxed)
        counters.openConnections.store(connections.count, ordering: .relaxed)
        return connection
    }

    func endConnection(_ connection: Connection) {
        thread.preconditionOnLoop()
        if latest === connection { latest = nil }
        // If libmicrohttpd cannot read a request line, it ends the connection, with or without a response,
        // and does not report which connection it was. This connection is counted as such if neither this
        // loop nor the client has ended it.
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

    /// Ends the connections whose deadline has passed. The loop does not use `CONNECTION_TIMEOUT` of
    /// libmicrohttpd, because every received byte would restart that timeout.
    private func sweep(at now: Nanoseconds) {
        thread.preconditionOnLoop()
        nextSweep = now + sweepInterval
        for connection in connections {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            connection.deadline = nil
            counters.timeouts.add(1, ordering: .relaxed)
            switch connection.phase {
            case .head, .checked, .body, .refusedBody:
                connection.status = HTTPRefusal.tooSlow.status
                RawResponse.send(refusal(.tooSlow, head: connection.head), on: connection.descriptor)
            // An idle client needs no response. If a response was partly sent, no other response can follow.
            case .idle, .answering, .suspended, .checking: break
            }
            connection.sever()
        }
    }

    func stopLibrary() {
        if let daemon { MHD_stop_daemon(daemon) }
        daemon = nil
    }
}
