import Journal
import Meetings
import Synchronization
import WebSockets
import Wire

/// The `home` rooms: a host's own sessions, each as a whole whenever it changed, four times a second at most.
final class HomeRooms: Sendable {
    private struct State {
        var channels: [AccountID: (channel: ChannelID, watchers: Int)] = [:]
        /// Homes have their own half of the numbers.
        var nextChannel: UInt64 = 1 << 63
        var dirty: Set<SessionID> = []
        var isTelling = false
        /// Those who are reading their snapshot.
        var joining = 0
        /// What has changed since the first of them began.
        var missed: Set<SessionID> = []
        var publish: (@Sendable (Frame, ChannelID) -> Void)?
        var close: (@Sendable (ChannelID) -> Void)?

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
    private let clock: any ServerClock
    private let codes: @Sendable (Session) -> CodeBody?
    private let state = Mutex(State())

    init(storage: Storage, clock: any ServerClock, codes: @escaping @Sendable (Session) -> CodeBody?) {
        self.storage = storage
        self.clock = clock
        self.codes = codes
    }

    func connect(publish: @escaping @Sendable (Frame, ChannelID) -> Void, close: @escaping @Sendable (ChannelID) -> Void) {
        state.withLock { ($0.publish, $0.close) = (publish, close) }
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
            // The loops keep a channel until they are told otherwise.
            if watchers == 1 { state.close?(channel) }
        }
    }

    /// On the writer's queue.
    func announce(_ changes: [SessionChange]) {
        let mustTell = state.withLock { state -> Bool in
            guard !state.channels.isEmpty else { return false }
            let changed = Set(changes.filter { $0.record != nil }.map(\.id))
            if state.joining > 0 { state.missed.formUnion(changed) }
            return state.tell(changed)
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
        let found = try? await storage.read { rows throws(JournalError) -> (SessionRecord, [AccountID])? in
            guard let record = try rows.session(id) else { return nil }
            return (record, try rows.members(of: record.meeting.id).map(\.account))
        }
        guard let (record, members) = found ?? nil else { return }
        let frame = Frame.encode(text: WireJSON.bytes(HomeFrame(session: body(record))), from: 0, to: 0)
        state.withLock { state in
            // Under the lock, so that no frame opens a channel again that its last watcher has left.
            for channel in members.compactMap({ state.channels[$0]?.channel }) { state.publish?(frame, channel) }
        }
    }

    /// The host's sessions that are not over, the nearest first.
    func snapshot(for account: AccountID) async throws -> HomeFrame {
        let now = clock.now
        let (records, nearest) = try await storage.read { rows throws(JournalError) -> ([SessionRecord], SessionID?) in
            (
                try rows.meetings(of: account, at: now, after: nil, limit: 50),
                try rows.nearestSession(of: account, at: now)?.session.id
            )
        }
        return HomeFrame(snapshot: HomeFrame.Snapshot(sessions: records.map(body), nearest: nearest))
    }

    private func body(_ record: SessionRecord) -> SessionBody {
        var body = SessionBody(record.session, of: record.meeting, headCount: record.headCount, feedback: record.feedback, at: clock.now)
        let code = codes(record.session)
        body.joinCode = code?.joinCode
        body.checkInUrl = code?.url
        return body
    }
}
