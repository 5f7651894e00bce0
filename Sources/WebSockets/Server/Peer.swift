/// A connection's id in its loop: its slot, and a generation that tells it from earlier users of the slot. It
/// travels through C as the bits of a pointer.
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

/// The loop's state of one connection. It belongs to the loop's thread. It is small, because there are
/// thousands.
final class Peer {
    enum Stage {
        /// The upgrade is arriving.
        case handshaking
        case open
        /// The close frame follows after everything that the handler asked for earlier. Nothing is read.
        case ending
        /// The server has sent its close frame, and the client has not.
        case closing
        /// Both close frames were sent, or the client broke the protocol. Nothing more is sent, and incoming
        /// bytes are ignored until the client closes its side: a socket that is closed with unread bytes
        /// sends a reset, which can destroy the close frame (RFC 6455 §7.1.1).
        case lingering
    }

    let id: PeerID
    let handle: WebSocketConnection
    var wsi: OpaquePointer?
    var stage = Stage.handshaking
    /// The bytes of the upgrade so far; empty when the connection is open.
    var head: [UInt8] = []
    var peerName: String
    /// Its subscriptions.
    var seats: [Seat] = []
    var reader: FrameReader
    var rateLimit: RateLimit
    /// An upper limit of the bytes that the library buffers for the client; 0 if the client is not blocked.
    var backlog = 0
    var waitingFrames = 0
    /// Milliseconds of the loop's clock. If the connection is closing: when that began.
    var lastHeard: UInt64
    var lastPinged: UInt64
    /// Since when the client has been blocked or behind without a break; nil if it is neither.
    var troubledSince: UInt64?

    /// An object of the owner that lives as long as the connection.
    private let holding: (any AnyObject & Sendable)?

    init(
        _ id: PeerID, _ handle: WebSocketConnection, named peerName: String,
        holding: (any AnyObject & Sendable)?,
        settings: WebSocketSettings, at now: UInt64
    ) {
        reader = FrameReader(longestMessage: settings.longestMessage, mostFragments: settings.mostFragments)
        rateLimit = RateLimit(at: now)
        self.holding = holding
        self.id = id
        self.handle = handle
        self.peerName = peerName
        lastHeard = now
        lastPinged = now
    }
}

/// The connections of a loop, by slot.
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
        // Never 0, so that an id never has the bits of a null pointer.
        generation = generation == 0xff_ffff ? 1 : generation + 1
        return PeerID(slot: free.last ?? slots.count, generation: generation)
    }

    /// `peer.id` is the latest `nextID`.
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
/// Levels are stored in thousandths, so that frequent updates lose nothing to rounding.
struct RateLimit {
    private var overhead = 0
    private var messages = 0
    private var updatedAt: UInt64

    init(at now: UInt64) { updatedAt = now }

    mutating func addOverhead(_ bytes: Int) { overhead += bytes * 1_000 }
    mutating func addMessage() { messages += 1_000 }

    /// Empties the buckets for the time since the last call, and returns whether one still overflows. A
    /// bucket never goes below empty, so that a quiet client gains nothing.
    ///
    /// - Parameter now: milliseconds of the loop's clock.
    mutating func isFlooded(within settings: WebSocketSettings, at now: UInt64) -> Bool {
        let elapsed = Int(now - updatedAt)
        updatedAt = now
        overhead = max(0, overhead - elapsed * settings.controlBytesPerSecond)
        messages = max(0, messages - elapsed * settings.messagesPerSecond)
        return overhead / 1_000 > settings.controlBurst || messages / 1_000 > settings.messageBurst
    }
}
