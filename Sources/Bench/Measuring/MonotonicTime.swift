internal import Glibc

/// Nanoseconds that never go back.
enum MonotonicTime {
    static var now: UInt64 { read(CLOCK_MONOTONIC) }

    /// What a process has used of all cores since it began, in nanoseconds; 0 where there is none.
    static func processorTime(of process: pid_t) -> UInt64 {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
        return read(clock)
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension UInt64 {
    static func nanoseconds(ofSeconds seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }
    var seconds: Double { Double(self) / 1e9 }
}
