import Journal
import Meetings
import Synchronization
import WebSockets
import Wire

/// The `home` rooms: the sessions of one host. Each session is sent as a whole when a commit or the clock has
/// changed it, at most four times a second.
final class HomeRooms: Sendable {
    /// A session in the homes that are watched.
    private struct Shown {
        var accounts: Set<AccountID> = []
        /// When the clock changes its phase next.
        var nextPhaseChange: Instant?
    }

    private struct State {
        var channels: [AccountID: (channel: ChannelID, watchers: Int)] = [:]
        /// Homes have the upper half of the channel numbers.
        var nextChannel: UInt64 = 1 << 63
        /// The sessions in the homes that are watched.
        var shown: [SessionID: Shown] = [:]
        var dirty: Set<SessionID> = []
        var isTelling = false
        /// The number of clients whose snapshot is being read.
        var joining = 0
        /// The sessions that have changed since the first of those clients joined.
        var missed: Set<SessionID> = []

        /// Adds changed sessions. Returns whether the caller must start the task that sends them.
        mutating func tell(_ changed: Set<SessionID>) -> Bool {
            dirty.formUnion(changed)
            if isTelling || dirty.isEmpty { return false }
            isTelling = true
            return true
        }
    }

    private static let interval = Duration.milliseconds(250)

    private let storage: Storage
    private let output: WebSocketChannels
    private let clock: any ServerClock
    private let codes: @Sendable (Session) -> CodeBody?
    private let state = Mutex(State())

    init(
        storage: Storage, output: WebSocketChannels, clock: any ServerClock,
        codes: @escaping @Sendable (Session) -> CodeBody?
    ) {
        self.storage = storage
        self.output = output
        self.clock = clock
        self.codes = codes
    }

    /// Adds a watcher, and returns the channel. `joined` must follow when the snapshot is sent or cannot be
    /// read.
    func join(_ account: AccountID) -> ChannelID {
        state.withLock { state in
            let channel = state.channels[account]?.channel ?? ChannelID(state.nextChannel)
            if state.channels[account] == nil { state.nextChannel += 1 }
            state.channels[account] = (channel, (state.channels[account]?.watchers ?? 0) + 1)
            state.joining += 1
            return channel
        }
    }

    /// Begins a new snapshot for a client that has missed frames. `joined` must follow.
    func joinAgain() { state.withLock { $0.joining += 1 } }

    /// Sends what has changed while the snapshot was read.
    func joined() {
        let mustTell = state.withLock { state in
            let missed = state.missed
            state.joining -= 1
            if state.joining == 0 { state.missed = [] }
            return state.tell(missed)
        }
        if mustTell { Task { await self.tell() } }
    }

    func leave(_ account: AccountID) {
        state.withLock { state in
            guard let (channel, watchers) = state.channels[account] else { return }
            state.channels[account] = watchers == 1 ? nil : (channel, watchers - 1)
            // The loops keep a channel until it is closed.
            guard watchers == 1 else { return }
            output.close(channel: channel)
            for id in Array(state.shown.keys) {
                state.shown[id]?.accounts.remove(account)
                if state.shown[id]?.accounts.isEmpty == true { state.shown[id] = nil }
            }
        }
    }

    /// Tells the homes of the sessions that changed. Runs on the writer's queue.
    func apply(_ commits: [SessionCommit]) {
        let mustTell = state.withLock { state -> Bool in
            guard !state.channels.isEmpty else { return false }
            let changed = Set(commits.map(\.id))
            if state.joining > 0 { state.missed.formUnion(changed) }
            return state.tell(changed)
        }
        if mustTell { Task { await self.tell() } }
    }

    /// Sends the sessions whose phase the clock has changed between two moments.
    func tick(from before: Instant, to now: Instant) {
        let mustTell = state.withLock { state in
            state.tell(
                Set(
                    state.shown.filter { entry in
                        entry.value.nextPhaseChange.map { before < $0 && $0 <= now } ?? false
                    }
                    .keys))
        }
        if mustTell { Task { await self.tell() } }
    }

    private func tell() async {
        while true {
            let dirty = state.withLock { state -> Set<SessionID> in
                defer { state.dirty = [] }
                if state.dirty.isEmpty { state.isTelling = false }
                return state.dirty
            }
            if dirty.isEmpty { return }
            for id in dirty { await tell(id) }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func tell(_ id: SessionID) async {
        let found: (SessionRecord, [AccountID])?
        do {
            found = try await storage.read { rows throws(JournalError) -> (SessionRecord, [AccountID])? in
                guard let record = try rows.session(id) else { return nil }
                return (record, try rows.members(of: record.meeting.id).map(\.account))
            }
        } catch {
            // A session that cannot be read now is sent with its next change.
            return
        }
        guard let (record, members) = found else { return await tellGone(id) }
        let (now, gone) = (clock.now, Self.frame(HomeFrame(removed: [id])))
        let frame = Self.frame(HomeFrame(session: body(record)))
        state.withLock { state in
            // Under the lock, so that no frame opens a channel again after its last watcher has left.
            let watching = Set(members.filter { state.channels[$0] != nil })
            for channel in watching.compactMap({ state.channels[$0]?.channel }) {
                output.publish(frame, to: channel)
            }
            // Accounts that are no longer members.
            for account in state.shown[id]?.accounts.subtracting(watching) ?? [] {
                if let channel = state.channels[account]?.channel { output.publish(gone, to: channel) }
            }
            state.shown[id] =
                watching.isEmpty
                ? nil : Shown(accounts: watching, nextPhaseChange: record.session.nextPhaseChange(after: now))
        }
    }

    /// Sends the whole home: after a deletion, an earlier session of the meeting may be its latest.
    private func tellGone(_ id: SessionID) async {
        let accounts = state.withLock { $0.shown.removeValue(forKey: id)?.accounts ?? [] }
        for account in accounts {
            let rest = try? await snapshot(for: account).snapshot
            let frame = Self.frame(HomeFrame(snapshot: rest, removed: [id]))
            state.withLock { state in
                if let channel = state.channels[account]?.channel { output.publish(frame, to: channel) }
            }
        }
    }

    static func frame(_ body: HomeFrame) -> Frame { Frame.encode(text: WireJSON.bytes(body), from: 0, to: 0) }

    /// Returns the host's sessions, with the nearest one of each meeting.
    func snapshot(for account: AccountID) async throws -> HomeFrame {
        let now = clock.now
        let (records, nearest) = try await storage.read {
            rows throws(JournalError) -> ([SessionRecord], SessionID?) in
            var records: [SessionRecord] = []
            for latest in try rows.meetings(of: account, at: now, after: nil, limit: 50) {
                // The latest session of a meeting that is planned ahead is far away.
                records.append(try rows.nearestSession(of: latest.meeting.id, at: now) ?? latest)
            }
            return (records, try rows.nearestSession(of: account, at: now)?.session.id)
        }
        state.withLock { state in
            guard state.channels[account] != nil else { return }
            for record in records {
                state.shown[record.session.id, default: Shown()].accounts.insert(account)
                state.shown[record.session.id]?.nextPhaseChange = record.session.nextPhaseChange(after: now)
            }
        }
        return HomeFrame(snapshot: HomeFrame.Snapshot(sessions: records.map(body), nearest: nearest))
    }

    private func body(_ record: SessionRecord) -> SessionBody {
        var body = SessionBody(
            record.session, of: record.meeting, headCount: record.headCount, feedback: record.feedback,
            at: clock.now)
        let code = codes(record.session)
        body.joinCode = code?.joinCode
        body.checkInUrl = code?.url
        return body
    }
}
