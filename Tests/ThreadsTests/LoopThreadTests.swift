import Foundation
import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite struct LoopThreadTests {
    @Test func `join returns after the thread's body, and at once if no thread runs`() throws {
        let thread = LoopThread(named: "short")
        let hasRun = Shared(false)
        thread.join()
        try thread.start { hasRun.value.withLock { $0 = true } }
        thread.join()
        #expect(hasRun.value.withLock { $0 })
        thread.join()
    }

    @Test func `after the start, isOnLoop is true only on the loop's own thread`() throws {
        let thread = LoopThread(named: "confined")
        #expect(thread.isOnLoop, "the creator owns the state until the thread runs")
        let passed = Shared(false)
        try thread.start { passed.value.withLock { $0 = thread.isOnLoop } }
        thread.join()
        #expect(passed.value.withLock { $0 })
        #expect(!thread.isOnLoop)
    }

    @Test func `the thread has the given name, cut to 15 bytes`() throws {
        let thread = LoopThread(named: "named-by-a-test-in-a-hurry")
        let name = Shared("")
        try thread.start {
            let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.value.withLock { $0 = text ?? "" }
        }
        thread.join()
        #expect(name.value.withLock { $0 } == "named-by-a-test\n")
    }

    @Test func `the thread blocks signals for the process, but not signals for its own faults`() throws {
        let thread = LoopThread(named: "masked")
        let blocked = Shared<[CInt]>([])
        let before = Self.blocked()
        try thread.start {
            let found = Self.blocked()
            blocked.value.withLock { $0 = found }
        }
        thread.join()
        #expect(blocked.value.withLock { $0 } == [SIGTERM, SIGINT, SIGHUP, SIGPIPE])
        #expect(Self.blocked() == before)
    }

    private static func blocked() -> [CInt] {
        var mask = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &mask)
        return [SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGSEGV, SIGILL, SIGTRAP].filter {
            sigismember(&mask, $0) == 1
        }
    }

    @Test func `the thread releases the values that its body captured`() throws {
        weak var held: Shared<Bool>?
        let thread = LoopThread(named: "brief")
        try {
            let value = Shared(true)
            held = value
            try thread.start { value.value.withLock { $0 = false } }
        }()
        thread.join()
        #expect(held == nil)
    }

    private final class Shared<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }
}

@Suite struct LatchTests {
    @Test func `an open latch resumes all waiting tasks, and later tasks do not wait`() async {
        let latch = Latch()
        await withTaskGroup { group in
            for _ in 0..<3 { group.addTask { await latch.wait() } }
            latch.open()
        }
        latch.open()
        await latch.wait()
    }
}

@Suite struct MonotonicTimeTests {
    @Test func `the monotonic clock never goes back`() {
        let first = MonotonicTime.now
        #expect(first > 0)
        #expect(MonotonicTime.now >= first)
    }

    @Test func `a duration converts to nanoseconds, and a negative duration converts to 0`() {
        #expect(Duration.milliseconds(1_500).nanoseconds == 1_500_000_000)
        #expect((Duration.seconds(2) + .nanoseconds(7)).nanoseconds == 2_000_000_007)
        #expect(Duration.seconds(-1).nanoseconds == 0)
        #expect(Duration.nanoseconds(-1).nanoseconds == 0)
    }

    @Test func `a running process has used processor time, and an unknown process has used none`() {
        #expect(MonotonicTime.processorTime(of: getpid()) > 0)
        #expect(MonotonicTime.processorTime(of: 0x7fff_fff0) == 0)
    }
}
