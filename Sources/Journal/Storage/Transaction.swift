package import Meetings

/// The state that a command reads and changes. The transaction caches the sessions in use with their
/// counters, and writes the counters once per batch. It also collects the news that the commit publishes. If
/// a command is refused or the batch fails, the transaction reverts its changes in memory.
///
/// - Note: Use it on the writer's queue only.
package final class Transaction {
    package let rows: any WritableRows
    /// The engine that matches answers against the patterns in hosts' questions.
    package let patterns: any PatternMatching
    /// The time of the batch; it is the same for all commands of the batch.
    package private(set) var now = Instant(milliseconds: 0)

    private var cache = SessionCache()
    var batch = Batch()
    private var misses = Misses()
    private var answered = AnsweredSets()
    /// The web hooks of meetings whose events they have wanted lately. They stay over batches.
    var hooks = KnownWebhooks()
    let jobs = JobsInProgress()
    /// The most rows that one command deletes at once. More rows are erased in slices.
    let mostRowsAtOnce: Int
    /// The limits of each account, and whether meetings can have web hooks.
    let limits: AccountLimits
    /// The satellite that this process is; nil for a server.
    let satellite: OwnSatellite?
    /// The rooms that show sessions; nil before a server has any.
    private let rooms: (any RoomDirectory)?
    private let revision: Revision.Counter
    /// Whether the last commit has raised the revision.
    private var hasRaisedRevision = false
    /// Receives the commits of other nodes.
    private let announce: (Transaction, CommittedBatch) -> Void
    private var randomness = BlockRandomness()

    static let mostChangedAtOnce = 50
    private static let smallStep = Duration.seconds(1)

    init(
        _ rows: any WritableRows, patterns: any PatternMatching, slices: SliceSize, limits: AccountLimits,
        satellite: OwnSatellite? = nil, rooms: (any RoomDirectory)?, revision: Revision.Counter,
        announce: @escaping (Transaction, CommittedBatch) -> Void
    ) {
        self.rows = rows
        self.revision = revision
        (self.rooms, self.announce) = (rooms, announce)
        (self.limits, self.satellite) = (limits, satellite)
        mostRowsAtOnce = slices.mostRowsAtOnce
        self.patterns = patterns
    }

    // MARK: For the writer

    /// Begins a batch.
    /// - Parameter guarded: true runs each command in its own savepoint. A savepoint makes SQLite copy every
    ///   page that the command writes to; for a check-in, this takes an eighth of the writer's time. So the
    ///   writer sets it only when it repeats a batch.
    func begin(at now: Instant, guarded: Bool) throws(JournalError) {
        // If the cache is empty, `Writer.committedSessions` must become empty too.
        cache.begin()
        batch.begin(guarded: guarded)
        misses.begin(checksIn: false)
        answered.forgetAll()
        // If the clock steps back by at most `smallStep`, the batch uses the earlier batch's time, so that
        // the moments in a journal stay in order. A larger step means that the clock was wrong and has been
        // corrected.
        if now >= self.now || self.now.since(now) > Self.smallStep { self.now = now }
        try rows.begin { others throws(JournalError) in try take(others) }
    }

    /// Announces the commits of other nodes, outside a batch.
    func catchUp() throws(JournalError) {
        cache.begin()
        try rows.catchUp { others throws(JournalError) in try take(others) }
    }

    private func take(_ others: OtherCommits) throws(JournalError) {
        jobs.take(others)
        // The others may have changed web hooks, or queued deliveries.
        hooks.forgetAll()
        announce(self, try others.batch(for: rooms, from: rows, changing: &cache))
    }

    /// Lets the engine read ahead the rows that the jobs of the batch will look up.
    func lookAhead(for jobs: [any Job]) throws(JournalError) {
        var waiting: [any Job] = []
        try rows.lookAhead { waiting = jobs.filter { !$0.lookAhead(in: self) } }
        // Their sessions were not in memory. The engine has read them now.
        if !waiting.isEmpty { try rows.lookAhead { for job in waiting { _ = job.lookAhead(in: self) } } }
    }

    /// Runs one command of the batch.
    /// - Throws: the error of the command, after all its changes in memory are reverted.
    func run<C: Command>(_ command: C) throws(JournalError) -> C.Answer {
        beginCommand()
        misses.begin(checksIn: command.checksIn)
        let isGuarded = batch.isGuarded
        var written = rows.writtenRows
        do throws(JournalError) {
            try answered.begin(responds: command.responds, in: rows)
            // Counts of earlier responses, which `begin` has written, are not rows of this command.
            written = rows.writtenRows
            if isGuarded { try rows.savepoint() }
            let answer = try command.run(in: self)
            if isGuarded {
                try answered.write(to: rows)
                try rows.release()
            }
            return answer
        } catch {
            revertCommand()
            batch.note(error, hasWritten: rows.writtenRows != written)
            if isGuarded {
                // If the rollback fails too, the engine has no open transaction any more, and the commit
                // reports the failure.
                do throws(JournalError) { try rows.rollBackToSavepoint() } catch { batch.fail(error) }
                answered.forgetAll()
            }
            throw error
        }
    }

    /// Runs a part of a job in its own savepoint. Returns the error if a rule refused the part, or if the
    /// database refused its values; then the part has changed nothing.
    /// - Throws: any other `.failed`.
    func runGuarded(_ body: () throws(JournalError) -> Void) throws(JournalError) -> JournalError? {
        beginCommand()
        try rows.savepoint()
        do throws(JournalError) {
            try body()
        } catch {
            if case .failed(let failure) = error {
                guard failure.reason == .unstorable else { throw error }
                batch.failedCommands += 1
            }
            revertCommand()
            try rows.rollBackToSavepoint()
            return error
        }
        try rows.release()
        return nil
    }

    /// Begins to note what a command changes in memory.
    private func beginCommand() {
        cache.beginCommand()
        hooks.beginCommand()
        batch.gatherNotes()
    }

    /// Reverts the changes in memory since `beginCommand`.
    private func revertCommand() {
        cache.revertCommand()
        if batch.running.hasUncounted { jobs.active?.mustRecount = true }
        batch.running = Batch.Notes()
        hooks.revertCommand()
    }

    /// Commits the batch, and returns its changes for the listener.
    /// - Parameter onlyChecksIn: whether all commands of the batch check people in (`Revision`).
    func commit(onlyChecksIn: Bool = false) throws(JournalError) -> CommittedBatch {
        // The revision rises even if the commit fails, because the rows may have changed. It also rises if
        // the cache was emptied: `copySessions` then empties the writer's copy, and `Storage.current` would
        // return an old record.
        hasRaisedRevision = !onlyChecksIn || cache.hasForgottenAll
        defer { if hasRaisedRevision { revision.advance() } }
        if case .failed(let failure) = batch.phase { throw .failed(failure) }
        try answered.write(to: rows)
        answered.forgetAll()
        batch.gatherNotes()
        for session in cache.used where session.isCounted {
            guard let record = session.record else { continue }
            try rows.saveCounters(of: session.id, sequence: record.sequence, headCount: record.headCount)
        }
        let commits = cache.used.compactMap { $0.commit }
        try rows.commit {
            var note = batch.notes.note
            note.sessions = cache.notes
            return note
        }
        return CommittedBatch(
            sessions: commits, endedRights: batch.notes.note.endedRights,
            hasQueuedMail: batch.notes.note.hasQueuedMail)
    }

    /// Commits a batch without savepoints. Returns nil if the batch must run again with savepoints: a command
    /// needs it, or a statement failed that the engine had sent without waiting. The savepoints then show
    /// whose statement it was.
    func commitUnguarded(onlyChecksIn: Bool) throws(JournalError) -> CommittedBatch? {
        if case .mustBeginAgain = batch.phase { return nil }
        do throws(JournalError) { return try commit(onlyChecksIn: onlyChecksIn) } catch {
            batch.note(error)
            if case .failed = batch.phase { throw error }
            return nil
        }
    }

    /// Updates `copy` from the cached sessions, after a commit.
    func copySessions(to copy: inout [SessionID: SessionRecord]) {
        cache.copy(to: &copy)
        // Between the commit and this update, another thread may have computed a value from the old copy.
        if hasRaisedRevision { revision.advance() }
    }

    /// Rolls the batch back, and empties the cache, because its values may no longer match the stored rows.
    func abandon() {
        rows.rollBack()
        // The failed commit may have changed rows.
        revision.advance()
        cache.forgetAll()
        hooks.forgetAll()
        answered.forgetAll()
        batch.dropNotes()
        jobs.active?.mustRecount = true
    }

    // MARK: For commands

    /// Returns the session with all changes that this batch has made so far.
    /// - Throws: `notFound` if the session does not exist.
    package func session(_ id: SessionID) throws(JournalError) -> SessionRecord {
        if let record = cache.find(id)?.record { return record }
        guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
        cache.change(id).replaceRecord(by: record)
        return record
    }

    /// Returns the id of a new attendee.
    func newAttendeeID() -> AttendeeID { .make(at: now, using: &randomness) }

    /// Returns what `look` finds; nil at once if an earlier check-in of this batch has found nothing.
    func find<Found>(
        _ thing: Misses.Thing, _ look: () throws(JournalError) -> Found?
    ) throws(JournalError) -> Found? {
        if misses.contains(thing) { return nil }
        let found = try look()
        if found == nil { misses.note(thing) }
        return found
    }

    /// Returns the meeting.
    /// - Throws: `notFound` if the meeting does not exist.
    package func meeting(_ id: MeetingID) throws(JournalError) -> Meeting {
        guard let meeting = try rows.meeting(id) else { throw .refused(.notFound(.meeting)) }
        return meeting
    }

    /// Appends an event to the session's journal, with the next sequence of the session.
    @discardableResult
    package func record(
        _ kind: Event.Kind, in id: SessionID, attendee: AttendeeID? = nil, by actor: Event.Actor,
        _ data: EventData = EventData()
    ) throws(JournalError) -> Event {
        let (sequence, meeting, hooked) = try change(id, counting: true) {
            $0.sequence += 1
            return ($0.sequence, $0.meeting.id, $0.meeting.hooked)
        }
        let event = Event(
            sessionID: id, sequence: sequence, at: now, kind: kind, attendeeID: attendee, actor: actor,
            data: data)
        try rows.append(event)
        draft(id) {
            $0.events += 1
            switch kind {
            case .checkedIn: $0.checkIns += 1
            case .responded where data.set != QuestionSet.checkIn: $0.responses += 1
            default: break
            }
        }
        if !hooked.isEmpty, let type = WebhookEvent(kind), hooked.contains(type) {
            try webhooks.queue(
                WebhookMessage(type, at: now, sequence: sequence), of: meeting, about: id)
        }
        return event
    }

    /// Changes the session's counts of attendees. A slice of a job withholds its changes until the job's end.
    package func count(in id: SessionID, _ body: (inout HeadCount) -> Void) throws(JournalError) {
        try requireNotBusyElsewhere(id)
        if let job = jobs.applied {
            body(&job.withheld[id, default: HeadCount()])
        } else {
            try change(id, counting: true) { body(&$0.headCount) }
        }
    }

    /// Returns the session's counts with all changes that this batch has made so far. Cheaper than `session`
    /// if the session is not cached.
    /// - Throws: `notFound` if the session does not exist.
    func headCount(of id: SessionID) throws(JournalError) -> HeadCount {
        if let record = cache.find(id)?.record { return record.headCount }
        guard let count = try rows.headCount(of: id) else { throw .refused(.notFound(.session)) }
        return count
    }

    /// The sessions of the meeting whose counters this batch has changed.
    func countedSessions(of meeting: MeetingID) -> [SessionRecord] {
        cache.used.compactMap { $0.isCounted ? $0.record : nil }.filter { $0.meeting.id == meeting }
    }

    /// Writes the session, and publishes the edit to the session's rooms.
    package func update(_ session: Session) throws(JournalError) {
        var session = session
        try change(session.id) {
            // An undo writes a copy of the session from before the deletion of the names.
            session.namesDeletedAt = session.namesDeletedAt ?? $0.session.namesDeletedAt
            $0.session = session
        }
        try rows.update(session)
        publishEdit(of: session.id)
    }

    /// Writes the question set with its questions.
    package func save(_ set: QuestionSet, of id: SessionID) throws(JournalError) {
        try rows.save(set, of: id)
        try noteSummary(of: set, in: id)
    }

    /// Writes the question set's settings and counts, but not its questions. The counts of a response are
    /// written later (`AnsweredSets`).
    package func saveSettings(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        if !answered.change(set, of: id) { try rows.saveSettings(of: set, in: id) }
        try noteSummary(of: set, in: id)
    }

    /// Returns the question set with all changes that this batch has made so far.
    func questionSet(_ name: String, of id: SessionID) throws(JournalError) -> QuestionSet? {
        if let set = answered.set(name, of: id) { return set }
        let set = try rows.questionSet(name, of: id)
        if let set { answered.remember(set, of: id) }
        return set
    }

    /// Returns the set's tallies with all changes that this batch has made so far.
    func tallies(of id: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord] {
        if let tallies = answered.tallies(of: id, set: set) { return tallies }
        let tallies = try rows.tallies(of: id, set: set)
        answered.remember(tallies, of: id, set: set)
        return tallies
    }

    /// Writes a tally without words. Those of a response are written later (`AnsweredSets`).
    func save(
        _ tally: TallyRecord, of question: QuestionID, in set: String, of id: SessionID
    ) throws(JournalError) {
        if !answered.change(tally, of: question, in: set, id) { try rows.save(tally, of: question) }
    }

    private func noteSummary(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        guard set.name == QuestionSet.feedback else { return }
        try change(id) { $0.feedback = set.summary }
    }

    /// Writes the meeting, and publishes the edit to the rooms of its cached sessions.
    package func update(_ edited: Meeting) throws(JournalError) {
        try rows.update(edited)
        var meeting = edited
        // A job has planned the edit before. The web hooks may have changed since.
        meeting.hooked = try rows.meeting(edited.id)?.hooked ?? []
        try replaceCopies(of: meeting)
    }

    /// Stores which events web hooks of the meeting want.
    func setHooked(_ events: WebhookEvents, of id: MeetingID) throws(JournalError) {
        guard let meeting = try rows.meeting(id), meeting.hooked != events else { return }
        try rows.setHooked(events, of: id)
        var changed = meeting
        changed.hooked = events
        try replaceCopies(of: changed)
    }

    /// Replaces the meeting in its cached sessions, and publishes the edit to their rooms.
    private func replaceCopies(of meeting: Meeting) throws(JournalError) {
        batch.running.note.meetings.insert(meeting.id)
        // A room may show a session that is no longer cached.
        for id in rooms?.shownSessions(of: [meeting.id]) ?? [] where cache.find(id)?.isCached != true {
            guard let record = try rows.session(id), record.meeting.id == meeting.id else { continue }
            cache.change(id).replaceRecord(by: record)
        }
        for id in cache.sessions(of: [meeting.id]) {
            cache.change(id).changeRecord { $0.meeting = meeting }
            // The room of each session shows the meeting's name.
            publishEdit(of: id)
        }
    }

    /// Removes the session from the cache, because the running command deletes the session. The session's
    /// rooms end after the commit.
    package func forget(_ id: SessionID) {
        cache.change(id).replaceRecord(by: nil)
        draft(id) { $0.note.isDeleted = true }
    }

    /// Publishes to the session's rooms what this event changed for an attendee. Later news of an attendee
    /// replaces the earlier news of the batch, so commands must publish in the order of events.
    package func publish(_ news: News.Kind, at event: Event) {
        cache.change(event.sessionID).publish(News(sequence: event.sequence, kind: news))
    }

    /// Changes what the commit publishes of a session.
    func draft(_ id: SessionID, _ body: (inout BatchSession.Draft) -> Void) {
        cache.change(id).changeDraft(body)
    }

    /// Changes a session's record in place.
    /// - Parameter counting: whether the commit writes the session's counters.
    @discardableResult
    func change<Result>(
        _ id: SessionID, counting: Bool = false, _ body: (inout SessionRecord) -> Result
    ) throws(JournalError) -> Result {
        if cache.find(id)?.isCached != true { _ = try session(id) }
        return cache.change(id).changeRecord(counting: counting, body)
    }
}
