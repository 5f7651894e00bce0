package import Meetings

/// Edits a session. Each field of this command that is not nil replaces the stored value. The start and the
/// late limit may change until the session ends; the end may change until feedback closes.
/// - Throws: `sessionOver` if it is too late for the change; `sessionOverlap` if other sessions overlap,
///   the session has not started and `allowOverlap` is false; `invalid` if the times are not those of a
///   session.
package struct EditSession: Command {
    package let id: SessionID
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let settings: SessionSettings
    /// Whether to create a new check-in code and join code. The old codes are refused from then on; grants
    /// remain valid.
    package let renewsCode: Bool
    /// Whether to revoke all presenter links of the session. If only the code is renewed, the links stay
    /// valid and their screens show the new code.
    package let revokesLinks: Bool
    package let allowOverlap: Bool
    /// The host's reason, at most 500 characters.
    package let note: String
    package let expected: ExpectedVersion
    package let actor: AccountID

    /// The session after the edit, with a warning.
    package struct Outcome: Sendable {
        package let record: SessionRecord
        /// The sessions that overlap the edited session. This is only a warning, because a session that has
        /// started may overrun.
        package let overlaps: [Overlap]
    }

    package init(
        id: SessionID, startsAt: Instant? = nil, endsAt: Instant? = nil,
        settings: SessionSettings = SessionSettings(), renewsCode: Bool = false, revokesLinks: Bool = false,
        allowOverlap: Bool = false, note: String = "", expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.id = id
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.settings = settings
        self.renewsCode = renewsCode
        self.revokesLinks = revokesLinks
        self.allowOverlap = allowOverlap
        self.note = note
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.rights.session(id, managedBy: actor)
        try expected.check(record.session.version)
        return try edit(in: transaction, recomputed: nil)
    }

    /// Writes the edit.
    /// - Parameter recomputed: the attendees whose status the late rule has changed already; nil to apply the
    ///   rule now.
    func edit(in transaction: Transaction, recomputed: LateRuleWork.Recomputed?) throws(JournalError)
        -> Outcome
    {
        let before = try transaction.session(id).session
        var session = edited(before)
        if renewsCode {
            session.codeVersion += 1
            session.joinCode = try transaction.sessions.freeJoinCode(first: JoinCode.random())
        }
        let edited = try transaction.sessions.edit(
            before, to: session, allowOverlap: allowOverlap, note: note, recomputed: recomputed, by: actor)
        if revokesLinks {
            try transaction.rights.revoke(try transaction.rows.presenterLinks(of: id), by: actor)
        }
        return Outcome(record: try transaction.session(id), overlaps: edited.overlaps)
    }

    /// Returns the session with the times and settings of this command.
    private func edited(_ before: Session) -> Session {
        var session = before
        session.startsAt = startsAt ?? before.startsAt
        session.endsAt = endsAt ?? before.endsAt
        session.take(settings)
        return session
    }

    // MARK: A new late limit for many attendees

    package var planning: Planning {
        startsAt != nil || settings.lateAfterMinutes != nil ? .reading : .none
    }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let record = try rows.session(id), record.headCount.checkedIn > LateRuleWork.mostAtOnce else {
            return nil
        }
        let session = edited(record.session)
        guard session.lateAfter != record.session.lateAfter else { return nil }
        return LateRuleWork(of: record, lateAfter: session.lateAfter)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        Outcome
    > {
        let record = try transaction.rights.session(id, managedBy: actor)
        try expected.check(record.session.version)
        let session = edited(record.session)
        guard let work = work as? LateRuleWork,
            work.isPlanned(for: record.session, lateAfter: session.lateAfter)
        else { return .outdated }
        try transaction.sessions.requireEdit(record.session, to: session, allowOverlap: allowOverlap)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let work = work as? LateRuleWork else { preconditionFailure("the work of another command") }
        let outcome = try edit(in: transaction, recomputed: work.recomputed)
        transaction.jobs.active?.outcome = .session(id, overlaps: outcome.overlaps.map(\.session.id))
        return outcome
    }
}

