import Synchronization

/// The code and the reason with which a connection ended.
package struct WebSocketClose: Error, Sendable, Hashable {
    /// The code of the first close frame. The code is 1005 if the server's close frame has no code, and 1006
    /// if the connection broke.
    package let code: UInt16
    package let reason: String

    package init(code: UInt16, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

/// A client's connection. `messages` are the received text messages, and `send` sends a text message. When
/// this object is released, the connection is closed. Any thread may call all functions.
package final class WebSocketClientConnection: Sendable {
    /// The most bytes that may wait to be sent.
    package static let sendBound = 1 << 20

    private let client: WebSocketClient
    let link: ClientLink

    init(_ link: ClientLink, of client: WebSocketClient) {
        self.link = link
        self.client = client
    }

    deinit { close(code: CloseCode.goingAway) }

    /// Adds a text message to the send queue. `text` must be UTF-8.
    ///
    /// - Throws: `.closed` if the connection has ended, or `.sendBufferFull` if the server does not read fast
    ///   enough.
    package func send(_ text: some Collection<UInt8>) throws(WebSocketError) {
        guard link.incoming.end == nil else { throw .closed }
        let frame = FrameFormat.encode(.text, text, mask: UInt32.random(in: 0...UInt32.max))
        guard link.reserve(frame.count) else { throw .sendBufferFull }
        guard client.loop.post(.send(link, frame)) else { throw .closed }
    }

    /// Adds a text message to the send queue.
    ///
    /// - Throws: the errors of `send` with bytes.
    package func send(_ text: String) throws(WebSocketError) {
        try send(text.utf8)
    }

    /// Begins the closing handshake. `messages` then ends, and `closed` contains the code. A second call has
    /// no effect.
    package func close(code: UInt16 = CloseCode.normal, reason: String = "") {
        client.loop.post(.close(link, WebSocketClose(code: code, reason: reason)))
    }

    /// The close code and reason, or `nil` while the connection is open.
    package var closed: WebSocketClose? { link.incoming.end }

    /// All received text messages in order. The sequence ends when the connection ends. Only one task may
    /// read at a time. If 256 messages or 1 MB are unread, the client stops reading from the server.
    package var messages: Messages { Messages(connection: self) }

    /// The received text messages, as UTF-8 bytes.
    package struct Messages: AsyncSequence, Sendable {
        let connection: WebSocketClientConnection

        package func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        /// Waits for each next message.
        package struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketClientConnection

            /// Returns the next message, or `nil` if the connection has ended or the task is cancelled.
            package func next() async -> [UInt8]? { await connection.next() }
        }
    }

    /// Returns the next message, or `nil` if the connection has ended or the task is cancelled.
    package func next() async -> [UInt8]? {
        await link.incoming.next { client.loop.post(.adjustFlow(link)) }
    }
}

/// The state of a client's connection.
///
/// `@unchecked Sendable`: the `let`s are Sendable themselves. Only the loop's thread uses the `var`s.
final class ClientLink: @unchecked Sendable {
    enum Stage { case connecting, open, closing, gone }

    let request: WebSocketRequest
    let incoming = IncomingMessages()
    private let waiting = Atomic(0)

    var stage = Stage.connecting
    var slot: UInt64 = 0
    var wsi: OpaquePointer?
    var assembly = MessageAssembly()
    /// The frames that are not yet written, because libwebsockets still buffers earlier frames.
    var unsent: [[UInt8]] = []
    /// The continuation of the task that waits for the connection. Nil after the task was resumed.
    var connecting: CheckedContinuation<WebSocketError?, Never>?
    var isCancelled = false
    /// The first close code and reason that the client or the server sent.
    var close: WebSocketClose?

    init(_ request: WebSocketRequest) {
        self.request = request
    }

    func reserve(_ bytes: Int) -> Bool {
        if waiting.add(bytes, ordering: .relaxed).newValue <= WebSocketClientConnection.sendBound {
            return true
        }
        release(bytes)
        return false
    }

    func release(_ bytes: Int) { waiting.subtract(bytes, ordering: .relaxed) }
}
