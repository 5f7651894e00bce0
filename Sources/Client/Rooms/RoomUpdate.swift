package import Wire

/// What a room's watcher is told, in order.
package enum RoomUpdate: Sendable {
    /// In the room; where it was `recovered`, what was missed follows as frames, else a snapshot does.
    case joined(Joined)
    /// The whole state, in place of everything told before.
    case snapshot(RoomFrame.Snapshot, room: String, sequence: Int64?)
    case frame(RoomFrame)
    /// Of `home`, whose frames and snapshots have a shape of their own.
    case home(HomeFrame)
    /// The room may not be joined; the connection stays for the others.
    case refused(Problem)
    case reconnecting(in: Duration, because: RoomInterruption)
    /// The last one.
    case ended(RoomEnd)
}

/// Why a connection was lost, or was not had.
package enum RoomInterruption: Hashable, Sendable {
    case closed(code: UInt16, reason: String)
    case unreachable(String)
    /// Nothing was heard for a minute.
    case silent
}

package enum RoomEnd: Hashable, Sendable {
    /// By this side.
    case stopped
    /// With a code after which connecting again is of no use.
    case closed(code: UInt16, reason: String)
    /// Not even once connected.
    case unreachable(String)
    /// No room could be joined.
    case refused(Problem)
}

/// Where a client was in a room.
package struct RoomPosition: Hashable, Sendable {
    package let epoch: String
    package let sequence: Int64

    package init(epoch: String, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Reads `EPOCH:N`.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let sequence = Int64(text[text.index(after: colon)...]),
            sequence >= 0,
            colon != text.startIndex
        else { return nil }
        self.init(epoch: String(text[..<colon]), sequence: sequence)
    }

    package var text: String { "\(epoch):\(sequence)" }
}
