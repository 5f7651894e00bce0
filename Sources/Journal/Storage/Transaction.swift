import Glibc
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

    /// The cached sessions, and the other sessions that this batch has used.
    private var cache: [SessionID: BatchSession] = [:]
    /// The sessions that this batch has added to the cache, changed, or removed from the cache, and those
    /// with a draft.
    private var used: [BatchSession] = []
    /// The sessions that the running command has changed.
    private var changed: [BatchSession] = []
    /// The session that a command looked up last. Nearly all look-ups of a batch of check-ins find it.
    private var latest: BatchSession?
    private var endedRights: [EndedRight] = []
    private var endedRightsBefore = 0
    /// Whether the batch made a mail due. A refused command may leave it true, which only wakes the sender.
    private var hasQueuedMail = false
    /// The meetings whose settings the batch has changed. A refused command may leave its meeting here, which
    /// only makes other nodes read it again.
    private var editedMeetings: Set<MeetingID> = []
    private var hasChangedJobs = false
    /// The first failure that concerns the whole batch.
    private var batchFailure: StorageFailure?
    /// The first failure of a single command for another reason than its values. The batch goes on without
    /// the command.
    private(set) var commandFailure: StorageFailure?
    /// Whether each command runs in its own savepoint, so that it can be rolled back alone.
    private var isGuarded = false
    /// Whether the batch must run again with savepoints, because a command was refused after it had written
    /// rows, or because the database refused a statement of a command.
    private(set) var mustBeginAgain = false
    /// The things that a check-in of this batch looked for and did not find. Another command may add them, so
    /// it empties the set.
    private var missing: Set<Missing> = []
    private var isCheckIn = false
    /// Whether the cache was emptied when this batch began.
    private var hasForgottenAll = false

    /// The job that the writer applies at present; nil if there is none. It outlives the batches.
    var job: ActiveJob?
    /// The most rows that one command deletes at once. More rows are erased in slices.
    let mostRowsAtOnce: Int
    /// The most meetings that one account may own.
    let limits: AccountLimits
    /// Whether the running transaction is a slice of `job`.
    var isApplying = false
    /// The invisible work that the batch has stored, for the lane.
    private(set) var laterWork: [(id: JobID, work: any Work)] = []
    private var laterWorkBefore = 0
    /// The number of batches that ran again after a conflict, since the start.
    private(set) var conflicts = 0
    /// The number of commands, and of steps of jobs, that failed alone since the start.
    private(set) var failedCommands = 0
    /// The meetings of visible jobs that this node does not run at present: jobs of other nodes, and jobs
    /// that wait for their turn here.
    private(set) var busyElsewhere: Set<MeetingID> = []
    /// Whether this node must read its jobs again (`OtherCommits.hasLostJobs`), and the job that was active
    /// until then. The lane clears both.
    var hasLostJobs = false
    var lostJob: ActiveJob?
    /// The rooms that show sessions; nil before a server has any.
    private let rooms: (any RoomDirectory)?
    private let revision: Revision.Counter
    /// Whether the last commit has raised the revision.
    private var hasRaisedRevision = false
    /// Receives the commits of other nodes.
    private let announce: (Transaction, CommittedBatch) -> Void
    /// Whether the running command changed the withheld counts of `job`, which `revert` cannot restore.
    private var hasUncounted = false
    private var randomness = BlockRandomness()

    private static let mostCachedSessions = 1000
    static let mostChangedAtOnce = 50
    private static let smallStep = Duration.seconds(1)

    init(
        _ rows: any WritableRows, patterns: any PatternMatching, slices: SliceSize, limits: AccountLimits,
        rooms: (any RoomDirectory)?, revision: Revision.Counter,
        announce: @escaping (Transaction, CommittedBatch) -> Void
    ) {
        self.rows = rows
        self.revision = revision
        (self.rooms, self.announce) = (rooms, announce)
        self.limits = limits
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
        forgetChanges()
        (isGuarded, mustBeginAgain) = (guarded, false)
        missing.removeAll(keepingCapacity: true)
        isCheckIn = false
        endedRights = []
        hasQueuedMail = false
        editedMeetings = []
        hasChangedJobs = false
        laterWork = []
        batchFailure = nil
        commandFailure = nil
        // If the clock steps back by at most `smallStep`, the batch uses the earlier batch's time, so that
        // the moments in a journal stay in order. A larger step means that the clock was wrong and has been
        // corrected.
        if now >= self.now || self.now.since(now) > Self.smallStep { self.now = now }
        try rows.begin { others throws(JournalError) in try take(others) }
    }

    private func forgetChanges() {
        for session in used {
            session.forgetChanges()
            if !session.isCached { cache[session.id] = nil }
        }
        used.removeAll(keepingCapacity: true)
        latest = nil
        hasForgottenAll = cache.isEmpty || cache.count > Self.mostCachedSessions
        if hasForgottenAll { cache = [:] }
    }

    private func forgetAll() {
        cache = [:]
        used = []
        latest = nil
    }

    /// Announces the commits of other nodes, outside a batch.
    func catchUp() throws(JournalError) {
        forgetChanges()
        try rows.catchUp { others throws(JournalError) in try take(others) }
    }

    /// Removes the sessions that other nodes have changed from the cache, and announces their commits to the
    /// rooms. The rows are as after the last of these commits.
    private func take(_ others: OtherCommits) throws(JournalError) {
        if others.hasLostJobs, !hasLostJobs { (hasLostJobs, lostJob, job) = (true, job, nil) }
        if let jobs = others.visibleJobs {
            busyElsewhere = Set(jobs.filter { $0.key != job?.id }.values)
        }
        if others.hasGap {
            forgetAll()
            hasForgottenAll = true
            return announce(self, CommittedBatch(sessions: [], hasGap: true))
        }
        var changes = others.note.sessions
        for id in changes.keys where cache[id] != nil { use(id).setRecord(nil) }
        let meetings = others.note.meetings
        if !meetings.isEmpty {
            for (id, session) in cache {
                if let meeting = session.record?.meeting.id, meetings.contains(meeting) {
                    use(id).setRecord(nil)
                }
            }
            // The room of each session shows the meeting's name.
            for id in rooms?.shownSessions(of: meetings) ?? [] {
                changes[id, default: CommitNote.Change(before: .max)].isEdited = true
            }
        }
        var commits: [SessionCommit] = []
        for (id, change) in changes {
            let isShown = rooms?.shows(id) ?? false
            // Lists show changed sessions. The table of join codes needs new and edited ones.
            let isNeeded = isShown || change.isEdited || change.isDeleted || change.before == 0
            guard isNeeded || rooms?.hasLists == true else { continue }
            commits.append(try commit(of: id, change, withNews: isShown))
        }
        announce(
            self,
            CommittedBatch(
                sessions: commits, endedRights: others.note.endedRights,
                hasQueuedMail: others.note.hasQueuedMail))
    }

    /// Makes the commit that shows the changes of other nodes to a session. They have counted check-ins and
    /// responses themselves.
    private func commit(
        of id: SessionID, _ change: CommitNote.Change, withNews: Bool
    ) throws(JournalError) -> SessionCommit {
        let record = change.isDeleted ? nil : try rows.session(id)
        let news =
            if withNews, let record, record.sequence > change.before {
                try News.read(from: rows, session: id, after: change.before, most: .max) ?? []
            } else { [News]() }
        return SessionCommit(
            id: id, record: record, news: news, sets: change.sets, hasNewQuestions: change.hasNewQuestions,
            matching: change.matching, isEdited: change.isEdited)
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
        mark()
        isCheckIn = command.checksIn
        if !isCheckIn { missing.removeAll(keepingCapacity: true) }
        let written = rows.writtenRows
        do throws(JournalError) {
            if isGuarded { try rows.savepoint() }
            let answer = try command.run(in: self)
            if isGuarded { try rows.release() }
            return answer
        } catch {
            revert()
            note(error)
            if isGuarded {
                // If the rollback fails too, the engine has no open transaction any more, and the commit
                // reports the failure.
                do throws(JournalError) { try rows.rollBackToSavepoint() } catch { noteBatchFailure(error) }
            } else if batchFailure == nil {
                // After a failed statement, PostgreSQL runs no other statement of the transaction.
                if case .failed = error { mustBeginAgain = true }
                if rows.writtenRows != written { mustBeginAgain = true }
            }
            throw error
        }
    }

    private func note(_ error: JournalError) {
        guard case .failed(let failure) = error else { return }
        guard failure.reason.concernsOneCommand else { return noteBatchFailure(error) }
        guard isGuarded else { return }
        failedCommands += 1
        if failure.reason != .unstorable, commandFailure == nil { commandFailure = failure }
    }

    private func noteBatchFailure(_ error: JournalError) {
        if batchFailure == nil, case .failed(let failure) = error { batchFailure = failure }
    }

    /// Runs a part of a job in its own savepoint. Returns the error if a rule refused the part, or if the
    /// database refused its values; then the part has changed nothing.
    /// - Throws: any other `.failed`.
    func runGuarded(_ body: () throws(JournalError) -> Void) throws(JournalError) -> JournalError? {
        mark()
        try rows.savepoint()
        do throws(JournalError) {
            try body()
        } catch {
            if case .failed(let failure) = error {
                guard failure.reason == .unstorable else { throw error }
                failedCommands += 1
            }
            revert()
            try rows.rollBackToSavepoint()
            return error
        }
        try rows.release()
        return nil
    }

    /// Begins to note what a command changes in memory.
    private func mark() {
        for session in changed { session.forgetBefore() }
        changed.removeAll(keepingCapacity: true)
        endedRightsBefore = endedRights.count
        laterWorkBefore = laterWork.count
        hasUncounted = false
    }

    /// Reverts the changes in memory since `mark`.
    private func revert() {
        for session in changed { session.revert() }
        endedRights.removeLast(endedRights.count - endedRightsBefore)
        laterWork.removeLast(laterWork.count - laterWorkBefore)
        if hasUncounted { job?.mustRecount = true }
    }

    /// Commits the batch, and returns its changes for the listener.
    /// - Parameter onlyChecksIn: whether all commands of the batch check people in (`Revision`).
    func commit(onlyChecksIn: Bool = false) throws(JournalError) -> CommittedBatch {
        // The revision rises even if the commit fails, because the rows may have changed. It also rises if
        // the cache was emptied: `copySessions` then empties the writer's copy, and `Storage.current` would
        // return an old record.
        hasRaisedRevision = !onlyChecksIn || hasForgottenAll
        defer { if hasRaisedRevision { revision.advance() } }
        if let batchFailure { throw .failed(batchFailure) }
        for session in used where session.isCounted {
            guard let record = session.record else { continue }
            try rows.saveCounters(of: session.id, sequence: record.sequence, headCount: record.headCount)
        }
        let commits = used.compactMap { $0.draft?.commit(of: $0.id, $0.record) }
        try rows.commit { note }
        return CommittedBatch(sessions: commits, endedRights: endedRights, hasQueuedMail: hasQueuedMail)
    }

    /// Commits a batch without savepoints. Returns nil if a statement failed that the engine had sent without
    /// waiting. Then the batch must run again with savepoints, which show whose statement it was.
    func commitUnguarded(onlyChecksIn: Bool) throws(JournalError) -> CommittedBatch? {
        do throws(JournalError) { return try commit(onlyChecksIn: onlyChecksIn) } catch {
            note(error)
            if batchFailure != nil { throw error }
            return nil
        }
    }

    /// The batch's note for other nodes.
    private var note: CommitNote {
        var note = CommitNote()
        for session in used {
            if let draft = session.draft {
                note.sessions[session.id] = draft.note(of: session.record)
            } else if session.isAltered {
                // A change without news, such as a revert of a job, must still leave the memory of other
                // nodes.
                note.sessions[session.id] = CommitNote.Change(before: session.record?.sequence ?? .max)
            }
        }
        (note.meetings, note.endedRights) = (editedMeetings, endedRights)
        (note.hasQueuedMail, note.hasChangedJobs) = (hasQueuedMail, hasChangedJobs)
        return note
    }

    /// Updates `copy` from the cached sessions, after a commit. The copy never holds a session that is not
    /// cached, because an edit of a meeting reaches the cached sessions only.
    func copySessions(to copy: inout [SessionID: SessionRecord]) {
        if hasForgottenAll { copy = [:] }
        for session in used { copy[session.id] = session.record }
        // Between the commit and this update, another thread may have computed a value from the old copy.
        if hasRaisedRevision { revision.advance() }
    }

    /// Rolls the batch back, and empties the cache, because its values may no longer match the stored rows.
    func abandon() {
        rows.rollBack()
        // The failed commit may have changed rows.
        revision.advance()
        forgetAll()
        endedRights = []
        laterWork = []
        job?.mustRecount = true
        isApplying = false
    }

    /// The longest time for which a batch repeats itself after conflicts.
    private static let longestRetrying = Duration.seconds(10)

    /// Runs a whole batch. If a conflict with another transaction rolled it back, runs it again, until
    /// `longestRetrying` has passed.
    func repeatingConflicts<Result>(
        _ batch: () throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        let deadline = ContinuousClock.now + Self.longestRetrying
        while true {
            do throws(JournalError) { return try batch() } catch {
                guard case .failed(let failure) = error, failure.reason == .conflict, .now < deadline else {
                    throw error
                }
                abandon()
                conflicts += 1
                // The other transaction gets the time to end.
                usleep(.random(in: 2_000...20_000))
            }
        }
    }

    // MARK: For commands

    /// Returns the session with all changes that this batch has made so far.
    /// - Throws: `notFound` if the session does not exist.
    package func session(_ id: SessionID) throws(JournalError) -> SessionRecord {
        if let record = known(id)?.record { return record }
        guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
        setRecord(of: use(id), to: record)
        return record
    }

    /// Returns the id of a new attendee.
    func newAttendeeID() -> AttendeeID { .make(at: now, using: &randomness) }

    /// Returns what `look` finds. If an earlier check-in of this batch has found nothing, this function
    /// returns nil at once, so that a batch of check-ins looks only once.
    func find<Found>(
        _ thing: Missing, _ look: () throws(JournalError) -> Found?
    ) throws(JournalError) -> Found? {
        if missing.contains(thing) { return nil }
        let found = try look()
        if found == nil, isCheckIn { missing.insert(thing) }
        return found
    }

    /// A thing that each check-in looks for, although many sessions do not have it.
    enum Missing: Hashable {
        case checkInQuestions(SessionID)
        case roster(MeetingID)
        /// The traces of merged records.
        case traces(SessionID)
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
        let sequence = try changeCounters(id) {
            $0.sequence += 1
            return $0.sequence
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
        return event
    }

    /// Changes the session's counts of attendees. A slice of a job withholds its changes until the job's end.
    package func count(in id: SessionID, _ body: (inout HeadCount) -> Void) throws(JournalError) {
        try requireNotBusyElsewhere(id)
        if isApplying, let job {
            body(&job.withheld[id, default: HeadCount()])
        } else {
            try changeCounters(id) { body(&$0.headCount) }
        }
    }

    /// Returns the session's counts with all changes that this batch has made so far. Cheaper than `session`
    /// if the session is not cached.
    /// - Throws: `notFound` if the session does not exist.
    func headCount(of id: SessionID) throws(JournalError) -> HeadCount {
        if let record = known(id)?.record { return record.headCount }
        guard let count = try rows.headCount(of: id) else { throw .refused(.notFound(.session)) }
        return count
    }

    /// The sessions of the meeting whose counters this batch has changed.
    func countedSessions(of meeting: MeetingID) -> [SessionRecord] {
        used.compactMap { $0.isCounted ? $0.record : nil }.filter { $0.meeting.id == meeting }
    }

    // MARK: While a job is in progress

    /// Checks that no job is in progress in the meeting. Every command of a host does this before it writes;
    /// the writer then parks the command until the job's end. Only the ends of rights do not wait.
    /// - Throws: `meetingIsBusy` if a job is in progress in the meeting.
    func requireSettled(_ meeting: MeetingID) throws(JournalError) {
        if let job, job.work.meeting == meeting { throw .refused(.meetingIsBusy) }
        if busyElsewhere.contains(meeting) { throw .refused(.meetingIsBusy) }
    }

    /// Checks that no job of another node is changing the session's meeting. Only that node can let check-ins
    /// pass between its slices, because it holds back the counts of its job. Here they wait for the end.
    private func requireNotBusyElsewhere(_ id: SessionID) throws(JournalError) {
        guard !busyElsewhere.isEmpty else { return }
        if busyElsewhere.contains(try session(id).meeting.id) { throw .refused(.meetingIsBusy) }
    }

    /// Makes a job active that this node has taken over. Its meeting is busy here from now on.
    func activate(_ active: ActiveJob) {
        job = active
        busyElsewhere.remove(active.work.meeting)
    }

    /// Notes that the batch begins or ends a job.
    func noteJobs() { hasChangedJobs = true }

    /// Whether the meeting has a roster. While a job changes the roster, whether it had one before.
    func hasRoster(_ meeting: MeetingID) throws(JournalError) -> Bool {
        if busyElsewhere.contains(meeting) { throw .refused(.meetingIsBusy) }
        if let job, job.work.meeting == meeting, let hadRoster = job.work.hadRoster { return hadRoster }
        return try find(.roster(meeting)) { () throws(JournalError) in
            try rows.hasRoster(meeting) ? true : nil
        } ?? false
    }

    /// Returns the kind of key that new slots of the session get. While a job changes the kind, this is the
    /// kind that the job sets.
    func identifyBy(of record: SessionRecord) -> IdentifyBy {
        if let work = job?.work as? RekeyWork, work.meeting == record.meeting.id { return work.target }
        return record.meeting.identifyBy
    }

    /// Notes that the running slice has created a slot, which only the withheld counts contain.
    func noteMade(_ slot: AttendeeID, in session: SessionID) {
        if isApplying, let job, job.work.isVisible { job.made[session, default: []].insert(slot) }
    }

    /// Adds the withheld counts of a session to the session's counts, so that readers see them from the
    /// commit on.
    func addWithheld(to id: SessionID) throws(JournalError) {
        guard let job else { return }
        if job.mustRecount {
            let count = try rows.recount(id)
            try changeCounters(id) { $0.headCount = count }
        } else if let withheld = job.withheld[id] {
            try changeCounters(id) { $0.headCount += withheld }
        }
        // If the batch fails, the lane recounts, so these values need no revert.
        (job.withheld[id], job.made[id]) = (nil, nil)
    }

    /// Removes a slot from the withheld counts if only they contain it. Returns whether they did.
    func uncountMade(_ slot: Attendee) -> Bool {
        guard let job, job.made[slot.sessionID]?.remove(slot.id) != nil else { return false }
        hasUncounted = true
        job.withheld[slot.sessionID, default: HeadCount()].remove(slot)
        return true
    }

    /// Stores work that nobody can see and for which no caller waits. The lane applies it after the commit.
    func later(_ work: any Work) throws(JournalError) {
        let id = JobID.make(at: now)
        try rows.insert(work.stored(as: id), plan: work.plan())
        noteJobs()
        laterWork.append((id, work))
    }

    /// Writes the session, and publishes the edit to the session's rooms.
    package func update(_ session: Session) throws(JournalError) {
        try change(session.id) { $0.session = session }
        try rows.update(session)
        publishEdit(of: session.id)
    }

    /// Writes the question set with its questions.
    package func save(_ set: QuestionSet, of id: SessionID) throws(JournalError) {
        try rows.save(set, of: id)
        try noteSummary(of: set, in: id)
    }

    /// Writes the question set's settings and counts, but not its questions.
    package func saveSettings(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        try rows.saveSettings(of: set, in: id)
        try noteSummary(of: set, in: id)
    }

    private func noteSummary(of set: QuestionSet, in id: SessionID) throws(JournalError) {
        guard set.name == QuestionSet.feedback else { return }
        try change(id) { $0.feedback = set.summary }
    }

    /// Writes the meeting, and publishes the edit to the rooms of its cached sessions.
    package func update(_ meeting: Meeting) throws(JournalError) {
        try rows.update(meeting)
        editedMeetings.insert(meeting.id)
        // A room may show a session that is no longer cached.
        for id in rooms?.shownSessions(of: [meeting.id]) ?? [] where known(id)?.isCached != true {
            guard let record = try rows.session(id), record.meeting.id == meeting.id else { continue }
            setRecord(of: use(id), to: record)
        }
        for (id, session) in cache {
            guard var record = session.record, record.meeting.id == meeting.id else { continue }
            record.meeting = meeting
            setRecord(of: use(id), to: record)
            // The room of each session shows the meeting's name.
            publishEdit(of: id)
        }
    }

    /// Removes the session from the cache, because the running command deletes the session. The session's
    /// rooms end after the commit.
    package func forget(_ id: SessionID) {
        setRecord(of: use(id), to: nil)
        draft(id) { $0.isDeleted = true }
    }

    // MARK: What the commit publishes

    /// Publishes to the session's rooms what this event changed for an attendee. Later news of an attendee
    /// replaces the earlier news of the batch, so commands must publish in the order of events.
    package func publish(_ news: News.Kind, at event: Event) {
        draft(event.sessionID) { $0.news.append(News(sequence: event.sequence, kind: news)) }
    }

    /// Publishes several changed attendees to the session's rooms. If there are more than
    /// `mostChangedAtOnce`, publishes none of them; then the edit makes the clients read their lists again.
    func publish(changed attendees: [Attendee], at event: Event) {
        guard attendees.count <= Self.mostChangedAtOnce else { return }
        for attendee in attendees { publish(.changed(attendee), at: event) }
    }

    /// Publishes to the session's rooms that the settings of the session or of its meeting have changed.
    package func publishEdit(of session: SessionID) { draft(session) { $0.isEdited = true } }

    /// Makes the session's rooms read the results of this question set again, after the commit.
    package func publishResults(of set: String, in session: SessionID) {
        draft(session) { $0.sets.insert(set) }
    }

    /// Makes the session's rooms read the questions from the audience again, after the commit.
    package func publishQuestions(of session: SessionID) { draft(session) { $0.hasNewQuestions = true } }

    /// Notifies phones and hosts, after the commit, that groups of interest have changed.
    /// - Parameters:
    ///   - attendees: the attendees whose own requests or state have changed.
    ///   - people: whether the people who take part have changed.
    ///   - settings: whether the host's settings have changed.
    ///   - reports: whether a report was made or dealt with.
    package func publishMatching(
        of session: SessionID, to attendees: Set<AttendeeID> = [], people: Bool = false,
        settings: Bool = false, reports: Bool = false
    ) {
        let news = MatchingNews(
            attendees: attendees, people: people, settings: settings, reports: reports)
        draft(session) { $0.matching.formUnion(news) }
    }

    /// Records that this command ended a right. After the commit, the server closes the connections that were
    /// opened with that right.
    package func endRights(of ended: EndedRight) { endedRights.append(ended) }

    /// Records that this command made a mail due. After the commit, the server wakes the sender of mails.
    func noteQueuedMail() { hasQueuedMail = true }

    private func draft(_ id: SessionID, _ body: (inout Draft) -> Void) {
        let session = use(id)
        noteChange(of: session)
        session.changeDraft(body)
    }

    /// Changes a cached session in place.
    private func change<Result>(_ id: SessionID, _ body: (inout SessionRecord) -> Result)
        throws(JournalError) -> Result
    {
        if known(id)?.isCached != true { _ = try session(id) }
        let session = use(id)
        noteChange(of: session)
        return session.changeRecord(body)
    }

    /// Changes the counters of a cached session, which the commit writes.
    private func changeCounters<Result>(
        _ id: SessionID, _ body: (inout SessionRecord) -> Result
    ) throws(JournalError) -> Result {
        let result = try change(id, body)
        use(id).isCounted = true
        return result
    }

    /// Returns the session if it is cached, or if the batch has used it.
    private func known(_ id: SessionID) -> BatchSession? {
        if let latest, latest.id == id { return latest }
        guard let found = cache[id] else { return nil }
        latest = found
        return found
    }

    /// Returns the session, and notes that the batch uses it.
    private func use(_ id: SessionID) -> BatchSession {
        let session = known(id) ?? add(id)
        if !session.isUsed {
            session.isUsed = true
            used.append(session)
        }
        return session
    }

    private func add(_ id: SessionID) -> BatchSession {
        let session = BatchSession(id)
        cache[id] = session
        latest = session
        return session
    }

    /// Caches the record, or removes the session from the cache if `record` is nil.
    private func setRecord(of session: BatchSession, to record: SessionRecord?) {
        noteChange(of: session)
        session.replaceRecord(by: record)
    }

    private func noteChange(of session: BatchSession) {
        if !session.isChanged { changed.append(session) }
    }
}