/// Deletes a session. If it is the meeting's only session, also deletes the meeting.
/// - Throws: `confirmationNeeded` if anybody has checked in and `confirmation` is not the meeting's name;
///   `notAllowed` unless the actor is an owner, if it is the meeting's only session.
package struct DeleteSession: Command {
    package let id: SessionID
    package let confirmation: String?
    package let actor: AccountID

    package init(id: SessionID, confirmation: String?, actor: AccountID) {
        self.id = id
        self.confirmation = confirmation
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let record = try transaction.rights.session(id, managedBy: actor)
        try record.meeting.requireConfirmation(confirmation, checkIns: record.headCount.checkedIn)
        if try transaction.rows.sessionCount(of: record.meeting.id) == 1 {
            try transaction.rights.requireOwner(actor, of: record.meeting.id)
            let meeting = record.meeting.id
            try transaction.sessions.deleteMeeting(meeting, try transaction.sessions.size(of: meeting))
        } else {
            try transaction.sessions.delete(record)
        }
    }
}

/// Deletes a session whose retention is over. If it is the meeting's last one, deletes the meeting with its
/// roster. Returns false if the session no longer exists.
package struct ExpireSession: Command {
    package let id: SessionID

    package init(id: SessionID) { self.id = id }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard try transaction.rows.session(id) != nil else { return false }
        let record = try transaction.session(id)
        let meeting = record.meeting.id
        try transaction.requireSettled(meeting)
        if try transaction.rows.sessionCount(of: meeting) == 1 {
            try transaction.sessions.deleteMeeting(meeting, try transaction.sessions.size(of: meeting))
        } else {
            try transaction.sessions.delete(record)
        }
        try transaction.note(.sessionExpired, by: .server, in: meeting)
        return true
    }
}

extension Storage {
    /// Deletes the session that ended first, if it ended before `moment`. Returns whether there was one.
    package func deleteSession(endedBefore moment: Instant) async throws(JournalError) -> Bool {
        let found = try await read { rows throws(JournalError) in
            try rows.sessions(endedBefore: moment, limit: 1).first
        }
        guard let found else { return false }
        return try await perform(ExpireSession(id: found))
    }

    /// Deletes the actions from before `moment`, in short transactions.
    package func forgetActions(before moment: Instant) async throws(JournalError) {
        // The query comes first, so that an idle server does not commit.
        while try await read({ rows throws(JournalError) in try rows.hasAction(before: moment) }),
            try await perform(ForgetActions(before: moment, limit: 500)) > 0
        {}
    }
}

