import Wire

/// The decisions of a client that keeps itself in rooms. Every event returns what to do now, in order; it
/// owns no socket and no clock.
///
///     start ─▶ connecting ─▶ open ──lost──▶ waiting ─▶ connecting …
///                   │          └──4001──▶ renewing ─▶ connecting   (once, with another token)
///                   └── ended, where it never succeeded, where a close says so, or by `stop`
struct RoomClientStateMachine {
    enum Action: Equatable {
        case connect
        case send(String)
        case disconnect
        /// Ask for another token; answered by `renewed` or `notRenewed`.
        case renew
        case wait(Duration)
        case tell(Told)
    }

    /// `RoomUpdate`, as far as the machine makes it itself.
    enum Told: Equatable {
        case joined
        case snapshot
        case frame
        case refused
        case reconnecting(in: Duration, because: RoomInterruption)
        case ended(RoomEnd)
    }

    private enum State: Equatable { case idle, connecting, open, renewing, waiting, ended }

    private var state = State.idle
    private var rooms: [String]
    private(set) var positions: [String: RoomPosition]
    /// The epoch of the latest `joined`, until a snapshot gives its position a sequence.
    private var epochs: [String: String] = [:]
    private var attempt = 0
    private var hasBeenOpen = false
    /// A token that was renewed and is refused again is not renewed a third time.
    private var renewedSinceJoined = false
    private var joinedAnything = false
    private var nextID = 0
    private var requests: [Int: String] = [:]
    private let backOff: RoomBackOff

    init(rooms: [String], positions: [String: RoomPosition] = [:], backOff: RoomBackOff = RoomBackOff()) {
        self.rooms = rooms
        self.positions = positions
        self.backOff = backOff
    }

    mutating func start() -> [Action] {
        guard state == .idle else { return [] }
        state = .connecting
        return [.connect]
    }

    mutating func connected() -> [Action] {
        guard state == .connecting else { return [] }
        state = .open
        hasBeenOpen = true
        requests = [:]
        return rooms.map { .send(join($0)) }
    }

    mutating func failedToConnect(_ reason: String, jitter: Double) -> [Action] {
        guard state == .connecting else { return [] }
        // At the first attempt the address is wrong or nobody is there, and waiting would only hide it.
        guard hasBeenOpen else { return end(.unreachable(reason)) }
        return wait(because: .unreachable(reason), jitter: jitter)
    }

    /// Nothing was heard for too long, pings included.
    mutating func fellSilent(jitter: Double) -> [Action] {
        guard state == .open else { return [] }
        return [.disconnect] + wait(because: .silent, jitter: jitter)
    }

    /// - Parameter code: 1006 where the connection broke without a word.
    mutating func closed(code: UInt16, reason: String, jitter: Double) -> [Action] {
        guard state == .open || state == .connecting else { return [] }
        if code == CloseCode.notAuthorized.rawValue, !renewedSinceJoined {
            renewedSinceJoined = true
            state = .renewing
            return [.renew]
        }
        // Codes that are not in the contract come from the network and from what stands in it: a broken
        // connection is worth another.
        let isWorthIt = CloseCode(rawValue: code)?.isWorthReconnecting ?? true
        return isWorthIt
            ? wait(because: .closed(code: code, reason: reason), jitter: jitter)
            : end(.closed(code: code, reason: reason))
    }

    mutating func renewed() -> [Action] {
        guard state == .renewing else { return [] }
        state = .connecting
        return [.connect]
    }

    mutating func notRenewed() -> [Action] {
        guard state == .renewing else { return [] }
        return end(.closed(code: CloseCode.notAuthorized.rawValue, reason: ""))
    }

    mutating func waited() -> [Action] {
        guard state == .waiting else { return [] }
        state = .connecting
        return [.connect]
    }

    mutating func joined(_ room: String, epoch: String, recovered: Bool) -> [Action] {
        guard state == .open else { return [] }
        attempt = 0
        renewedSinceJoined = false
        joinedAnything = true
        epochs[room] = epoch
        // The position moves with the frames themselves: whoever is cut off in the middle of a recovery
        // resumes there.
        if !recovered || positions[room]?.epoch != epoch { positions[room] = nil }
        return [.tell(.joined)]
    }

    mutating func received(_ room: String, sequence: Int64?, isSnapshot: Bool, jitter: Double) -> [Action] {
        guard state == .open else { return [] }
        guard let sequence else { return [.tell(isSnapshot ? .snapshot : .frame)] }
        if !isSnapshot, let position = positions[room], sequence < position.sequence {
            // It never goes back: this is another history, and only its snapshot tells it.
            positions[room] = nil
            return [.disconnect]
                + wait(because: .closed(code: 1006, reason: "sequence went back"), jitter: jitter)
        }
        if let epoch = epochs[room] { positions[room] = RoomPosition(epoch: epoch, sequence: sequence) }
        return [.tell(isSnapshot ? .snapshot : .frame)]
    }

    /// The answer to a request of ours; `problem` only matters where no room is left.
    mutating func refused(id: Int?, _ problem: Problem) -> [Action] {
        guard state == .open else { return [] }
        if let id, let room = requests[id] { rooms.removeAll { $0 == room } }
        return rooms.isEmpty ? [.tell(.refused), .disconnect] + end(.refused(problem)) : [.tell(.refused)]
    }

    mutating func stop() -> [Action] {
        switch state {
        case .ended: []
        case .open, .connecting: [.disconnect] + end(.stopped)
        case .idle, .renewing, .waiting: end(.stopped)
        }
    }

    private mutating func wait(because interruption: RoomInterruption, jitter: Double) -> [Action] {
        attempt += 1
        state = .waiting
        let delay = backOff.delay(before: attempt, jitter: jitter)
        return [.tell(.reconnecting(in: delay, because: interruption)), .wait(delay)]
    }

    private mutating func end(_ end: RoomEnd) -> [Action] {
        state = .ended
        return [.tell(.ended(end))]
    }

    private mutating func join(_ room: String) -> String {
        struct Join: Encodable {
            let join: String
            let since: Since?
            let id: Int
        }
        struct Since: Encodable {
            let epoch: String
            let sequence: Int64
        }
        nextID += 1
        requests[nextID] = room
        let since = positions[room].map { Since(epoch: $0.epoch, sequence: $0.sequence) }
        return String(decoding: WireJSON.bytes(Join(join: room, since: since, id: nextID)), as: UTF8.self)
    }
}
