package import FrontDoor
import Glibc
import Meetings
import Synchronization

/// The address under which clients reach the server. Check-in URLs begin with this address. The server also
/// compares the origins of pages with it, to recognize its own pages.
package struct PublicAddress: Sendable {
    /// The address, for example `http://192.168.1.5:8080`, without a slash at the end.
    package let url: String
    /// Whether only this machine can reach the address.
    package let isLoopback: Bool

    /// Returns nil unless `text` is an http or https URL with only a host and an optional port. A path is not
    /// allowed, because the paths of pages and codes start at the root.
    package init?(url text: String) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        let rest = String(
            text[colon.upperBound...].drop { $0 == "/" }.reversed().drop { $0 == "/" }.reversed())
        let allowed = rest.utf8.allSatisfy { Self.urlBytes.contains($0) }
        guard scheme == "http" || scheme == "https", !rest.isEmpty, rest.utf8.count <= 200, allowed,
            !rest.contains("/")
        else { return nil }
        url = "\(scheme)://\(rest)"
        isLoopback = Loopback.names(rest)
    }

    private static let urlBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.:/[]".utf8)

    /// Makes the address of a listener. The clients of a Unix socket are on this machine.
    package init(listening address: ListenAddress, port: UInt16) {
        self.init(
            listening: address.path == nil ? address.host : "localhost", port: address.path == nil ? port : 80
        )
    }

    /// Makes the address of a listener at `host`. For a wildcard, the address is the first one of this
    /// machine that other machines can reach.
    package init(listening host: String, port: UInt16) {
        let isWildcard = host == "0.0.0.0" || host == "::" || host.isEmpty
        let reached = isWildcard ? Self.reachableAddress() ?? "127.0.0.1" : host
        let bracketed = reached.contains(":") ? "[\(reached)]" : reached
        isLoopback = Loopback.names(bracketed)
        url = port == 80 ? "http://\(bracketed)" : "http://\(bracketed):\(port)"
    }

    var isSecure: Bool { url.hasPrefix("https:") }

    /// Returns the check-in URL in upper case, because the alphanumeric mode of QR codes has no lower case.
    /// Schemes, hosts and the paths of codes ignore case.
    func checkInURL(code: String) -> String { "\(url)/C/\(code)".uppercased() }
    func meetingURL(code: String) -> String { "\(url)/M/\(code)".uppercased() }
    func passURL(code: String) -> String { "\(url)/P/\(code)".uppercased() }
    func replyURL(code: String) -> String { "\(url)/R/\(code)".uppercased() }
    /// The address as people type it: without the scheme.
    var typed: String {
        url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().joined(separator: "/")
    }

    func presenterURL(session: SessionID, token: String) -> String {
        "\(url)/present/\(session.text)#\(token)"
    }

    func kioskURL(session: SessionID, token: String) -> String { "\(url)/kiosk/\(session.text)#\(token)" }

    /// Whether a page of this server sent the request. The origin of such a page is the public URL, or the
    /// host that the browser requested.
    func isOwn(origin: String, host: String?) -> Bool {
        let origin = origin.lowercased()
        if origin == Self.origin(of: url.lowercased()) { return true }
        guard let host = host?.lowercased(), !host.isEmpty else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    private static func origin(of url: String) -> String {
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }

    /// Returns an address that other machines can reach. Prefers IPv4, because it makes a smaller QR code and
    /// every phone supports it.
    private static func reachableAddress() -> String? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr,
                address.pointee.sa_family == sa_family_t(AF_INET),
                entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
                entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard
                getnameinfo(
                    address, socklen_t(MemoryLayout<sockaddr_in>.size), &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST) == 0
            else {
                continue
            }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }
}

/// The addresses under which clients reach this server. The operator's public URL has precedence. Without a
/// public URL, the address is the one that the client used, if a trusted proxy forwarded the request, and
/// otherwise the listening address.
///
/// A room belongs to no request and sends the same frames to all its visitors. A room therefore uses the
/// address of the latest request by a host of its session. Other clients do not count, because anybody can
/// send a request with any host name and could otherwise choose the address on the screen of a hall.
final class PublicAddresses: Sendable {
    /// The limit of `learned`. When the limit is reached, the oldest session is removed. The next request by
    /// a host of this session adds the session again.
    private static let mostSessions = 10_000

    private let given: PublicAddress?
    private let listening: PublicAddress
    private let learned = Mutex<[SessionID: PublicAddress]>([:])

    /// - Parameter given: the operator's public URL.
    init(given: PublicAddress?, listening: PublicAddress) {
        (self.given, self.listening) = (given, listening)
    }

    /// The server's address if there is no request, for example in the log.
    var own: PublicAddress { given ?? listening }

    /// Returns the address that the client of a request used.
    /// - Parameter forwarded: the client and the host that a trusted proxy reports; nil without a trusted
    ///   proxy.
    func address(for forwarded: ForwardedRequest?) -> PublicAddress {
        given ?? forwarded?.address ?? listening
    }

    /// Returns the address that the rooms of a session show.
    func address(for session: SessionID) -> PublicAddress {
        given ?? learned.withLock { $0[session] } ?? listening
    }

    /// Stores the address that a host of this session used.
    func learn(_ session: SessionID, from forwarded: ForwardedRequest?) {
        guard given == nil, let address = forwarded?.address else { return }
        learned.withLock { learned in
            // The smallest id is the oldest, because ids are ordered by time.
            if learned[session] == nil, learned.count >= Self.mostSessions,
                let oldest = learned.keys.min(by: { $0.text < $1.text })
            {
                learned[oldest] = nil
            }
            learned[session] = address
        }
    }
}
