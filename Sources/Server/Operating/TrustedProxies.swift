import FrontDoor
import HTTPServer
import WebSockets

/// The client's address and the requested host, as a trusted proxy reports them in a forwarded request.
struct ForwardedRequest: Sendable {
    /// The client's IP address.
    let client: String
    /// The host that the client requested. It includes the port, unless the port is the default.
    let host: String
    /// The server address that the client used; nil if `host` is malformed.
    let address: PublicAddress?
}

/// The proxies that the operator trusts. `X-Forwarded-…` headers from any other peer are ignored.
struct TrustedProxies: Sendable {
    private let ranges: AddressRanges

    init(_ ranges: AddressRanges) { self.ranges = ranges }

    /// Returns the client and the host that the proxy reports; nil if the peer is not a trusted proxy.
    func forwarded(_ head: HTTPRequestHead) -> ForwardedRequest? {
        guard ranges.contains(head.peer) else { return nil }
        return forwarded(by: head.peer) { head.headers.all($0) }
    }

    func forwarded(_ head: UpgradeHead) -> ForwardedRequest? {
        guard ranges.contains(head.peer) else { return nil }
        return forwarded(by: head.peer) { head[header: $0].map { [$0] } ?? [] }
    }

    /// Returns the client's address: the peer's address, or the address that a trusted proxy reports.
    func client(of head: HTTPRequestHead) -> String {
        guard ranges.contains(head.peer) else { return head.peer }
        return client(behind: head.peer, head.headers.all("x-forwarded-for"))
    }

    func client(of head: UpgradeHead) -> String { forwarded(head)?.client ?? head.peer }

    private func forwarded(by peer: String, _ values: (String) -> [String]) -> ForwardedRequest {
        // If a header has several values, the nearest proxy has added the last value.
        let isSecure = Self.elements(values("x-forwarded-proto")).last?.lowercased() == "https"
        let host =
            Self.elements(values("x-forwarded-host")).last.map(String.init) ?? values("host").first ?? ""
        return ForwardedRequest(
            client: client(behind: peer, values("x-forwarded-for")), host: host,
            address: PublicAddress(url: "\(isSecure ? "https" : "http")://\(host)"))
    }

    /// Returns the client's address. Each proxy appends the address of its peer, so the search starts at the
    /// end of the list. While an address belongs to a trusted proxy, the search continues with the address
    /// before it. The first address of no trusted proxy is the client's. A malformed element ends the search
    /// at the address after it.
    private func client(behind peer: String, _ lines: [String]) -> String {
        var client = peer
        for element in Self.elements(lines).reversed() {
            guard let address = Self.address(element) else { break }
            client = address.description
            guard ranges.contains(address) else { break }
        }
        return client
    }

    private static func elements(_ lines: [String]) -> [Substring] {
        lines.flatMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpace }
        }
    }

    /// Reads an address with or without a port, for example `192.0.2.1:4711` or `[2001:db8::1]:4711`, because
    /// some proxies add a port.
    private static func address(_ text: Substring) -> NumericAddress? {
        if let address = NumericAddress(text) { return address }
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return NumericAddress(text[text.index(after: text.startIndex)..<end])
        }
        guard let colon = text.firstIndex(of: ":"), isPort(text[colon...]) else { return nil }
        return NumericAddress(text[..<colon])
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && (2...6).contains(text.utf8.count)
            && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start }
        return start[...last]
    }
}

extension Services {
    /// Whether a page of this server opens the room. Compares the page's origin with the host that its
    /// browser requested.
    func isOwn(origin: String, for request: UpgradeHead) -> Bool {
        let host = proxies.forwarded(request)?.host ?? request[header: "host"]
        return addresses.own.isOwn(origin: origin, host: host)
    }
}
