import CLinux
import Glibc
import Synchronization
import Threads

/// What the door's thread does: accept, peek, decide, hand on.
///
/// `@unchecked Sendable`: `stop()` touches only the atomic flag and the eventfd, both made for it. Everything
/// else is touched by one thread alone: `init` runs before that thread exists, `run()` is called by it only,
/// and `dismantle()` from elsewhere only where it never ran (`FrontDoor` sees to that).
final class DoorWatch: @unchecked Sendable {
    let port: UInt16
    let thread = LoopThread(named: "front-door")
    let counters = DoorCounters()
    private let settings: DoorSettings
    private let tally: ConnectionTally
    private let epoll: CInt
    private let wake: EventDescriptor
    private let isStopped = Atomic(false)
    private var listener: Listener?
    private let listening: CInt
    private var waiting: WaitingRoom
    /// Of those that wait.
    private var places: [CInt: ConnectionPlace] = [:]
    private var acceptsAgainAt: ContinuousClock.Instant?
    private var view: [UInt8]

    init(listen: ListenAddress, settings: DoorSettings) throws(FrontDoorError) {
        let listener = try Listener(listen, backlog: settings.backlog)
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
        tally = ConnectionTally(limit: max(1, settings.connectionsPerAddress))
        waiting = WaitingRoom(limit: settings.waitingLimit)
        // One byte more than an upgrade may have: what fills it is HTTP's.
        view = [UInt8](repeating: 0, count: settings.grammar.headLimit + 1)
        self.listener = consume listener
    }

    deinit { close(epoll) }

    /// From any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Runs until `stop()`.
    func run(_ ways: DoorWays) {
        var ready = [clinux_ready](repeating: clinux_ready(), count: Int(CLINUX_READY_AT_ONCE))
        while !isStopped.load(ordering: .acquiring) {
            let count = clinux_epoll_wait(epoll, &ready, millisecondsToWait())
            // It fails for a programmer's errors only: EBADF, EFAULT, EINVAL.
            precondition(count >= 0, "epoll_wait failed: \(errno)")
            var someoneCalls = false
            for event in ready.prefix(Int(count)) {
                if event.descriptor == wake.descriptor {
                    wake.clear()
                } else if event.descriptor == listening {
                    someoneCalls = true
                } else {
                    look(at: event.descriptor, events: event.events, ways)
                }
            }
            // Last: a new connection may get the number of one that is closed for it, and must not get its
            // events.
            if someoneCalls { acceptAll(ways) }
            tidy(at: .now)
        }
        dismantle()
    }

    func dismantle() {
        thread.preconditionOnLoop()
        listener = nil
        for descriptor in waiting.clear() { end(descriptor) }
    }

    private func millisecondsToWait() -> CInt {
        guard let next = [waiting.nextDeadline(), acceptsAgainAt].compactMap({ $0 }).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: next)
        guard left > .zero else { return 0 }
        // Rounded up, or the last millisecond would be spent in spinning.
        return CInt(min(left / .milliseconds(1) + 1, 60_000))
    }

    // MARK: Accepting

    private func acceptAll(_ ways: DoorWays) {
        thread.preconditionOnLoop()
        let flags = CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        // A bound, so that a flood of connections does not keep those that wait from being read.
        for _ in 0..<256 {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = clinux_accept4(listening, &address, &length, flags)
            guard descriptor >= 0 else {
                switch errno {
                case EAGAIN: return
                // accept(2) reports errors of the connection that it would have returned; the next one is
                // another.
                case ECONNABORTED, EPROTO, EINTR: continue
                // EMFILE, ENFILE, ENOBUFS, ENOMEM; and what should not happen must not spin.
                default: return pause()
                }
            }
            guard let peer = Peer(address) else {
                close(descriptor)
                continue
            }
            Listener.set(descriptor, level: CInt(IPPROTO_TCP), option: TCP_NODELAY, to: 1)
            receive(descriptor, peer: peer, ways)
        }
    }

    private func receive(_ descriptor: CInt, peer: Peer, _ ways: DoorWays) {
        counters.accepted.add(1, ordering: .relaxed)
        var place: ConnectionPlace?
        if let address = NumericAddress(peer.address), !settings.unlimited.contains(address) {
            place = tally.place(for: address)
            guard place != nil else { return turnAway(descriptor, ways) }
        }
        switch firstBytes(of: descriptor) {
        case .decided(let verdict): ways.handOver(descriptor, peer, place, as: verdict)
        case .gone: close(descriptor)
        case .undecided:
            let events = CLINUX_READABLE | CLINUX_PEER_HALF_CLOSED | CLINUX_EDGE_TRIGGERED
            guard clinux_epoll_add(epoll, descriptor, events) == 0 else {
                close(descriptor)
                return
            }
            places[descriptor] = place
            if let displaced = waiting.admit(descriptor, peer: peer, until: .now + settings.decisionDeadline)
            {
                endSilent(displaced)
            }
        }
    }

    private func turnAway(_ descriptor: CInt, _ ways: DoorWays) {
        counters.turnedAway.add(1, ordering: .relaxed)
        if let turnedAway = ways.turnedAway { turnedAway(descriptor) } else { close(descriptor) }
    }

    /// One that waited.
    private func end(_ descriptor: CInt) {
        places[descriptor] = nil
        close(descriptor)
    }

    private func endSilent(_ descriptor: CInt) {
        counters.silent.add(1, ordering: .relaxed)
        end(descriptor)
    }

    /// The listening socket stays readable as long as somebody queues, and would wake the thread for nothing.
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

    private func look(at descriptor: CInt, events: UInt32, _ ways: DoorWays) {
        thread.preconditionOnLoop()
        // An event of this round may concern one that another event of it has closed.
        guard let peer = waiting.peer(of: descriptor) else { return }
        switch firstBytes(of: descriptor) {
        case .decided(let verdict):
            waiting.release(descriptor)
            // It will live in another epoll; left in this one, it would still wake us.
            _ = clinux_epoll_remove(epoll, descriptor)
            ways.handOver(descriptor, peer, places.removeValue(forKey: descriptor), as: verdict)
        case .undecided where events & (CLINUX_PEER_HALF_CLOSED | CLINUX_HUNG_UP | CLINUX_FAILED) == 0: break
        // No more bytes will come: what is incomplete now stays so.
        case .undecided, .gone:
            waiting.release(descriptor)
            end(descriptor)
        }
    }

    private func tidy(at now: ContinuousClock.Instant) {
        thread.preconditionOnLoop()
        while let descriptor = waiting.expire(at: now) { endSilent(descriptor) }
        if let again = acceptsAgainAt, again <= now {
            acceptsAgainAt = nil
            _ = clinux_epoll_change(epoll, listening, CLINUX_READABLE)
        }
    }
}

/// Where the door's thread hands sockets.
struct DoorWays: Sendable {
    let http: FrontDoor.HandOver
    let upgrade: FrontDoor.HandOver
    let turnedAway: FrontDoor.TurnAway?

    func handOver(
        _ descriptor: CInt, _ peer: Peer, _ place: ConnectionPlace?, as verdict: UpgradeGrammar.Verdict
    ) {
        if verdict == .upgrade { upgrade(descriptor, peer, place) } else { http(descriptor, peer, place) }
    }
}
