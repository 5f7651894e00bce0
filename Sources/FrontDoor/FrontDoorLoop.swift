import CLinux
import Glibc
import Synchronization
import Threads

/// The event loop of the front door. The loop accepts connections, looks at their first bytes, decides about
/// the protocol, and passes the sockets to the callbacks.
///
/// `@unchecked Sendable`: `stop()` uses only the atomic flag and the eventfd, which any thread may use. Only
/// the loop's thread uses all other state (`preconditionOnLoop`). `init` runs before this thread exists, and
/// another thread calls `dismantle()` only if the loop's thread was never started (`FrontDoor.close`).
final class FrontDoorLoop: @unchecked Sendable {
    let port: UInt16
    let thread = LoopThread(named: "front-door")
    let counters = DoorCounters()
    private let settings: DoorSettings
    private let counts: ConnectionCounts
    private let epoll: CInt
    private let wake: EventDescriptor
    private let isStopped = Atomic(false)
    private var listener: Listener?
    let listening: CInt
    /// Opens when the loop accepts no more connections and has no undecided ones.
    let isQuiet = Latch()
    /// The time until which undecided connections may decide; nil while the loop accepts connections.
    private let lastDecision = Mutex<ContinuousClock.Instant?>(nil)
    private var hasStoppedAccepting = false
    private var undecided: UndecidedConnections
    /// The slots of the undecided connections.
    private var slots: [CInt: ConnectionSlot] = [:]
    private var acceptsAgainAt: ContinuousClock.Instant?
    private var view: [UInt8]

    init(listen: ListenAddress, inherited: CInt?, settings: DoorSettings) throws(FrontDoorError) {
        let listener =
            if let inherited { Listener(inheriting: inherited, listen) } else {
                try Listener(listen, backlog: settings.backlog, mode: settings.socketMode)
            }
        let epoll = clinux_epoll_create()
        guard epoll >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
        guard let wake = EventDescriptor() else {
            let reason = errno
            close(epoll)
            throw .system(call: "eventfd", errno: reason)
        }
        guard
            clinux_epoll_add(epoll, wake.descriptor, CLINUX_READABLE) == 0,
            clinux_epoll_add(epoll, listener.descriptor, CLINUX_READABLE) == 0
        else {
            let reason = errno
            close(epoll)
            throw .system(call: "epoll_ctl", errno: reason)
        }
        (self.settings, self.epoll, self.wake) = (settings, epoll, wake)
        (port, listening) = (listener.port, listener.descriptor)
        counts = ConnectionCounts(limit: max(1, settings.connectionsPerAddress))
        undecided = UndecidedConnections(limit: settings.waitingLimit)
        // The buffer has one byte more than the longest upgrade. If the client's bytes fill the buffer, the
        // request is not an upgrade.
        view = [UInt8](repeating: 0, count: settings.grammar.headLimit + 1)
        self.listener = consume listener
    }

    deinit { close(epoll) }

    /// Ends `run`. Any thread may call this function.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Makes the loop accept no more connections. Any thread may call this function.
    func stopAccepting(within time: Duration) {
        lastDecision.withLock { $0 = $0 ?? .now + time }
        wake.signal()
    }

    /// Runs the loop on its thread. Returns after `stop()`.
    func run(_ receivers: DoorReceivers) {
        var ready = [clinux_ready](repeating: clinux_ready(), count: Int(CLINUX_READY_AT_ONCE))
        while !isStopped.load(ordering: .acquiring) {
            let count = clinux_epoll_wait(epoll, &ready, millisecondsToWait())
            // The call fails only because of programming errors: EBADF, EFAULT, EINVAL.
            precondition(count >= 0, "epoll_wait failed: \(errno)")
            var hasNewConnections = false
            for event in ready.prefix(Int(count)) {
                if event.descriptor == wake.descriptor {
                    wake.clear()
                } else if event.descriptor == listening {
                    hasNewConnections = true
                } else {
                    look(at: event.descriptor, events: event.events, receivers)
                }
            }
            // New connections are accepted last. A new connection may have the same descriptor as a
            // connection that was just closed, and must not receive that connection's events.
            if hasNewConnections, !hasStoppedAccepting { acceptAll(receivers) }
            tidy(at: .now)
        }
        isQuiet.open()
        dismantle()
    }

    /// Stops listening and closes the undecided connections.
    func dismantle() {
        thread.preconditionOnLoop()
        listener = nil
        for descriptor in undecided.clear() { end(descriptor) }
    }

    private func millisecondsToWait() -> CInt {
        let last = hasStoppedAccepting && undecided.count > 0 ? lastDecision.withLock { $0 } : nil
        guard let next = [undecided.nextDeadline(), acceptsAgainAt, last].compactMap({ $0 }).min() else {
            return -1
        }
        let left = ContinuousClock.now.duration(to: next)
        guard left > .zero else { return 0 }
        // The time is rounded up, because otherwise the loop would spin during the last millisecond.
        return CInt(min(left / .milliseconds(1) + 1, 60_000))
    }

    // MARK: Accepting

