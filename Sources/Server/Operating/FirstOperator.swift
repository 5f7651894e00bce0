import FrontDoor
import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// Decides whether a client may make the first account, which becomes the operator: it needs the set-up token
/// or runs on the server's own machine.
extension RequestContext {
    /// Throws unless the sender may become the operator of a server that has never had one.
    func requireSetUp(_ typed: String?) throws {
        guard let typed else {
            guard isFromThisMachine else { throw Refusal.setupTokenRequired }
            return
        }
        guard SetupToken.load(at: services.settings.setupTokenPath)?.matches(typed) == true else {
            throw wrong("sign-up from \(origin)", FailureLimits.signUp, .setupTokenNotValid)
        }
    }

    /// Whether the client is on the server's own machine, as far as a request can show. A proxy there also
    /// connects from a loopback address. So every sign of a proxy counts against the client: a public URL, a
    /// trusted proxy as peer, or a header that proxies add. A request from another site's page is rejected by
    /// its origin or by a `Host` that does not name this machine.
    var isFromThisMachine: Bool {
        guard services.settings.publicURL == nil, forwarded == nil, Loopback.contains(client)
        else { return false }
        let hosts = request.headers.all("host")
        guard hosts.count == 1, Loopback.names(hosts[0]) else { return false }
        let isFromPage = ["origin", "sec-fetch-site"].contains { request.headers.first($0) != nil }
        guard !isFromPage || isSameOrigin else { return false }
        return !request.headers.pairs.contains { name, _ in
            ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }
}

extension ServerSettings {
    var setupTokenPath: String { "\(dataFolder)/\(setupTokenFileName)" }
}

extension QRingServer {
    /// Logs the set-up token if there has never been an operator, and keeps it in the data folder until there
    /// is one. Call it before `open`.
    package func announceSetup() async throws {
        let path = services.settings.setupTokenPath
        guard try await !services.storage.read({ rows throws(JournalError) in try rows.hasHadOperator() })
        else {
            return SetupToken.remove(at: path)
        }
        let token = try SetupToken.loadOrCreate(at: path)
        services.log.note(
            "there is no operator yet: the first account needs the set-up token \(token.text), also in "
                + "\(path)"
        )
    }
}

/// This machine, by its addresses and names.
enum Loopback {
    private static let addresses = (try? AddressRanges("loopback")) ?? AddressRanges()

    static func contains(_ address: some StringProtocol) -> Bool { addresses.contains(address) }

    /// Whether a `Host` header names it: `localhost`, `127.0.0.1` or `[::1]`, with a port or without. Names
    /// that only begin like an address do not.
    static func names(_ header: String) -> Bool {
        let end =
            header.hasPrefix("[")
            ? header.firstIndex(of: "]").map { header.index(after: $0) } : header.firstIndex(of: ":")
        let name = header[..<(end ?? header.endIndex)]
        let port = header[name.endIndex...]
        guard port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return false }
        if name.hasPrefix("["), name.hasSuffix("]") { return contains(name.dropFirst().dropLast()) }
        return name.lowercased() == "localhost" || contains(name)
    }
}
