import Wire

/// The state machine of `RoomClient`. Every event returns the actions that the client must do, in order. The
/// state machine uses no socket and no clock.
///
///     start ─▶ connecting ─▶ open ──lost──▶ waiting ─▶ connecting …
///                   │          └──4001──▶ renewing ─▶ connecting   (once, with another token)
///                   └── ended (the first attempt failed, the close code is final, or `stop`)
struct RoomClientStateMachine {
    enum Action: Equatable {
        case connect
        case send(String)
        case disconnect
        /// Requests another token. The client then calls `renewed` or `notRenewed`.
        case renew
        case wait(Duration)
        case report(UpdateKind)
    }

    /// The kind of a `RoomUpdate`. The client adds the contents of the message.
    enum UpdateKind: Equatable {
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
    /// The epoch of each room, from its latest `joined` message. The sequence of each later frame or snapshot
    /// completes the position.
    private var epochs: [String: String] = [:]
    private var attempt = 0
    private var hasBeenOpen = false
    /// Whether the token was renewed since the last join. If the server rejects the renewed token too, the
    /// client ends.
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
        // If even the first attempt fails, the address is probably wrong or the server is not running.
        // Retries would only hide this error.
        guard hasBeenOpen else { return end(.unreachable(reason)) }
        return wait(because: .unreachable(reason), jitter: jitter)
    }

    /// Handles a connection on which the server sent nothing for too long, although the client sent pings.
    mutating func fellSilent(jitter: Double) -> [Action] {
        guard state == .open else { return [] }
        return [.disconnect] + wait(because: .silent, jitter: jitter)
    }

    /// - Parameter code: the close code, or 1006 if the connection broke without a close frame.
    mutating func closed(code: UInt16, reason: String, jitter: Double) -> [Action] {
        guard state == .open || state == .connecting else { return [] }
        if code == CloseCode.notAuthorized.rawValue, !renewedSinceJoined {
            renewedSinceJoined = true
            state = .renewing
            return [.renew]
        }
        // A code that is not in the API contract comes from the network or from a proxy. The client therefore
        // connects again.
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
        // The recovered frames advance the position themselves, so that a client that loses its connection
        // during a recovery resumes at the last received frame.
        if !recovered || positions[room]?.epoch != epoch { positions[room] = nil }
        return [.report(.joined)]
    }

    mutating func received(_ room: String, sequence: Int64?, isSnapshot: Bool, jitter: Double) -> [Action] {
        guard state == .open else { return [] }
        guard let sequence else { return [.report(isSnapshot ? .snapshot : .frame)] }
        if !isSnapshot, let position = positions[room], sequence < position.sequence {
            // A sequence never decreases within one history. These frames belong to another history, so the
            // client needs a new snapshot.
            positions[room] = nil
            return [.disconnect]
                + wait(because: .closed(code: 1006, reason: "sequence went back"), jitter: jitter)
        }
        if let epoch = epochs[room] { positions[room] = RoomPosition(epoch: epoch, sequence: sequence) }
        return [.report(isSnapshot ? .snapshot : .frame)]
    }

    /// Handles the server's refusal of a request. If no room remains, the client ends with `problem`.
    mutating func refused(id: Int?, _ problem: Problem) -> [Action] {
        guard state == .open else { return [] }
        if let id, let room = requests[id] { rooms.removeAll { $0 == room } }
        return rooms.isEmpty
            ? [.report(.refused), .disconnect] + end(.refused(problem)) : [.report(.refused)]
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
        return [.report(.reconnecting(in: delay, because: interruption)), .wait(delay)]
    }

    private mutating func end(_ end: RoomEnd) -> [Action] {
        state = .ended
        return [.report(.ended(end))]
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
