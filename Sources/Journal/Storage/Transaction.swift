package import Meetings

/// What a command works on. It keeps the sessions and meetings in use in memory, with their counters, writes
/// the counters once a batch, and takes everything back when a command is refused or the batch fails.
package final class Transaction {
    package let rows: any WritableRows
    /// What hosts' patterns run on.
    package let patterns: any PatternMatching
    /// One moment for the whole batch.
    package private(set) var now = Instant(milliseconds: 0)

    private var sessions: [SessionID: SessionRecord] = [:]
    /// What a command changed, as it was before; nil where the session was not in memory.
    private var before: [SessionID: SessionRecord?] = [:]
    private var changes: [SessionID: SessionChange] = [:]
    private var changesBefore: [SessionID: SessionChange?] = [:]
    private var hasBatchFailed = false
    /// Whether each command can be taken back by itself.
    private var isGuarded = false
    /// Whether a command was refused that had written already, in a batch that cannot take it back alone.
    private(set) var mustBeginAgain = false
    /// Sessions that this batch has brought to memory, changed or let go of.
    private var touched: Set<SessionID> = []
    /// Whether memory was emptied when this batch began.
    private var hasForgottenAll = false

    private static let mostSessionsKept = 1000
    private static let smallStep = Duration.seconds(1)

    init(_ rows: any WritableRows, patterns: any PatternMatching) {
        self.rows = rows
        self.patterns = patterns
    }

    // MARK: For the writer

    /// - Parameter guarded: gives each command a savepoint. That costs SQLite a copy of every page that the
    ///   command writes to, an eighth of what a check-in costs the writer, so it is done where it is known to
    ///   be needed.
    func begin(at now: Instant, guarded: Bool) throws(JournalError) {
        // With nothing in memory, the copy of it must hold nothing, either.
        hasForgottenAll = sessions.isEmpty || sessions.count > Self.mostSessionsKept
        if hasForgottenAll { sessions = [:] }
        (isGuarded, mustBeginAgain) = (guarded, false)
        touched.removeAll(keepingCapacity: true)
        changes = [:]
        hasBatchFailed = false
        // A clock that steps back by a little must not turn a journal's moments round; one that was wrong and
        // is set right is believed.
        if now >= self.now || self.now.since(now) > Self.smallStep { self.now = now }
        try rows.begin()
    }

    func run<C: Command>(_ command: C) throws(JournalError) -> C.Answer {
        before.removeAll(keepingCapacity: true)
        changesBefore.removeAll(keepingCapacity: true)
        let written = rows.writtenRows
        do throws(JournalError) {
            if isGuarded { try rows.savepoint() }
            let answer = try command.run(in: self)
            if isGuarded { try rows.release() }
            return answer
        } catch {
            for (id, record) in before { sessions[id] = record }
            for (id, change) in changesBefore { changes[id] = change }
            if case .failed = error { hasBatchFailed = true }
            if isGuarded {
                // Where even that fails there is no transaction any more, and the commit will say so.
                do throws(JournalError) { try rows.rollBackToSavepoint() } catch { hasBatchFailed = true }
            } else if !hasBatchFailed, rows.writtenRows != written {
                mustBeginAgain = true
            }
            throw error
        }
    }

    func commit() throws(JournalError) -> [SessionChange] {
        guard !hasBatchFailed else {
            throw .failed(StorageFailure(.inputOutput, operation: "commit a batch with a failed command"))
        }
        for (id, change) in changes where !change.isDeleted {
            guard let record = sessions[id] else { continue }
            try rows.saveCounters(of: id, sequence: record.sequence, headCount: record.headCount)
            changes[id]?.record = record
        }
        try rows.commit()
        return Array(changes.values)
    }

    /// Brings a copy of what is in memory up to date, after a commit. It holds no session that memory does
    /// not, so that each change of a meeting reaches it, too.
    func copySessions(to copy: inout [SessionID: SessionRecord]) {
        if hasForgottenAll { copy = [:] }
        for id in touched { copy[id] = sessions[id] }
    }

    /// After a failure: nothing in memory is believed any more.
    func abandon() {
        rows.rollBack()
        sessions = [:]
        changes = [:]
    }

    // MARK: For commands

    package func session(_ id: SessionID) throws(JournalError) -> SessionRecord {
        if let record = sessions[id] { return record }
        guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
        remember(id)
        sessions[id] = record
        return record
    }

    package func meeting(_ id: MeetingID) throws(JournalError) -> Meeting {
        guard let meeting = try rows.meeting(id) else { throw .refused(.notFound(.meeting)) }
        return meeting
    }

    /// Appends to the session's journal, under the next sequence.
    @discardableResult
    package func record(
        _ kind: Event.Kind, in id: SessionID, attendee: AttendeeID? = nil, by actor: Event.Actor,
        _ data: EventData = EventData()
    ) throws(JournalError) -> Event {
        var record = try session(id)
        remember(id)
        record.sequence += 1
        sessions[id] = record
        let event = Event(
            sessionID: id, sequence: record.sequence, at: now, kind: kind, attendeeID: attendee, actor: actor,
            data: data)
        try rows.append(event)
        change(id) { $0.events.append(event) }
        return event
    }

    package func count(in id: SessionID, _ body: (inout HeadCount) -> Void) throws(JournalError) {
        var record = try session(id)
        remember(id)
        body(&record.headCount)
        sessions[id] = record
    }

    package func update(_ session: Session) throws(JournalError) {
        var record = try self.session(session.id)
        remember(session.id)
        try rows.update(session)
        record.session = session
        sessions[session.id] = record
        change(session.id) { $0.isEdited = true }
    }

    /// With its questions.
    package func save(_ set: QuestionSet, of id: SessionID) throws(JournalError) {
        try rows.save(set, of: id)
        try noteSummary(of: set, in: id)
    }

    /// The set's settings and counts alone.
    package func saveSettings(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        try rows.saveSettings(of: set, in: id)
        try noteSummary(of: set, in: id)
    }

    private func noteSummary(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        guard set.name == QuestionSet.feedback else { return }
        var record = try session(id)
        remember(id)
        record.feedback = set.summary
        sessions[id] = record
    }

    package func update(_ meeting: Meeting) throws(JournalError) {
        try rows.update(meeting)
        for id in sessions.keys where sessions[id]?.meeting.id == meeting.id {
            remember(id)
            sessions[id]?.meeting = meeting
            // Every room of the meeting shows its name.
            change(id) { $0.isEdited = true }
        }
    }

    /// Tells the rooms of the session what else there is beside its events.
    package func change(_ id: SessionID, _ body: (inout SessionChange) -> Void) {
        if changesBefore[id] == nil { changesBefore[id] = .some(changes[id]) }
        body(&changes[id, default: SessionChange(id: id)])
    }

    package func forget(_ id: SessionID) {
        remember(id)
        sessions[id] = nil
        change(id) { $0.isDeleted = true }
    }

    private func remember(_ id: SessionID) {
        touched.insert(id)
        if before[id] == nil { before[id] = .some(sessions[id]) }
    }
}
