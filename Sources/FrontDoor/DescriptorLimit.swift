import Glibc

/// The limit of open descriptors of this process.
package enum DescriptorLimit {
    /// Sets the soft limit to `wanted`, or to the hard limit if that is lower, and returns the new limit.
    ///
    /// Call this before a libwebsockets context exists, because it sizes its tables by this limit. Above 10
    /// million it falls back to 2,560: therefore a soft limit above `wanted` is lowered.
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
