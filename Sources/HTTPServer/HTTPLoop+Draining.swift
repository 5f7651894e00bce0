import CMicroHTTPD
import Glibc
import Threads

/// The state of a server that is ending.
struct Draining {
    var deadline: ContinuousClock.Instant
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the deadline is over, and the requests that were not answered have been cut off.
    var isForced = false

    /// The time that a client has to receive a response after that.
    static let lastMoment = Duration.seconds(1)
}

/// The end of the server, in the order that the library needs: no new connections, `Connection: close` with
/// every response, all connections resumed and closed, and only then its stop: "stopping with a suspended
/// connection aborts the process".
extension HTTPLoop {
    func beginDraining(
        until deadline: ContinuousClock.Instant, _ continuation: CheckedContinuation<Void, Never>?
    ) {
        thread.preconditionOnLoop()
        var state = draining ?? Draining(deadline: deadline)
        state.deadline = min(state.deadline, deadline)
        if let continuation { state.waiting.append(continuation) }
        let isFirst = draining == nil
        draining = state
        guard isFirst else { return }
        // A request that has arrived is still read and answered. After it comes the end of the stream.
        for connection in connections where connection.phase == .idle {
            _ = shutdown(connection.descriptor, CInt(SHUT_RD))
        }
    }

    /// Returns true when the server has ended.
    func continueDraining(at now: Nanoseconds) -> Bool {
        guard var state = draining else { return false }
        if connections.isEmpty {
            stopLibrary()
            for item in inbox.close() {
                switch item {
                case .socket(let arrival): close(arrival.descriptor)
                case .turnAway(let descriptor): close(descriptor)
                case .drain(_, let continuation?): state.waiting.append(continuation)
                case .drain(_, nil), .answer: break
                }
            }
            draining = nil
            for continuation in state.waiting { continuation.resume() }
            return true
        }
        if !state.isForced, state.deadline <= .now {
            state.isForced = true
            draining = state
            cutOff()
        }
        return false
    }

    private func cutOff() {
        for connection in connections {
            if connection.phase == .suspended, connection.answer == nil {
                resume(
                    connection, serial: connection.serial, with: refusal(.shuttingDown, head: connection.head)
                )
            } else {
                connection.sever()
            }
        }
    }
}
