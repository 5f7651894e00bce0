import Glibc
import Synchronization
import Threads

/// An HTTP/1.1 server for sockets that the front door has accepted.
///
/// The server does not listen on a port. It serves each socket from `adopt` until the client or a limit ends
/// the connection. The responder admits and answers each request. The server answers the requests of one
/// connection in order. Any thread may call all functions.
package final class HTTPServer: Sendable {
    private let loop: HTTPLoop
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case running
        case ended
    }

    /// - Throws: `.libraryDidNotStart` or `.system` if the process has no memory or no file descriptors left.
    package init(
        settings: HTTPSettings = HTTPSettings(), counters: HTTPCounters = HTTPCounters(),
        responder: any HTTPResponder
    ) throws(HTTPServerError) {
        precondition(
            (1...16_384).contains(settings.headLimit) && settings.connectionLimit > 0
                && settings.inFlightLimit > 0)
        loop = try HTTPLoop(settings: settings, counters: counters, responder: responder)
    }

    /// Starts the loop's thread. Sockets that were adopted earlier wait until this call. Only the first call
    /// has an effect.
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
            // The process cannot start a thread although it has only just begun, so the caller could do
            // nothing else.
            preconditionFailure("the HTTP server got no thread: errno \(error.errno)")
        }
    }

    /// Accepts a connected stream socket. The server owns the socket and closes it, even if the server has
    /// already ended.
    ///
    /// - Parameters:
    ///   - peer: the IP address of the remote end, for `HTTPRequestHead.peer`.
    ///   - keepsAlive: if false, the server closes the connection after the first response.
    ///   - holding: an object that the server releases when the connection has ended.
    package func adopt(
        _ fileDescriptor: CInt, peer: String, keepsAlive: Bool = true,
        holding: (any AnyObject & Sendable)? = nil
    ) {
        let arrival = HTTPLoopMessage.Arrival(
            descriptor: fileDescriptor, peer: peer, keepsAlive: keepsAlive, holding: holding)
        if !loop.inbox.post(.socket(arrival)) { close(fileDescriptor) }
    }

    /// Sends `HTTPRefusal.tooManyConnections` on a connected socket, and closes the socket.
    package func turnAway(_ fileDescriptor: CInt) {
        if !loop.inbox.post(.turnAway(fileDescriptor)) { close(fileDescriptor) }
    }

    /// Ends the server, and returns when all connections are closed. Idle connections are closed at once.
    /// Current requests get their responses with `Connection: close`. After `time`, the remaining requests
    /// get 503. Several callers may wait in this function, and may call it before `start`.
    ///
    /// Tasks that have not finished continue to run, but their responses are discarded.
    package func drain(within time: Duration) async {
        let deadline = ContinuousClock.now + time
        start()
        await withCheckedContinuation { continuation in
            if !loop.inbox.post(.drain(until: deadline, continuation)) { continuation.resume() }
        }
    }

    /// The current values of the counters.
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
                case .run(let job): loop.executor.run(job)
                case .answer, .checked, .drain: break
                }
            }
        }
    }
}

/// A certificate chain and its key, both in PEM (RFC 7468).
package struct TLSCertificate: Sendable {
    let certificate: String
    let key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
}

