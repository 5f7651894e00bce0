import CLibWebSockets
import Synchronization

/// Writes to the clients. Only the answer to an upgrade and pongs are written within the callback of a
/// connection.
extension ServerLoop {
    func perform(_ action: ConnectionAction, on peer: Peer) {
        if let mailbox = peer.mailbox { return perform(action, on: peer, mailbox) }
        guard peer.stage == .open || peer.stage == .ending, let wsi = peer.wsi else { return }
        switch action {
        case .send(let text): send(settings.bytes(of: text, in: peer.form), peer, wsi)
        case .sendFrame(let frame): send(settings.bytes(of: frame, in: peer.form), peer, wsi)
        case .sendBinary(let bytes, _): send(FrameFormat.encode(.binary, bytes), peer, wsi)
        case .subscribe(let channel, let position): subscribe(peer, wsi, to: channel, at: position)
        case .unsubscribe(let channel): peer.leave(channel)
        case .catchUp(let channel, let frames): catchUp(peer, wsi, channel, frames)
        case .close(let code, let reason): close(peer, code: code, reason: reason)
        }
    }

    private func send(_ bytes: [UInt8], _ peer: Peer, _ wsi: OpaquePointer) {
        if lws_partial_buffered(wsi) != 0,
            Int(peer.backlog) + bytes.count > settings.sendBound
                || peer.waitingFrames >= WebSocketSettings.mostWaitingFrames
        {
            closeSlow(peer)
        } else {
            write(bytes, peer, wsi)
        }
    }

    /// Writes a message, and counts it in the statistics. Returns false if the write failed.
    @discardableResult
    private func write(_ bytes: [UInt8], _ peer: Peer, _ wsi: OpaquePointer) -> Bool {
        guard writeBeside(bytes, peer, wsi) else { return false }
        counters.framesSent.add(1, ordering: .relaxed)
        counters.bytesSent.add(bytes.count, ordering: .relaxed)
        return true
    }

    /// Writes bytes that the statistics do not count as a message: control frames, and the response to the
    /// upgrade. Returns false if the write failed.
    @discardableResult
    func writeBeside(_ bytes: [UInt8], _ peer: Peer, _ wsi: OpaquePointer) -> Bool {
        guard qring_lws_write_framed(wsi, bytes, bytes.count) >= 0 else {
            broken.append(peer.id)
            return false
        }
        if lws_partial_buffered(wsi) != 0 { blocked(peer, wsi, by: bytes.count) } else { freed(peer, wsi) }
        return true
    }

    func ping(_ peer: Peer) {
        if let mailbox = peer.mailbox {
            if peer.getsHeartbeats { enqueue(settings.heartbeat, for: peer, mailbox) }
            return
        }
        guard let wsi = peer.wsi, lws_partial_buffered(wsi) == 0 else { return }
        switch peer.form {
        case .events: writeBeside(EventStream.heartbeat, peer, wsi)
        case .plain: writeBeside(FrameFormat.ping, peer, wsi)
        case .packets, .polled:
            if peer.getsHeartbeats { writeBeside(FrameFormat.encode(.text, settings.heartbeat), peer, wsi) }
        }
    }

    private func trouble(_ peer: Peer) {
        if peer.troubledSince == nil { peer.troubledSince = events.now }
    }

    func subscribe(_ peer: Peer, _ wsi: OpaquePointer, to id: ChannelID, at position: UInt64) {
        peer.leave(id)
        guard peer.seats.count < settings.mostSubscriptions else {
            close(peer, code: CloseCode.policy, reason: "too many subscriptions")
            return
        }
        let channel = channels[id] ?? open(id)
        let seat = channel.add(peer, wsi, at: position)
        peer.seats.append(seat)
        if position < channel.newest { markBehind(seat) }
    }

    private func open(_ id: ChannelID) -> Channel {
        let channel = Channel(id)
        channels[id] = channel
        return channel
    }

    private func markBehind(_ seat: Seat) {
        markBehind(&seat.channel.subscribers[seat.index])
    }

    func markBehind(_ subscriber: inout Subscriber) {
        subscriber.standing = .behind
        counters.fellBehind.add(1, ordering: .relaxed)
        trouble(subscriber.peer)
        if subscriber.form == .polled {
            post(.becameReadable(subscriber.peer.id))
        } else {
            lws_callback_on_writable(subscriber.wsi)
        }
    }

    /// Sends a run of frames to the current subscribers of a channel:
    ///
    /// - A subscriber at the position of one of the frames receives this frame and all later frames of the
    ///   run. Its position is then `run.to`.
    /// - A subscriber that is blocked, or whose position is before `run.to` and is not the position of a
    ///   frame, is marked as behind.
    /// - A subscriber at `run.to` or at a later position receives nothing.
    func publish(_ run: FrameRun, to id: ChannelID) {
        let channel = channels[id] ?? open(id)
        channel.newest = max(channel.newest, run.to)
        publish(run, to: channel, in: .plain)
        guard channel.otherForms > 0 else { return }
        for form in MessageForm.allCases
        where form != .plain && channel.subscribers.contains(where: { $0.form == form }) {
            if form == .polled {
                publishPolled(run, to: channel)
            } else {
                publish(run.inForm(form, settings), to: channel, in: form)
            }
        }
    }

