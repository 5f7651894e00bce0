import CLibWebSockets
import Synchronization

/// The packets that wait for a polled client, and the client's poll.
final class PolledMailbox {
    /// The bytes of frames that may wait. Beyond them, the connection falls behind, and gets the newest state
    /// when it has polled.
    static let frameBound = 32_768
    /// The bytes of one answer, unless the first packet is longer.
    static let answerBound = 65_536

    var packets: [[UInt8]] = []
    var bytes = 0
    var poll: CheckedContinuation<PollAnswer, Never>?
    /// The code with which the connection was closed.
    var closeCode = CloseCode.abnormal

    var isFull: Bool { bytes >= Self.frameBound }

    func append(_ packet: [UInt8]) {
        packets.append(packet)
        bytes += packet.count
    }

    /// Removes the first packets, as many as one answer has.
    func take() -> [[UInt8]] {
        var (count, size) = (0, 0)
        while count < packets.count, count == 0 || size + packets[count].count <= Self.answerBound {
            size += packets[count].count
            count += 1
        }
        defer { packets.removeFirst(count) }
        bytes -= size
        return Array(packets[..<count])
    }
}

/// The answer to a poll.
package enum PollAnswer: Sendable, Equatable {
    case packets([[UInt8]])
    /// The connection has ended, or does not poll.
    case ended
    /// The connection has ended while the client waited, and the client should begin another one.
    case tryAgain
}

/// A message that a client has sent by HTTP.
package enum PolledMessage: Sendable {
    case text([UInt8])
    case binary([UInt8])
}

extension WebSocketChannels {
    /// Opens a connection without a socket, whose client polls. Returns nil if the server is draining.
    package func openPolled(_ request: UpgradeHead) async -> WebSocketConnection? {
        await withCheckedContinuation { continuation in
            if !mailboxes[0].post(.openPolled(request, continuation)) { continuation.resume(returning: nil) }
        }
    }

    /// The settings of the loops.
    package var settings: WebSocketSettings { mailboxes[0].settings }
}

extension WebSocketConnection {
    /// Waits for packets, and returns them. A second poll at the same time ends the connection.
    package func poll() async -> PollAnswer {
        await withCheckedContinuation { continuation in
            if !post(.poll(peerID, continuation)) { continuation.resume(returning: .ended) }
        }
    }

    /// Passes the messages of a polled client to the handler, on the loop. Returns after the handler has
    /// processed them, so that a later poll gets the handler's immediate answers. Returns false if the
    /// connection has ended.
    package func receive(_ messages: [PolledMessage]) async -> Bool {
        await withCheckedContinuation { continuation in
            if !post(.receive(peerID, messages, continuation)) { continuation.resume(returning: false) }
        }
    }

    /// Answers the waiting poll with this packet, if there is one.
    /// - Parameter thenClose: whether the connection closes before another poll can come.
    package func answerPoll(_ packet: [UInt8], thenClose: Bool = false) {
        post(.answerPoll(peerID, packet, thenClose: thenClose))
    }

    /// Ends a polled connection at once. If its client polls just now, it gets the last packet.
    package func endPolled() { post(.endPolled(peerID)) }

    /// Gives this connection's socket to a polled connection of the same loop, which goes on with it. This
    /// connection then ends without a call of `closed`.
    package func becomeSocket(of polled: WebSocketConnection) {
        post(.becomeSocket(peerID, of: polled.peerID))
    }
}

/// Connections whose clients poll. They have no socket; everything else is as for websockets.
extension ServerLoop {
    func openPolled(_ request: UpgradeHead, _ continuation: CheckedContinuation<WebSocketConnection?, Never>)
    {
        guard !isDraining else { return continuation.resume(returning: nil) }
        let id = peers.nextID()
        let handle = WebSocketConnection(id, on: self)
        let peer = Peer(id, handle, settings: settings, at: events.now)
        (peer.form, peer.stage, peer.mailbox) = (.polled, .open, PolledMailbox())
        peer.getsHeartbeats = settings.getsHeartbeats(request)
        peers.insert(peer)
        counters.connections.add(1, ordering: .relaxed)
        counters.opened.add(1, ordering: .relaxed)
        handler.opened(handle, request: request)
        continuation.resume(returning: handle)
    }

