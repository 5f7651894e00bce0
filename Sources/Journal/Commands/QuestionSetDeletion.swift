package import Meetings

/// Deletes a question set with its responses. A session always keeps `feedback`; without questions it asks
/// nothing.
/// - Throws: `answersWouldBeDeleted` if the set has responses and `confirmation` is not the set's name;
///   `invalid` for `feedback` and `check-in`, which belong to every session; `versionMismatch`.
package struct DeleteQuestionSet: Command {
    package let session: SessionID
    package let set: String
    package let confirmation: String?
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        session: SessionID, set: String, confirmation: String?, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.session = session
        self.set = set
        self.confirmation = confirmation
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let set = try required(in: transaction)
        var work = SetDeletionWork(
            set, of: try transaction.session(session), by: actor)
        try work.apply(0..<work.steps, in: transaction)
        try work.finish(in: transaction)
    }

    private func required(in transaction: Transaction) throws(JournalError) -> QuestionSet {
        _ = try transaction.rights.session(session, managedBy: actor)
        guard QuestionSet(name: set).isPoll else {
            throw .refused(.invalid([FieldError("/set", .setBelongsToSession)]))
        }
        guard let found = try transaction.rows.questionSet(set, of: session) else {
            throw .refused(.notFound(.questionSet))
        }
        try expected.check(found.version)
        guard found.responses == 0 || confirmation == set else {
            throw .refused(.answersWouldBeDeleted(set: set, responses: found.responses))
        }
        return found
    }

    /// The most rows that a deletion writes at once.
    private static let mostAtOnce = 300

    package var planning: Planning { .reading }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard let record = try rows.session(session), let found = try rows.questionSet(set, of: session),
            found.responses > 0, found.responses + record.headCount.known > Self.mostAtOnce
        else { return nil }
        return SetDeletionWork(found, of: record, by: actor)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<Void>
    {
        _ = try required(in: transaction)
        guard let work = work as? SetDeletionWork, work.isPlanned(for: set, of: session) else {
            return .outdated
        }
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) {}
}

/// The work that deletes a question set with many responses: first the responses, then the attendees' marks,
/// and at the end the set itself. The set is closed meanwhile.
struct SetDeletionWork: Work {
    let meeting: MeetingID
    let steps: Int
    private let session: SessionID
    private let set: String
    private let actor: AccountID

    private var areAnswersDeleted = false
    private var last: AttendeeID?

    init(_ set: QuestionSet, of record: SessionRecord, by actor: AccountID) {
        meeting = record.meeting.id
        session = record.session.id
        self.set = set.name
        self.actor = actor
        // Without responses, nobody has a mark.
        steps = set.responses == 0 ? 0 : set.responses + record.headCount.known
    }

    /// The work changes no attendee.
    var sessions: [SessionID] { [] }

    func isPlanned(for set: String, of session: SessionID) -> Bool {
        set == self.set && session == self.session
    }

    mutating func prepare(in transaction: Transaction) throws(JournalError) {
        guard var found = try transaction.rows.questionSet(set, of: session) else { return }
        found.openByHand = false
        try transaction.saveSettings(of: found, in: session)
    }

    mutating func apply(_ steps: Range<Int>, in transaction: Transaction) throws(JournalError) {
        var rest = steps.count
        if !areAnswersDeleted, rest > 0 {
            let deleted = try transaction.rows.deleteAnswers(to: set, of: session, limit: rest)
            areAnswersDeleted = deleted < rest
            rest -= deleted
        }
        if rest > 0 { _ = try deleteMarks(of: rest, in: transaction) }
    }

    /// Deletes the marks of the next attendees, in the order of their ids. Returns false at the end.
    private mutating func deleteMarks(of count: Int, in transaction: Transaction) throws(JournalError) -> Bool
    {
        let page = try transaction.rows.attendees(
            of: session, statuses: nil, text: nil, after: last, limit: count)
        for attendee in page { try transaction.rows.deleteResponse(of: attendee.id, set: set) }
        last = page.last?.id ?? last
        return page.count == count
    }

    mutating func finish(in transaction: Transaction) throws(JournalError) {
        // After a crash, the work begins with the first row again.
        if steps > 0 {
            while try transaction.rows.deleteAnswers(to: set, of: session, limit: 1000) == 1000 {}
            while try deleteMarks(of: 1000, in: transaction) {}
        }
        try transaction.rows.deleteSet(set, of: session)
        try transaction.questions.recordEdit(
            of: set, [QuestionSet.deletedField], in: session, by: actor)
    }

    // MARK: The stored form

    func stored(as id: JobID) -> StoredJob {
        StoredJob(id: id, kind: .setDeletion, meeting: meeting, total: steps)
    }

    func plan() -> [UInt8] { session.bytes + actor.bytes + Array(set.utf8) }

    init?(stored plan: [UInt8], from rows: any ReadableRows) throws(JournalError) {
        guard plan.count > 32, let session = SessionID(bytes: Array(plan[..<16])),
            let actor = AccountID(bytes: Array(plan[16..<32])), let record = try rows.session(session),
            let set = try rows.questionSet(String(decoding: plan[32...], as: UTF8.self), of: session)
        else { return nil }
        self.init(set, of: record, by: actor)
    }
}