/// The limits of an HTTP server.
package struct HTTPSettings: Sendable {
    /// The certificate with which every connection uses TLS; nil for plain HTTP. A refusal that the server
    /// sends without libmicrohttpd, for example to a client above the limits, only ends such a connection.
    package var tls: TLSCertificate?
    /// The largest head of a request, from the method to the blank line, in bytes. The default is 8,192. The
    /// maximum is 16,384, because the head must fit into the memory that libmicrohttpd allocates for a
    /// connection.
    package var headLimit = 8_192
    /// The longest time until a request with its body has arrived. The default is 10 s, the minimum 10 ms.
    package var requestDeadline: Duration = .seconds(10)
    /// The longest time that a connection may be idle between two requests. The default is 60 s.
    package var idleLimit: Duration = .seconds(60)
    /// The longest time that a client may take to receive a response. The default is 60 s.
    package var answerDeadline: Duration = .seconds(60)
    /// The most simultaneous connections. Further connections get 503 and are closed. The default is 20,000.
    package var connectionLimit = 20_000
    /// The most requests that `respond(to:)` may answer at the same time. Further requests get 503 with
    /// `Retry-After`. The default is 2,048.
    package var inFlightLimit = 2_048
    /// The same limit for requests whose response waits for news (`HTTPAdmission`). The default is 10,000.
    package var waitingLimit = 10_000
    /// The most bytes of a refused body that the server reads and ignores, so that the client receives the
    /// response instead of a reset, and can use the connection for further requests. The default is 256 KB.
    package var swallowLimit = 262_144
    /// The largest small body, in bytes. The default is 4,096. Small bodies, such as check-ins, are read
    /// without a check and are in no share. The limit of connections already limits their memory, so no
    /// upload can stop them.
    package var smallBody = 4_096
    /// The largest medium body, in bytes. The default is 65,536. Larger bodies, such as images and files, are
    /// large.
    package var mediumBody = 65_536
    /// The most bytes of medium bodies that the server stores for all requests that it reads or answers now.
    /// Further medium bodies get 503 with `Retry-After`. The default is 64 MB.
    package var mediumBodiesShare = 67_108_864
    /// The same limit for large bodies. The default is 64 MB.
    package var largeBodiesShare = 67_108_864
    /// The value of `Retry-After` in a 503 response. The default is 1 s.
    package var retryAfter: Duration = .seconds(1)

    package init() {}
}

/// The state of an HTTP server, and its counters since the start.
package struct HTTPStatistics: Sendable, Equatable {
    /// The number of connections that are open now.
    package var openConnections = 0
    /// The number of connections that were adopted.
    package var adoptedConnections = 0
    /// The number of connections that got 503 because of `HTTPSettings.connectionLimit`.
    package var turnedAwayConnections = 0
    /// The number of requests whose request line was read.
    package var requests = 0
    /// The number of requests that `respond(to:)` is answering now, or whose response has not reached the
    /// loop yet.
    package var inFlight = 0
    /// The number of requests that got 503 because of `HTTPSettings.inFlightLimit` or of a share for bodies.
    package var overloads = 0
    /// The number of bytes of medium and large bodies that the server stores now.
    package var bodyBytes = 0
    /// The number of connections that ended because one of the three time limits had passed.
    package var timeouts = 0

    package init() {}
}

/// The counters of an HTTP server. They can be created before the server, by the code that reports them. The
/// loop's thread writes the counters, and any thread may read them. The memory order is relaxed: each number
/// is correct, but two numbers may come from different moments.
package final class HTTPCounters: Sendable {
    let openConnections = Atomic(0)
    let adoptedConnections = Atomic(0)
    let turnedAwayConnections = Atomic(0)
    let requests = Atomic(0)
    let inFlight = Atomic(0)
    let overloads = Atomic(0)
    let bodyBytes = Atomic(0)
    let timeouts = Atomic(0)

    package init() {}

    /// The current values of the counters. Any thread may read this property.
    package var statistics: HTTPStatistics {
        var statistics = HTTPStatistics()
        statistics.openConnections = openConnections.load(ordering: .relaxed)
        statistics.adoptedConnections = adoptedConnections.load(ordering: .relaxed)
        statistics.turnedAwayConnections = turnedAwayConnections.load(ordering: .relaxed)
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.inFlight = inFlight.load(ordering: .relaxed)
        statistics.overloads = overloads.load(ordering: .relaxed)
        statistics.bodyBytes = bodyBytes.load(ordering: .relaxed)
        statistics.timeouts = timeouts.load(ordering: .relaxed)
        return statistics
    }
}

/// The reason why a server could not start.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// `MHD_start_daemon` failed. libmicrohttpd gives no reason. Probably the process has no memory or no
    /// file descriptors left.
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
