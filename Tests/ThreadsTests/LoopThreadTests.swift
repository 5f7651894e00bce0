import Foundation
import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite struct LoopThreadTests {
    @Test func `join returns after the body, and at once if there is nothing to wait for`() throws {
        let thread = LoopThread(named: "short")
        let hasRun = Shared(false)
        thread.join()
        try thread.start { hasRun.value.withLock { $0 = true } }
        thread.join()
        #expect(hasRun.value.withLock { $0 })
        thread.join()
    }

    @Test func `only the loop's own thread passes the check of its confinement`() throws {
        let thread = LoopThread(named: "confined")
        #expect(thread.isOnLoop, "the creator owns the state until the thread runs")
        let passed = Shared(false)
        try thread.start { passed.value.withLock { $0 = thread.isOnLoop } }
        thread.join()
        #expect(passed.value.withLock { $0 })
        #expect(!thread.isOnLoop)
    }

    @Test func `the thread has its name`() throws {
        let thread = LoopThread(named: "named-by-a-test-in-a-hurry")
        let name = Shared("")
        try thread.start {
            let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            name.value.withLock { $0 = text ?? "" }
        }
        thread.join()
        #expect(name.value.withLock { $0 } == "named-by-a-test\n")
    }

    @Test func `signals for the process are blocked, and those of the thread's own faults are not`() throws {
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

    @Test func `the thread lets go of what its body held`() throws {
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
    @Test func `everybody who waits goes on when the latch opens, and later ones do not wait`() async {
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
    @Test func `the clock never goes back`() {
        let first = MonotonicTime.now
        #expect(first > 0)
        #expect(MonotonicTime.now >= first)
    }

    @Test func `a duration has its whole nanoseconds, and a negative one has none`() {
        #expect(Duration.milliseconds(1_500).nanoseconds == 1_500_000_000)
        #expect((Duration.seconds(2) + .nanoseconds(7)).nanoseconds == 2_000_000_007)
        #expect(Duration.seconds(-1).nanoseconds == 0)
        #expect(Duration.nanoseconds(-1).nanoseconds == 0)
    }

    @Test func `a process that exists has used processor time`() {
        #expect(MonotonicTime.processorTime(of: getpid()) > 0)
        #expect(MonotonicTime.processorTime(of: 0x7fff_fff0) == 0)
    }
}
