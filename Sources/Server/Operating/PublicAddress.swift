import Glibc
import Meetings
import Synchronization

/// The address under which clients reach the server: check-in URLs begin with it, and it decides which
/// origins are the server's own.
package struct PublicAddress: Sendable {
    /// Like `http://192.168.1.5:8080`, without a slash at the end.
    package let url: String
    /// Whether only this machine can reach it.
    package let isLoopback: Bool

    /// Returns nil unless `text` is an http or https URL of a host with an optional port, because pages and
    /// codes are at the root.
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

    /// Makes the address of a listener at `host`. For a wildcard it is the first address that other machines
    /// can reach.
    package init(listening host: String, port: UInt16) {
        let isWildcard = host == "0.0.0.0" || host == "::" || host.isEmpty
        let reached = isWildcard ? Self.reachableAddress() ?? "127.0.0.1" : host
        let bracketed = reached.contains(":") ? "[\(reached)]" : reached
        isLoopback = Loopback.names(bracketed)
        url = port == 80 ? "http://\(bracketed)" : "http://\(bracketed):\(port)"
    }

    var isSecure: Bool { url.hasPrefix("https:") }

    /// The alphanumeric mode of QR codes has no lower case. Schemes, hosts and our paths ignore case.
    func checkInURL(code: String) -> String { "\(url)/C/\(code)".uppercased() }
    func meetingURL(code: String) -> String { "\(url)/M/\(code)".uppercased() }
    func presenterURL(session: SessionID, token: String) -> String {
        "\(url)/present/\(session.text)#\(token)"
    }

    /// Whether a page of this server sent the request: its origin is the public URL or the host that the
    /// browser requested.
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

    /// Prefers IPv4, because it makes a smaller QR code and every phone supports it.
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

/// The addresses under which clients reach this server: the operator's public URL; otherwise, behind a
/// trusted proxy, the address that the client of each request used; otherwise the listening address.
///
/// A room sends the same frames to all of its visitors and belongs to no request. A room therefore uses the
/// address of the latest request by a host of its session. Everybody can send a request with any host name,
/// and must not choose the address on the screen of a hall.
final class PublicAddresses: Sendable {
    /// The limit of `learned`. When it is reached, the oldest session is forgotten; the next request by one
    /// of its hosts adds it again.
    private static let mostSessions = 10_000

    private let given: PublicAddress?
    private let listening: PublicAddress
    private let learned = Mutex<[SessionID: PublicAddress]>([:])

    /// - Parameter given: the operator's public URL.
    init(given: PublicAddress?, listening: PublicAddress) {
        (self.given, self.listening) = (given, listening)
    }

    /// The address to name if there is no request: in the log, for example.
    var own: PublicAddress { given ?? listening }

    /// Returns the address that the client of a request used.
    /// - Parameter forwarded: nil if no trusted proxy forwarded the request.
    func address(for forwarded: ForwardedRequest?) -> PublicAddress {
        given ?? forwarded?.address ?? listening
    }

    /// Returns the address that the rooms of a session show.
    func address(for session: SessionID) -> PublicAddress {
        given ?? learned.withLock { $0[session] } ?? listening
    }

    /// Remembers the address that a host of this session used.
    func learn(_ session: SessionID, from forwarded: ForwardedRequest?) {
        guard given == nil, let address = forwarded?.address else { return }
        learned.withLock { learned in
            // Ids are ordered by time.
            if learned[session] == nil, learned.count >= Self.mostSessions,
                let oldest = learned.keys.min(by: { $0.text < $1.text })
            {
                learned[oldest] = nil
            }
            learned[session] = address
        }
    }
}
