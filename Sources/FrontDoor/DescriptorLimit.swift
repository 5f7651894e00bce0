import Glibc

/// The process's limit of open file descriptors.
package enum DescriptorLimit {
    /// Sets the soft limit to `wanted`, or to the hard limit if the hard limit is lower. Returns the new
    /// limit.
    ///
    /// Callers must call this function before a libwebsockets context exists, because libwebsockets chooses
    /// the size of its tables from this limit. If the limit is above 10 million, libwebsockets assumes 2,560.
    /// Therefore this function also lowers a soft limit above `wanted`.
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
