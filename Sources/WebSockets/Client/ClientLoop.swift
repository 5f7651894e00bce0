import CLibWebSockets
import Threads

enum ClientMessage: Sendable {
    case connect(
        ClientLink, address: String, milliseconds: UInt64, CheckedContinuation<WebSocketError?, Never>)
    case cancel(ClientLink)
    case send(ClientLink, [UInt8])
    /// Starts or stops reading from the socket, depending on `incoming.isPaused` when the loop handles this
    /// message.
    case adjustFlow(ClientLink)
    case close(ClientLink, WebSocketClose)
    case stop
}

/// The event loop of a websocket client.
///
/// `@unchecked Sendable`: the `let`s are Sendable. Only the loop's thread uses the `var`s of this class and
/// of the links.
final class ClientLoop: EventLoopWork, @unchecked Sendable {
    private static let partingMilliseconds: UInt64 = 1_000

    let events: EventLoop
    private let inbox = Inbox<ClientMessage>()
    private var batch: [ClientMessage] = []
    /// The connections by slot. libwebsockets stores a connection's slot as its user data, in the bits of a
    /// pointer.
    var links: [UInt64: ClientLink] = [:]
    private var lastSlot: UInt64 = 0
    /// The deadlines of attempts to connect, by slot.
    private var attempts: [UInt64: UInt64] = [:]
    /// The time at which the loop ends even if connections are still closing, in milliseconds of
    /// `events.now`. Nil until the client is released.
    private var stopsAt: UInt64?

    init(trusting certificates: String?) throws(WebSocketError) {
        events = try EventLoop(
            EventLoop.Configuration(
                name: "room-client", subprotocol: "qring-client", tick: .milliseconds(100),
                usesTLS: true,
                certificates: certificates))
        try events.start(self)
    }

    /// Any thread may call this. Returns false if the loop has ended.
    @discardableResult
    func post(_ message: ClientMessage) -> Bool {
        inbox.post(message) { events.wake() }
    }

    func awoke() {
        events.preconditionOnLoop()
        inbox.take(into: &batch)
        for message in batch { handle(message) }
        batch.removeAll(keepingCapacity: batch.count < 4_096)
    }

    private func handle(_ message: ClientMessage) {
        switch message {
        case .connect(let link, let address, let milliseconds, let continuation):
            link.connecting = continuation
            if link.isCancelled {
                finish(link, with: .cancelled)
            } else {
                connect(link, to: address, within: milliseconds)
            }
        case .cancel(let link):
            link.isCancelled = true
            if link.stage == .connecting, link.connecting != nil { abandon(link, with: .cancelled) }
        case .send(let link, let frame): send(frame, on: link)
        case .adjustFlow(let link):
            // Flow control changes here and never within the RECEIVE callback. Within that callback,
            // libwebsockets would set the remaining bytes aside, and would mix up the bytes if the connection
            // were paused again while libwebsockets reads them.
            if link.stage == .open, let wsi = link.wsi {
                lws_rx_flow_control(wsi, link.incoming.isPaused ? 0 : 1)
            }
        case .close(let link, let close): self.close(link, close)
        case .stop:
            stopsAt = events.now + Self.partingMilliseconds
            events.ticks = true
            endIfLeft()
        }
    }

    private func connect(_ link: ClientLink, to address: String, within milliseconds: UInt64) {
        lastSlot += 1
        link.slot = lastSlot
        link.stage = .connecting
        links[link.slot] = link
        attempts[link.slot] = events.now + milliseconds
        events.ticks = true
        let request = link.request
        let wsi = address.withCString { address in
            request.path.withCString { path in
                request.authority.withCString { authority in
                    request.subprotocol.withCString { subprotocol in
                        var info = lws_client_connect_info()
                        info.context = events.context
                        info.vhost = events.vhost
                        info.address = address
                        info.port = CInt(request.port)
                        info.path = path
                        info.host = authority
                        info.protocol = subprotocol
                        info.ssl_connection = qring_lws_client_flags(request.secure ? 1 : 0)
                        info.opaque_user_data = UnsafeMutableRawPointer(bitPattern: UInt(link.slot))
                        return lws_client_connect_via_info(&info)
                    }
                }
            }
        }
        // If the result is nil, libwebsockets may have reported the reason in a callback already.
        if let wsi { link.wsi = link.wsi ?? wsi } else { finish(link, with: .notConnected("refused")) }
    }

    /// Resumes the task that waits for the connection. Only the first call resumes a task.
    func finish(_ link: ClientLink, with error: WebSocketError?) {
        attempts[link.slot] = nil
        if error != nil {
            links[link.slot] = nil
            link.wsi = nil
            link.stage = .gone
        }
        let connecting = link.connecting
        link.connecting = nil
        connecting?.resume(returning: error)
    }

    /// Abandons an attempt to connect. Callers must not call this function within a callback of
    /// libwebsockets.
    private func abandon(_ link: ClientLink, with error: WebSocketError) {
        let wsi = link.wsi
        finish(link, with: error)
        if let wsi { qring_lws_close(wsi) }
    }

    func ticked() {
        events.preconditionOnLoop()
        endIfLeft()
        // While all connections are open, there is no deadline. libwebsockets has its own for closing ones.
        events.ticks = stopsAt != nil || links.values.contains { $0.stage != .open }
        guard !attempts.isEmpty else { return }
        let now = events.now
        for (slot, deadline) in attempts where now >= deadline {
            if let link = links[slot] { abandon(link, with: .timedOut) } else { attempts[slot] = nil }
            // libwebsockets sets its own timers again only after an iteration of the loop that had an event.
            events.wake()
        }
    }

    private func endIfLeft() {
        guard let stopsAt else { return }
        if links.isEmpty || events.now >= stopsAt { events.stop() }
    }

    private func send(_ frame: [UInt8], on link: ClientLink) {
        guard link.stage == .open, let wsi = link.wsi else { return link.release(frame.count) }
        link.unsent.append(frame)
        flush(link, wsi)
    }

    /// Writes frames until libwebsockets has to buffer one. When its buffer is empty again, libwebsockets
    /// calls back and the loop writes the remaining frames.
    func flush(_ link: ClientLink, _ wsi: OpaquePointer) {
        var done = 0
        while done < link.unsent.count, lws_partial_buffered(wsi) == 0 {
            let frame = link.unsent[done]
            done += 1
            link.release(frame.count)
            // libwebsockets reports the failed socket in a separate event.
            if qring_lws_write_framed(wsi, frame, frame.count) < 0 { break }
        }
        link.unsent.removeFirst(done)
    }

    private func close(_ link: ClientLink, _ close: WebSocketClose) {
        guard link.stage == .open, let wsi = link.wsi else { return }
        link.stage = .closing
        events.ticks = true
        link.close = link.close ?? close
        link.incoming.finish(close)
        // A paused connection would never read the server's close frame.
        lws_rx_flow_control(wsi, 1)
        let reason = CloseCode.fitting(close.reason)
        qring_lws_close_reason(wsi, close.code, reason, reason.count)
        qring_lws_close(wsi)
    }

    func ended() {
        events.preconditionOnLoop()
        for message in inbox.close() {
            if case .connect(_, _, _, let continuation) = message { continuation.resume(returning: .closed) }
        }
        for link in Array(links.values) {
            finish(link, with: .closed)
            link.incoming.finish(WebSocketClose(code: CloseCode.abnormal))
        }
    }
}
