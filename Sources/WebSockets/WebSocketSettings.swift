/// The limits of a websocket server.
package struct WebSocketSettings: Sendable {
    /// The subprotocol that clients must offer and that the server selects.
    package var subprotocol = "qring.v1"
    /// The path at which the server gives event streams; nil for none.
    package var eventsPath: String?
    /// Returns the id of the event that carries a frame to this position; nil for an event without an id.
    package var eventID: @Sendable (UInt64) -> String? = { _ in nil }
    /// The path of websockets whose messages are packets, without a subprotocol; nil for none.
    package var packetsPath: String?
    /// Returns the packet that carries a frame's text to this position. It must be UTF-8.
    package var packet: @Sendable (ArraySlice<UInt8>, UInt64) -> [UInt8] = { text, _ in Array(text) }
    /// The packet that the server sends every `pingEvery` to clients of packets.
    package var heartbeat: [UInt8] = []
    /// Whether a client of packets gets heartbeats. Other clients show by themselves that they are alive.
    package var getsHeartbeats: @Sendable (UpgradeHead) -> Bool = { _ in false }
    /// The last packet of a polled connection.
    package var closingPacket: [UInt8] = []
    /// The longest message, in bytes of payload over all fragments. If a client sends a longer message, the
    /// server closes the connection with 1009.
    package var longestMessage = 65_536
    /// The most fragments of one message. If a message has more fragments, the server closes the connection
    /// with 1008.
    package var mostFragments = 4_096
    /// The time between two pings to a client.
    package var pingEvery: Duration = .seconds(25)
    /// If the server receives nothing from a client for this long, the server closes the connection.
    package var silenceAllowed: Duration = .seconds(60)
    /// The longest time that a client may be blocked or behind. After this time, the server closes the
    /// connection with 4002.
    package var slowDeadline: Duration = .seconds(20)
    /// The most bytes of direct answers that may wait for a blocked client. At most 512 answers may wait. If
    /// either limit is exceeded, the server closes the connection with 4002.
    package var sendBound = 262_144
    /// The value of `SO_SNDBUF`, in bytes. The kernel doubles this value. Without this setting, the kernel
    /// could buffer 2 MB for each client.
    package var kernelSendBuffer = 65_536
    /// The most subscriptions of one connection. If a connection subscribes to more channels, the server
    /// closes the connection with 1008.
    package var mostSubscriptions = 32
    /// The most bytes of pings, pongs and empty fragments that a client may send in one burst.
    /// `controlBytesPerSecond` is the limit per second on average. If a client exceeds the limits, the server
    /// closes the connection with 1008. A client that behaves correctly sends a pong of seven bytes every 25
    /// s.
    package var controlBurst = 16_384
    package var controlBytesPerSecond = 1_024
    /// The most messages that a client may send in one burst. `messagesPerSecond` is the limit per second on
    /// average. If a client exceeds the limits, the server closes the connection with 1008.
    package var messageBurst = 5_000
    package var messagesPerSecond = 100
    /// The longest time from the first byte of a message to its last. After this time, the server closes the
    /// connection with 1008. It pauses while the client is blocked, because the server then reads nothing.
    package var messageDeadline: Duration = .seconds(30)
    /// The longest time of a handshake. After this time, the server closes the socket.
    package var handshakeDeadline: Duration = .seconds(10)
    /// The names of the request headers that the handler can read from `UpgradeHead`, in lower case.
    package var headers = [
        "host", "origin", "authorization", "cookie", "user-agent", "accept-language", "x-forwarded-for",
        "x-forwarded-proto",
        "x-forwarded-host", "last-event-id",
    ]

    package init() {}

    /// The most frames that may wait for a blocked client. libwebsockets drops a connection that has 1,024
    /// buffered pieces ("buflist reached sanity limit").
    static let mostWaitingFrames = 512
}
