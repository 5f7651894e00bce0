import Synchronization

/// An action that the loop does on a connection.
package enum ConnectionAction: Sendable {
    /// Sends a message, which must be UTF-8.
    case send([UInt8])
    /// Sends an encoded frame. The frame's positions are ignored.
    case sendFrame(Frame)
    /// Sends a binary message in a frame of packets, or as the text of a polled packet.
    case sendBinary(frame: [UInt8], text: [UInt8])
    /// Subscribes to a channel's frames, beginning with the frame at the position `at`. If the connection has
    /// subscribed to the channel already, only the position of the subscription changes.
    case subscribe(to: ChannelID, at: UInt64)
    case unsubscribe(from: ChannelID)
    /// Sends the frames that a client missed, after `fellBehind` or directly after a subscription. The loop
    /// writes the frames in order until the client is blocked.
    case catchUp(ChannelID, [Frame])
    case close(code: UInt16, reason: String)
}

/// A handle to a connection of the server. Any thread may call all functions. They return at once, and the
/// loop does the actions in order. They have no effect on a connection that has ended.
package final class WebSocketConnection: Sendable, Hashable {
    private let loop: ServerLoop
    let peerID: PeerID
    private let storedContext = Mutex<(any AnyObject & Sendable)?>(nil)
    private let storedForm = Atomic(MessageForm.plain.rawValue)

    init(_ peerID: PeerID, on loop: ServerLoop) {
        self.peerID = peerID
        self.loop = loop
    }

    /// Unique among the open connections of its server.
    package var id: UInt64 { UInt64(loop.number) << 56 | peerID.rawValue }

    /// The form in which the client gets messages. It does not change after `opened`.
    package internal(set) var form: MessageForm {
        get { MessageForm(rawValue: storedForm.load(ordering: .relaxed)) ?? .plain }
        set { storedForm.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The handler's own state of this connection. The state is released with the last reference to this
    /// handle.
    package var context: (any AnyObject & Sendable)? {
        get { storedContext.withLock { $0 } }
        set { storedContext.withLock { $0 = newValue } }
    }

    /// Sends a message, which must be UTF-8. If the client does not read, and more than
    /// `WebSocketSettings.sendBound` bytes wait, the loop closes the connection with 4002.
    package func send(_ text: [UInt8]) { perform(.send(text)) }

    /// Sends an encoded frame. The frame's positions are ignored.
    package func send(_ frame: Frame) { perform(.sendFrame(frame)) }

    /// Subscribes to a channel (see `ConnectionAction.subscribe`).
    package func subscribe(to channel: ChannelID, at position: UInt64) {
        perform(.subscribe(to: channel, at: position))
    }

    /// Ends the subscription to a channel.
    package func unsubscribe(from channel: ChannelID) { perform(.unsubscribe(from: channel)) }

    /// Sends the frames that the client missed (see `ConnectionAction.catchUp`).
    package func catchUp(_ channel: ChannelID, _ frames: [Frame]) { perform(.catchUp(channel, frames)) }

    /// Sends a close frame, and ends the connection when the client has answered the close frame, or after 5
    /// s. `reason` is cut to 123 bytes.
    package func close(code: UInt16, reason: String = "") { perform(.close(code: code, reason: reason)) }

    /// Does one action.
    package func perform(_ action: ConnectionAction) {
        loop.post(.act(peerID, action))
    }

    /// Does all actions in order, without actions of other callers between them.
    package func perform(_ actions: [ConnectionAction]) {
        loop.post(.actAll(peerID, actions))
    }

    @discardableResult
    func post(_ message: LoopMessage) -> Bool { loop.post(message) }

    package static func == (one: WebSocketConnection, other: WebSocketConnection) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
