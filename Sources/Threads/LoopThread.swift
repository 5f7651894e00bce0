internal import CThreads
internal import Glibc
internal import Synchronization

/// The thread of an event loop. The thread blocks in system calls, which the threads of Swift's pool must not
/// do.
///
/// A loop owns its `LoopThread`. All code that uses the loop's mutable state calls `preconditionOnLoop()`.
package final class LoopThread: Sendable {
    /// The stage of the thread.
    private enum Phase {
        case notStarted
        case running(pthread_t)
        case joined
    }

    private let name: String
    private let phase = Mutex(Phase.notStarted)
    /// The result of `pthread_self` on the thread, or 0 before the thread runs.
    private let owner = Atomic<UInt>(0)

    /// - Parameter name: the thread's name in `top` and debuggers. Only the first 15 bytes are used.
    package init(named name: String) { self.name = name }

    deinit {
        // The system frees the memory of a detached thread when the thread ends.
        if case .running(let handle) = phase.withLock({ $0 }) { pthread_detach(handle) }
    }

    /// Starts the thread. The thread calls `body` and then ends. Callers may start the thread only once.
    ///
    /// The thread blocks the signals that other processes send, so that the main thread receives them. The
    /// thread does not block the signals of its own faults, so that a crash is reported.
    ///
    /// - Throws: the `errno` if the system has no thread left. In this case, the caller may try again.
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

    /// Gives the calling thread a low priority for the processor and for the disk, for the rest of its life.
    package static func lowerPriority() { cthreads_lower_priority() }

    /// Waits until the thread has ended. Returns at once if the thread was not started or is joined already.
    /// The thread itself must not call this function.
    package func join() {
        let handle = phase.withLock { phase -> pthread_t? in
            guard case .running(let handle) = phase else { return nil }
            phase = .joined
            return handle
        }
        if let handle { pthread_join(handle, nil) }
    }

    /// Traps in debug builds if the caller is not on the loop's thread. Before this thread runs, every caller
    /// is accepted, because the creator of the loop may use its state. Release builds do not check.
    @inlinable
    package func preconditionOnLoop(file: StaticString = #fileID, line: UInt = #line) {
        assert(isOnLoop, "this belongs to the thread of a loop", file: file, line: line)
    }

    @usableFromInline var isOnLoop: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner == UInt(pthread_self())
    }

    /// Blocks signals, calls `create`, and restores the signal mask. A thread that `create` starts inherits
    /// the blocked signals.
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

    /// The thread's function and owner, which `pthread_create` passes to the new thread as a pointer.
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

/// The error that the system could not start a thread.
package struct ThreadNotStarted: Error, Equatable {
    /// The error number that pthread_create(3) returned.
    package let errno: CInt
}

private nonisolated func runLoopThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let body else { preconditionFailure("a thread without its body") }
    Unmanaged<LoopThread.Body>.fromOpaque(body).takeRetainedValue().begin()
    return nil
}

/// Runs blocking work on a thread of its own, because it must not block a thread of Swift's pool. If the
/// system has no thread left, the work runs on the caller's thread.
package func onOwnThread<Value: Sendable>(
    named name: String, _ work: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        do throws(ThreadNotStarted) {
            try LoopThread(named: name).start { continuation.resume(returning: work()) }
        } catch { continuation.resume(returning: work()) }
    }
}
