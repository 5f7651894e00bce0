import Journal
import Meetings
import Rooms
import Synchronization
import WebSockets
import Wire

/// The live rooms of the sessions that have watchers. A room is read from the database when its first watcher
/// joins, and removed from memory some time after its last watcher has left.
final class LiveRooms: Sendable {
    fileprivate enum Entry {
        /// The room is being read. Commits that arrive meanwhile wait here.
        case opening(Task<LiveRoom, any Error>, waiting: [SessionCommit])
        case open(LiveRoom, idleSince: Instant?)
    }

    private struct State {
        var entries: [SessionID: Entry] = [:]
        var byChannel: [ChannelID: (LiveRoom, View)] = [:]
        var byCounts: [ChannelID: LiveRoom] = [:]
        var nextChannel: UInt64 = 1
        /// The number of gaps so far. A room whose read began before a gap is read again.
        var gaps = 0

        mutating func forget(_ room: LiveRoom) {
            for channel in room.channels.values { byChannel[channel] = nil }
            byCounts[room.counts] = nil
        }
    }

    /// The time for which a room without watchers stays in memory, so that a reconnecting client can still
    /// catch up from the room's ring.
    static let idleLimit = Duration.minutes(2)

    let home: HomeRooms
    private let storage: Storage
    private let output: WebSocketChannels
    private let results: ResultsReader
    private let codes: @Sendable (Session) -> CodeBody?
    private let clock: any ServerClock
    private let state = Mutex(State())

    init(
        storage: Storage, output: WebSocketChannels, clock: any ServerClock, keys: Keys,
        codes: @escaping @Sendable (Session) -> CodeBody?
    ) {
        self.storage = storage
        self.output = output
        self.codes = codes
        self.clock = clock
        results = ResultsReader(storage: storage, keys: keys)
        home = HomeRooms(storage: storage, output: output, clock: clock, codes: codes)
    }

    var counts: (rooms: Int, watchers: Int) {
        let rooms = state.withLock { $0.entries.values.compactMap(\.room) }
        return (rooms.count, rooms.reduce(0) { $0 + $1.watcherCount })
    }

    // MARK: Commits

    /// Passes each commit to the room of its session, if there is one. Runs on the writer's queue.
    func apply(_ commits: [SessionCommit]) {
        for commit in commits {
            let room = state.withLock { state -> LiveRoom? in
                switch state.entries[commit.id] {
                case .opening(let task, let waiting):
                    state.entries[commit.id] = .opening(task, waiting: waiting + [commit])
                    return nil
                case .open(let room, _): return room
                case nil: return nil
                }
            }
            guard let room else { continue }
            room.apply(commit)
            if commit.record == nil { drop(room) }
        }
    }

    /// Removes the room of a deleted session, and closes the room's channels.
    private func drop(_ room: LiveRoom) {
        state.withLock { state in
            state.entries[room.id] = nil
            state.forget(room)
        }
        for channel in room.allChannels { output.close(channel: channel) }
    }

    /// Drops all rooms, because they may have missed commits. The caller has closed their connections.
    func forgetAll() {
        let rooms = state.withLock { state in
            let rooms = state.entries.values.compactMap(\.room)
            for room in rooms { state.forget(room) }
            state.gaps += 1
            state.entries = state.entries.compactMapValues { entry in
                // The room will be read again, and the commits that wait for it are older than that read.
                if case .opening(let task, _) = entry { .opening(task, waiting: []) } else { nil }
            }
            return rooms
        }
        for room in rooms {
            room.retire()
            for channel in room.allChannels { output.close(channel: channel) }
        }
    }

    // MARK: Rooms

    /// Returns the session's room. If the room is not in memory, reads it from the database. If several
    /// callers ask at once, one read serves all of them.
    func room(_ id: SessionID) async throws -> LiveRoom {
        enum Next {
            case use(LiveRoom)
            case wait(Task<LiveRoom, any Error>)
        }
        let next = state.withLock { state -> Next in
            switch state.entries[id] {
            case .open(let room, _):
                state.entries[id] = .open(room, idleSince: nil)
                return .use(room)
            case .opening(let task, _): return .wait(task)
            case nil:
                let task = Task { try await self.open(id) }
                state.entries[id] = .opening(task, waiting: [])
                return .wait(task)
            }
        }
        switch next {
        case .use(let room): return room
        case .wait(let task): return try await task.value
        }
    }