/// A session that is cached or that the batch has used, with the changes of the batch and of its running
/// command. It is a class, so that one look-up by the id finds all of this. The flags show which of the large
/// values exist, because Swift copies a large value to compare it with nil.
private final class BatchSession {
    let id: SessionID
    /// The session with all changes of the batch; nil if it is not cached.
    private(set) var record: SessionRecord?
    private(set) var isCached = false
    /// What the batch has collected for the rooms; nil if there is nothing.
    private(set) var draft: Draft?
    private var hasDraft = false
    /// Whether the session is one of `Transaction.used`.
    var isUsed = false
    /// Whether the batch has changed the session.
    private(set) var isAltered = false
    /// Whether the batch has changed the session's counters.
    var isCounted = false

    /// The record as it was before the running command, if `hasRecordBefore`.
    private var recordBefore: SessionRecord?
    private var hasRecordBefore = false
    /// The draft as it was before the running command, if `hasDraftBefore`.
    private var draftBefore: Draft.Mark?
    private var hasDraftBefore = false

    init(_ id: SessionID) { self.id = id }

    /// Whether the running command has changed the record or the draft.
    var isChanged: Bool { hasRecordBefore || hasDraftBefore }

    /// Replaces the record without a copy for `revert`.
    func setRecord(_ record: SessionRecord?) {
        self.record = record
        isCached = record != nil
    }

