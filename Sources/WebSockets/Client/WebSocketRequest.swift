/// Where a client connects to, and what it says in the upgrade.
package struct WebSocketRequest: Sendable {
    /// A name or a literal address; IPv6 without brackets.
    package var host: String
    package var port: UInt16
    /// With the query, percent-encoded.
    package var path: String
    /// TLS; the certificate must name the host, which for libwebsockets 4.1 means a DNS name.
    package var secure: Bool
    /// Further headers, such as `Authorization` and `Origin`. No line breaks; names that the handshake uses
    /// itself do not belong here.
    package var headers: [(name: String, value: String)]
    package var subprotocol: String
    /// How long connecting may take, names and handshake included.
    package var deadline: Duration
    /// The longest message, in bytes. Past it the connection is closed with 1009.
    package var longestMessage: Int

    package init(
        host: String, port: UInt16, path: String = "/rooms", secure: Bool = false,
        headers: [(name: String, value: String)] = [],
        subprotocol: String = "qring.v1", deadline: Duration = .seconds(10), longestMessage: Int = 4 << 20
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.secure = secure
        self.headers = headers
        self.subprotocol = subprotocol
        self.deadline = deadline
        self.longestMessage = longestMessage
    }

    /// As the `Host` header wants it.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
