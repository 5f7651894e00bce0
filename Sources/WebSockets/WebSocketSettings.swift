/// Limits of a server.
package struct WebSocketSettings: Sendable {
    /// The subprotocol that clients must offer and that the server selects.
    package var subprotocol = "qring.v1"
    /// The longest message, in bytes of payload over all fragments. A longer one is closed with 1009.
    package var longestMessage = 65_536
    /// The most fragments of one message. A message with more is closed with 1008.
    package var mostFragments = 4_096
    /// The time between two pings to a client.
    package var pingEvery: Duration = .seconds(25)
    /// A client is closed after this time without a message or a pong.
    package var silenceAllowed: Duration = .seconds(60)
    /// The time that a client may be blocked or behind. After it, the client is closed with 4002.
    package var slowDeadline: Duration = .seconds(20)
    /// The most bytes of direct answers that may wait for a blocked client, and at most 512 answers. With
    /// more, the client is closed with 4002.
    package var sendBound = 262_144
    /// `SO_SNDBUF`, in bytes; the kernel doubles it. By default, the kernel would buffer 2 MB for each
    /// client.
    package var kernelSendBuffer = 65_536
    /// The most subscriptions of one connection. With more, it is closed with 1008.
    package var mostSubscriptions = 32
    /// The most bytes of pings, pongs and empty fragments at once, and per second on average. With more, the
    /// client is closed with 1008. An honest client sends a pong of seven bytes every 25 s.
    package var controlBurst = 16_384
    package var controlBytesPerSecond = 1_024
    /// The most messages at once, and per second on average. With more, the client is closed with 1008.
    package var messageBurst = 5_000
    package var messagesPerSecond = 100
    /// The time that a handshake may take.
    package var handshakeDeadline: Duration = .seconds(10)
    /// The headers of the upgrade that the handler gets, in lower case.
    package var headers = [
        "host", "origin", "authorization", "cookie", "user-agent", "accept-language", "x-forwarded-for",
        "x-forwarded-proto",
        "x-forwarded-host",
    ]

    package init() {}

    /// The library drops a connection if it buffers 1,024 pieces for it ("buflist reached sanity limit").
    static let mostWaitingFrames = 512
}
