import CLibWebSockets
import Glibc
import Synchronization
import Threads

/// A message from any thread to a loop.
enum LoopMessage: Sendable {
    case adopt(CInt, peer: String, holding: (any AnyObject & Sendable)?)
    case publish(Frame, ChannelID)
    case act(PeerID, ConnectionAction)
    case actAll(PeerID, [ConnectionAction])
    /// Ends a connection after the client's last frame. The loop handles this message after the actions that
    /// the handler requested for the client's earlier messages.
    case end(PeerID, Ending)
    case openPolled(UpgradeHead, CheckedContinuation<WebSocketConnection?, Never>)
    case poll(PeerID, CheckedContinuation<PollAnswer, Never>)
    case answerPoll(PeerID, [UInt8], thenClose: Bool)
    case receive(PeerID, [PolledMessage], CheckedContinuation<Bool, Never>)
    case endPolled(PeerID)
    case becomeSocket(PeerID, of: PeerID)
    /// The client of this polled connection has polled, and can get the frames that it missed.
    case becameReadable(PeerID)
    case closeChannel(ChannelID, code: UInt16?, reason: String)
    /// Closes all connections with `code`. The loop ends when all connections have ended, or after
    /// `milliseconds`.
    case drain(code: UInt16, milliseconds: UInt64)
    case stop
}

/// One event loop of a server, with its connections and their subscriptions.
///
/// `@unchecked Sendable`: the `let`s are Sendable themselves. Only the loop's thread uses the `var`s, because
/// the methods of `EventLoopWork`, and the methods that they call, run only on this thread. Other threads use
/// only `post` and `counters`.
final class ServerLoop: EventLoopWork, @unchecked Sendable {
    let number: Int
    let settings: WebSocketSettings
    let handler: any WebSocketHandler
    let counters: LoopCounters
    let hasEnded = Latch()
    let events: EventLoop
    let limits: Limits
    private let mailbox: LoopMailbox

    var peers = PeerTable()
    var channels: [ChannelID: Channel] = [:]
    /// The connections whose write failed while the loop handled the current batch. The loop closes them
    /// after the batch, because closing changes the arrays over which the loop iterates.
    var broken: [PeerID] = []
    private var batch: [LoopMessage] = []
    private var visits = 0
    /// The time at which draining ends, in milliseconds of the loop's clock. `nil` if the loop is not
    /// draining.
    private var drainsUntil: UInt64?

    init(_ mailbox: LoopMailbox, handler: any WebSocketHandler) {
        self.mailbox = mailbox
        self.handler = handler
        (number, settings, limits) = (mailbox.number, mailbox.settings, mailbox.limits)
        (events, counters) = (mailbox.events, mailbox.counters)
    }

    func start() throws(WebSocketError) {
        try events.start(self)
        // An inbox wakes its loop only for the first message, and another thread may have posted that message
        // before the loop was running.
        events.wake()
    }

    /// Any thread may call this. Returns false if the loop has ended.
    @discardableResult
    func post(_ message: LoopMessage) -> Bool {
        mailbox.post(message)
    }

    func awoke() {
        events.preconditionOnLoop()
        mailbox.inbox.take(into: &batch)
        var next = 0
        while next < batch.count {
            guard case .publish(let frame, let channel) = batch[next] else {
                handle(batch[next])
                next += 1
                continue
            }
            var run = FrameRun(frame)
            next += 1
            while next < batch.count, case .publish(let frame, channel) = batch[next], run.append(frame) {
                next += 1
            }
            publish(run, to: channel)
        }
        batch.removeAll(keepingCapacity: batch.count < 4_096)
        closeBroken()
        endIfDrained()
    }

    private func handle(_ message: LoopMessage) {
        switch message {
        case .adopt(let fileDescriptor, let peer, let holding): adopt(fileDescriptor, peer, holding)
        case .publish(let frame, let channel): publish(FrameRun(frame), to: channel)
        case .act(let id, let action):
            if let peer = peers[id] { perform(action, on: peer) }
        case .actAll(let id, let actions):
            for action in actions {
                guard let peer = peers[id] else { return }
                perform(action, on: peer)
            }
        case .end(let id, let ending):
            if let peer = peers[id] { end(peer, ending) }
        case .openPolled(let request, let continuation): openPolled(request, continuation)
        case .poll(let id, let continuation): poll(id, continuation)
        case .answerPoll(let id, let packet, let ends): answerPoll(id, packet, thenClose: ends)
        case .receive(let id, let messages, let continuation):
            continuation.resume(returning: receive(messages, from: id))
        case .endPolled(let id): endPolled(id)
        case .becomeSocket(let id, let polled): becomeSocket(id, of: polled)
        case .becameReadable(let id):
            if let peer = peers[id], peer.mailbox?.isFull == false { askForMissed(peer) }
        case .closeChannel(let id, let code, let reason): closeChannel(id, code: code, reason: reason)
        case .drain(let code, let milliseconds):
            if drainsUntil == nil { drainsUntil = events.now + milliseconds }
            for case let peer? in peers.slots {
                close(peer, code: code, reason: "going away")
                // The close frame was sent already, and draining does not wait until the client closes its
                // side.
                if peer.stage == .lingering, let wsi = peer.wsi { qring_lws_close(wsi) }
                if peer.mailbox != nil { removePolled(peer) }
            }
        case .stop:
            drainsUntil = 0
        }
    }

