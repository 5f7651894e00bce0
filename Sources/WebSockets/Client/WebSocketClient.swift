import Synchronization

/// A websocket client with any number of connections, which all run on one thread. The client does not
/// reconnect when a connection breaks. Any thread may call all functions.
package final class WebSocketClient: Sendable {
    let loop: ClientLoop

    /// Creates a client and starts its thread. The thread ends after the client and all its connections are
    /// released.
    ///
    /// - Parameter certificates: the path of a file with trusted certificates, in addition to the system's
    ///   certificates.
    /// - Throws: `.noContext` or `.noThread`.
    package init(trusting certificates: String? = nil) throws(WebSocketError) {
        loop = try ClientLoop(trusting: certificates)
    }

    deinit { loop.post(.stop) }

    private static let sharedOnes = Mutex<[String: WebSocketClient]>([:])

    /// Returns the client that the whole process shares for this file of certificates. The first call creates
    /// the client.
    /// - Throws: the error of `init`, if the client cannot be created. The next call tries again.
    package static func shared(trusting certificates: String? = nil) throws(WebSocketError) -> WebSocketClient
    {
        let made: Result<WebSocketClient, WebSocketError> = sharedOnes.withLock { ones in
            if let one = ones[certificates ?? ""] { return .success(one) }
            do throws(WebSocketError) {
                let new = try WebSocketClient(trusting: certificates)
                ones[certificates ?? ""] = new
                return .success(new)
            } catch {
                return .failure(error)
            }
        }
        return try made.get()
    }

    /// Opens a websocket connection. Tries the host's addresses in order until a connection succeeds.
    ///
    /// - Throws: `.cancelled` if the task is cancelled, `.timedOut` after the request's deadline, or the
    ///   error of the last address.
    package func connect(_ request: WebSocketRequest) async throws(WebSocketError)
        -> WebSocketClientConnection
    {
        let end = ContinuousClock.now + request.deadline
        var last = WebSocketError.timedOut
        for address in try await AddressLookup.addresses(of: request.host) {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { throw .timedOut }
            let link = ClientLink(request)
            guard let error = await attempt(link, address, within: left) else {
                return WebSocketClientConnection(link, of: self)
            }
            guard case .notConnected = error else { throw error }
            last = error
        }
        throw last
    }

    private func attempt(_ link: ClientLink, _ address: String, within limit: Duration) async
        -> WebSocketError?
    {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let message = ClientMessage.connect(
                    link, address: address, milliseconds: UInt64(limit / .milliseconds(1)), continuation)
                if !loop.post(message) { continuation.resume(returning: .closed) }
            }
        } onCancel: {
            loop.post(.cancel(link))
        }
    }
}

/// A client's request for a connection.
package struct WebSocketRequest: Sendable {
    /// A host name or an IP address. An IPv6 address has no brackets.
    package var host: String
    package var port: UInt16
    /// The path and the query, percent-encoded.
    package var path: String
    /// Whether to use TLS. The server's certificate must contain `host`, which must be a DNS name, because
    /// libwebsockets 4.1 does not match IP addresses.
    package var secure: Bool
    /// More request headers, such as `Authorization` and `Origin`. They must not contain line breaks, and
    /// must not repeat the headers of the handshake.
    package var headers: [(name: String, value: String)]
    package var subprotocol: String
    /// The longest time for the name look-up, the connection and the handshake together.
    package var deadline: Duration
    /// The longest message, in bytes. If the server sends a longer message, the client closes the connection
    /// with 1009.
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

    /// The value of the `Host` header: the host and the port. An IPv6 address has brackets.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
