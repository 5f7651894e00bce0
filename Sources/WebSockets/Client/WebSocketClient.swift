import Synchronization

/// Websockets to servers: any number, on one thread. It does not reconnect by itself. Any thread may call all
/// functions.
package final class WebSocketClient: Sendable {
    let loop: ClientLoop

    /// Starts the thread, which ends when the client and its connections are released.
    ///
    /// - Parameter certificates: a file of certificates to trust, in addition to the system's.
    /// - Throws: `.noContext` or `.noThread`.
    package init(trusting certificates: String? = nil) throws(WebSocketError) {
        loop = try ClientLoop(trusting: certificates)
    }

    deinit { loop.post(.stop) }

    private static let sharedOnes = Mutex<[String: WebSocketClient]>([:])

    /// The client that the whole process shares for these certificates. The first call makes it.
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

    /// Connects and upgrades. Tries the host's addresses one after the other.
    ///
    /// - Throws: `.cancelled` if the task is cancelled; `.timedOut` after the request's deadline; otherwise why the
    ///   last address gave no connection.
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
    /// A name or a literal address; IPv6 without brackets.
    package var host: String
    package var port: UInt16
    /// The path and the query, percent-encoded.
    package var path: String
    /// Whether to use TLS. The certificate must name the host, and libwebsockets 4.1 accepts only DNS names.
    package var secure: Bool
    /// Further headers, such as `Authorization` and `Origin`, without line breaks. They must not contain the
    /// handshake's own headers.
    package var headers: [(name: String, value: String)]
    package var subprotocol: String
    /// The time for the name look-up, the connection and the handshake together.
    package var deadline: Duration
    /// The longest message, in bytes. A longer one closes the connection with 1009.
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

    /// In the form of the `Host` header.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
