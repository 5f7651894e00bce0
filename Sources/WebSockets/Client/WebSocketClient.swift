import Synchronization

/// Websockets to servers: any number, on one thread. It tries once and never again by itself.
package final class WebSocketClient: Sendable {
    let loop: ClientLoop

    /// Starts the thread, which ends when the client and its connections are let go of.
    ///
    /// - Parameter certificates: a file of those that servers are trusted by, beside the system's.
    package init(trusting certificates: String? = nil) throws(WebSocketError) {
        loop = try ClientLoop(trusting: certificates)
    }

    deinit { loop.post(.stop) }

    private static let sharedOnes = Mutex<[String: WebSocketClient]>([:])

    /// The process's own for these certificates, made on first use.
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

    /// Connects and upgrades, trying the host's addresses one after the other. Ends with `cancelled` when the
    /// task is.
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
