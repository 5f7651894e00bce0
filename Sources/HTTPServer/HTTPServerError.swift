import Glibc

/// Why a server could not be set up.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    /// `MHD_start_daemon` gives no reason: memory or descriptors ran out.
    case libraryDidNotStart
    /// A call of the system's, with its errno.
    case system(call: String, errno: CInt)

    package var description: String {
        switch self {
        case .libraryDidNotStart: "libmicrohttpd did not start: out of memory or descriptors"
        case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
        }
    }
}
