import Meetings

/// The sessions in use with their counters, and the changes of the batch and of its running command to them.
struct SessionCache {
    /// The cached sessions, and the other sessions that this batch has used.
    private var sessions: [SessionID: BatchSession] = [:]
    /// The sessions that this batch has added to the cache, changed, or removed from the cache, and those
    /// with a draft.
    private(set) var used: [BatchSession] = []
    /// The sessions that the running command has changed.
    private var changed: [BatchSession] = []
    /// The session that a command looked up last. Nearly all look-ups of a batch of check-ins find it.
    private var latest: BatchSession?
    /// Whether the cache was emptied when this batch began.
    private(set) var hasForgottenAll = false

    private static let mostSessions = 1000

    /// Begins a batch.
    mutating func begin() {
        for session in used {
            session.forgetChanges()
            if !session.isCached { sessions[session.id] = nil }
        }
        used.removeAll(keepingCapacity: true)
        latest = nil
        hasForgottenAll = sessions.isEmpty || sessions.count > Self.mostSessions
        if hasForgottenAll { sessions = [:] }
    }

    mutating func forgetAll() {
        (sessions, used, latest, hasForgottenAll) = ([:], [], nil, true)
    }

    /// Begins to note what a command changes.
    mutating func beginCommand() {
        for session in changed { session.forgetBefore() }
        changed.removeAll(keepingCapacity: true)
    }

    /// Reverts the changes since `beginCommand`.
    func revertCommand() { for session in changed { session.revert() } }

    /// Returns the session if it is cached, or if the batch has used it.
    mutating func find(_ id: SessionID) -> BatchSession? {
        if let latest, latest.id == id { return latest }
        guard let found = sessions[id] else { return nil }
        latest = found
        return found
    }

    /// Returns the session, which the running command then changes. It may have no record.
    mutating func change(_ id: SessionID) -> BatchSession {
        let session = use(id)
        if !session.isChanged { changed.append(session) }
        return session
    }

    private mutating func use(_ id: SessionID) -> BatchSession {
        let session = find(id) ?? add(id)
        if !session.isUsed {
            session.isUsed = true
            used.append(session)
        }
        return session
    }

    private mutating func add(_ id: SessionID) -> BatchSession {
        let session = BatchSession(id)
        sessions[id] = session
        latest = session
        return session
    }

    /// Updates a session's counters after commits of other nodes. Forgets its record if more has changed, or
    /// if the record is not the one that they changed.
    mutating func take(_ change: CommitNote.Change, of id: SessionID) {
        guard let counters = change.counters, var record = sessions[id]?.record,
            record.sequence == change.before
        else { return forget(id) }
        (record.sequence, record.headCount) = (counters.sequence, counters.headCount)
        use(id).setRecord(record)
    }

    /// Forgets the record of a session that another node has changed.
    mutating func forget(_ id: SessionID) { if sessions[id] != nil { use(id).setRecord(nil) } }

    /// Returns the cached sessions of these meetings.
    func sessions(of meetings: Set<MeetingID>) -> [SessionID] {
        sessions.values.compactMap { session in
            guard let meeting = session.record?.meeting.id else { return nil }
            return meetings.contains(meeting) ? session.id : nil
        }
    }

    /// The changes to sessions, for other nodes.
    var notes: [SessionID: CommitNote.Change] {
        var notes: [SessionID: CommitNote.Change] = [:]
        for session in used { notes[session.id] = session.note }
        return notes
    }

    /// Updates `copy` from the cached sessions. The copy never holds a session that is not cached, because an
    /// edit of a meeting reaches the cached sessions only.
    func copy(to copy: inout [SessionID: SessionRecord]) {
        if hasForgottenAll { copy = [:] }
        for session in used { copy[session.id] = session.record }
    }
}