    private func acceptAll(_ receivers: DoorReceivers) {
        thread.preconditionOnLoop()
        let flags = CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        // The limit ensures that undecided connections are also read while very many clients connect.
        for _ in 0..<256 {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = clinux_accept4(listening, &address, &length, flags)
            guard descriptor >= 0 else {
                switch errno {
                case EAGAIN: return
                // accept(2) can report an error of the next queued connection. In this case, the next call
                // returns another connection.
                case ECONNABORTED, EPROTO, EINTR: continue
                // The error is EMFILE, ENFILE, ENOBUFS or ENOMEM. An unexpected error pauses too, so that it
                // cannot make the loop spin.
                default: return pause()
                }
            }
            guard let peer = PeerAddress(address) else {
                close(descriptor)
                continue
            }
            Listener.set(descriptor, level: CInt(IPPROTO_TCP), option: TCP_NODELAY, to: 1)
            receive(descriptor, peer: peer, receivers)
        }
    }

    private func receive(_ descriptor: CInt, peer: PeerAddress, _ receivers: DoorReceivers) {
        counters.accepted.add(1, ordering: .relaxed)
        var slot: ConnectionSlot?
        if let address = NumericAddress(peer.address), !settings.unlimited.contains(address) {
            slot = counts.slot(for: address)
            guard slot != nil else { return turnAway(descriptor, receivers) }
        }
        switch firstBytes(of: descriptor) {
        case .decided(let verdict): receivers.handOver(descriptor, peer, slot, as: verdict)
        case .gone: close(descriptor)
        case .undecided:
            let events = CLINUX_READABLE | CLINUX_PEER_HALF_CLOSED | CLINUX_EDGE_TRIGGERED
            guard clinux_epoll_add(epoll, descriptor, events) == 0 else {
                close(descriptor)
                return
            }
            slots[descriptor] = slot
            if let displaced = undecided.add(descriptor, peer: peer, until: .now + settings.decisionDeadline)
            {
                endSilent(displaced)
            }
        }
    }

    private func turnAway(_ descriptor: CInt, _ receivers: DoorReceivers) {
        counters.turnedAway.add(1, ordering: .relaxed)
        if let turnedAway = receivers.turnedAway { turnedAway(descriptor) } else { close(descriptor) }
    }

    /// Closes an undecided connection.
    private func end(_ descriptor: CInt) {
        slots[descriptor] = nil
        close(descriptor)
    }

    private func endSilent(_ descriptor: CInt) {
        counters.silent.add(1, ordering: .relaxed)
        end(descriptor)
    }

    /// Stops accepting for a short time. Without this pause, the listening socket would wake the thread again
    /// and again, because the socket stays readable while connections are queued.
    private func pause() {
        _ = clinux_epoll_change(epoll, listening, 0)
        acceptsAgainAt = .now + settings.exhaustionPause
    }

    // MARK: Deciding

    private enum FirstBytes {
        case undecided
        case decided(UpgradeGrammar.Verdict)
        case gone
    }

    private func firstBytes(of descriptor: CInt) -> FirstBytes {
        view.withUnsafeMutableBytes { view in
            let count = recv(descriptor, view.baseAddress, view.count, CInt(MSG_PEEK))
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .undecided : .gone }
            if count == 0 { return .gone }
            let verdict = settings.grammar.judge(UnsafeRawBufferPointer(rebasing: view[..<count]))
            return verdict == .incomplete ? .undecided : .decided(verdict)
        }
    }

    private func look(at descriptor: CInt, events: UInt32, _ receivers: DoorReceivers) {
        thread.preconditionOnLoop()
        // An earlier event of this iteration may have closed this connection.
        guard let peer = undecided.peer(of: descriptor) else { return }
        switch firstBytes(of: descriptor) {
        case .decided(let verdict):
            undecided.remove(descriptor)
            // The server that receives the socket uses another epoll. The socket is removed here, because
            // otherwise it would still wake this thread.
            _ = clinux_epoll_remove(epoll, descriptor)
            receivers.handOver(descriptor, peer, slots.removeValue(forKey: descriptor), as: verdict)
        case .undecided where events & (CLINUX_PEER_HALF_CLOSED | CLINUX_HUNG_UP | CLINUX_FAILED) == 0: break
        // The client has closed its side, so the request will never be complete.
        case .undecided, .gone:
            undecided.remove(descriptor)
            end(descriptor)
        }
    }

    /// Closes the connections whose deadline has passed, and ends a pause when its time is over.
    private func tidy(at now: ContinuousClock.Instant) {
        thread.preconditionOnLoop()
        while let descriptor = undecided.expire(at: now) { endSilent(descriptor) }
        if let last = lastDecision.withLock({ $0 }) {
            if !hasStoppedAccepting {
                hasStoppedAccepting = true
                acceptsAgainAt = nil
                _ = clinux_epoll_remove(epoll, listening)
            }
            if undecided.count == 0 || last <= now { isQuiet.open() }
        } else if let again = acceptsAgainAt, again <= now {
            acceptsAgainAt = nil
            _ = clinux_epoll_change(epoll, listening, CLINUX_READABLE)
        }
    }
}

/// The callbacks that receive the front door's sockets.
struct DoorReceivers: Sendable {
    let http: FrontDoor.HandOver
    let upgrade: FrontDoor.HandOver
    let turnedAway: FrontDoor.TurnAway?

    func handOver(
        _ descriptor: CInt, _ peer: PeerAddress, _ slot: ConnectionSlot?, as verdict: UpgradeGrammar.Verdict
    ) {
        if verdict == .upgrade { upgrade(descriptor, peer, slot) } else { http(descriptor, peer, slot) }
    }
}
