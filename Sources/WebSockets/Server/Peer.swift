/// A connection's id in its loop. The id consists of the slot and of a generation, which distinguishes the
/// connection from earlier connections in the same slot. libwebsockets stores the id as user data, in the
/// bits of a pointer.
struct PeerID: Hashable, Sendable {
    let rawValue: UInt64

    init(slot: Int, generation: UInt32) {
        rawValue = UInt64(generation) << 32 | UInt64(UInt32(truncatingIfNeeded: slot))
    }

    init(_ opaque: UnsafeMutableRawPointer?) {
        rawValue = UInt64(UInt(bitPattern: opaque))
    }

    var slot: Int { Int(rawValue & 0xffff_ffff) }
    var opaque: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: UInt(rawValue)) }
}

/// The loop's state of one connection. Only the loop's thread uses this object. The object is small, because
/// a loop has thousands of connections: a field that few of them need belongs to an object of its own.
final class Peer {
    enum Stage {
        /// The server has not yet received the complete upgrade request.
        case handshaking
        case open
        /// The server will send its close frame after all earlier actions of the handler. Incoming bytes are
        /// ignored.
        case ending
        /// The server has sent its close frame, and waits for the client's close frame.
        case closing
        /// Both sides have sent their close frames, or the client broke the protocol. The server sends
        /// nothing more, and ignores incoming bytes until the client closes its side. If the server closed a
        /// socket that has unread bytes, the kernel would send a reset, which can destroy the close frame
        /// (RFC 6455 §7.1.1).
        case lingering
    }

    /// The upgrade request, until it is complete.
    final class Request {
        var head: [UInt8] = []
        let peerName: String

        init(from peerName: String) { self.peerName = peerName }
    }

    let id: PeerID
    let handle: WebSocketConnection
    var wsi: OpaquePointer?
    var request: Request?
    /// The connection's subscriptions.
    var seats: [Seat] = []
    /// The packets of a polled connection; nil for others.
    var mailbox: PolledMailbox?
    /// An object of the server's owner, which is retained as long as the connection exists.
    var holding: (any AnyObject & Sendable)?
    /// The time at which the client last sent bytes, in milliseconds of the loop's clock. After the closing
    /// handshake has begun, the time of its beginning.
    var lastHeard: UInt64
    var lastPinged: UInt64
    var rateLimit: RateLimit
    var messageDeadline = MessageDeadline()
    var reader: FrameReader
    /// An upper limit of the number of bytes that libwebsockets buffers for the client. 0 if the client is
    /// not blocked.
    var backlog: UInt32 = 0
    var waitingFrames: UInt32 = 0
    /// The time since which the client has been blocked or behind without a break. Nil if the client is
    /// neither blocked nor behind.
    var troubledSince: UInt64?
    var stage = Stage.handshaking
    var form = MessageForm.plain {
        didSet { handle.form = form }
    }
    /// Whether the client gets the heartbeats of the settings.
    var getsHeartbeats = false

    /// - Parameter peerName: the remote address of the socket; nil for a connection without a socket.
    init(
        _ id: PeerID, _ handle: WebSocketConnection, named peerName: String? = nil,
        holding: (any AnyObject & Sendable)? = nil, settings: WebSocketSettings, at now: UInt64
    ) {
        reader = FrameReader(longestMessage: settings.longestMessage, mostFragments: settings.mostFragments)
        rateLimit = RateLimit(at: now)
        self.holding = holding
        self.id = id
        self.handle = handle
        request = peerName.map { Request(from: $0) }
        lastHeard = now
        lastPinged = now
    }
}

/// The table of a loop's connections, indexed by slot.
struct PeerTable {
    private(set) var slots: [Peer?] = []
    private var free: [Int] = []
    private var generation: UInt32 = 0
    private(set) var count = 0

    subscript(id: PeerID) -> Peer? {
        guard id.slot < slots.count, let peer = slots[id.slot], peer.id == id else { return nil }
        return peer
    }

    mutating func nextID() -> PeerID {
        // The generation is never 0, so that an id never has the bits of a null pointer.
        generation = generation == 0xff_ffff ? 1 : generation + 1
        return PeerID(slot: free.last ?? slots.count, generation: generation)
    }

    /// Adds a connection. `peer.id` must be the result of the latest `nextID`.
    mutating func insert(_ peer: Peer) {
        if free.popLast() != nil { slots[peer.id.slot] = peer } else { slots.append(peer) }
        count += 1
    }

    mutating func remove(_ id: PeerID) -> Peer? {
        guard let peer = self[id] else { return nil }
        slots[id.slot] = nil
        free.append(id.slot)
        count -= 1
        return peer
    }
}

/// Limits the rate of messages, and of other traffic (pings, pongs, empty fragments), with two leaky buckets.
/// The levels are in thousandths of a message or byte, so that frequent updates have no rounding error.
struct RateLimit {
    private var updatedAt: UInt64
    private var overhead: UInt32 = 0
    private var messages: UInt32 = 0

    init(at now: UInt64) { updatedAt = now }

    /// - Parameter bytes: at most what one read delivers, far below 4 MB.
    mutating func addOverhead(_ bytes: Int) { overhead += UInt32(bytes) * 1_000 }
    mutating func addMessage() { messages += 1_000 }

    /// Lowers both levels for the time since the last call, and returns whether a level is still above its
    /// limit. No level falls below 0, so that a quiet client gets no larger burst later.
    ///
    /// - Parameter now: the time in milliseconds of the loop's clock.
    mutating func isFlooded(within settings: WebSocketSettings, at now: UInt64) -> Bool {
        let elapsed = Int(now - updatedAt)
        updatedAt = now
        overhead = UInt32(max(0, Int(overhead) - elapsed * settings.controlBytesPerSecond))
        messages = UInt32(max(0, Int(messages) - elapsed * settings.messagesPerSecond))
        return overhead / 1_000 > settings.controlBurst || messages / 1_000 > settings.messageBurst
    }
}
