/// A peer's place in a channel.
struct Seat {
    let channel: Channel
    var index: Int
}

/// One who gets a channel's frames. Kept flat in the channel, so that a frame for thousands touches nothing
/// else of each.
struct Subscriber {
    enum Standing: UInt8 {
        /// Gets the next frame.
        case current
        /// Missed one; the handler is asked as soon as the client can be written to.
        case behind
        /// The handler was asked and has not answered.
        case asked
    }

    let wsi: OpaquePointer
    /// Alive as long as it has a seat: the loop's table holds it, and it leaves its channels before it leaves
    /// that.
    unowned(unsafe) let peer: Peer
    var position: UInt64
    var standing = Standing.current
}

/// The part of a channel that is on one loop. Belongs to its thread.
final class Channel {
    let id: ChannelID
    var subscribers: [Subscriber] = []
    /// Where the newest frame led. Who is asked to stand before it is behind.
    var newest: UInt64 = 0

    init(_ id: ChannelID) {
        self.id = id
    }

    func add(_ peer: Peer, _ wsi: OpaquePointer, at position: UInt64) -> Seat {
        subscribers.append(Subscriber(wsi: wsi, peer: peer, position: position))
        return Seat(channel: self, index: subscribers.count - 1)
    }

    /// The last one takes the place that becomes free.
    func remove(at index: Int) {
        let last = subscribers.removeLast()
        guard index < subscribers.count else { return }
        subscribers[index] = last
        guard let seat = last.peer.seats.firstIndex(where: { $0.channel === self }) else { return }
        last.peer.seats[seat].index = index
    }
}

extension Peer {
    func seat(in channel: ChannelID) -> Int? { seats.firstIndex { $0.channel.id == channel } }

    func leave(_ channel: ChannelID) {
        guard let place = seat(in: channel) else { return }
        let seat = seats.remove(at: place)
        seat.channel.remove(at: seat.index)
    }

    func leaveAll() {
        while let seat = seats.popLast() { seat.channel.remove(at: seat.index) }
    }
}
