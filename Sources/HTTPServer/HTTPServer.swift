import Glibc
import Synchronization
import Threads

/// HTTP/1.1 on sockets that others have accepted.
///
/// It listens on nothing. Every socket given to `adopt` is served until the client or a limit ends it; each
/// request is admitted, read and answered by the responder, in order on its connection.
package final class HTTPServer: Sendable {
    private let loop: HTTPLoop
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case running
        case ended
    }

    package init(
        settings: HTTPSettings = HTTPSettings(), counters: HTTPCounters = HTTPCounters(),
        responder: any HTTPResponder
    ) throws(HTTPServerError) {
        precondition(
            (1...16_384).contains(settings.headLimit) && settings.connectionLimit > 0
                && settings.inFlightLimit > 0)
        loop = try HTTPLoop(settings: settings, counters: counters, responder: responder)
    }

    /// Starts the loop's thread. Sockets adopted before wait for it. Only the first call does anything.
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

    /// Takes over a connected stream socket, from any thread; it is closed in every case, also where the
    /// server has ended.
    /// - Parameters:
    ///   - peer: what requests will say of where they come from: the client's numeric address.
    ///   - keepsAlive: false ends it with its first answer.
    ///   - holding: is let go of when the connection has ended.
    package func adopt(
        _ fileDescriptor: CInt, peer: String, keepsAlive: Bool = true,
        holding: (any AnyObject & Sendable)? = nil
    ) {
        let arrival = HTTPLoopMessage.Arrival(
            descriptor: fileDescriptor, peer: peer, keepsAlive: keepsAlive, holding: holding)
        if !loop.inbox.post(.socket(arrival)) { close(fileDescriptor) }
    }

    /// Tells the client of a connected socket that there is no room for it
    /// (`HTTPRefusal.tooManyConnections`), and closes the socket.
    package func turnAway(_ fileDescriptor: CInt) {
        if !loop.inbox.post(.turnAway(fileDescriptor)) { close(fileDescriptor) }
    }

    /// Ends the server: silent connections are closed, requests under way are answered with `Connection:
    /// close`, and those not answered within this time with 503. Returns when every connection is closed. May
    /// be called by several, and before `start`.
    ///
    /// Tasks that are still at work then run on; their answers are dropped.
    package func drain(within time: Duration) async {
        let deadline = ContinuousClock.now + time
        start()
        await withCheckedContinuation { continuation in
            if !loop.inbox.post(.drain(until: deadline, continuation)) { continuation.resume() }
        }
    }

    /// What it has done so far, from any thread.
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
