import Glibc
import Synchronization
import Threads

/// HTTP/1.1 on sockets that the front door has accepted.
///
/// It does not listen. It serves each socket from `adopt` until the client or a limit ends the connection.
/// The responder admits and answers each request; the requests of one connection are answered in order. Any
/// thread may call all functions.
package final class HTTPServer: Sendable {
    private let loop: HTTPLoop
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case running
        case ended
    }

    /// - Throws: `.libraryDidNotStart` or `.system` if memory or descriptors are used up.
    package init(
        settings: HTTPSettings = HTTPSettings(), counters: HTTPCounters = HTTPCounters(),
        responder: any HTTPResponder
    ) throws(HTTPServerError) {
        precondition(
            (1...16_384).contains(settings.headLimit) && settings.connectionLimit > 0
                && settings.inFlightLimit > 0)
        loop = try HTTPLoop(settings: settings, counters: counters, responder: responder)
    }

    /// Starts the loop's thread. Sockets that were adopted before wait for it. Only the first call has an
    /// effect.
    package func start() {
        let starts = stage.withLock { stage in
            guard case .built = stage else { return false }
            stage = .running
            return true
        }
        guard starts else { return }
        do throws(ThreadNotStarted) {
            try loop.thread.start { [loop] in loop.run() }
        } catch {
            // A caller could do nothing else: at its very start, the process gets no thread.
            preconditionFailure("the HTTP server got no thread: errno \(error.errno)")
        }
    }

    /// Takes over a connected stream socket, and closes it in every case, even if the server has ended.
    ///
    /// - Parameters:
    ///   - peer: the numeric address at the other end, for `HTTPRequestHead.peer`.
    ///   - keepsAlive: false closes the connection after the first response.
    ///   - holding: released when the connection has ended.
    package func adopt(
        _ fileDescriptor: CInt, peer: String, keepsAlive: Bool = true,
        holding: (any AnyObject & Sendable)? = nil
    ) {
        let arrival = HTTPLoopMessage.Arrival(
            descriptor: fileDescriptor, peer: peer, keepsAlive: keepsAlive, holding: holding)
        if !loop.inbox.post(.socket(arrival)) { close(fileDescriptor) }
    }

    /// Answers a connected socket with `HTTPRefusal.tooManyConnections`, and closes it.
    package func turnAway(_ fileDescriptor: CInt) {
        if !loop.inbox.post(.turnAway(fileDescriptor)) { close(fileDescriptor) }
    }

    /// Ends the server, and returns when every connection is closed. Idle connections are closed at once;
    /// requests in progress are answered with `Connection: close`, and with 503 after `time`. Several callers
    /// may wait, also before `start`.
    ///
    /// Tasks that are still at work run on; their responses are dropped.
    package func drain(within time: Duration) async {
        let deadline = ContinuousClock.now + time
        start()
        await withCheckedContinuation { continuation in
            if !loop.inbox.post(.drain(until: deadline, continuation)) { continuation.resume() }
        }
    }

    /// The counters so far.
    package var statistics: HTTPStatistics { loop.counters.statistics }

    deinit {
        let isRunning = stage.withLock { stage in
            defer { stage = .ended }
            if case .running = stage { return true }
            return false
        }
        if isRunning {
            _ = loop.inbox.post(.drain(until: .now, nil))
        } else {
            for item in loop.inbox.close() {
                switch item {
                case .socket(let arrival): close(arrival.descriptor)
                case .turnAway(let descriptor): close(descriptor)
                case .answer, .drain: break
                }
            }
        }
    }
}

/// Limits of an HTTP server.
package struct HTTPSettings: Sendable {
    /// The most bytes of a request's head, from the method to the blank line. Default 8,192; at most 16,384,
    /// because the library's memory for a connection must hold it.
    package var headLimit = 8_192
    /// The time that a request may take to arrive, with its body. Default 10 s; at least 10 ms.
    package var requestDeadline: Duration = .seconds(10)
    /// The time that a connection may be idle between two requests. Default 60 s.
    package var idleLimit: Duration = .seconds(60)
    /// The time that a client may take to receive a response. Default 60 s.
    package var answerDeadline: Duration = .seconds(60)
    /// The most connections. One more gets 503 and is closed. Default 20,000.
    package var connectionLimit = 20_000
    /// The most requests in `respond(to:)`. One more gets 503 with `Retry-After`. Default 2,048.
    package var inFlightLimit = 2_048
    /// The most bytes of a refused body that are read and ignored, so that the connection stays usable and
    /// the client sees the response instead of a reset. Default 256 KB.
    package var swallowLimit = 262_144
    /// The `Retry-After` of a 503. Default 1 s.
    package var retryAfter: Duration = .seconds(1)

    package init() {}
}

/// The state of an HTTP server and its counters since the start.
package struct HTTPStatistics: Sendable, Equatable {
    /// Connections that are open now.
    package var openConnections = 0
    /// All connections that were adopted.
    package var adoptedConnections = 0
    /// Connections that got 503 because of `HTTPSettings.connectionLimit`.
    package var turnedAwayConnections = 0
    /// Requests whose request line was read.
    package var requests = 0
    /// Requests in `respond(to:)` now, or with a response that has not reached the loop yet.
    package var inFlight = 0
    /// Requests that got 503 because of `HTTPSettings.inFlightLimit`.
    package var overloads = 0
    /// Connections that one of the three deadlines ended.
    package var timeouts = 0

    package init() {}
}

/// The counters of an HTTP server. They can be created before the server, by code that reports them. The
/// loop's thread writes them, and any thread reads them. Relaxed: each number is true, but two of them may be
/// of different moments.
package final class HTTPCounters: Sendable {
    let openConnections = Atomic(0)
    let adoptedConnections = Atomic(0)
    let turnedAwayConnections = Atomic(0)
    let requests = Atomic(0)
    let inFlight = Atomic(0)
    let overloads = Atomic(0)
    let timeouts = Atomic(0)

    package init() {}

    /// The counters so far. Any thread may call this.
    package var statistics: HTTPStatistics {
        var statistics = HTTPStatistics()
        statistics.openConnections = openConnections.load(ordering: .relaxed)
        statistics.adoptedConnections = adoptedConnections.load(ordering: .relaxed)
        statistics.turnedAwayConnections = turnedAwayConnections.load(ordering: .relaxed)
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.inFlight = inFlight.load(ordering: .relaxed)
        statistics.overloads = overloads.load(ordering: .relaxed)
        statistics.timeouts = timeouts.load(ordering: .relaxed)
        return statistics
    }
}

/// Why a server could not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// `MHD_start_daemon` failed. It gives no reason; memory or descriptors are used up.
    case libraryDidNotStart
    /// A system call failed.
    case system(call: String, errno: CInt)

    package var description: String {
        switch self {
        case .libraryDidNotStart: "libmicrohttpd did not start: out of memory or descriptors"
        case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
        }
    }
}