    func replaceRecord(by record: SessionRecord?) {
        rememberRecord()
        setRecord(record)
    }

    /// Changes the record in place. It must be cached.
    func changeRecord<Result>(_ body: (inout SessionRecord) -> Result) -> Result {
        rememberRecord()
        isAltered = true
        guard let result = record?.change(by: body) else { preconditionFailure("`session` caches it") }
        return result
    }

    private func rememberRecord() {
        if !hasRecordBefore { (recordBefore, hasRecordBefore) = (record, true) }
    }

    func changeDraft(_ body: (inout Draft) -> Void) {
        if !hasDraftBefore { (draftBefore, hasDraftBefore) = (draft?.mark, true) }
        if !hasDraft { (draft, hasDraft) = (Draft(), true) }
        draft?.change(by: body)
    }

    /// Reverts the changes of the running command.
    func revert() {
        if hasRecordBefore { setRecord(recordBefore) }
        guard hasDraftBefore else { return }
        if let draftBefore { draft?.revert(to: draftBefore) } else { (draft, hasDraft) = (nil, false) }
    }

    /// Forgets what the session was before the last command.
    func forgetBefore() {
        if hasRecordBefore { (recordBefore, hasRecordBefore) = (nil, false) }
        if hasDraftBefore { (draftBefore, hasDraftBefore) = (nil, false) }
    }

