internal import Glibc

extension ServerAddress {
    /// Whether the server's address belongs to this machine. Only the name `localhost` is resolved, because
    /// other names could resolve to any address. An address belongs to this machine if a socket can be bound
    /// to it.
    package var isThisMachine: Bool {
        if host == "localhost" { return true }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &found) == 0, let address = found else { return false }
        defer { freeaddrinfo(found) }
        // The first result is for streams. SOCK_STREAM itself is not named, because Glibc and CCurl both
        // declare it.
        let descriptor = socket(
            address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
    }
}