    private func adopt(_ fileDescriptor: CInt, _ peerName: String, _ holding: (any AnyObject & Sendable)?) {
        guard drainsUntil == nil else {
            Glibc.close(fileDescriptor)
            return
        }
        var size = CInt(clamping: settings.kernelSendBuffer)
        setsockopt(fileDescriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var one: CInt = 1
        setsockopt(fileDescriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        let id = peers.nextID()
        let handle = WebSocketConnection(id, on: self)
        peers.insert(Peer(id, handle, named: peerName, holding: holding, settings: settings, at: events.now))
        // libwebsockets can call back before this call returns. If the result is nil, libwebsockets has
        // closed the socket.
        if let wsi = qring_lws_adopt(events.vhost, fileDescriptor, id.opaque) {
            peers[id]?.wsi = wsi
        } else {
            _ = peers.remove(id)
        }
    }

    /// Checks the deadlines of every `Limits.visitsPerTurn`th slot. Each tick checks other slots, so that
    /// clients that connected at the same time do not get their pings at the same time.
    func ticked() {
        events.preconditionOnLoop()
        let now = events.now
        visits = (visits + 1) % Limits.visitsPerTurn
        for slot in stride(from: visits, to: peers.slots.count, by: Limits.visitsPerTurn) {
            if let peer = peers.slots[slot] { visit(peer, at: now) }
        }
        closeBroken()
        endIfDrained()
    }

    private func visit(_ peer: Peer, at now: UInt64) {
        switch peer.stage {
        case .handshaking:
            if now - peer.lastHeard >= limits.handshake, let wsi = peer.wsi { qring_lws_close(wsi) }
        case .open:
            if peer.troubledSince != nil { peer.messageDeadline.pause(at: now) }
            if let since = peer.troubledSince, now - since >= limits.slow {
                closeSlow(peer)
            } else if peer.messageDeadline.isOver(limits.message, at: now) {
                close(peer, code: CloseCode.policy, reason: "a message took too long")
            } else if !endIfSilent(peer), now - peer.lastPinged >= limits.ping {
                peer.lastPinged = now
                ping(peer)
            }
        case .ending:
            break
        case .closing, .lingering:
            guard now - peer.lastHeard >= Limits.closing else { return }
            if let wsi = peer.wsi { qring_lws_close(wsi) } else { removePolled(peer) }
        }
    }

    /// Ends an open connection whose client has sent nothing for too long. Returns false if it goes on.
    func endIfSilent(_ peer: Peer) -> Bool {
        guard peer.form != .events, events.now - peer.lastHeard >= limits.silence else { return false }
        counters.closedSilent.add(1, ordering: .relaxed)
        close(peer, code: CloseCode.goingAway, reason: "silent")
        if peer.mailbox != nil { removePolled(peer) }
        return true
    }

    var isDraining: Bool { drainsUntil != nil }

    private func endIfDrained() {
        guard let drainsUntil else { return }
        if peers.count == 0 || events.now >= drainsUntil { events.stop() }
    }

    func ended() {
        events.preconditionOnLoop()
        for message in mailbox.inbox.close() {
            switch message {
            case .adopt(let fileDescriptor, _, _): Glibc.close(fileDescriptor)
            case .openPolled(_, let continuation): continuation.resume(returning: nil)
            case .poll(_, let continuation): continuation.resume(returning: .tryAgain)
            case .receive(_, _, let continuation): continuation.resume(returning: false)
            default: break
            }
        }
        for case let peer? in peers.slots where peer.mailbox != nil { removePolled(peer) }
        channels = [:]
        hasEnded.open()
    }

    /// The time limits of the settings, in milliseconds.
    struct Limits: Sendable {
        static let visitsPerTurn = 16
        /// The time that a client has for the closing handshake, in milliseconds.
        static let closing: UInt64 = 5_000
        let ping: UInt64
        let silence: UInt64
        let slow: UInt64
        let handshake: UInt64
        let message: UInt64
        /// The time between two ticks. The loop checks each connection five times within the shortest limit,
        /// so every limit is exact to a fifth of the shortest limit.
        let tick: UInt64

        init(_ settings: WebSocketSettings) {
            ping = max(1, UInt64(settings.pingEvery / .milliseconds(1)))
            silence = max(1, UInt64(settings.silenceAllowed / .milliseconds(1)))
            slow = max(1, UInt64(settings.slowDeadline / .milliseconds(1)))
            handshake = max(1, UInt64(settings.handshakeDeadline / .milliseconds(1)))
            message = max(1, UInt64(settings.messageDeadline / .milliseconds(1)))
            tick = max(1, min(ping, silence, slow, handshake, message) / 5 / UInt64(Self.visitsPerTurn))
        }
    }
}
