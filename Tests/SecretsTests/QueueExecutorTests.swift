import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Secrets

struct QueueExecutorTests {
    /// More actors than the pool has threads block until a task on the pool releases them: were any of them
    /// run by the pool, that task would never get its turn, and their deadlines would pass.
    @Test func `actors on queues of their own leave the pool alone while they block`() async {
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
