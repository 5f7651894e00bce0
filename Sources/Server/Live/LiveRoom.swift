import Journal
import Meetings
import Rooms
import Synchronization
import WebSockets
import Wire

/// Drives one session's room: passes commits, time and results to the room, and the room's frames to the
/// websockets. Every step that decides an order runs under the lock. So frames are queued for a subscriber in
/// the order in which the room made them.
final class LiveRoom: Sendable {
    private struct State {
        var room: Room
        var watchers: [View: Int] = [:]
        var setsToRead: Set<String> = []
        var isReadingSets = false
        var isGone = false
    }

    let id: SessionID
    let meetingID: MeetingID
    let channels: [View: ChannelID]
    private let state: Mutex<State>
    private let output: WebSocketChannels
    private let results: ResultsReader
    private let codes: @Sendable (Session) -> CodeBody?
    private let clock: any ServerClock
    private let started = ContinuousClock.now

    init(
        _ room: Room, channels: [View: ChannelID], output: WebSocketChannels, clock: any ServerClock,
        results: ResultsReader, codes: @escaping @Sendable (Session) -> CodeBody?
    ) {
        id = room.session.id
        meetingID = room.meeting.id
        self.channels = channels
        self.clock = clock
        self.output = output
        self.results = results
        self.codes = codes
        state = Mutex(State(room: room))
    }

    private var elapsed: Duration { ContinuousClock.now - started }

    var watcherCount: Int { state.withLock { $0.watchers.values.reduce(0, +) } }

    // MARK: Commits and the clock

    /// Applies a commit to the room. After a deletion, the room publishes nothing more.
    func apply(_ commit: SessionCommit) {
        guard let record = commit.record else { return state.withLock { $0.isGone = true } }
        let (action, mustRead) = state.withLock { state -> (Room.Action, Bool) in
            var action = state.room.apply(commit, elapsed: elapsed)
            if commit.isEdited {
                action = action.or(state.room.show(codes(record.session), elapsed: elapsed))
            }
            state.setsToRead.formUnion(commit.sets)
            let mustRead = !state.setsToRead.isEmpty && !state.isReadingSets
            if mustRead { state.isReadingSets = true }
            return (action, mustRead)
        }
        follow(action)
        if mustRead { Task { await self.readSets() } }
    }

    /// Shows the session again, because the clock has changed its phase.
    func showPhase() { follow(state.withLock { $0.room.turn(elapsed: elapsed) }) }

    /// Shows the current code, which is another one if codes rotate.
    func showCode() { follow(state.withLock { $0.room.show(codes($0.room.session), elapsed: elapsed) }) }

    var hasRotatingCodes: Bool { state.withLock { $0.room.session.codeKind == .rotating } }

    /// Returns the next moment after `now` at which the clock alone changes the session; nil if there is
    /// none.
    func nextPhaseChange(after now: Instant) -> Instant? {
        state.withLock { $0.room.session.nextPhaseChange(after: now) }
    }

    /// Reads the changed question sets until no more sets have changed. Reads at most once per flush
    /// interval, because the room cannot publish more often.
    private func readSets() async {
        while true {
            let names = state.withLock { state -> Set<String> in
                defer { state.setsToRead = [] }
                if state.setsToRead.isEmpty { state.isReadingSets = false }
                return state.setsToRead
            }
            if names.isEmpty { return }
            for results in await results.read(id, sets: names) {
                follow(state.withLock { $0.room.apply(results, elapsed: elapsed) })
            }
            try? await Task.sleep(for: Room.flushInterval)
        }
    }

    private func follow(_ action: Room.Action) {
        switch action {
        case .none: break
        case .flushNow: Task { self.flush() }
        case .flush(let at):
            Task {
                try? await Task.sleep(for: at - self.elapsed)
                self.flush()
            }
        }
    }

