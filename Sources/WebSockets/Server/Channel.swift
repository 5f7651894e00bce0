/// The id of a channel, which the owner of the server chooses.
package struct ChannelID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// A connection's subscription: the channel, and the index of the connection among the channel's subscribers.
struct Seat {
    let channel: Channel
    var index: Int
}

/// A connection that receives a channel's frames. This struct contains everything that `publish` needs, so
/// that publishing to thousands of clients reads no other memory of each connection.
struct Subscriber {
    enum Standing: UInt8 {
        /// The subscriber has all earlier frames, and receives the next frame.
        case current
        /// The subscriber missed a frame. The loop calls the handler's `fellBehind` as soon as the client is
        /// not blocked.
        case behind
        /// The loop has called the handler's `fellBehind`, and the handler has not called `catchUp` yet.
        case asked
    }

    /// The socket; `noSocket` for a polled connection.
    fileprivate(set) var wsi: OpaquePointer
    /// The reference is safe, because a peer exists as long as it has a seat: the loop's table retains the
    /// peer, and the peer leaves all channels before it leaves the table.
    unowned(unsafe) let peer: Peer
    var position: UInt64
    var standing = Standing.current
    fileprivate(set) var form: MessageForm

    /// Stands for the socket of a polled connection, and is never used.
    static var noSocket: OpaquePointer {
        guard let pointer = OpaquePointer(bitPattern: 1) else { preconditionFailure("1 is not null") }
        return pointer
    }
}

/// The subscribers of a channel that belong to one loop. Only the loop's thread uses this object.
final class Channel {
    let id: ChannelID
    var subscribers: [Subscriber] = []
    /// The number of subscribers whose form is not `plain`.
    private(set) var otherForms = 0
    /// The position after the newest frame. A new subscriber with an earlier position is behind.
    var newest: UInt64 = 0

    init(_ id: ChannelID) {
        self.id = id
    }

    func add(_ peer: Peer, _ wsi: OpaquePointer, at position: UInt64) -> Seat {
        subscribers.append(Subscriber(wsi: wsi, peer: peer, position: position, form: peer.form))
        if peer.form != .plain { otherForms += 1 }
        return Seat(channel: self, index: subscribers.count - 1)
    }

    /// Continues a polled subscriber with a socket.
    func replaceSocket(at index: Int, by wsi: OpaquePointer) {
        (subscribers[index].wsi, subscribers[index].form) = (wsi, .packets)
    }

    /// Removes the subscriber at `index`, and moves the last subscriber to this index.
    func remove(at index: Int) {
        if subscribers[index].form != .plain { otherForms -= 1 }
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
