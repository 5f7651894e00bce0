import Synchronization

/// One thing to do to a connection.
package enum ConnectionAction: Sendable {
    /// A direct answer, as UTF-8.
    case send([UInt8])
    /// A direct answer that is encoded already; its positions mean nothing here.
    case sendFrame(Frame)
    /// From now on the channel's frames, beginning with the one that leaves `at`. Subscribed already: only
    /// the position changes.
    case subscribe(to: ChannelID, at: UInt64)
    case unsubscribe(from: ChannelID)
    /// The answer to `fellBehind`, or what somebody who comes back has missed, right behind the subscription:
    /// written in order as far as the client takes it, after which it stands where the last one leads.
    case catchUp(ChannelID, [Frame])
    case close(code: UInt16, reason: String)
}

/// A handle on a server's connection, from any thread. Every method returns at once; the loop does what was
/// asked in order. On a connection that is gone they do nothing.
package final class WebSocketConnection: Sendable, Hashable {
    /// Unique among the open connections of its server.
    package let id: UInt64
    private let loop: ServerLoop
    private let peerID: PeerID
    private let kept = Mutex<(any Sendable)?>(nil)

    init(_ peerID: PeerID, on loop: ServerLoop) {
        self.peerID = peerID
        self.loop = loop
        id = UInt64(loop.number) << 56 | peerID.rawValue
    }

    /// Room for the handler's own state of this connection. Kept until the last handle is gone.
    package var context: (any Sendable)? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// A direct answer, as UTF-8. A client that does not read: closed with 4002 once the bound is passed.
    package func send(_ text: [UInt8]) { perform(.send(text)) }

    /// A direct answer that is encoded already.
    package func send(_ frame: Frame) { perform(.sendFrame(frame)) }

    package func subscribe(to channel: ChannelID, at position: UInt64) {
        perform(.subscribe(to: channel, at: position))
    }

    package func unsubscribe(from channel: ChannelID) { perform(.unsubscribe(from: channel)) }

    package func catchUp(_ channel: ChannelID, _ frames: [Frame]) { perform(.catchUp(channel, frames)) }

    /// Sends a close frame, and ends the connection when it is answered or after 5 s. `reason` is cut to 123
    /// bytes.
    package func close(code: UInt16, reason: String = "") { perform(.close(code: code, reason: reason)) }

    package func perform(_ action: ConnectionAction) {
        loop.post(.act(peerID, action))
    }

    /// All of them, with nothing of anybody else's in between.
    package func perform(_ actions: [ConnectionAction]) {
        loop.post(.actAll(peerID, actions))
    }

    package static func == (one: WebSocketConnection, other: WebSocketConnection) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
