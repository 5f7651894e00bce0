import FrontDoor
import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// Decides whether a client may create the first account, whose owner becomes the operator. The client must
/// know the set-up token or run on the server's own machine.
extension RequestContext {
    /// - Throws: `setup_token_required` or `setup_token_not_valid` if the sender may not; 429 after too many
    ///   wrong tokens.
    /// - Throws: an error if the sender may not.
    func requireSetUp(_ typed: String?) throws {
        guard let typed else {
            guard isFromThisMachine else { throw Refusal.setupTokenRequired }
            return
        }
        guard SetupToken.load(at: services.settings.setupTokenPath)?.matches(typed) == true else {
            throw wrong("sign-up from \(origin)", FailureLimits.signUp, .setupTokenNotValid)
        }
    }

    /// Whether the client runs on the server's own machine, as far as a request can show. A proxy on this
    /// machine also connects from a loopback address. The result is therefore false if there is any sign of a
    /// proxy: a public URL, a trusted proxy as peer, or a header that proxies add. The result is also false
    /// if a page of another site sent the request, which its `Origin` shows, or a `Host` that does not name
    /// this machine.
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
    /// Logs the set-up token if there has never been an operator, and stores it in the data folder until
    /// there is an operator. Call this function before `open`.
    package func announceSetup() async throws {
        let path = services.settings.setupTokenPath
        guard try await !services.storage.read({ rows throws(JournalError) in try rows.hasHadOperator() })
        else {
            return SetupToken.remove(at: path)
        }
        let token = try SetupToken.loadOrCreate(at: path)
        services.log.note(
            "there is no operator yet: the first account needs the set-up token \(token.text), also in "
                + path
                + (services.settings.publicURL == nil && services.settings.trustedProxies.isEmpty
                    ? "; without a proxy, programs on this machine need none until --public-url is set" : ""))
    }
}

/// The IP addresses and names of this machine.
enum Loopback {
    private static let addresses = (try? AddressRanges("loopback")) ?? AddressRanges()

    static func contains(_ address: some StringProtocol) -> Bool { addresses.contains(address) }

    /// Whether a `Host` header names this machine: `localhost`, `127.0.0.1` or `[::1]`, with or without a
    /// port. Names such as `localhost.example` do not.
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