    func poll(_ id: PeerID, _ continuation: CheckedContinuation<PollAnswer, Never>) {
        guard let peer = peers[id], let mailbox = peer.mailbox else {
            return continuation.resume(returning: .ended)
        }
        guard mailbox.poll == nil else {
            close(peer, code: CloseCode.policy, reason: "two polls")
            return continuation.resume(returning: .ended)
        }
        if peer.stage == .open, endIfSilent(peer) { return continuation.resume(returning: .ended) }
        mailbox.poll = continuation
        deliver(mailbox, to: peer)
    }

    func answerPoll(_ id: PeerID, _ packet: [UInt8], thenClose: Bool) {
        guard let peer = peers[id] else { return }
        if let poll = peer.mailbox?.poll {
            peer.mailbox?.poll = nil
            poll.resume(returning: .packets([packet]))
        }
        if thenClose { close(peer, code: CloseCode.normal, reason: "") }
    }

    func receive(_ messages: [PolledMessage], from id: PeerID) -> Bool {
        guard let peer = peers[id], peer.mailbox != nil, peer.stage == .open, !endIfSilent(peer) else {
            return false
        }
        peer.lastHeard = events.now
        for message in messages {
            peer.rateLimit.addMessage()
            counters.messagesReceived.add(1, ordering: .relaxed)
            switch message {
            case .text(let text): handler.received(text, from: peer.handle)
            case .binary(let bytes): handler.received(binary: bytes, from: peer.handle)
            }
        }
        if peer.rateLimit.isFlooded(within: settings, at: events.now) {
            counters.closedFlooding.add(1, ordering: .relaxed)
            close(peer, code: CloseCode.policy, reason: "too many messages")
        }
        return true
    }

    func perform(_ action: ConnectionAction, on peer: Peer, _ mailbox: PolledMailbox) {
        guard peer.stage == .open else { return }
        switch action {
        case .send(let text): enqueue(text, for: peer, mailbox)
        case .sendBinary(_, let text): enqueue(text, for: peer, mailbox)
        case .sendFrame(let frame): enqueue(settings.packet(frame.text, frame.to), for: peer, mailbox)
        case .subscribe(let channel, let position):
            subscribe(peer, Subscriber.noSocket, to: channel, at: position)
        case .unsubscribe(let channel): peer.leave(channel)
        case .catchUp(let channel, let frames): catchUp(peer, mailbox, channel, frames)
        case .close(let code, let reason): close(peer, code: code, reason: reason)
        }
    }

    /// Queues a packet that is no frame of a channel.
    func enqueue(_ packet: [UInt8], for peer: Peer, _ mailbox: PolledMailbox) {
        guard mailbox.bytes + packet.count <= settings.sendBound,
            mailbox.packets.count < WebSocketSettings.mostWaitingFrames
        else { return closeSlow(peer) }
        mailbox.append(packet)
        counters.framesSent.add(1, ordering: .relaxed)
        counters.bytesSent.add(packet.count, ordering: .relaxed)
        deliver(mailbox, to: peer)
    }

    /// Answers the waiting poll if there are packets. Afterwards, the subscriptions that are behind go on.
    private func deliver(_ mailbox: PolledMailbox, to peer: Peer) {
        guard !mailbox.packets.isEmpty, let poll = mailbox.poll else { return }
        mailbox.poll = nil
        poll.resume(returning: .packets(mailbox.take()))
        if peer.stage == .closing, mailbox.packets.isEmpty { return removePolled(peer) }
        if peer.seats.contains(where: { $0.channel.subscribers[$0.index].standing == .behind }) {
            post(.becameReadable(peer.id))
        }
    }

