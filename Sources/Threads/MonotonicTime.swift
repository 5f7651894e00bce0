internal import Glibc

/// A time of the monotonic clock or a duration, in nanoseconds.
package typealias Nanoseconds = UInt64

/// The system's monotonic clock (CLOCK_MONOTONIC). Its time never decreases, and begins at an arbitrary
/// moment.
package enum MonotonicTime {
    /// The current time. This property is faster than `ContinuousClock.now`, for code that reads the clock
    /// several times per request.
    package static var now: Nanoseconds { read(CLOCK_MONOTONIC) }

    /// Returns the processor time that a process has used on all cores since its start, in nanoseconds, or 0
    /// if there is no such process.
    package static func processorTime(of process: Int32) -> Nanoseconds {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
        return read(clock)
    }

    private static func read(_ clock: clockid_t) -> Nanoseconds {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, or 0 if the duration is negative.
    package var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        return seconds < 0 || attoseconds < 0
            ? 0 : Nanoseconds(seconds) * 1_000_000_000 + Nanoseconds(attoseconds / 1_000_000_000)
    }
}
