import Dispatch
import Glibc

/// Resolves host names to IP addresses. The work runs on a dispatch queue and not on an event loop, because
/// `getaddrinfo` blocks.
enum AddressLookup {
    /// Returns the IP addresses of `host` in the resolver's order, which begins with the preferred address.
    /// If `host` is an IP address already, the result is only `host`.
    static func addresses(of host: String) async throws(WebSocketError) -> [String] {
        if isLiteral(host) { return [host] }
        let found: Result<[String], WebSocketError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: resolve(host)) }
        }
        return try found.get()
    }

    private static func isLiteral(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    }

    private static func resolve(_ host: String) -> Result<[String], WebSocketError> {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, nil, &hints, &list)
        guard failure == 0 else { return .failure(.nameNotResolved(String(cString: gai_strerror(failure)))) }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                    == 0
            else { continue }
            let address = String(
                decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses.isEmpty ? .failure(.nameNotResolved("no address")) : .success(addresses)
    }
}
