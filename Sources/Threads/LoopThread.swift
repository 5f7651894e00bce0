internal import CThreads
internal import Glibc
internal import Synchronization

/// The one thread of a loop that waits in the kernel, which the threads of Swift's pool must not do.
///
/// A loop owns its `LoopThread` and binds its mutable state to it: the code that touches this state calls
/// `preconditionOnLoop()`.
package final class LoopThread: Sendable {
    /// Which thread may touch the loop's state.
    private enum Phase {
        case notStarted
        case running(pthread_t)
        case joined
    }

    private let name: String
    private let phase = Mutex(Phase.notStarted)
    /// The thread itself, as `pthread_self` names it; 0 before the thread runs.
    private let owner = Atomic<UInt>(0)

    /// - Parameter name: what `top` and debuggers show; only the first 15 bytes count.
    package init(named name: String) { self.name = name }

    deinit {
        // A thread that nobody joins gives its memory back by itself.
        if case .running(let handle) = phase.withLock({ $0 }) { pthread_detach(handle) }
    }

    /// Starts the thread, which calls `body` and ends after it. Call this once.
    ///
    /// The thread blocks the signals that are meant for the process, so that they reach the threads which
    /// expect them. It receives those that its own faults raise, so that a crash is reported.
    ///
    /// - Throws: the `errno` if the system has no thread left. The caller may then start it again.
    package func start(_ body: @escaping @Sendable () -> Void) throws(ThreadNotStarted) {
        let box = Unmanaged.passRetained(Body(thread: self, run: body))
        let failure = phase.withLock { phase -> CInt in
            guard case .notStarted = phase else { preconditionFailure("the thread \(name) is started twice") }
            var handle = pthread_t()
            let failure = Self.blockingSignals { pthread_create(&handle, nil, runLoopThread, box.toOpaque()) }
            if failure == 0 { phase = .running(handle) }
            return failure
        }
        guard failure == 0 else {
            box.release()
            throw ThreadNotStarted(errno: failure)
        }
    }

    /// Returns when the thread has ended; at once if it was not started, or if it is joined already. Must not
    /// be called on the thread itself.
    package func join() {
        let handle = phase.withLock { phase -> pthread_t? in
            guard case .running(let handle) = phase else { return nil }
            phase = .joined
            return handle
        }
        if let handle { pthread_join(handle, nil) }
    }

    /// Traps in debug builds if another thread than the loop's runs this. Before the thread runs, its creator
    /// owns the loop's state, so that every thread passes. Costs nothing in release builds.
    @inlinable
    package func preconditionOnLoop(file: StaticString = #fileID, line: UInt = #line) {
        assert(isOnLoop, "this belongs to the thread of a loop", file: file, line: line)
    }

    @usableFromInline var isOnLoop: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner == UInt(pthread_self())
    }

    /// Calls `create`; a thread that it creates inherits the mask.
    private static func blockingSignals<Result>(_ create: () -> Result) -> Result {
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] {
            sigdelset(&blocked, signal)
        }
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return create()
    }

    /// What the new thread receives through C.
    fileprivate final class Body: Sendable {
        private let thread: LoopThread
        private let run: @Sendable () -> Void

        init(thread: LoopThread, run: @escaping @Sendable () -> Void) {
            (self.thread, self.run) = (thread, run)
        }

        func begin() {
            cthreads_name_thread(thread.name)
            thread.owner.store(UInt(pthread_self()), ordering: .relaxed)
            run()
        }
    }
}

/// The system has no thread left.
package struct ThreadNotStarted: Error, Equatable {
    /// Of pthread_create(3).
    package let errno: CInt
}

private nonisolated func runLoopThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let body else { preconditionFailure("a thread without its body") }
    Unmanaged<LoopThread.Body>.fromOpaque(body).takeRetainedValue().begin()
    return nil
}
