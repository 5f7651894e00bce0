import Synchronization

/// How a connection ended.
package struct WebSocketClose: Error, Sendable, Hashable {
    /// The server's code; 1005 where it gave none, 1006 where the connection broke.
    package let code: UInt16
    package let reason: String

    package init(code: UInt16, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

/// A client's websocket. Text comes out of `messages`, goes in by `send`. Letting go of it closes it.
package final class WebSocketClientConnection: Sendable {
    /// Bytes that may wait to be sent.
    package static let sendBound = 1 << 20

    private let client: WebSocketClient
    let link: ClientLink

    init(_ link: ClientLink, of client: WebSocketClient) {
        self.link = link
        self.client = client
    }

    deinit { close(code: CloseCode.goingAway) }

    /// Queues one text message, which must be UTF-8. Throws `closed`, or `sendBufferFull` where the server
    /// does not read.
    package func send(_ text: some Collection<UInt8>) throws(WebSocketError) {
        guard link.incoming.end == nil else { throw .closed }
        let frame = FrameFormat.encode(.text, text, mask: UInt32.random(in: 0...UInt32.max))
        guard link.reserve(frame.count) else { throw .sendBufferFull }
        guard client.loop.post(.send(link, frame)) else { throw .closed }
    }

    package func send(_ text: String) throws(WebSocketError) {
        try send(text.utf8)
    }

    /// Begins the closing handshake; `messages` then ends with `code`. Again: nothing.
    package func close(code: UInt16 = CloseCode.normal, reason: String = "") {
        client.loop.post(.close(link, WebSocketClose(code: code, reason: reason)))
    }

    /// `nil` while it is open.
    package var closed: WebSocketClose? { link.incoming.end }

    /// Every text message, in order, once; ends when the connection does. One task reads at a time. What is
    /// not read stays with the server after 256 messages or 1 MB.
    package var messages: Messages { Messages(connection: self) }

    package struct Messages: AsyncSequence, Sendable {
        let connection: WebSocketClientConnection

        package func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        package struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketClientConnection

            /// Also `nil` when the task is cancelled.
            package func next() async -> [UInt8]? { await connection.next() }
        }
    }

    /// The next message; `nil` when the connection has ended or the task is cancelled.
    package func next() async -> [UInt8]? {
        await link.incoming.next { client.loop.post(.adjustFlow(link)) }
    }
}

/// What a connection and its loop share.
///
/// `@unchecked Sendable`: `waiting` and `incoming` are safe by themselves; every `var` belongs to the loop's
/// thread.
final class ClientLink: @unchecked Sendable {
    enum Stage { case connecting, open, closing, gone }

    let request: WebSocketRequest
    let incoming = IncomingMessages()
    private let waiting = Atomic(0)

    var stage = Stage.connecting
    var slot: UInt64 = 0
    var wsi: OpaquePointer?
    var assembly = MessageAssembly()
    /// What the library has not taken yet, because something of it still waits for the kernel.
    var unsent: [[UInt8]] = []
    /// Who awaits the connection.
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
