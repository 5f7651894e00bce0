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
        let meeting: MeetingID
        var accounts: Set<AccountID> = []
        /// The next time at which the clock changes the session's phase; nil if no time does.
        var nextPhaseChange: Instant?
    }

    /// A home that is watched.
    private struct Home {
        let channel: ChannelID
        /// The channel of the count alone, in events of the first app.
        let countChannel: ChannelID
        var watchers = 0
        /// Whether a client has used the channel of the count.
        var hasCount = false
        /// The count that the channel has; nil if the next count must be published in any case.
        var count: Int?
    }

    private struct State {
        var homes: [AccountID: Home] = [:]
        /// The next free channel number. Homes use the upper half of the numbers, and session rooms the lower
        /// half.
        var nextChannel: UInt64 = 1 << 63
        /// The sessions that the watched homes show.
        var shown: [SessionID: Shown] = [:]
        var dirty: Set<SessionID> = []
        /// The accounts whose count may have changed.
        var dirtyCounts: Set<AccountID> = []
        var isPublishing = false
        /// The number of connections that are reading their snapshot.
        var joining = 0
        /// The sessions that have changed since the first joining connection began to read its snapshot.
        var missed: Set<SessionID> = []
        /// The meetings that have lost a member since then.
        var missedMeetings: Set<MeetingID> = []

        /// The shown sessions of these meetings.
        func sessions(of meetings: Set<MeetingID>) -> Set<SessionID> {
            Set(shown.filter { meetings.contains($0.value.meeting) }.keys)
        }

        /// Adds changed sessions to the sessions to publish. Returns whether the caller must start the
        /// publishing task.
        mutating func markDirty(_ changed: Set<SessionID>) -> Bool {
            dirty.formUnion(changed)
            if isPublishing || dirty.isEmpty && dirtyCounts.isEmpty { return false }
            isPublishing = true
            return true
        }

        /// Notes that the counts of these accounts may have changed, if clients use them.
        mutating func markCounts(of accounts: some Sequence<AccountID>) {
            dirtyCounts.formUnion(accounts.filter { homes[$0]?.hasCount ?? false })
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

    /// Adds a watcher to an account's home, and returns the home's channel. The caller must call `joined`
    /// when the snapshot is queued or cannot be read.
    func join(_ account: AccountID) -> ChannelID {
        state.withLock { state in
            var home =
                state.homes[account]
                ?? Home(
                    channel: ChannelID(state.nextChannel), countChannel: ChannelID(state.nextChannel + 1))
            if state.homes[account] == nil { state.nextChannel += 2 }
            home.watchers += 1
            state.homes[account] = home
            state.joining += 1
            return home.channel
        }
    }

    /// Prepares another snapshot for a client that was too slow and has missed frames. The caller must call
    /// `joined`, as after `join`.
    func joinAgain() { state.withLock { $0.joining += 1 } }

    /// Sends what has changed while the snapshot was read.
    func joined() {
        let mustPublish = state.withLock { state in
            let missed = state.missed.union(state.sessions(of: state.missedMeetings))
            state.joining -= 1
            if state.joining == 0 { (state.missed, state.missedMeetings) = ([], []) }
            return state.markDirty(missed)
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    var hasWatchers: Bool { state.withLock { !$0.homes.isEmpty } }

    // MARK: The count of the first app

    /// Subscribes a connection to the count of its home, and publishes the count soon: the number of people
    /// who are checked in to the account's running session, or else to its next one.
    func beginCount(_ connection: WebSocketConnection, of account: AccountID) {
        publishCount { state in
            guard let home = state.homes[account] else { return nil }
            state.homes[account]?.hasCount = true
            connection.subscribe(to: home.countChannel, at: 0)
            return account
        }
    }

    /// Publishes the count again, because a subscriber was too slow and has missed it.
    func repeatCount(_ connection: WebSocketConnection, on channel: ChannelID) {
        connection.catchUp(channel, [])
        publishCount { state in state.homes.first { $0.value.countChannel == channel }?.key }
    }

    func endCount(_ connection: WebSocketConnection, of account: AccountID) {
        let channel = state.withLock { $0.homes[account]?.countChannel }
        if let channel { connection.unsubscribe(from: channel) }
    }

    /// Publishes the count of the account that `find` returns, even if it has not changed. One task publishes
    /// all counts, so no older count follows a newer one.
    private func publishCount(_ find: (inout State) -> AccountID?) {
        let mustPublish = state.withLock { state in
            guard let account = find(&state) else { return false }
            state.homes[account]?.count = nil
            state.markCounts(of: [account])
            return state.markDirty([])
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    private func publishCount(of account: AccountID) async {
        let now = clock.now
        let count: Int
        do {
            count = try await storage.read { rows throws(JournalError) in
                try rows.nearestSession(of: account, at: now)?.headCount.checkedIn ?? 0
            }
        } catch {
            // The next change publishes it.
            return
        }
        state.withLock { state in
            guard let home = state.homes[account], home.count != count else { return }
            state.homes[account]?.count = count
            output.publish(SocketCounts.home(count), to: home.countChannel)
        }
    }

    func shownSessions(of meetings: Set<MeetingID>) -> Set<SessionID> {
        state.withLock { $0.sessions(of: meetings) }
    }

    func leave(_ account: AccountID) {
        state.withLock { state in
            guard var home = state.homes[account] else { return }
            home.watchers -= 1
            state.homes[account] = home.watchers == 0 ? nil : home
            guard home.watchers == 0 else { return }
            // The websocket loops store a channel until it is closed.
            output.close(channel: home.channel)
            output.close(channel: home.countChannel)
            for id in Array(state.shown.keys) {
                state.shown[id]?.accounts.remove(account)
                if state.shown[id]?.accounts.isEmpty == true { state.shown[id] = nil }
            }
        }
    }

    /// Publishes the changed sessions to the homes that show them. Runs on the writer's queue.
    func apply(_ commits: [SessionCommit]) {
        let mustPublish = state.withLock { state -> Bool in
            guard !state.homes.isEmpty else { return false }
            let changed = Set(commits.map(\.id))
            if state.joining > 0 { state.missed.formUnion(changed) }
            return state.markDirty(changed)
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    /// Publishes the sessions of meetings that have lost a member, so that they leave that member's home.
    /// Runs on the writer's queue.
    func endMemberships(of meetings: Set<MeetingID>) {
        let mustPublish = state.withLock { state -> Bool in
            guard !state.homes.isEmpty else { return false }
            if state.joining > 0 { state.missedMeetings.formUnion(meetings) }
            return state.markDirty(state.sessions(of: meetings))
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    /// Publishes all shown sessions, because commits may be missing.
    func publishAll() {
        let mustPublish = state.withLock { state -> Bool in
            let shown = Set(state.shown.keys)
            if state.joining > 0 { state.missed.formUnion(shown) }
            return state.markDirty(shown)
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    /// Publishes the sessions that the clock alone changed between two moments.
    func tick(from before: Instant, to now: Instant) {
        let mustPublish = state.withLock { state in
            state.markDirty(
                Set(
                    state.shown.filter { entry in
                        entry.value.nextPhaseChange.map { before < $0 && $0 <= now } ?? false
                    }
                    .keys))
        }
        if mustPublish { Task { await self.publishDirty() } }
    }

    private func publishDirty() async {
        while true {
            let dirty = state.withLock { state -> Set<SessionID>? in
                defer { state.dirty = [] }
                guard state.dirty.isEmpty, state.dirtyCounts.isEmpty else { return state.dirty }
                state.isPublishing = false
                return nil
            }
            guard let dirty else { return }
            for id in dirty { await publish(id) }
            let counts = state.withLock { state in
                defer { state.dirtyCounts = [] }
                return state.dirtyCounts
            }
            for account in counts { await publishCount(of: account) }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func publish(_ id: SessionID) async {
        let found: (SessionRecord, [AccountID])?
        do {
            found = try await storage.read { rows throws(JournalError) -> (SessionRecord, [AccountID])? in
                guard let record = try rows.session(id) else { return nil }
                let readers = try rows.members(of: record.meeting.id).filter(\.role.isReader)
                return (record, readers.map(\.account))
            }
        } catch {
            // If the session cannot be read now, its next change publishes it.
            return
        }
        guard let (record, members) = found else { return await publishRemoval(id) }
        let (now, gone) = (clock.now, Self.frame(HomeFrame(removed: [id])))
        let frame = Self.frame(HomeFrame(session: body(record)))
        state.withLock { state in
            // The frames are published under the lock. Otherwise a frame could open a channel again after its
            // last watcher has left.
            let watching = Set(members.filter { state.homes[$0] != nil })
            for channel in watching.compactMap({ state.homes[$0]?.channel }) {
                output.publish(frame, to: channel)
            }
            // An account that is no longer a member of the meeting gets a frame that removes the session.
            let left = state.shown[id]?.accounts.subtracting(watching) ?? []
            for account in left {
                if let channel = state.homes[account]?.channel { output.publish(gone, to: channel) }
            }
            state.markCounts(of: watching.union(left))
            state.shown[id] =
                watching.isEmpty
                ? nil
                : Shown(
                    meeting: record.meeting.id, accounts: watching,
                    nextPhaseChange: record.session.nextPhaseChange(after: now))
        }
    }

    /// Publishes that a session was deleted. The frame also contains a new snapshot, because the meeting's
    /// earlier session may now be its latest one again.
    private func publishRemoval(_ id: SessionID) async {
        let accounts = state.withLock { state in
            let accounts = state.shown.removeValue(forKey: id)?.accounts ?? []
            state.markCounts(of: accounts)
            return accounts
        }
        for account in accounts {
            let rest = try? await snapshot(for: account).snapshot
            let frame = Self.frame(HomeFrame(snapshot: rest, removed: [id]))
            state.withLock { state in
                if let channel = state.homes[account]?.channel { output.publish(frame, to: channel) }
            }
        }
    }

    static func frame(_ body: HomeFrame) -> Frame { Frame.encode(text: WireJSON.bytes(body), from: 0, to: 0) }

    /// The most sessions of today in a snapshot.
    private static let mostToday = 200

    /// Returns a snapshot with the sessions of today, and with one session for each of the account's first 50
    /// meetings: the running or next session, or else the latest session. The snapshot also names the nearest
    /// session of all.
    func snapshot(for account: AccountID) async throws -> HomeFrame {
        let now = clock.now
        let (records, nearest) = try await storage.read {
            rows throws(JournalError) -> ([SessionRecord], SessionID?) in
            var records = try rows.sessions(
                of: account, on: .containing(now), after: nil, limit: Self.mostToday)
            let today = Set(records.map(\.session.id))
            for latest in try rows.meetings(of: account, at: now, after: nil, limit: 50) {
                // If a meeting is planned ahead, its latest session is far in the future.
                let shown = try rows.nearestSession(of: latest.meeting.id, at: now) ?? latest
                if !today.contains(shown.session.id) { records.append(shown) }
            }
            return (records, try rows.nearestSession(of: account, at: now)?.session.id)
        }
        state.withLock { state in
            guard state.homes[account] != nil else { return }
            for record in records {
                state.shown[record.session.id, default: Shown(meeting: record.meeting.id)].accounts
                    .insert(account)
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
