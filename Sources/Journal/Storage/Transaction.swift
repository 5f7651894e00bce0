package import Meetings

/// What a command works on. It keeps the sessions in use in memory with their counters, writes the counters
/// once a batch, collects what the batch has to tell, and takes everything back when a command is refused or
/// the batch fails.
///
/// - Note: Used on the writer's queue only.
package final class Transaction {
    package let rows: any WritableRows
    /// Matches the patterns that hosts wrote.
    package let patterns: any PatternMatching
    /// One moment for the whole batch.
    package private(set) var now = Instant(milliseconds: 0)

    /// The sessions in memory.
    private var loaded: [SessionID: SessionRecord] = [:]
    /// What the running command changed, as it was before; nil for a session that was not in memory.
    private var loadedBefore: [SessionID: SessionRecord?] = [:]
    private var drafts: [SessionID: Draft] = [:]
    /// How far the drafts were when the running command began; nil for a draft that it began itself.
    private var draftsBefore: [SessionID: Draft.Mark?] = [:]
    private var endedRights: [EndedRight] = []
    private var endedRightsBefore = 0
    private var hasBatchFailed = false
    /// Whether each command can be rolled back alone.
    private var isGuarded = false
    /// Whether a command was refused after it had written, in a batch that cannot roll it back alone.
    private(set) var mustBeginAgain = false
    /// Sessions that this batch has loaded, changed or forgotten.
    private var touched: Set<SessionID> = []
    /// Whether memory was emptied when this batch began.
    private var hasForgottenAll = false

    private static let mostSessionsKept = 1000
    private static let mostChangedAtOnce = 50
    private static let smallStep = Duration.seconds(1)

    init(_ rows: any WritableRows, patterns: any PatternMatching) {
        self.rows = rows
        self.patterns = patterns
    }

    // MARK: For the writer

    /// Begins a batch.
    /// - Parameter guarded: gives each command a savepoint. That costs SQLite a copy of every page that the
    ///   command writes to, an eighth of what a check-in costs the writer. So it is done only when a batch is
    ///   known to need it.
    func begin(at now: Instant, guarded: Bool) throws(JournalError) {
        // If nothing is in memory, the copy must hold nothing, either.
        hasForgottenAll = loaded.isEmpty || loaded.count > Self.mostSessionsKept
        if hasForgottenAll { loaded = [:] }
        (isGuarded, mustBeginAgain) = (guarded, false)
        touched.removeAll(keepingCapacity: true)
        drafts = [:]
        endedRights = []
        hasBatchFailed = false
        // A clock that steps back a little must not reverse the order of a journal's moments. A large step is
        // believed: the clock was wrong and has been set.
        if now >= self.now || self.now.since(now) > Self.smallStep { self.now = now }
        try rows.begin()
    }

    /// Runs one command of the batch.
    /// - Throws: what the command throws. Everything that it changed in memory is taken back.
    func run<C: Command>(_ command: C) throws(JournalError) -> C.Answer {
        loadedBefore.removeAll(keepingCapacity: true)
        draftsBefore.removeAll(keepingCapacity: true)
        endedRightsBefore = endedRights.count
        let written = rows.writtenRows
        do throws(JournalError) {
            if isGuarded { try rows.savepoint() }
            let answer = try command.run(in: self)
            if isGuarded { try rows.release() }
            return answer
        } catch {
            for (id, record) in loadedBefore { loaded[id] = record }
            for (id, mark) in draftsBefore {
                if let mark { drafts[id]?.revert(to: mark) } else { drafts[id] = nil }
            }
            endedRights.removeLast(endedRights.count - endedRightsBefore)
            if case .failed = error { hasBatchFailed = true }
            if isGuarded {
                // If even that fails, there is no transaction any more, and the commit reports it.
                do throws(JournalError) { try rows.rollBackToSavepoint() } catch { hasBatchFailed = true }
            } else if !hasBatchFailed, rows.writtenRows != written {
                mustBeginAgain = true
            }
            throw error
        }
    }

    /// Commits the batch, and returns what it changed.
    func commit() throws(JournalError) -> CommittedBatch {
        guard !hasBatchFailed else {
            throw .failed(StorageFailure(.inputOutput, operation: "commit a batch with a failed command"))
        }
        var commits: [SessionCommit] = []
        commits.reserveCapacity(drafts.count)
        for (id, draft) in drafts {
            if !draft.isDeleted, let record = loaded[id] {
                try rows.saveCounters(of: id, sequence: record.sequence, headCount: record.headCount)
            }
            commits.append(draft.commit(of: id, loaded[id]))
        }
        try rows.commit()
        return CommittedBatch(sessions: commits, endedRights: endedRights)
    }

    /// Brings a copy of what is in memory up to date, after a commit. The copy holds no session that memory
    /// does not hold, so that each change of a meeting reaches it, too.
    func copySessions(to copy: inout [SessionID: SessionRecord]) {
        if hasForgottenAll { copy = [:] }
        for id in touched { copy[id] = loaded[id] }
    }

    /// Rolls the batch back after a failure. Nothing in memory is believed any more.
    func abandon() {
        rows.rollBack()
        loaded = [:]
        drafts = [:]
        endedRights = []
    }

    // MARK: For commands

    /// Returns the session as this batch has left it so far.
    /// - Throws: `notFound`.
    package func session(_ id: SessionID) throws(JournalError) -> SessionRecord {
        if let record = loaded[id] { return record }
        guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
        remember(id)
        loaded[id] = record
        return record
    }

    /// - Throws: `notFound`.
    package func meeting(_ id: MeetingID) throws(JournalError) -> Meeting {
        guard let meeting = try rows.meeting(id) else { throw .refused(.notFound(.meeting)) }
        return meeting
    }

    /// Appends an event to the session's journal, under the next sequence.
    @discardableResult
    package func record(
        _ kind: Event.Kind, in id: SessionID, attendee: AttendeeID? = nil, by actor: Event.Actor,
        _ data: EventData = EventData()
    ) throws(JournalError) -> Event {
        let sequence = try session(id).sequence + 1
        try change(id) { $0.sequence = sequence }
        let event = Event(
            sessionID: id, sequence: sequence, at: now, kind: kind, attendeeID: attendee, actor: actor,
            data: data)
        try rows.append(event)
        draft(id) {
            switch kind {
            case .checkedIn: $0.checkIns += 1
            case .responded where data.set != QuestionSet.checkIn: $0.responses += 1
            default: break
            }
        }
        return event
    }

    /// Changes the session's counts.
    package func count(in id: SessionID, _ body: (inout HeadCount) -> Void) throws(JournalError) {
        try change(id) { body(&$0.headCount) }
    }

    /// Writes the session, and shows it to its rooms.
    package func update(_ session: Session) throws(JournalError) {
        try change(session.id) { $0.session = session }
        try rows.update(session)
        publishEdit(of: session.id)
    }

    /// Writes the set with its questions.
    package func save(_ set: QuestionSet, of id: SessionID) throws(JournalError) {
        try rows.save(set, of: id)
        try noteSummary(of: set, in: id)
    }

    /// Writes the set's settings and counts, but not its questions.
    package func saveSettings(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        try rows.saveSettings(of: set, in: id)
        try noteSummary(of: set, in: id)
    }

    private func noteSummary(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        guard set.name == QuestionSet.feedback else { return }
        try change(id) { $0.feedback = set.summary }
    }

    /// Writes the meeting, and shows it to the rooms of its sessions.
    package func update(_ meeting: Meeting) throws(JournalError) {
        try rows.update(meeting)
        for id in loaded.keys where loaded[id]?.meeting.id == meeting.id {
            remember(id)
            loaded[id]?.meeting = meeting
            // Every room of the meeting shows its name.
            publishEdit(of: id)
        }
    }

    /// Drops the session from memory, because the command deletes it. Its rooms end after the commit.
    package func forget(_ id: SessionID) {
        remember(id)
        loaded[id] = nil
        draft(id) { $0.isDeleted = true }
    }

    // MARK: What the commit tells

    /// Tells the session's rooms what happened to an attendee by this event. Later news of one attendee
    /// replaces earlier news of the batch, so commands tell it in the order of events.
    package func publish(_ news: News.Kind, at event: Event) {
        draft(event.sessionID) { $0.news.append(News(sequence: event.sequence, kind: news)) }
    }

    /// Tells the session's rooms of several changed attendees, unless they are more than
    /// `mostChangedAtOnce`. Then the edit itself tells clients to read their lists again.
    func publish(changed attendees: [Attendee], at event: Event) {
        guard attendees.count <= Self.mostChangedAtOnce else { return }
        for attendee in attendees { publish(.changed(attendee), at: event) }
    }

    /// Tells the session's rooms that its settings, or its meeting's, have changed.
    package func publishEdit(of session: SessionID) { draft(session) { $0.isEdited = true } }

    /// Tells the session's rooms to read the set's results again.
    package func publishResults(of set: String, in session: SessionID) {
        draft(session) { $0.sets.insert(set) }
    }

    /// Ends the connections that this right opened, after the commit.
    package func endRights(of ended: EndedRight) { endedRights.append(ended) }

    private func draft(_ id: SessionID, _ body: (inout Draft) -> Void) {
        if draftsBefore[id] == nil { draftsBefore[id] = .some(drafts[id]?.mark) }
        body(&drafts[id, default: Draft()])
    }

    /// Changes a session in memory, in place.
    private func change(_ id: SessionID, _ body: (inout SessionRecord) -> Void) throws(JournalError) {
        let record = try session(id)
        remember(id)
        body(&loaded[id, default: record])
    }

    private func remember(_ id: SessionID) {
        touched.insert(id)
        if loadedBefore[id] == nil { loadedBefore[id] = .some(loaded[id]) }
    }
}

/// What a batch has to tell about one session, as far as it has run.
private struct Draft {
    var news: [News] = []
    var sets: Set<String> = []
    var isEdited = false
    var isDeleted = false
    var checkIns = 0
    var responses = 0

    /// What a refused command must leave behind. It holds no copy of the news: in a batch of many check-ins
    /// each of them would copy those before it.
    struct Mark {
        let newsCount: Int
        let sets: Set<String>
        let isEdited: Bool
        let isDeleted: Bool
        let checkIns: Int
        let responses: Int
    }

    var mark: Mark {
        Mark(
            newsCount: news.count, sets: sets, isEdited: isEdited, isDeleted: isDeleted, checkIns: checkIns,
            responses: responses)
    }

    mutating func revert(to mark: Mark) {
        news.removeLast(news.count - mark.newsCount)
        (sets, isEdited, isDeleted) = (mark.sets, mark.isEdited, mark.isDeleted)
        (checkIns, responses) = (mark.checkIns, mark.responses)
    }

    func commit(of id: SessionID, _ record: SessionRecord?) -> SessionCommit {
        SessionCommit(
            id: id, record: isDeleted ? nil : record, news: news, sets: sets, isEdited: isEdited,
            checkIns: checkIns, responses: responses)
    }
}
