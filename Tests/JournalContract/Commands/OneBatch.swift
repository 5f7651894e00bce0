import Dispatch
import Journal
import Meetings
import Synchronization

extension Stage {
    /// Runs these acts in one batch, in this order. The writer is blocked until all of them are queued.
    func together<Answer: Sendable>(_ acts: (@Sendable () async throws -> Answer)...) async throws -> [Result<
        Answer, any Error
    >] {
        try await together(all: acts)
    }

    func together<Answer: Sendable>(
        all acts: [@Sendable () async throws -> Answer]
    ) async throws -> [Result<Answer, any Error>] {
        let hold = Hold()
        let holding = Task.immediate { try await storage.perform(hold) }
        await hold.isHolding()
        // An immediate task runs at once until it first suspends, when it waits for the batch's result.
        let tasks = acts.map { act in Task.immediate { try await act() } }
        hold.letGo()
        try await holding.value
        var results: [Result<Answer, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }
}

/// A command that changes nothing and blocks the writer's thread until `letGo` is called.
struct Hold: Command {
    private let gate = Gate()

    func run(in transaction: Transaction) throws(JournalError) { gate.hold() }

    func isHolding() async { await gate.isHolding() }
    func letGo() { gate.letGo() }
}

private final class Gate: Sendable {
    private enum State {
        case before
        case awaited(CheckedContinuation<Void, Never>)
        case holding
    }

    private let state = Mutex(State.before)
    private let release = DispatchSemaphore(value: 0)

    func hold() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .holding }
            guard case .awaited(let waiting) = state else { return nil }
            return waiting
        }
        waiting?.resume()
        release.wait()
    }

    func letGo() { release.signal() }

    func isHolding() async {
        await withCheckedContinuation { continuation in
            let isHolding = state.withLock { state in
                if case .holding = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isHolding { continuation.resume() }
        }
    }
}

/// A command whose body is defined by a rule.
struct Act<Answer: Sendable>: Command {
    let body: @Sendable (Transaction) throws(JournalError) -> Answer

    init(_ body: @escaping @Sendable (Transaction) throws(JournalError) -> Answer) { self.body = body }

    func run(in transaction: Transaction) throws(JournalError) -> Answer { try body(transaction) }
}