    /// Sends a run to the subscribers that get their messages in the run's form.
    private func publish(_ run: FrameRun, to channel: Channel, in form: MessageForm) {
        var framesSent = 0
        var bytesSent = 0
        run.bytes.withUnsafeBufferPointer { bytes in
            for index in channel.subscribers.indices
            where channel.subscribers[index].standing == .current && channel.subscribers[index].form == form {
                let position = channel.subscribers[index].position
                let wsi = channel.subscribers[index].wsi
                guard let share = run.share(of: position) else {
                    if position < run.to { markBehind(&channel.subscribers[index]) }
                    continue
                }
                guard lws_partial_buffered(wsi) == 0 else {
                    markBehind(&channel.subscribers[index])
                    continue
                }
                let count = bytes.count - share.offset
                guard qring_lws_write_framed(wsi, bytes.baseAddress.map { $0 + share.offset }, count) >= 0
                else {
                    broken.append(channel.subscribers[index].peer.id)
                    continue
                }
                channel.subscribers[index].position = run.to
                framesSent += share.frames
                bytesSent += count
                if lws_partial_buffered(wsi) != 0 { blocked(channel.subscribers[index].peer, wsi, by: count) }
            }
        }
        counters.framesSent.add(framesSent, ordering: .relaxed)
        counters.bytesSent.add(bytesSent, ordering: .relaxed)
    }

    /// Stops reading from a client for which libwebsockets buffers bytes. libwebsockets does not read from
    /// such a client either, and without this call the loop would spin on the unread bytes.
    private func blocked(_ peer: Peer, _ wsi: OpaquePointer, by count: Int) {
        if peer.waitingFrames == 0 { lws_rx_flow_control(wsi, 0) }
        peer.backlog += UInt32(count)
        peer.waitingFrames += 1
        trouble(peer)
    }

    private func freed(_ peer: Peer, _ wsi: OpaquePointer) {
        guard peer.waitingFrames > 0 else { return }
        peer.backlog = 0
        peer.waitingFrames = 0
        lws_rx_flow_control(wsi, 1)
    }

    /// Sends the frames that a subscriber missed. If the client becomes blocked meanwhile, the subscriber is
    /// behind again, and its position is after the last frame that was sent.
    private func catchUp(_ peer: Peer, _ wsi: OpaquePointer, _ id: ChannelID, _ frames: [Frame]) {
        catchUp(peer, id, frames) { frame in
            guard lws_partial_buffered(wsi) == 0 else { return false }
            return write(settings.bytes(of: frame, in: peer.form), peer, wsi)
        }
    }

    /// Sends missed frames by `send`, which returns false if the client cannot get more now.
    func catchUp(_ peer: Peer, _ id: ChannelID, _ frames: [Frame], send: (Frame) -> Bool) {
        guard let index = peer.seat(in: id) else { return }
        let seat = peer.seats[index]
        let subscriber = seat.channel.subscribers[seat.index]
        // The handler calls `catchUp` after `fellBehind`, or for a new subscriber at the position of the
        // first frame.
        let isNext = subscriber.standing == .current && frames.first?.from == subscriber.position
        guard subscriber.standing == .asked || isNext else { return }
        for frame in frames {
            guard send(frame) else { return markBehind(seat) }
            seat.channel.subscribers[seat.index].position = frame.to
        }
        guard seat.channel.subscribers[seat.index].position >= seat.channel.newest else {
            return markBehind(seat)
        }
        seat.channel.subscribers[seat.index].standing = .current
        calm(peer)
    }

    /// libwebsockets reports this event when it has written all buffered bytes to the socket.
    func becameWritable(_ peer: Peer) {
        guard let wsi = peer.wsi, lws_partial_buffered(wsi) == 0 else { return }
        freed(peer, wsi)
        if peer.stage == .lingering { endWriting(wsi) }
        askForMissed(peer)
    }

    /// Asks the handler for the frames that a client has missed.
    func askForMissed(_ peer: Peer) {
        guard peer.stage == .open else { return }
        for seat in peer.seats where seat.channel.subscribers[seat.index].standing == .behind {
            seat.channel.subscribers[seat.index].standing = .asked
            handler.fellBehind(
                peer.handle, channel: seat.channel.id, position: seat.channel.subscribers[seat.index].position
            )
        }
        calm(peer)
    }

    private func calm(_ peer: Peer) {
        if let wsi = peer.wsi, lws_partial_buffered(wsi) != 0 { return }
        if peer.seats.allSatisfy({ $0.channel.subscribers[$0.index].standing == .current }) {
            peer.troubledSince = nil
        }
    }

    func closeChannel(_ id: ChannelID, code: UInt16?, reason: String) {
        guard let channel = channels.removeValue(forKey: id) else { return }
        for peer in channel.subscribers.map(\.peer) {
            if let code { close(peer, code: code, reason: reason) } else { peer.leave(id) }
        }
    }

    func closeSlow(_ peer: Peer) {
        counters.closedSlow.add(1, ordering: .relaxed)
        close(peer, code: CloseCode.slow, reason: "too slow")
    }

}
