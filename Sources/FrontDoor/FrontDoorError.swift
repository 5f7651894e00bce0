import Glibc

/// Why a front door could not be set up.
package enum FrontDoorError: Error, Equatable, CustomStringConvertible {
    /// Somebody else listens there.
    case addressInUse(ListenAddress)
    /// This machine has no such address.
    case addressNotHere(ListenAddress)
    /// Ports below 1,024 need a privilege.
    case notAllowed(ListenAddress)
    /// Any other call that failed, with its errno.
    case system(call: String, errno: CInt)

    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use by another program"
        case .addressNotHere(let address): "\(address) is not an address of this machine"
        case .notAllowed(let address): "listening on \(address) is not permitted to this user"
        case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
        }
    }

    static func binding(_ address: ListenAddress, call: String, errno: CInt) -> FrontDoorError {
        switch errno {
        case EADDRINUSE: .addressInUse(address)
        case EADDRNOTAVAIL: .addressNotHere(address)
        case EACCES, EPERM: .notAllowed(address)
        default: .system(call: call, errno: errno)
        }
    }
}
