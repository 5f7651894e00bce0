/// A connection's place in its loop: a slot, and how often slots were given out before. It travels through C
/// as a pointer's bits.
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

/// What the loop keeps of a connection. Belongs to the loop's thread. Small: there are thousands.
final class Peer {
    enum Stage {
        /// Its upgrade is arriving.
        case handshaking
        case open
        /// A close frame is due once everything that the handler asked for before it has been done. Nothing
        /// is read.
        case ending
        /// Our close frame is on its way, and the client's has not come.
        case closing
        /// Both have been sent, or the client broke the protocol. Nothing more is sent, and what still comes
        /// is thrown away until the client has closed its side: a socket that is closed over unread bytes
        /// sends a reset, which can destroy the close frame (RFC 6455 §7.1.1).
        case lingering
    }

    let id: PeerID
    let handle: WebSocketConnection
    var wsi: OpaquePointer?
    var stage = Stage.handshaking
    /// What has come of the upgrade; empty once it is open.
    var head: [UInt8] = []
    var peerName: String
    /// Where it sits in its channels.
    var seats: [Seat] = []
    var reader: FrameReader
    var intake: Intake
    /// At most so many bytes wait in the library for the client to read. 0 where it is not blocked.
    var backlog = 0
    var waitingFrames = 0
    /// Milliseconds of the loop's clock. Of a connection that is being closed, since when.
    var lastHeard: UInt64
    var lastPinged: UInt64
    /// Since when it is blocked or behind without a break.
    var troubledSince: UInt64?

    /// What its owner wants to be alive as long as this is.
    private let holding: (any AnyObject & Sendable)?

    init(
        _ id: PeerID, _ handle: WebSocketConnection, named peerName: String,
        holding: (any AnyObject & Sendable)?,
        settings: WebSocketSettings, at now: UInt64
    ) {
        reader = FrameReader(longestMessage: settings.longestMessage, mostFragments: settings.mostFragments)
        intake = Intake(at: now)
        self.holding = holding
        self.id = id
        self.handle = handle
        self.peerName = peerName
        lastHeard = now
        lastPinged = now
    }
}

/// The peers of a loop, by slot.
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
        // Never 0, so that an ID's bits are never those of a null pointer.
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
