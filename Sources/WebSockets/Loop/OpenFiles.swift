import Glibc

/// The process's limit of open files, which libwebsockets reads when a context is made and never again.
enum OpenFiles {
    static let wanted: rlim_t = 65_536
    /// The library allots eight bytes and a pointer for each at once, and above 10 million it falls back to
    /// 2,560.
    static let most: rlim_t = 1_048_576

    /// Raises a low limit to 65,536, or to what the system allows; lowers one that is out of reason.
    /// Otherwise leaves it alone.
    static func settle() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        guard limit.rlim_cur < wanted || limit.rlim_cur > most else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