    func publishPolled(_ run: FrameRun, to channel: Channel) {
        let frames = run.frames
        let packets = frames.map { settings.packet($0.text, $0.to) }
        for index in channel.subscribers.indices
        where channel.subscribers[index].standing == .current && channel.subscribers[index].form == .polled {
            let position = channel.subscribers[index].position
            let peer = channel.subscribers[index].peer
            guard let mailbox = peer.mailbox else { continue }
            guard let share = run.share(of: position) else {
                if position < run.to { markBehind(&channel.subscribers[index]) }
                continue
            }
            guard !mailbox.isFull else {
                markBehind(&channel.subscribers[index])
                continue
            }
            channel.subscribers[index].position = run.to
            for packet in packets.suffix(share.frames) { mailbox.append(packet) }
            counters.framesSent.add(share.frames, ordering: .relaxed)
            deliver(mailbox, to: peer)
        }
    }

    private func catchUp(_ peer: Peer, _ mailbox: PolledMailbox, _ id: ChannelID, _ frames: [Frame]) {
        catchUp(peer, id, frames) { frame in
            guard !mailbox.isFull else { return false }
            mailbox.append(settings.packet(frame.text, frame.to))
            return true
        }
        deliver(mailbox, to: peer)
    }

    /// Ends the subscriptions. The connection stays for 5 s, so that the client can poll the packets that
    /// wait. The last one says that the connection is closed for good, so a client that should connect again
    /// does not get it: its poll fails, as if the connection had broken.
    func closePolled(_ peer: Peer, _ mailbox: PolledMailbox, _ code: UInt16) {
        guard peer.stage == .open else { return }
        peer.leaveAll()
        (peer.stage, peer.lastHeard, mailbox.closeCode) = (.closing, events.now, code)
        if !CloseCode.isWorthReconnecting(code) { mailbox.append(settings.closingPacket) }
        deliver(mailbox, to: peer)
        // A client that asked for the end polls no more.
        if code == CloseCode.normal || mailbox.packets.isEmpty { removePolled(peer) }
    }

    func endPolled(_ id: PeerID) {
        guard let peer = peers[id], let mailbox = peer.mailbox else { return }
        closePolled(peer, mailbox, CloseCode.policy)
        removePolled(peer)
    }

    /// Removes a polled connection, and calls the handler's `closed`.
    func removePolled(_ peer: Peer) {
        guard let mailbox = peer.mailbox, peers.remove(peer.id) != nil else { return }
        peer.leaveAll()
        mailbox.poll?.resume(
            returning: CloseCode.isWorthReconnecting(mailbox.closeCode) ? .tryAgain : .ended)
        mailbox.poll = nil
        counters.connections.subtract(1, ordering: .relaxed)
        handler.closed(peer.handle, code: mailbox.closeCode)
    }

    func becomeSocket(_ id: PeerID, of polledID: PeerID) {
        // A client can send its close frame together with the packet that ends its polling. Without this, its
        // session would live on, and take no slot.
        guard let socket = peers[id], let wsi = socket.wsi, socket.stage == .open else {
            return endPolled(polledID)
        }
        guard let peer = peers[polledID], let mailbox = peer.mailbox, peer.stage == .open else {
            return close(socket, code: CloseCode.policy, reason: "unknown session")
        }
        _ = peers.remove(id)
        counters.connections.subtract(1, ordering: .relaxed)
        lws_set_opaque_user_data(wsi, peer.id.opaque)
        peer.takeSocket(of: socket, wsi)
        mailbox.poll?.resume(returning: .ended)
        for packet in mailbox.packets { perform(.send(packet), on: peer) }
        if peer.seats.contains(where: { $0.channel.subscribers[$0.index].standing == .behind }) {
            lws_callback_on_writable(wsi)
        }
    }
}

extension Peer {
    /// Continues a polled connection with the socket of another one.
    fileprivate func takeSocket(of socket: Peer, _ wsi: OpaquePointer) {
        (self.wsi, form, mailbox) = (wsi, .packets, nil)
        (reader, backlog, waitingFrames) = (socket.reader, socket.backlog, socket.waitingFrames)
        (lastHeard, holding, messageDeadline) = (socket.lastHeard, socket.holding, socket.messageDeadline)
        for seat in seats { seat.channel.replaceSocket(at: seat.index, by: wsi) }
    }
}
