import Foundation
import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite struct BackgroundThreadsTests {
    /// Returns the name and the priority of the thread that runs this function.
    @concurrent
    private static func thread() async -> (name: String, nice: CInt) {
        let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return (name ?? "", Glibc.nice(0))
    }

    @Test func `a task with this preference runs on a named thread of low priority`() async {
        let threads = BackgroundThreads(2, named: "unhurried")
        let usual = await Self.thread()
        let found = await withTaskExecutorPreference(threads) { await Self.thread() }
        #expect(found.name.hasPrefix("unhurried-"))
        #expect(found.nice == usual.nice + 10)
        let after = await Self.thread()
        #expect(!after.name.hasPrefix("unhurried-"), "the preference ends with its scope")
    }

    @Test func `a task returns to these threads after it waited for another thread`() async {
        let threads = BackgroundThreads(1, named: "unhurried")
        let name = await withTaskExecutorPreference(threads) {
            await withCheckedContinuation { continuation in
                OtherThread.run { continuation.resume() }
            }
            return await Self.thread().name
        }
        #expect(name == "unhurried-0\n")
    }

    @Test func `without a thread, Swift's pool runs the task`() async {
        let threads = BackgroundThreads(0, named: "unhurried")
        let name = await withTaskExecutorPreference(threads) { await Self.thread().name }
        #expect(!name.hasPrefix("unhurried"))
    }

    @Test func `many tasks share the threads, and all of them end`() async {
        let threads = BackgroundThreads(2, named: "unhurried")
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...500 {
                group.addTask(executorPreference: threads) {
                    await Task.yield()
                    return number
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 125_250)
    }

    private enum OtherThread {
        static func run(_ body: @escaping @Sendable () -> Void) {
            let thread = LoopThread(named: "other")
            do throws(ThreadNotStarted) { try thread.start(body) } catch { body() }
        }
    }
}
