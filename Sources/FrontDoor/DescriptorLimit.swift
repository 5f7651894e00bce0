import Glibc

/// How many descriptors this process may open.
package enum DescriptorLimit {
    /// Sets the soft limit to `wanted`, or to the hard limit where that is lower, and returns what holds now.
    ///
    /// To be called before any libwebsockets context exists, which sizes its tables by this limit, and which
    /// falls back to 2,560 where it is above 10 million: a soft limit above `wanted` is therefore lowered.
    @discardableResult
    package static func raise(to wanted: UInt = 65_536) -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 0 }
        var changed = limit
        changed.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &changed) == 0 else {
            return UInt(limit.rlim_cur)
        }
        return UInt(changed.rlim_cur)
    }
}
