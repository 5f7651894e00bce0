import FrontDoor
import HTTPServer
import WebSockets

/// How a request came to a trusted proxy, as the proxy says.
struct Reached: Sendable {
    /// Of the request that is being answered; nil where its peer is no trusted proxy.
    @TaskLocal static var current: Reached?

    /// The address that the request is the doing of.
    let client: String
    /// What the client asked for, a port included where it is not the usual one.
    let host: String
    /// Nil where the host is none.
    let address: PublicAddress?
}

/// The proxies whose word is taken, and what their word is. `X-Forwarded-…` from anybody else says nothing.
struct TrustedProxies: Sendable {
    private let ranges: AddressRanges

    init(_ ranges: AddressRanges) { self.ranges = ranges }

    /// Nil where the peer is no trusted proxy.
    func reached(by head: HTTPRequestHead) -> Reached? {
        guard ranges.contains(head.peer) else { return nil }
        return reached(through: head.peer) { head.headers.all($0) }
    }

    func reached(by head: UpgradeHead) -> Reached? {
        guard ranges.contains(head.peer) else { return nil }
        return reached(through: head.peer) { head[header: $0].map { [$0] } ?? [] }
    }

    /// Whom a request comes from: its peer, or for whom a trusted one sent it.
    func client(of head: HTTPRequestHead) -> String {
        guard ranges.contains(head.peer) else { return head.peer }
        return client(behind: head.peer, head.headers.all("x-forwarded-for"))
    }

    func client(of head: UpgradeHead) -> String { reached(by: head)?.client ?? head.peer }

    private func reached(through peer: String, _ values: (String) -> [String]) -> Reached {
        // The last of several is the nearest proxy's own.
        let isSecure = Self.elements(values("x-forwarded-proto")).last?.lowercased() == "https"
        let host =
            Self.elements(values("x-forwarded-host")).last.map(String.init) ?? values("host").first ?? ""
        return Reached(
            client: client(behind: peer, values("x-forwarded-for")), host: host,
            address: PublicAddress(url: "\(isSecure ? "https" : "http")://\(host)"))
    }

    /// Each proxy appends whom it was asked by. From the end on, every address that is trusted vouches for
    /// the one before it, and the first that is not is the client. What is no address ends the search at
    /// whoever passed it on.
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

    /// Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
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
        return start[
            ..<(start.lastIndex { $0 != " " && $0 != "\t" }.map { start.index(after: $0) } ?? start.startIndex)
        ]
    }
}

extension Services {
    /// Whether a page of ours opens a room, by the host that its browser asked for.
    func isOwn(origin: String, for request: UpgradeHead) -> Bool {
        guard let reached = proxies.reached(by: request) else {
            return address.isOwn(origin: origin, host: request[header: "host"])
        }
        return address.isOwn(origin: origin, host: reached.host)
    }
}