    private func open(_ id: SessionID) async throws -> LiveRoom {
        while true {
            if let live = try await openUnlessGap(id) { return live }
        }
    }

    /// Reads a room and opens it. Returns nil if there was a gap meanwhile.
    private func openUnlessGap(_ id: SessionID) async throws -> LiveRoom? {
        let gaps = state.withLock { $0.gaps }
        let room: Room
        do {
            room = try await read(id)
        } catch {
            state.withLock { $0.entries[id] = nil }
            throw error
        }
        // The commits that arrived during the read are applied before the writer can reach the room, so that
        // no later commit overtakes them.
        return state.withLock { state -> LiveRoom? in
            guard state.gaps == gaps else { return nil }
            var numbers: [View: ChannelID] = [:]
            for view in View.allCases {
                numbers[view] = ChannelID(state.nextChannel)
                state.nextChannel += 1
            }
            let counts = ChannelID(state.nextChannel)
            state.nextChannel += 1
            let live = LiveRoom(
                room, channels: numbers, counts: counts, output: output, clock: clock, results: results,
                codes: codes)
            for (view, channel) in numbers { state.byChannel[channel] = (live, view) }
            state.byCounts[counts] = live
            if case .opening(_, let waiting) = state.entries[id] {
                for commit in waiting { live.apply(commit) }
            }
            state.entries[id] = .open(live, idleSince: nil)
            return live
        }
    }

    private func read(_ id: SessionID) async throws -> Room {
        let (codes, keys) = (codes, results.keys)
        return try await storage.read { rows throws(JournalError) -> Room in
            guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
            let newest = try rows.newestArrivals(of: id, limit: RoomFrame.mostArrivals)
            var sets: [SetResults] = []
            for set in try rows.questionSets(of: id) {
                sets.append(try ResultsReader.results(of: set, in: id, from: rows, membersBy: keys))
            }
            return Room(
                record, newest: newest, sets: sets, board: try rows.audienceBoard(of: id),
                code: codes(record.session))
        }
    }

    func room(ofCounts channel: ChannelID) -> LiveRoom? { state.withLock { $0.byCounts[channel] } }

    func room(of channel: ChannelID) -> (LiveRoom, View)? { state.withLock { $0.byChannel[channel] } }

    // MARK: The clock

    /// Updates the rooms that the clock alone changed between two moments, and removes the rooms that have
    /// had no watchers for `idleLimit`.
    func tick(from before: Instant, to now: Instant) {
        let rooms = state.withLock { $0.entries.values.compactMap(\.room) }
        for room in rooms {
            if let change = room.nextPhaseChange(after: before), change <= now { room.showPhase() }
            if room.hasRotatingCodes { room.showCode() }
        }
        home.tick(from: before, to: now)
        let left = state.withLock { state in
            var left: [ChannelID] = []
            for (id, entry) in state.entries {
                guard case .open(let room, let idleSince) = entry, room.watcherCount == 0 else { continue }
                guard let idleSince else {
                    state.entries[id] = .open(room, idleSince: now)
                    continue
                }
                guard now.since(idleSince) > Self.idleLimit else { continue }
                state.entries[id] = nil
                state.forget(room)
                left += room.allChannels
            }
            return left
        }
        // The websocket loops store a channel until it is closed.
        for channel in left { output.close(channel: channel) }
    }
}

extension LiveRooms: RoomDirectory {
    func shows(_ session: SessionID) -> Bool { state.withLock { $0.entries[session] != nil } }
    var hasLists: Bool { home.hasWatchers }

    func shownSessions(of meetings: Set<MeetingID>) -> Set<SessionID> {
        let rooms = state.withLock { state in
            // The meeting of a room that is being opened is not known yet.
            state.entries.filter { $0.value.room.map { meetings.contains($0.meetingID) } ?? true }.keys
        }
        return home.shownSessions(of: meetings).union(rooms)
    }
}

extension LiveRooms.Entry {
    fileprivate var room: LiveRoom? {
        if case .open(let room, _) = self { room } else { nil }
    }
}

extension LiveRoom {
    fileprivate var allChannels: [ChannelID] { Array(channels.values) + [counts] }
}
