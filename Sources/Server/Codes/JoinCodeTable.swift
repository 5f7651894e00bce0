import Journal
import Meetings
import Synchronization

/// The join codes that sessions with rotating codes accept at the moment, in a hash table. A wrong code costs
/// one look-up, however many sessions are open.
///
/// The first look-up of each minute builds the table with one query of the sessions whose check-in is open
/// or opens soon. Between these queries, commits update the table. The table only finds candidates: the
/// caller must check the code against the stored session.
///
/// - Note: `committed` runs on the writer's queue. Code that holds the lock takes no other lock.
final class JoinCodeTable: Sendable {
    private struct Entry {
        let session: Session
        let codes: [String]
    }

    private struct Table {
        var entries: [SessionID: Entry] = [:]
        var sessions: [String: [SessionID]] = [:]

        mutating func set(_ entry: Entry?, of id: SessionID) {
            for code in entries[id]?.codes ?? [] {
                sessions[code]?.removeAll { $0 == id }
                if sessions[code]?.isEmpty == true { sessions[code] = nil }
            }
            entries[id] = entry
            for code in entry?.codes ?? [] { sessions[code, default: []].append(id) }
        }
    }

    private struct State {
        /// The number of the minute for which the table was built; nil before the first look-up.
        var minute: Int64?
        var table = Table()
        var building: Task<Void, any Error>?
        /// The number of gaps so far. A table whose query began before a gap is built again.
        var gaps = 0
        /// The sessions that commits have changed since the server began to build the next table; nil for a
        /// deleted session.
        var changed: [SessionID: Session?] = [:]
    }

    private static let most = 100_000
    /// How long before the opening of check-in a session enters the table. It is longer than a minute,
    /// because the table is built once a minute.
    private static let ahead = Duration.minutes(2)
    private let state = Mutex(State())
    private let storage: Storage
    private let clock: any ServerClock
    private let codeClock: CodeClock
    private let keys: Keys

    init(storage: Storage, clock: any ServerClock, codeClock: CodeClock, keys: Keys) {
        self.storage = storage
        self.clock = clock
        self.codeClock = codeClock
        self.keys = keys
    }

    /// Returns the sessions that may have this code. There is rarely more than one, because two sessions
    /// share a code only by chance.
    /// - Parameter code: a normalized join code.
    /// - Throws: `JournalError.failed` if the sessions cannot be read.
    func sessions(with code: String) async throws -> [SessionID] {
        let minute = minute
        while true {
            let (found, building) = state.withLock { state -> ([SessionID], Task<Void, any Error>?) in
                let found = state.table.sessions[code] ?? []
                // If the old table has the code, return its sessions without waiting for the new table,
                // because a code of the last minute may still be valid.
                guard found.isEmpty, (state.minute ?? .min) < minute else { return (found, nil) }
                if state.building == nil {
                    state.building = Task { try await self.build() }
                }
                return ([], state.building)
            }
            guard let building else { return found }
            try await building.value
        }
    }

    /// Applies the changes of a commit. Commits that change no session with rotating codes cost one look-up
    /// for each session.
    func committed(_ commits: [SessionCommit]) {
        state.withLock { state in
            guard state.minute != nil || state.building != nil else { return }
            for commit in commits {
                let session = commit.record?.session
                if state.building != nil { state.changed[commit.id] = .some(session) }
                if state.table.entries[commit.id]?.session != listed(session) {
                    state.table.set(entry(of: session), of: commit.id)
                }
            }
        }
    }

    /// Discards the table, because it may have missed commits. The next look-up builds it again.
    func forgetAll() {
        state.withLock { state in
            (state.minute, state.changed) = (nil, [:])
            state.gaps += 1
        }
    }

    private var minute: Int64 {
        CodeSchedule.counter(at: codeClock.now, every: CodeSchedule.joinCodePeriod)
    }

    private func build() async throws {
        while try await !buildUnlessGap() {}
    }

    /// Builds the table. Returns false if there was a gap meanwhile.
    private func buildUnlessGap() async throws -> Bool {
        let (minute, now, gaps) = (minute, clock.now, state.withLock { $0.gaps })
        let found: [SessionRecord]
        do {
            found = try await storage.read { rows throws(JournalError) in
                try rows.sessionsWithRotatingCodes(
                    openAt: now, orBefore: now + Self.ahead, limit: Self.most)
            }
        } catch {
            state.withLock {
                $0.building = nil
                $0.changed = [:]
            }
            throw error
        }
        var table = Table()
        for record in found { table.set(entry(of: record.session), of: record.session.id) }
        // The old table may have 100,000 entries, so it is released after the lock.
        let old = state.withLock { [table] state -> Table? in
            guard state.gaps == gaps else { return nil }
            let old = state.table
            state.table = table
            for (id, session) in state.changed { state.table.set(entry(of: session), of: id) }
            state.minute = minute
            state.building = nil
            state.changed = [:]
            return old
        }
        return old != nil
    }

    /// Returns the session if it belongs in the table; otherwise nil.
    private func listed(_ session: Session?) -> Session? {
        guard let session, session.codeKind == .rotating else { return nil }
        let now = clock.now
        return session.checkInOpensAt <= now + Self.ahead && now <= session.checkInClosesAt ? session : nil
    }

    private func entry(of session: Session?) -> Entry? {
        guard let session = listed(session) else { return nil }
        return Entry(
            session: session,
            codes: RotatingJoinCode.texts(of: session, at: codeClock.now, keys: keys))
    }
}
