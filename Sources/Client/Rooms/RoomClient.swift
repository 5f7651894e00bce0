internal import Outbound
internal import Synchronization
package import Wire

/// A client that stays in rooms. The client connects, joins the rooms, resumes from its last positions after
/// a lost connection, and reports every update in order and once. `RoomClientStateMachine` makes the
/// decisions, and this type carries them out with sockets and a clock.
package struct RoomClient<Connector: RoomConnector, Time: Clock>: Sendable where Time.Duration == Duration {
    private let connector: Connector
    private let clock: Time
    private let rooms: [String]
    private let positions: [String: RoomPosition]
    private let backOff: RoomBackOff
    private let token: @Sendable (_ stale: String?) async throws(APIError) -> String?
    private let jitter: @Sendable () -> Double
    private let onSilence: @Sendable () -> Void

    /// The time without a message after which the client sends a ping, and another ping after the same time
    /// again. The server also pings every 25 s, but libwebsockets answers those pings and does not report
    /// them.
    static var quietLimit: Duration { .seconds(5) }
    /// The number of unanswered pings after which the client gives the connection up: after 20 s.
    static var mostPings: Int { 3 }
    /// A wait of `quietLimit` that took this time was a sleep of the machine, or a stop of the process. The
    /// network may have forgotten the connection meanwhile, without a word to either side. So the client
    /// gives it up at once, and resumes by a new one.
    static var sleepShows: Duration { .seconds(15) }

    /// - Parameters:
    ///   - positions: the positions from which to resume. A room without a position begins with its snapshot.
    ///   - onSilence: called when the client gives a connection up that the network has perhaps forgotten.
    ///   - token: returns the bearer token, or nil if there is none. If the server has rejected a token, that
    ///     token is passed as `stale`.
    package init(
        _ connector: Connector, clock: Time, rooms: [RoomName],
        since positions: [RoomName: RoomPosition] = [:],
        backOff: RoomBackOff = RoomBackOff(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        onSilence: @escaping @Sendable () -> Void = {},
        token: @escaping @Sendable (_ stale: String?) async throws(APIError) -> String?
    ) {
        self.connector = connector
        self.clock = clock
        self.rooms = rooms.map(\.text)
        self.positions = Dictionary(uniqueKeysWithValues: positions.map { ($0.key.text, $0.value) })
        self.backOff = backOff
        self.jitter = jitter
        self.onSilence = onSilence
        self.token = token
    }

    /// Runs the client until it ends or the task is cancelled. The last update is `ended`. Cancelling the
    /// task closes the connection, and thereby leaves the rooms.
    package func run(_ report: (RoomUpdate) async -> Void) async {
        var machine = RoomClientStateMachine(rooms: rooms, positions: positions, backOff: backOff)
        var socket: Connector.Socket?
        var bearer: String?
        var pending = machine.start()
        while !pending.isEmpty {
            let action = pending.removeFirst()
            if Task.isCancelled, action != .disconnect {
                socket?.close()
                if case .report(.ended(let end)) = action { return await report(.ended(end)) }
                return await report(.ended(.stopped))
            }
            switch action {
            case .connect:
                do throws(RoomConnectionError) {
                    if bearer == nil { bearer = try? await token(nil) }
                    socket = try await connector.connect(token: bearer)
                    pending += machine.connected()
                } catch {
                    switch error {
                    case .unreachable(let reason):
                        pending += machine.failedToConnect(reason, jitter: jitter())
                    case .refused(let status):
                        pending += machine.failedToConnect("HTTP \(status)", jitter: jitter())
                    }
                }
            case .send(let text): socket?.send(text)
            case .disconnect:
                socket?.close()
                socket = nil
            case .renew:
                if let renewed = try? await token(bearer) {
                    bearer = renewed
                    pending += machine.renewed()
                } else {
                    pending += machine.notRenewed()
                }
            case .wait(let delay):
                try? await clock.sleep(for: delay)
                pending += machine.waited()
            case .report(.reconnecting(let delay, let reason)):
                await report(.reconnecting(in: delay, because: reason))
            case .report(.ended(let end)):
                socket?.close()
                return await report(.ended(end))
            case .report: break  // `listen` has reported this update already.
            }
            if pending.isEmpty, let open = socket { pending = await listen(open, &machine, report) }
        }
    }

    /// Reads messages and reports updates, until the state machine returns actions other than `report`.
    /// Returns these actions.
    private func listen(
        _ socket: Connector.Socket, _ machine: inout RoomClientStateMachine,
        _ report: (RoomUpdate) async -> Void
    ) async -> [RoomClientStateMachine.Action] {
        while true {
            let message: [UInt8]
            switch await next(from: socket) {
            case .message(let bytes): message = bytes
            case .silent:
                onSilence()
                return machine.fellSilent(jitter: jitter())
            case .ended:
                if Task.isCancelled { return machine.stop() }
                let ending = socket.ending ?? (1006, "")
                return machine.closed(code: ending.code, reason: ending.reason, jitter: jitter())
            }
            var actions: [RoomClientStateMachine.Action] = []
            switch RoomMessage(message) {
            case .joined(let joined):
                actions = machine.joined(joined.joined, epoch: joined.epoch, recovered: joined.recovered)
                if actions.contains(.report(.joined)) { await report(.joined(joined)) }
            case .frame(let frame):
                actions = machine.received(
                    frame.room, sequence: frame.sequence, isSnapshot: frame.snapshot != nil, jitter: jitter())
                if let snapshot = frame.snapshot, actions.contains(.report(.snapshot)) {
                    await report(.snapshot(snapshot, room: frame.room, sequence: frame.sequence))
                } else if actions.contains(.report(.frame)) {
                    await report(.frame(frame))
                }
            case .home(let frame):
                actions = machine.received(
                    frame.room, sequence: nil, isSnapshot: frame.snapshot != nil, jitter: jitter())
                if actions.contains(where: { $0 == .report(.snapshot) || $0 == .report(.frame) }) {
                    await report(.home(frame))
                }
            case .error(let error):
                actions = machine.refused(id: error.id, error.error)
                if actions.contains(.report(.refused)) { await report(.refused(error.error)) }
            case .other: await report(.heard)
            case nil: break
            }
            actions.removeAll {
                [.report(.joined), .report(.snapshot), .report(.frame), .report(.refused)].contains($0)
            }
            if !actions.isEmpty { return actions }
        }
    }

    private enum Heard: Sendable {
        case message([UInt8])
        case ended
        case silent
    }

    /// Waits for the next message, and sends pings while the server is silent.
    private func next(from socket: Connector.Socket) async -> Heard {
        let clock = clock
        let sleep = SleepDetector(clock, shows: Self.sleepShows)
        return await withTaskGroup(of: Heard?.self) { group in
            group.addTask {
                guard let message = await socket.next() else { return .ended }
                // A message that waited during a sleep does not prove that the connection still works.
                return sleep.noticed() ? .silent : .message(message)
            }
            group.addTask {
                for ping in 1...Self.mostPings {
                    do { try await clock.sleep(for: Self.quietLimit) } catch { return nil }
                    if sleep.noticed() { return .silent }
                    socket.send("{\"ping\":\(ping)}")
                }
                do { try await clock.sleep(for: Self.quietLimit) } catch { return nil }
                return .silent
            }
            var heard: Heard = .ended
            for await result in group {
                guard let result else { continue }
                heard = result
                break
            }
            group.cancelAll()
            return heard
        }
    }
}

/// Notices a sleep of the machine by its clock, which goes on while no task runs.
private final class SleepDetector<Time: Clock>: Sendable where Time.Duration == Duration {
    private let clock: Time
    private let shows: Duration
    private let state: Mutex<(awake: Time.Instant, hasSlept: Bool)>

    init(_ clock: Time, shows: Duration) {
        self.clock = clock
        self.shows = shows
        state = Mutex((clock.now, false))
    }

    /// Returns whether there was a sleep. Two looks without a sleep must be less than `shows` apart. Two
    /// tasks look, and both must notice.
    func noticed() -> Bool {
        let now = clock.now
        return state.withLock { state in
            if state.awake.duration(to: now) >= shows { state.hasSlept = true }
            state.awake = now
            return state.hasSlept
        }
    }
}

extension RoomClient {
    /// Returns the updates as a sequence, which ends after `ended`. When the sequence is released, the client
    /// leaves the rooms. The buffer is not limited, because the server already combines frequent changes into
    /// few updates.
    package func updates() -> AsyncStream<RoomUpdate> {
        AsyncStream { continuation in
            let task = Task {
                await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension RoomClient where Connector == WebSocketRoomConnector, Time == ContinuousClock {
    /// Creates a client for rooms on the server of `client`, with the token of its caller. If the caller's
    /// sign-in expires, it is renewed.
    package init(_ client: APIClient, rooms: [RoomName], since positions: [RoomName: RoomPosition] = [:]) {
        self.init(
            WebSocketRoomConnector(client.server, trusting: client.transport.certificates),
            clock: ContinuousClock(), rooms: rooms,
            since: positions, onSilence: { client.transport.reconnect() },
            token: { (stale) async throws(APIError) in try await client.token(after: stale) })
    }
}
