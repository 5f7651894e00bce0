import Journal
import Meetings
import Synchronization
import WebSockets
import Wire

/// The `home` rooms: a host's own sessions, each as a whole whenever it changed, by a commit or by the clock,
/// four times a second at most.
final class HomeRooms: Sendable {
    /// What of a session is shown, and where.
    private struct Shown {
        var accounts: Set<AccountID> = []
        /// When the clock alone will change it.
        var turn: Instant?
    }

    private struct State {
        var channels: [AccountID: (channel: ChannelID, watchers: Int)] = [:]
        /// Homes have their own half of the numbers.
        var nextChannel: UInt64 = 1 << 63
        /// The sessions in the homes that are watched.
        var shown: [SessionID: Shown] = [:]
        var dirty: Set<SessionID> = []
        var isTelling = false
        /// Those who are reading their snapshot.
        var joining = 0
        /// What has changed since the first of them began.
        var missed: Set<SessionID> = []

        /// Whether telling must begin.
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

    /// To be followed by `joined`, once the snapshot is on its way or cannot be read.
    func join(_ account: AccountID) -> ChannelID {
        state.withLock { state in
            let channel = state.channels[account]?.channel ?? ChannelID(state.nextChannel)
            if state.channels[account] == nil { state.nextChannel += 1 }
            state.channels[account] = (channel, (state.channels[account]?.watchers ?? 0) + 1)
            state.joining += 1
            return channel
        }
    }

    /// For who could not be written to, and has missed what was told: as `join`, to be followed by `joined`.
    func joinAgain() { state.withLock { $0.joining += 1 } }

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

    /// Tells what the clock alone changed between two moments.
    func tick(from before: Instant, to now: Instant) {
        let mustTell = state.withLock { state in
            state.tell(
                Set(
                    state.shown.filter { entry in entry.value.turn.map { before < $0 && $0 <= now } ?? false }
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
            // What cannot be read now is told when it changes next.
            return
        }
        guard let (record, members) = found else { return await tellGone(id) }
        let (now, gone) = (clock.now, Self.frame(HomeFrame(removed: [id])))
        let frame = Self.frame(HomeFrame(session: body(record)))
        state.withLock { state in
            // Under the lock, so that no frame opens a channel again that its last watcher has left.
            let watching = Set(members.filter { state.channels[$0] != nil })
            for channel in watching.compactMap({ state.channels[$0]?.channel }) {
                output.publish(frame, to: channel)
            }
            // Whoever is no member any more.
            for account in state.shown[id]?.accounts.subtracting(watching) ?? [] {
                if let channel = state.channels[account]?.channel { output.publish(gone, to: channel) }
            }
            state.shown[id] =
                watching.isEmpty
                ? nil : Shown(accounts: watching, turn: record.session.nextPhaseChange(after: now))
        }
    }

    /// With everything else as it stands: the meeting's session before may be its latest again.
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

    /// The host's sessions that are not over, the nearest first.
    func snapshot(for account: AccountID) async throws -> HomeFrame {
        let now = clock.now
        let (records, nearest) = try await storage.read {
            rows throws(JournalError) -> ([SessionRecord], SessionID?) in
            var records: [SessionRecord] = []
            for latest in try rows.meetings(of: account, at: now, after: nil, limit: 50) {
                // Of a meeting that is planned ahead the latest is far away.
                records.append(try rows.nearestSession(of: latest.meeting.id, at: now) ?? latest)
            }
            return (records, try rows.nearestSession(of: account, at: now)?.session.id)
        }
        state.withLock { state in
            guard state.channels[account] != nil else { return }
            for record in records {
                state.shown[record.session.id, default: Shown()].accounts.insert(account)
                state.shown[record.session.id]?.turn = record.session.nextPhaseChange(after: now)
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
