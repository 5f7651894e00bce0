/// A connection's place in its loop: a slot, and how often slots were given out before. It travels through C as a pointer's bits.
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
    enum Stage { case handshaking, open, closing }

    let id: PeerID
    let handle: WebSocketConnection
    var wsi: OpaquePointer?
    var stage = Stage.handshaking
    /// Until it is open.
    var head: UpgradeHead?
    var peerName: String
    /// Where it sits in its channels.
    var seats: [Seat] = []
    var assembly = MessageAssembly()
    var intake = Intake()
    var masks = MaskCount()
    /// At most so many bytes wait in the library for the client to read. 0 where it is not blocked.
    var backlog = 0
    var waitingFrames = 0
    /// Milliseconds of the loop's clock.
    var lastHeard: UInt64
    var lastPinged: UInt64
    /// Since when it is blocked or behind without a break.
    var troubledSince: UInt64?

    /// What its owner wants to be alive as long as this is.
    private let holding: (any AnyObject & Sendable)?

    init(
        _ id: PeerID, _ handle: WebSocketConnection, named peerName: String, holding: (any AnyObject & Sendable)?, at now: UInt64
    ) {
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