    /// Forgets what the last batch has done.
    func forgetChanges() {
        forgetBefore()
        if hasDraft { (draft, hasDraft) = (nil, false) }
        (isUsed, isAltered, isCounted) = (false, false, false)
    }
}

extension SessionRecord {
    /// Calls `body` with this record in place.
    fileprivate mutating func change<Result>(by body: (inout SessionRecord) -> Result) -> Result {
        body(&self)
    }
}

/// The changes to one session that the batch has collected so far, for the rooms and the metrics.
private struct Draft {
    var news: [News] = []
    var sets: Set<String> = []
    var hasNewQuestions = false
    var matching = MatchingNews.none
    var isEdited = false
    var isDeleted = false
    var events: Int64 = 0
    var checkIns = 0
    var responses = 0

    /// A point to which a draft can be reverted when a command is refused. The mark stores the number of news
    /// and no copy of them. Otherwise each check-in of a large batch would copy the news of all check-ins
    /// before it.
    struct Mark {
        let newsCount: Int
        let sets: Set<String>
        let hasNewQuestions: Bool
        let matching: MatchingNews
        let isEdited: Bool
        let isDeleted: Bool
        let events: Int64
        let checkIns: Int
        let responses: Int
    }

    var mark: Mark {
        Mark(
            newsCount: news.count, sets: sets, hasNewQuestions: hasNewQuestions, matching: matching,
            isEdited: isEdited, isDeleted: isDeleted, events: events, checkIns: checkIns,
            responses: responses)
    }

    mutating func change(by body: (inout Draft) -> Void) { body(&self) }

    mutating func revert(to mark: Mark) {
        news.removeLast(news.count - mark.newsCount)
        (sets, isEdited, isDeleted) = (mark.sets, mark.isEdited, mark.isDeleted)
        matching = mark.matching
        (checkIns, responses, hasNewQuestions) = (mark.checkIns, mark.responses, mark.hasNewQuestions)
        events = mark.events
    }

    func note(of record: SessionRecord?) -> CommitNote.Change {
        var note = CommitNote.Change(before: (record?.sequence ?? events) - events)
        (note.isDeleted, note.isEdited, note.sets) = (isDeleted, isEdited, sets)
        (note.hasNewQuestions, note.matching) = (hasNewQuestions, matching)
        return note
    }

    func commit(of id: SessionID, _ record: SessionRecord?) -> SessionCommit {
        SessionCommit(
            id: id, record: isDeleted ? nil : record, news: news, sets: sets,
            hasNewQuestions: hasNewQuestions, matching: matching, isEdited: isEdited, checkIns: checkIns,
            responses: responses)
    }
}
