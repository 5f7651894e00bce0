import FoundationEssentials
import Glibc
import Meetings

/// The address of a server, such as `http://127.0.0.1:8080`. The URL never ends with a slash.
package struct ServerAddress: Hashable, Sendable, Codable {
    package let url: String
    package let host: String
    package let port: Int
    package let isSecure: Bool

    package static let standard = ServerAddress(
        url: "http://127.0.0.1:8080", host: "127.0.0.1", port: 8080, isSecure: false)

    private init(url: String, host: String, port: Int, isSecure: Bool) {
        self.url = url
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// Parses `http://host:port`, `https://host`, `host:port` or `host`. IPv6 addresses are in brackets. The
    /// default scheme is HTTP. Returns nil if the address has a path, a query or user information, because
    /// the API is at the root of the server.
    package init?(_ text: String) {
        let trimmed = text.trimmed
        let written = trimmed.contains("://") ? trimmed : "http://\(trimmed)"
        guard let parts = URLComponents(string: written), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https",
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.query == nil,
            parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/", parts.port.map({ (1...65_535).contains($0) }) ?? true
        else { return nil }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let standardPort = scheme == "https" ? 443 : 80
        let port = parts.port ?? standardPort
        let shown = bare.contains(":") ? "[\(bare.lowercased())]" : bare.lowercased()
        self.init(
            url: "\(scheme)://\(shown)\(port == standardPort ? "" : ":\(port)")", host: bare.lowercased(),
            port: port,
            isSecure: scheme == "https")
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let address = ServerAddress(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a server's address")
        }
        self = address
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(url)
    }

    /// The value of the `Host` header: `host:port`, or `host` if the port is the scheme's default.
    package var authority: String { String(url.drop { $0 != "/" }.dropFirst(2)) }
}

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
        // The first result of `getaddrinfo` is for stream sockets.
        let descriptor = socket(
            address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
    }
}
