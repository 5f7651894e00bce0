/// How a server treats its connections.
package struct WebSocketSettings: Sendable {
    /// The subprotocol that clients must offer, and are answered with.
    package var subprotocol = "qring.v1"
    /// The longest message, in bytes of payload over all its fragments. Past it: 1009.
    package var longestMessage = 65_536
    /// The most fragments of one message. A message with more is closed with 1008.
    package var mostFragments = 4_096
    /// How often a client is pinged.
    package var pingEvery: Duration = .seconds(25)
    /// After how long without a message or a pong a client is dropped.
    package var silenceAllowed: Duration = .seconds(60)
    /// How long a client may be blocked or behind before it is closed with 4002.
    package var slowDeadline: Duration = .seconds(20)
    /// How many bytes of direct answers may wait for a blocked client; and never more than 512 answers. Past
    /// it: 4002.
    package var sendBound = 262_144
    /// `SO_SNDBUF`, in bytes; the kernel doubles it. Without it, it hides 2 MB of backlog a client.
    package var kernelSendBuffer = 65_536
    /// How many channels one connection may be subscribed to. Past it: 1008.
    package var mostSubscriptions = 32
    /// How many bytes of pings, pongs and empty fragments may come at once, and how many a second in the long
    /// run. Past it: 1008. An honest client sends a pong of seven bytes every 25 s.
    package var controlBurst = 16_384
    package var controlBytesPerSecond = 1_024
    /// How many messages may come at once, and how many a second in the long run. Past it: 1008.
    package var messageBurst = 5_000
    package var messagesPerSecond = 100
    /// How long a handshake may take.
    package var handshakeDeadline: Duration = .seconds(10)
    /// The upgrade's headers that the handler gets to see, in lower case.
    package var headers = [
        "host", "origin", "authorization", "cookie", "user-agent", "accept-language", "x-forwarded-for",
        "x-forwarded-proto",
        "x-forwarded-host",
    ]

    package init() {}

    /// The library drops a connection for which 1,024 pieces wait ("buflist reached sanity limit").
    static let mostWaitingFrames = 512
}
