import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Secrets

struct QueueExecutorTests {
    /// Blocks more actors than the pool has threads, until a task on the pool releases the actors. If the
    /// actors ran on the pool, that task could never run, and the actors would time out.
    @Test func `blocked actors that have their own queues do not block the thread pool`() async {
        let gate = Gate()
        let actors = (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in Blocking() }
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for actor in actors { group.addTask { await actor.pass(gate) } }
            group.addTask { @concurrent in
                while gate.waiting.load(ordering: .acquiring) < actors.count { await Task.yield() }
                for _ in actors { gate.semaphore.signal() }
                return true
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: true, count: actors.count + 1))
    }
}

private final class Gate: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let waiting = Atomic(0)
}

private actor Blocking {
    private let queue = QueueExecutor(label: "blocking")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func pass(_ gate: Gate) -> Bool {
        queue.mustBeCurrent()
        gate.waiting.add(1, ordering: .acquiringAndReleasing)
        return gate.semaphore.wait(timeout: .now() + 20) == .success
    }
}
