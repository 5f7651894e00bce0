import CMicroHTTPD
import Glibc
import Threads

/// The state of a server while it drains.
struct Draining {
    var deadline: ContinuousClock.Instant
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether the deadline has passed and the remaining requests were ended by force.
    var isForced = false

    /// The time that a client has to receive its response after the deadline.
    static let lastMoment = Duration.seconds(1)
}

/// Ends the server in the order that libmicrohttpd needs. First the loop accepts no more connections and
/// sends `Connection: close` with every response. Then it resumes and closes all connections. Only then it
/// stops libmicrohttpd, because "stopping with a suspended connection aborts the process".
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
        // A request whose first bytes have arrived is answered, although its body may still be on the way.
        for connection in connections where connection.phase == .idle && !connection.hasUnreadBytes {
            _ = shutdown(connection.descriptor, CInt(SHUT_RD))
        }
    }

    /// Continues to drain. Returns true when the server has ended.
    func continueDraining(at now: Nanoseconds) -> Bool {
        guard var state = draining else { return false }
        if connections.isEmpty {
            stopLibrary()
            for item in inbox.close() {
                switch item {
                case .socket(let arrival): close(arrival.descriptor)
                case .turnAway(let descriptor): close(descriptor)
                case .run(let job): executor.run(job)
                case .drain(_, let continuation?): state.waiting.append(continuation)
                case .drain(_, nil), .answer, .checked: break
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
            let refused = refusal(.shuttingDown, head: connection.head)
            if connection.phase == .suspended, connection.answer == nil {
                resume(connection, serial: connection.serial, with: refused)
            } else if connection.phase == .checking {
                resume(connection, serial: connection.serial, checked: refused)
            } else {
                connection.sever()
            }
        }
    }
}
