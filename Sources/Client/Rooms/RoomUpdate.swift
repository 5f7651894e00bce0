package import Wire

/// An update that `RoomClient` reports. The updates are in order.
package enum RoomUpdate: Sendable {
    /// The client has joined a room. If `recovered` is true, the missed frames follow, otherwise a snapshot
    /// follows.
    case joined(Joined)
    /// The complete state of a room. It replaces everything that was reported before.
    case snapshot(RoomFrame.Snapshot, room: String, sequence: Int64?)
    case frame(RoomFrame)
    /// The server has answered a ping, so it is alive although it sends no news. After 5 s without a message,
    /// the client pings every 5 s.
    case heard
    /// A frame or a snapshot of the room `home`, which has its own format.
    case home(HomeFrame)
    /// The server does not let the client join a room. The connection stays open for the other rooms.
    case refused(Problem)
    case reconnecting(in: Duration, because: RoomInterruption)
    /// The client has ended. This is the last update.
    case ended(RoomEnd)
}

/// The reason why a connection was lost or could not be opened.
package enum RoomInterruption: Hashable, Sendable {
    case closed(code: UInt16, reason: String)
    case unreachable(String)
    /// The server sent nothing for a minute.
    case silent
}

/// The reason why a room client has ended.
package enum RoomEnd: Hashable, Sendable {
    /// The caller stopped the client.
    case stopped
    /// The server closed the connection with a code after which a new connection would fail too.
    case closed(code: UInt16, reason: String)
    /// The first attempt to connect failed.
    case unreachable(String)
    /// The server let the client join none of the rooms.
    case refused(Problem)
}

/// The position of a client in the history of a room.
package struct RoomPosition: Hashable, Sendable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Parses a position of the form `EPOCH:N`. Returns nil if `text` is malformed.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let sequence = Int64(text[text.index(after: colon)...]),
            sequence >= 0,
            colon != text.startIndex
        else { return nil }
        self.init(epoch: String(text[..<colon]), sequence: sequence)
    }

    package var text: String { "\(epoch):\(sequence)" }
}
