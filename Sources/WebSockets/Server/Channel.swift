/// The id of a channel, which the owner of the server chooses.
package struct ChannelID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// A connection's subscription: its index among the channel's subscribers.
struct Seat {
    let channel: Channel
    var index: Int
}

/// A connection that gets a channel's frames. The channel's array contains all that `publish` needs, so that
/// a frame for thousands touches nothing else of each connection.
struct Subscriber {
    enum Standing: UInt8 {
        /// The subscriber gets the next frame.
        case current
        /// The subscriber missed a frame. The handler is asked when the client can be written to.
        case behind
        /// The handler was asked and has not called `catchUp` yet.
        case asked
    }

    let wsi: OpaquePointer
    /// It lives as long as it has a seat: the loop's table holds it, and it leaves its channels before it
    /// leaves the table.
    unowned(unsafe) let peer: Peer
    var position: UInt64
    var standing = Standing.current
}

/// The part of a channel on one loop. It belongs to the loop's thread.
final class Channel {
    let id: ChannelID
    var subscribers: [Subscriber] = []
    /// The position after the newest frame. A subscriber that begins before it is behind.
    var newest: UInt64 = 0

    init(_ id: ChannelID) {
        self.id = id
    }

    func add(_ peer: Peer, _ wsi: OpaquePointer, at position: UInt64) -> Seat {
        subscribers.append(Subscriber(wsi: wsi, peer: peer, position: position))
        return Seat(channel: self, index: subscribers.count - 1)
    }

    /// Removes a subscriber. The last one moves to its index.
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
        guard let index = seat(in: channel) else { return }
        let seat = seats.remove(at: index)
        seat.channel.remove(at: seat.index)
    }

    func leaveAll() {
        while let seat = seats.popLast() { seat.channel.remove(at: seat.index) }
    }
}