    private func flush() {
        let next = state.withLock { state -> Room.Action in
            // The session is deleted and its channels are closed. A frame would open a channel again, without
            // subscribers and without end.
            if state.isGone { return .none }
            let views = Set(state.watchers.filter { $0.value > 0 }.keys)
            let (publications, next) = state.room.flush(for: views, at: clock.now, elapsed: elapsed)
            for publication in publications {
                guard let channel = channels[publication.view] else { continue }
                output.publish(publication.encoded, to: channel)
            }
            return next
        }
        follow(next)
    }

    // MARK: Joining and leaving

    /// Joins a connection to the room: in one piece, queues the answer and then the missed frames or a
    /// snapshot, and subscribes the connection. `news` contains the journal's news after `since`, if memory
    /// does not reach back that far and the journal does.
    func join(
        _ connection: WebSocketConnection, as view: View, message id: Int?, epoch: String, since: Int64?,
        news: [News]?
    )
        -> JoinOutcome
    {
        let (outcome, action) = state.withLock { state -> (JoinOutcome, Room.Action) in
            guard !state.isGone, let channel = channels[view] else { return (.gone, .none) }
            let action = state.room.show(codes(state.room.session), elapsed: elapsed)
            let published = state.room.published
            var missed: [Publication]?
            if let since, since <= published {
                missed = state.room.missed(after: since, news, view: view, at: clock.now)
                if missed == nil, news == nil { return (.needsJournal, action) }
            }
            let joined = Joined(
                joined: view.name(of: self.id), id: id, epoch: epoch, sequence: published,
                recovered: missed != nil, now: clock.now)
            var actions = [ConnectionAction.send(WireJSON.bytes(joined))]
            if let since, let missed {
                // The missed frames are sent as to a slow client: the loop sends each frame when the client
                // can receive it.
                actions += [
                    .subscribe(to: channel, at: UInt64(since)), .catchUp(channel, missed.map(\.encoded)),
                ]
            } else {
                let snapshot = state.room.snapshot(for: view, at: clock.now)
                actions += [.send(WireJSON.bytes(snapshot)), .subscribe(to: channel, at: UInt64(published))]
            }
            connection.perform(actions)
            state.watchers[view, default: 0] += 1
            return (.joined, action)
        }
        follow(action)
        return outcome
    }

    enum JoinOutcome { case joined, needsJournal, gone }

    func left(_ view: View) { state.withLock { $0.watchers[view, default: 1] -= 1 } }

    /// Sends a slow subscriber the frames that it has missed, from memory or from `news`. Returns false if
    /// memory does not reach back to `position` and `news` is nil.
    func catchUp(_ connection: WebSocketConnection, as view: View, from position: Int64, news: [News]?)
        -> Bool
    {
        guard let channel = channels[view] else { return true }
        return state.withLock { state in
            guard let missed = state.room.missed(after: position, news, view: view, at: clock.now) else {
                return false
            }
            connection.catchUp(channel, missed.map(\.encoded))
            return true
        }
    }

    /// Sends a snapshot to a subscriber that has missed more news than the journal returns at once.
    func startAfresh(_ connection: WebSocketConnection, as view: View, from position: Int64) {
        guard let channel = channels[view] else { return }
        state.withLock { state in
            let snapshot = state.room.snapshot(for: view, at: clock.now)
            let frame = Frame.encode(
                text: WireJSON.bytes(snapshot), from: UInt64(position), to: UInt64(state.room.published))
            connection.catchUp(channel, [frame])
        }
    }
}

extension Room {
    /// Returns the frames after `position`: from memory, or else from the journal's `news`. Returns nil if
    /// neither reaches back that far.
    fileprivate func missed(after position: Int64, _ news: [News]?, view: View, at now: Instant)
        -> [Publication]?
    {
        catchUp(from: position, view: view, at: now)
            ?? news.map { catchUp(from: position, with: completed($0, after: position), view: view, at: now) }
    }
}

extension Publication {
    var encoded: Frame { Frame.encode(text: WireJSON.bytes(frame), from: UInt64(from), to: UInt64(to)) }
}

extension Room.Action {
    /// Combines the actions of two changes of the room. One flush publishes both changes.
    fileprivate func or(_ other: Room.Action) -> Room.Action { self == .none ? other : self }
}
