import Synchronization

/// The end of a connection.
package struct WebSocketClose: Error, Sendable, Hashable {
    /// The server's code; 1005 if it sent none, 1006 if the connection broke.
    package let code: UInt16
    package let reason: String

    package init(code: UInt16, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

/// A client's websocket: `messages` are its incoming texts, and `send` sends one. Its release closes it. Any
/// thread may call all functions.
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

    /// Queues one text message, which must be UTF-8.
    ///
    /// - Throws: `.closed`, or `.sendBufferFull` if the server does not read.
    package func send(_ text: some Collection<UInt8>) throws(WebSocketError) {
        guard link.incoming.end == nil else { throw .closed }
        let frame = FrameFormat.encode(.text, text, mask: UInt32.random(in: 0...UInt32.max))
        guard link.reserve(frame.count) else { throw .sendBufferFull }
        guard client.loop.post(.send(link, frame)) else { throw .closed }
    }

    package func send(_ text: String) throws(WebSocketError) {
        try send(text.utf8)
    }

    /// Begins the closing handshake; `messages` ends, and `closed` has the code. A second call has no effect.
    package func close(code: UInt16 = CloseCode.normal, reason: String = "") {
        client.loop.post(.close(link, WebSocketClose(code: code, reason: reason)))
    }

    /// The end of the connection; `nil` while it is open.
    package var closed: WebSocketClose? { link.incoming.end }

    /// Every text message, in order, once. It ends with the connection. One task reads at a time. After 256
    /// unread messages, or 1 MB, the client stops reading from the server.
    package var messages: Messages { Messages(connection: self) }

    package struct Messages: AsyncSequence, Sendable {
        let connection: WebSocketClientConnection

        package func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        package struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketClientConnection

            /// `nil` at the end, and if the task is cancelled.
            package func next() async -> [UInt8]? { await connection.next() }
        }
    }

    /// The next message; `nil` when the connection has ended or the task is cancelled.
    package func next() async -> [UInt8]? {
        await link.incoming.next { client.loop.post(.adjustFlow(link)) }
    }
}

/// The state of a client's connection.
///
/// `@unchecked Sendable`: the `let`s are Sendable themselves; every `var` belongs to the loop's thread.
final class ClientLink: @unchecked Sendable {
    enum Stage { case connecting, open, closing, gone }

    let request: WebSocketRequest
    let incoming = IncomingMessages()
    private let waiting = Atomic(0)

    var stage = Stage.connecting
    var slot: UInt64 = 0
    var wsi: OpaquePointer?
    var assembly = MessageAssembly()
    /// Frames that the library has not taken yet, because it still buffers others.
    var unsent: [[UInt8]] = []
    /// The task that waits for the connection; nil after its result.
    var connecting: CheckedContinuation<WebSocketError?, Never>?
    var isCancelled = false
    /// The first close that either side sent.
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
