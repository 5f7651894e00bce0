import CMicroHTTPD
import Glibc

/// Since an arbitrary moment, never backwards.
typealias Nanoseconds = UInt64

enum MonotonicTime {
    /// Cheaper than `ContinuousClock.now`, and this is asked for twice a request.
    static func now() -> Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(time.tv_sec) * 1_000_000_000 + Nanoseconds(time.tv_nsec)
    }
}

extension Duration {
    /// 0 for a negative one.
    var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        return seconds < 0 || attoseconds < 0
            ? 0 : Nanoseconds(seconds) * 1_000_000_000 + Nanoseconds(attoseconds / 1_000_000_000)
    }
}

/// `close` by a name that methods called `close` do not hide.
func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }
