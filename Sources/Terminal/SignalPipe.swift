import Glibc
import Synchronization

/// Receives signals and wake-ups as bytes of a pipe, so that the screen's thread can wait for all of its
/// input with one `poll`.
///
/// The pipe is never closed. A handler may still run on another thread after the screen has closed, and its
/// descriptor must not belong to another file by then. A process opens only one screen.
final class SignalPipe: Sendable {
    /// The signals that end the program after the terminal is restored.
    static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private static let all = ending + [SIGWINCH, SIGTSTP, SIGCONT]

    let reading: Int32
    private let writing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Wakes the thread with a byte that stands for no signal. If the pipe is full, the thread wakes up
    /// anyway.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    /// Returns the numbers of the signals that have arrived; 0 is a wake-up.
    func drain() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(reading, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).map { Int32($0) }
    }

    func catchSignals() {
        descriptorForSignals.store(writing, ordering: .releasing)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = noteSignal
        action.sa_flags = Int32(SA_RESTART)
        for number in Self.all { sigaction(number, &action, nil) }
    }

    func releaseSignals() {
        for number in Self.all { signal(number, SIG_DFL) }
    }
}

// This value is lock-free, because a signal handler reads it. Its lazy initialization is complete before the
// first handler is installed, because `catchSignals` stores a value first.
private let descriptorForSignals = Atomic<Int32>(-1)

/// Writes the signal's number into the pipe. It calls only write(2), which signal-safety(7) allows.
private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(descriptorForSignals.load(ordering: .acquiring), &byte, 1)
    errno = before
}
