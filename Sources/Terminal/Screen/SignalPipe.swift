import Glibc
import Synchronization

/// Signals and wake-ups as bytes of a pipe, so that one `poll` waits for all that a screen's thread hears of.
///
/// The pipe stays open for good: a handler may still be at work on another thread when the screen is gone,
/// and must not find that its descriptor is another file's by now. There is one screen a process.
final class SignalPipe: Sendable {
    /// Those that end the program; the terminal is given back first.
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

    /// A byte that is no signal's. A full pipe wakes as well.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    /// The numbers that came; 0 was a wake-up.
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

// Lock-free, as what a handler reads must be. Its lazy making is over before the first handler is installed,
// since `catchSignals` stores there.
private let descriptorForSignals = Atomic<Int32>(-1)

/// Makes no call but write(2), which signal-safety(7) allows.
private func noteSignal(_ number: Int32) {
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(descriptorForSignals.load(ordering: .acquiring), &byte, 1)
    errno = before
}