/// Adds the next session of a meeting. Settings that are not given, and the question sets, are copied from
/// the latest session; the questions get new ids. The meeting's `regulars` decides who is awaited: every
/// person on the roster, and with `everybody` also the attendees of earlier rounds, who join the roster.
/// - Throws: `sessionOverlap` if other sessions overlap and `allowOverlap` is false; `limitReached` if the
///   meeting has `mostSessions`, or too many people on its roster; `questionSetsTooLarge` if the new
///   session's sets would be too large; `invalid` if `Questions.requireGoodRules` rejects `questions`;
///   `sessionHasAttendees` if `meetingValues` changes how the meeting identifies attendees and a session is
///   not over.
package struct ContinueMeeting: Command {
    package let meeting: MeetingID
    package let startsAt: Instant
    package let endsAt: Instant
    package let settings: SessionSettings
    /// The questions of `feedback`; nil copies the questions of the latest session.
    package let questions: [Question]?
    /// Whether `feedback` is anonymous; nil copies the setting of the latest session.
    package let anonymous: Bool?
    package let meetingValues: MeetingValues
    package let allowOverlap: Bool
    package let actor: AccountID

    /// The most sessions of one meeting.
    package static let mostSessions = 2_000

    package init(
        meeting: MeetingID, startsAt: Instant, endsAt: Instant, settings: SessionSettings = SessionSettings(),
        questions: [Question]? = nil, anonymous: Bool? = nil,
        meetingValues: MeetingValues = MeetingValues(), allowOverlap: Bool = false, actor: AccountID
    ) {
        self.meetingValues = meetingValues
        self.meeting = meeting
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.settings = settings
        self.questions = questions
        self.anonymous = anonymous
        self.allowOverlap = allowOverlap
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        try runAtOnce(in: transaction)
    }

    package var planning: Planning { .scanning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        let (meeting, latest) = try rows.meetingToContinue(meeting, with: 1, for: actor)
        let session = latest.next(
            id: .make(at: now), round: latest.round + 1, startsAt: startsAt, endsAt: endsAt, settings)
        return try rows.series(
            [session], after: latest, of: meeting,
            questions: SeriesWork.NewQuestions(questions: questions, anonymous: anonymous),
            changing: meetingValues, by: actor, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        SessionRecord
    > {
        try transaction.sessions.beginSeries(
            work, of: meeting, by: actor, allowOverlap: allowOverlap) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> SessionRecord
    {
        try transaction.sessions.records(addedBy: work)[0]
    }
}

/// Adds several sessions to a meeting by a rule, all or none. Each session gets its settings and questions as
/// `ContinueMeeting` would give them.
/// - Throws: `sessionOverlap`, with the sessions that overlap the first session that cannot be added;
///   `limitReached` if the meeting would have too many sessions or slots; `questionSetsTooLarge` if the
///   latest session's sets are larger than the limit; `invalid` if the times of a session are not allowed.
package struct RepeatMeeting: Command {
    package let meeting: MeetingID
    package let rule: SeriesRule
    /// The number of sessions, from 1 to `SeriesRule.most`.
    package let count: Int
    /// The times of the first new session; nil if the rule continues from the latest session.
    package let first: (startsAt: Instant, endsAt: Instant)?
    package let settings: SessionSettings
    package let meetingValues: MeetingValues
    package let allowOverlap: Bool
    package let actor: AccountID

    package init(
        meeting: MeetingID, rule: SeriesRule, count: Int, first: (startsAt: Instant, endsAt: Instant)? = nil,
        settings: SessionSettings = SessionSettings(), meetingValues: MeetingValues = MeetingValues(),
        allowOverlap: Bool = false, actor: AccountID
    ) {
        self.meetingValues = meetingValues
        self.meeting = meeting
        self.rule = rule
        self.count = count
        self.first = first
        self.settings = settings
        self.allowOverlap = allowOverlap
        self.actor = actor
    }

    /// Returns the sessions in the order of their rounds.
    package func run(in transaction: Transaction) throws(JournalError) -> [SessionRecord] {
        try runAtOnce(in: transaction)
    }

    package var planning: Planning { .scanning }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        let (meeting, latest) = try rows.meetingToContinue(meeting, with: count, for: actor)
        var added: [Session] = []
        for (number, times) in times(after: latest, in: meeting.timeZone).enumerated() {
            if let error = SessionTimes.error(startsAt: times.startsAt, endsAt: times.endsAt) {
                throw .refused(.invalid([FieldError("/endsAt", error)]))
            }
            added.append(
                latest.next(
                    id: .make(at: now), round: latest.round + 1 + number, startsAt: times.startsAt,
                    endsAt: times.endsAt, settings))
        }
        return try rows.series(
            added, after: latest, of: meeting, changing: meetingValues, by: actor, at: now)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        [SessionRecord]
    > {
        try transaction.sessions.beginSeries(
            work, of: meeting, by: actor, allowOverlap: allowOverlap) ? .begun : .outdated
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError)
        -> [SessionRecord]
    {
        try transaction.sessions.records(addedBy: work)
    }

    private func times(after latest: Session, in zone: Zone) -> [(startsAt: Instant, endsAt: Instant)] {
        guard let first else {
            return rule.times(after: latest.startsAt, endsAt: latest.endsAt, count: count, in: zone)
        }
        return [first] + rule.times(after: first.startsAt, endsAt: first.endsAt, count: count - 1, in: zone)
    }
}

/// Adds, edits and deletes sessions.
struct Sessions {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    // MARK: Adding

    /// Adds the first session of a new meeting, with its question sets.
    /// - Throws: `sessionOverlap` if other sessions overlap and `allowOverlap` is false.
    func add(
        _ session: Session, to meeting: Meeting, sets: [QuestionSet], by account: AccountID,
        allowOverlap: Bool
    ) throws(JournalError) -> SessionRecord {
        if !allowOverlap {
            let others = try overlaps(of: session)
            if !others.isEmpty { throw .refused(.sessionOverlap(others)) }
        }
        var session = session
        session.joinCode = try freeJoinCode(first: session.joinCode)
        try rows.insert(session)
        try transaction.questions.requireRoom(in: session.id) { () throws(JournalError) in
            for set in sets { try transaction.save(set, of: session.id) }
        }
        try transaction.record(.created, in: session.id, by: .account(account))
        return try transaction.session(session.id)
    }

    /// Returns a join code that no session has: `first`, or a random one. There are a billion codes and few
    /// sessions, so the second attempt nearly always succeeds.
    func freeJoinCode(first: String) throws(JournalError) -> String {
        var code = first
        while try rows.session(joinCode: code) != nil { code = JoinCode.random() }
        return code
    }

    /// Judges the addition of sessions. Returns false if the meeting has changed since the work was planned.
    /// - Throws: `sessionOverlap`, with the sessions that overlap the first session that cannot be added.
    func beginSeries(
        _ work: any Work, of id: MeetingID, by actor: AccountID, allowOverlap: Bool
    ) throws(JournalError) -> Bool {
        let meeting = try transaction.rights.meeting(id, managedBy: actor)
        guard let work = work as? SeriesWork, let latest = try rows.latestSession(of: id)?.session,
            try work.begin(
                for: meeting, try rows.rosterVersion(of: id), latest: latest,
                sets: try rows.questionSetsWithoutQuestions(of: latest.id), in: transaction)
        else { return false }
        if !allowOverlap {
            for (index, session) in work.added.enumerated() {
                let others = try overlaps(of: session, besides: work.added[..<index], in: meeting)
                if !others.isEmpty { throw .refused(.sessionOverlap(others)) }
            }
        }
        for session in work.added where try rows.session(joinCode: session.joinCode) != nil { return false }
        try work.requireGoodSets(in: transaction)
        return true
    }

    /// Returns the added sessions, in the order of their rounds.
    func records(addedBy work: any Work) throws(JournalError) -> [SessionRecord] {
        guard let work = work as? SeriesWork else { preconditionFailure("the work of another command") }
        var records: [SessionRecord] = []
        for session in work.added { records.append(try transaction.session(session.id)) }
        return records
    }

    /// Returns up to 5 sessions that overlap this session, from all meetings of its meeting's owners. It does
    /// not matter which account plans the session.
    /// - Parameter earlier: new sessions of the same meeting that have no rows yet.
    private func overlaps(
        of session: Session, besides earlier: ArraySlice<Session> = [], in meeting: Meeting? = nil
    ) throws(JournalError) -> [Overlap] {
        let owners = try rows.members(of: session.meetingID).filter { $0.role == .owner }
        var found: [SessionID: Overlap] = [:]
        for owner in owners {
            for other in try rows.sessionsOverlapping(
                session.startsAt, session.endsAt, ownedBy: owner.account, except: session.id, limit: 5)
            {
                found[other.session.id] = Overlap(other.session, meetingName: other.meeting.name)
            }
        }
        for other in earlier where Meetings.overlaps(session.startsAt, session.endsAt, with: other) {
            found[other.id] = Overlap(other, meetingName: meeting?.name ?? "")
        }
        return Array(
            found.values.sorted {
                ($0.session.startsAt, $0.session.id) < ($1.session.startsAt, $1.session.id)
            }.prefix(5))
    }

    // MARK: Editing

    /// Writes an edited session, if the rules allow the edit. Recomputes the statuses that the session's
    /// times gave, and records one event, which can be undone. The event is nil if the edit changes nothing.
    /// - Returns: the event, and in `overlaps` the sessions that overlap after the edit, if overlaps are only
    ///   a warning.
    func edit(
        _ before: Session, to edited: Session, allowOverlap: Bool, _ kind: Event.Kind = .edited,
        undoes: Int64? = nil, note: String = "", recomputed: LateRuleWork.Recomputed? = nil,
        by actor: AccountID
    ) throws(JournalError) -> (event: Event?, overlaps: [Overlap]) {
        let changes = edited.changes(since: before)
        let fields = changes.map(\.field) + (edited.codeVersion == before.codeVersion ? [] : ["code"])
        guard !fields.isEmpty else { return (nil, []) }
        try requireTimely(before, edited)
        let overlaps = try overlaps(before, edited, allowed: allowOverlap)
        try settle(before)
        var after = edited
        after.version = before.version + 1
        try transaction.update(after)
        try transaction.mailings.noteMoved(before, after)
        var recomputed = recomputed
        if recomputed == nil, after.lateAfter != before.lateAfter { recomputed = try recompute(after) }
        let event = try transaction.record(
            kind, in: before.id, by: .account(actor),
            EventData(
                fields: fields, recomputed: recomputed?.count, undoes: undoes,
                changes: changes.isEmpty ? nil : changes))
        try rows.save(
            CorrectionRecord(
                sessionID: before.id, sequence: event.sequence, attendeeID: nil, note: note,
                before: .edited(before), versionAfter: after.version))
        transaction.publish(changed: recomputed?.shown ?? [], at: event)
        if (before.endsAt, before.feedbackClosesAt) != (after.endsAt, after.feedbackClosesAt) {
            transaction.endRights(of: .session(before.id))
        }
        return (event, overlaps)
    }

    /// Gives the session a new check-in code and a new join code. Records an event without values.
    func renewCode(of before: Session, by actor: AccountID) throws(JournalError) {
        var after = before
        after.codeVersion += 1
        after.joinCode = try freeJoinCode(first: JoinCode.random())
        after.version += 1
        try transaction.update(after)
        let event = try transaction.record(
            .edited, in: before.id, by: .account(actor), EventData(fields: ["code"]))
        try rows.save(
            CorrectionRecord(
                sessionID: before.id, sequence: event.sequence, attendeeID: nil, note: "",
                before: .edited(before), versionAfter: after.version))
    }

    /// Stores the effects of the old times before the edit changes them: publishes final results, and fixes
    /// the anonymity of sets that the clock has opened.
    private func settle(_ session: Session) throws(JournalError) {
        guard transaction.now >= session.feedbackOpensAt else { return }
        for settings in try rows.questionSetsWithoutQuestions(of: session.id)
        where !settings.anonymityIsFixed || settings.anonymous && !settings.restIsShown {
            guard var set = try rows.questionSet(settings.name, of: session.id) else { continue }
            try transaction.responses.publishRest(of: &set, in: session)
            guard !set.anonymityIsFixed, set.hasFixedAnonymity(in: session, at: transaction.now) else {
                continue
            }
            set.anonymityIsFixed = true
            try transaction.saveSettings(of: set, in: session.id)
        }
    }

    /// Checks that `edit` would not be refused.
    func requireEdit(_ before: Session, to after: Session, allowOverlap: Bool) throws(JournalError) {
        try requireTimely(before, after)
        _ = try overlaps(before, after, allowed: allowOverlap)
    }

    private func requireTimely(_ before: Session, _ after: Session) throws(JournalError) {
        if let refusal = SessionEdits.refusal(of: before, to: after, at: transaction.now) {
            throw .refused(refusal)
        }
    }

    /// Returns the sessions that overlap because of the edit, as a warning.
    /// - Throws: `sessionOverlap` if there are such sessions and the edited session has not started.
    private func overlaps(_ before: Session, _ after: Session, allowed: Bool) throws(JournalError)
        -> [Overlap]
    {
        guard before.startsAt != after.startsAt || before.endsAt != after.endsAt, !allowed else { return [] }
        let others = try overlaps(of: after)
        if !others.isEmpty, transaction.now < before.startsAt { throw .refused(.sessionOverlap(others)) }
        return others
    }

    /// Applies the late rule again. Returns the attendees whose status changed.
    private func recompute(_ session: Session) throws(JournalError) -> LateRuleWork.Recomputed {
        let (changed, headCount) = try rows.recomputeStatuses(of: session.id, lateAfter: session.lateAfter)
        try transaction.count(in: session.id) { $0 = headCount }
        return LateRuleWork.Recomputed(count: changed.count, shown: changed)
    }

    // MARK: Deleting

    // One short transaction makes a session or a meeting vanish for everybody. If it has many rows, they are
    // erased in slices afterwards, also after a crash.

    /// Deletes a session, and ends its rooms.
    fileprivate func delete(_ record: SessionRecord) throws(JournalError) {
        let id = record.session.id
        try transaction.mailings.noteDeleted(record.session, of: record.meeting)
        if record.meeting.hooked.contains(.meetingSessionDeleted) {
            try transaction.webhooks.queue(
                WebhookMessage(
                    .meetingSessionDeleted, at: transaction.now, sequence: record.sequence, deleted: id),
                of: record.meeting.id)
        }
        transaction.forget(id)
        var rowCount = Int(record.sequence) + 2 * record.headCount.known
        if rowCount <= transaction.mostRowsAtOnce {
            rowCount += try rows.questionCounts(of: id).values.reduce(0, +)
        }
        guard rowCount > transaction.mostRowsAtOnce else { return try rows.delete(id) }
        let hidden = Meeting(id: .makeTimeless(), name: "", createdAt: transaction.now, version: 0)
        try rows.insert(hidden)
        try rows.hide(id, under: hidden.id)
        try transaction.later(ErasureWork(meeting: hidden.id))
    }

    /// Deletes a meeting with all its sessions, and ends the rooms of these sessions.
    /// - Parameter size: `size(of:)`. A large meeting is hidden now, and erased in slices.
    /// - Returns: the approximate number of rows that this transaction has deleted.
    @discardableResult
    func deleteMeeting(_ id: MeetingID, _ size: MeetingSize) throws(JournalError) -> Int {
        try transaction.requireSettled(id)
        try transaction.mailings.noteDeleted(id)
        for invitation in try rows.invitations(to: id) { try transaction.rights.end(invitation.id) }
        let sessions = try rows.sessionIDs(of: id)
        for session in sessions { transaction.forget(session) }
        guard size.rows > transaction.mostRowsAtOnce else {
            while try !transaction.mailings.continueCancellations(of: id, limit: Mailing.Kind.slice) {}
            try rows.delete(id)
            return size.rows
        }
        try rows.hide(id)
        try transaction.later(ErasureWork(meeting: id))
        return sessions.count
    }

    /// Returns the number of check-ins and rows of a meeting, with the changes of this batch.
    func size(of meeting: MeetingID) throws(JournalError) -> MeetingSize {
        var size = try rows.size(of: meeting)
        for record in transaction.countedSessions(of: meeting) {
            guard let stored = try rows.headCount(of: record.session.id) else { continue }
            size.checkIns += record.headCount.checkedIn - stored.checkedIn
            size.rows += record.headCount.known - stored.known
        }
        return size
    }
}

extension Transaction {
    var sessions: Sessions { Sessions(transaction: self) }
}

extension ReadableRows {
    /// Returns the meeting with its latest session.
    /// - Throws: `notFound`; `notAllowed` unless the actor is a host; `limitReached` if the meeting would
    ///   have too many sessions.
    fileprivate func meetingToContinue(
        _ id: MeetingID, with count: Int, for actor: AccountID
    ) throws(JournalError) -> (Meeting, Session) {
        guard let meeting = try meeting(id) else { throw .refused(.notFound(.meeting)) }
        try requireHost(actor, of: id)
        guard let latest = try latestSession(of: id)?.session else { throw .refused(.notFound(.session)) }
        guard try sessionCount(of: id) + count <= ContinueMeeting.mostSessions else {
            throw .refused(.limitReached(.session, limit: ContinueMeeting.mostSessions))
        }
        return (meeting, latest)
    }

    /// Plans the addition of sessions with the roster's slots.
    /// - Throws: `limitReached` if there would be too many slots; `questionSetsTooLarge` if the sets of one
    ///   new session would be too large.
    fileprivate func series(
        _ added: [Session], after latest: Session, of meeting: Meeting,
        questions: SeriesWork.NewQuestions = SeriesWork.NewQuestions(),
        changing values: MeetingValues = MeetingValues(), by actor: AccountID, at now: Instant
    ) throws(JournalError) -> SeriesWork {
        var people = try meeting.regulars == .nobody ? [] : everybody(on: meeting.id)
        var (joining, joinedRound): (RosterWork?, Int) = (nil, meeting.joinedRound)
        if meeting.regulars == .everybody {
            let rounds = try roundsToJoin(of: meeting)
            let found = try JoiningPeople(of: rounds, in: meeting, from: self, byCheckIn: true, at: now)
            if !found.changes.isEmpty {
                joining = try found.work(in: meeting, by: actor, from: self, at: now)
            }
            people += found.changes.map(\.person)
            joinedRound = rounds.prefix { $0.isOver(at: now) }.last?.round ?? joinedRound
        }
        try Roster.requireRoom(for: people.count, in: added.count)
        var size = try questionsSize(of: latest.id, set: nil)
        if let new = questions.questions {
            size = size - (try questionsSize(of: latest.id, set: QuestionSet.feedback))
            size = size + (try questionsSize(of: new))
        }
        guard size.fits else { throw .refused(.questionSetsTooLarge) }
        return SeriesWork(
            added, after: latest, of: meeting, version: try rosterVersion(of: meeting.id), people: people,
            joining: joining, joinedRound: joinedRound, changing: values,
            sets: try questionSets(of: latest.id), questions: questions, actor: actor)
    }

    /// Returns the sessions whose attendees have not all joined the roster yet, in the order of the rounds.
    private func roundsToJoin(of meeting: Meeting) throws(JournalError) -> [Session] {
        var found: [Session] = []
        while true {
            let page = try sessions(of: meeting.id, before: found.last?.round, limit: 100)
            found += page.map(\.session).filter { $0.round > meeting.joinedRound }
            guard page.count == 100, found.last?.round == page.last?.session.round else {
                return found.reversed()
            }
        }
    }
}

extension Session {
    /// The editable fields whose value changed. A renewed code is not among them, because it has no values to
    /// show.
    func changes(since before: Session) -> [FieldChange] {
        func values(_ session: Session) -> [(field: String, value: String)] {
            [
                ("title", session.title), ("startsAt", session.startsAt.rfc3339),
                ("endsAt", session.endsAt.rfc3339),
                ("lateAfterMinutes", String(session.lateAfterMinutes)),
                ("checkInOpensMinutesBefore", String(session.checkInOpensMinutesBefore)),
                ("feedbackClosesHoursAfter", String(session.feedbackClosesHoursAfter)),
                ("plannedCount", String(session.plannedCount)),
                ("codeKind", session.codeKind.rawValue),
                ("codeAcceptedSeconds", String(session.codeAcceptedSeconds)),
                ("checkOut", session.checkOut.rawValue),
                ("minimumMinutes", String(session.minimumMinutes)),
                ("minimumPercent", String(session.minimumPercent)),
            ]
        }
        return zip(values(before), values(self)).filter { $0.value != $1.value }.map {
            FieldChange($0.field, from: $0.value, to: $1.value)
        }
    }
}

/// The rules for new times of a session.
enum SessionEdits {
    /// Returns the reason for which the times of a session cannot change; nil if they can. Overlaps are
    /// another rule.
    static func refusal(of before: Session, to after: Session, at now: Instant) -> Refusal? {
        let movesEnd =
            before.endsAt != after.endsAt
            || before.feedbackClosesHoursAfter != after.feedbackClosesHoursAfter
        if movesEnd, before.namesDeletedAt != nil { return .namesDeleted }
        let movesStart =
            before.startsAt != after.startsAt || before.lateAfterMinutes != after.lateAfterMinutes
        if movesStart, before.isOver(at: now) { return .sessionOver }
        if before.endsAt != after.endsAt, now > before.feedbackClosesAt { return .sessionOver }
        return SessionTimes.error(startsAt: after.startsAt, endsAt: after.endsAt).map {
            .invalid([FieldError("/endsAt", $0)])
        }
    }
}
