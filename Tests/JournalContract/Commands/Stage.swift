import Journal
import Meetings
import Synchronization
import Testing

/// A storage over an engine. Only the test moves its clock, which begins two hours before `start`.
final class Stage: Sendable {
    let storage: Storage
    let announced = Announcements()
    /// The failures of steps that jobs have left out.
    let skipped = Skips()

    final class Skips: Sendable {
        private let failures = Mutex<[StorageFailure]>([])
        var count: Int { failures.withLock { $0.count } }
        func add(_ failure: StorageFailure) { failures.withLock { $0.append(failure) } }
    }
    private let clock: HandClock

    /// Opens the storage.
    /// - Parameter alsoTelling: a listener that also receives each committed batch.
    init(
        _ engine: any Engine, slices: SliceSize = .adaptive, limits: AccountLimits = AccountLimits(),
        rooms: (any RoomDirectory)? = nil,
        alsoTelling listener: @escaping Storage.Listener = { _ in }
    ) throws {
        let clock = HandClock(at(-120))
        self.clock = clock
        storage = Storage(
            engine: engine, patterns: PlainPatterns(), slices: slices, limits: limits,
            clock: { clock.now })
        try storage.open(rooms: rooms) { [announced] batch in
            announced.add(batch)
            listener(batch)
        } skipped: { [skipped] failure in
            skipped.add(failure)
        }
    }

    var now: Instant {
        get { clock.now }
        set { clock.set(newValue) }
    }

    // MARK: Commands

    @discardableResult
    func perform<C: Command>(_ command: C) async throws -> C.Answer { try await storage.perform(command) }

    func account(_ number: Int) async throws -> Account {
        try await storage.perform(
            CreateAccount(
                email: "host\(number)@example.org", name: "Host \(number)", passwordHash: "$\(number)",
                profile: .init(), signUp: .open,
                proof: .setUp))
    }

    func makeHost(_ account: AccountID, of meeting: MeetingID) async throws {
        try await perform(
            Act { transaction throws(JournalError) in
                try transaction.rows.setRole(.host, of: account, in: meeting)
            })
    }

    /// Creates a meeting with one session, from minute `from` to minute `to`, with these question sets.
    func meeting(
        of owner: AccountID, name: String = "Meeting", from: Int = 0, to: Int = 60,
        identifyBy: IdentifyBy = .email,
        sets: [QuestionSet] = [], allowOverlap: Bool = false, edited: (inout Session) -> Void = { _ in }
    ) async throws -> SessionRecord {
        let meeting = Meeting(id: .makeTimeless(), name: name, identifyBy: identifyBy, createdAt: now)
        var session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: at(from), endsAt: at(to),
            joinCode: JoinCode.random())
        edited(&session)
        return try await storage.perform(
            CreateMeeting(
                meeting: meeting, session: session, sets: sets, owner: owner, allowOverlap: allowOverlap))
    }

    /// Creates host 1 and a meeting of host 1.
    func planned(identifyBy: IdentifyBy = .email, sets: [QuestionSet] = []) async throws -> (
        host: AccountID, record: SessionRecord
    ) {
        let host = try await account(1).id
        return (host, try await meeting(of: host, identifyBy: identifyBy, sets: sets))
    }

    /// Performs a check-in of the person with this number. The default moment is now.
    @discardableResult
    func checkIn(
        _ number: Int, in session: SessionID, moment: Instant? = nil, revocation: Instant? = nil,
        grant: [UInt8]? = nil, receipt: Receipt? = nil,
        identity: String? = nil, name: String? = nil
    ) async throws -> CheckIn.Outcome {
        try await storage.perform(
            CheckIn(
                session: session, moment: moment ?? now, method: .qr, revocation: revocation, grant: grant,
                receipt: receipt,
                name: name ?? "Person \(number)",
                email: identity ?? "p\(number)@example.org", number: identity ?? "\(number)"))
    }

    /// Performs the first check-in of the person with this number, and returns the new attendee.
    func arrive(_ number: Int, in session: SessionID, moment: Instant? = nil, revocation: Instant? = nil)
        async throws -> Attendee
    {
        try #require(try await checkIn(number, in: session, moment: moment, revocation: revocation).fresh)
    }

    @discardableResult
    func respond(_ attendee: Attendee, _ answers: Answers, set: String = QuestionSet.feedback) async throws
        -> Respond.Outcome
    {
        try await storage.perform(
            Respond(receipt: Receipt(for: attendee), session: attendee.sessionID, set: set, answers: answers))
    }

    func edit(
        _ session: SessionID, by host: AccountID, from: Int? = nil, to: Int? = nil, late: Int? = nil,
        planned: Int? = nil
    ) async throws -> EditSession.Outcome {
        try await storage.perform(
            EditSession(
                id: session, startsAt: from.map(at), endsAt: to.map(at),
                settings: .init(lateAfterMinutes: late, plannedCount: planned), actor: host))
    }

    // MARK: Reads

    func record(_ id: SessionID) async throws -> SessionRecord? {
        try await storage.read { rows throws(JournalError) in try rows.session(id) }
    }

    func attendee(_ id: AttendeeID) async throws -> Attendee? {
        try await storage.read { rows throws(JournalError) in try rows.attendee(id) }
    }

    func attendees(of id: SessionID) async throws -> [Attendee] {
        try await storage.read { rows throws(JournalError) in
            try rows.attendees(of: id, statuses: nil, text: nil, after: nil, limit: 10_000)
        }
    }

    func events(of id: SessionID) async throws -> [Event] {
        try await storage.read { rows throws(JournalError) in try rows.events(of: id, after: 0, limit: 10_000)
        }
    }

    func set(_ name: String = QuestionSet.feedback, of id: SessionID) async throws -> QuestionSet? {
        try await storage.read { rows throws(JournalError) in try rows.questionSet(name, of: id) }
    }

    func tallies(of id: SessionID, set: String = QuestionSet.feedback) async throws -> [QuestionID:
        TallyRecord]
    {
        try await storage.read { rows throws(JournalError) in try rows.tallies(of: id, set: set) }
    }

    /// Returns the responses that results may show.
    func published(of id: SessionID, set: String = QuestionSet.feedback) async throws -> [Response] {
        try await storage.read { rows throws(JournalError) in
            try rows.responses(of: id, set: set, after: nil, limit: 1000)
        }
    }

    func toSeal(at moment: Instant) async throws -> [String] {
        try await storage.read { rows throws(JournalError) in
            try rows.setsToSeal(at: moment, limit: 10).map(\.set)
        }
    }

    /// Expects that the counters equal the rows, and that the journal has no gap.
    func expectWhole(_ id: SessionID, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let record = try #require(try await record(id), sourceLocation: sourceLocation)
        var recount = HeadCount()
        for attendee in try await attendees(of: id) { recount.add(attendee) }
        #expect(record.headCount == recount, sourceLocation: sourceLocation)
        let sequences = try await events(of: id).map(\.sequence)
        #expect(sequences == Array(1...record.sequence), sourceLocation: sourceLocation)
    }
}

/// Records the batches that the storage announces to the rooms.
final class Announcements: Sendable {
    private struct State {
        var batches: [CommittedBatch] = []
        var waiting: [(condition: @Sendable ([CommittedBatch]) -> Bool, CheckedContinuation<Void, Never>)] =
            []
    }

    private let state = Mutex(State())

    /// The committed batches, in the order in which they were announced.
    var batches: [CommittedBatch] { state.withLock { $0.batches } }
    var commits: [SessionCommit] { batches.flatMap(\.sessions) }
    /// The rights that the newest batch ended.
    var endedRights: [EndedRight] { batches.last?.endedRights ?? [] }

    func add(_ batch: CommittedBatch) {
        let ready = state.withLock { state in
            state.batches.append(batch)
            let batches = state.batches
            let ready = state.waiting.filter { $0.condition(batches) }
            state.waiting.removeAll { $0.condition(batches) }
            return ready
        }
        for (_, continuation) in ready { continuation.resume() }
    }

    /// Waits until the announced batches fulfil the condition.
    func wait(until condition: @escaping @Sendable ([CommittedBatch]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if condition(state.batches) { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Returns the newest commit to the session.
    func last(_ id: SessionID) -> SessionCommit? { commits.last { $0.id == id } }
}

extension SessionCommit {
    var arrivals: [Attendee] {
        news.compactMap { if case .arrived(let attendee) = $0.kind { attendee } else { nil } }
    }
    var changed: [Attendee] {
        news.compactMap { if case .changed(let attendee) = $0.kind { attendee } else { nil } }
    }
    var removed: [AttendeeID] {
        news.compactMap { if case .removed(let id) = $0.kind { id } else { nil } }
    }
}

/// A clock whose time the test sets.
final class HandClock: Sendable {
    private let moment: Mutex<Instant>

    init(_ moment: Instant) { self.moment = Mutex(moment) }

    var now: Instant { moment.withLock { $0 } }

    func set(_ new: Instant) { moment.withLock { $0 = new } }
}

extension CheckIn.Outcome {
    var attendee: Attendee? {
        guard case .checkedIn(let attendee, _, _) = self else { return nil }
        return attendee
    }

    /// The attendee of a first check-in. Nil if the check-in was a repeat.
    var fresh: Attendee? {
        guard case .checkedIn(let attendee, _, again: false) = self else { return nil }
        return attendee
    }

    /// The attendee of a repeated check-in. Nil unless the same grant or receipt was used again.
    var again: Attendee? {
        guard case .checkedIn(let attendee, _, again: true) = self else { return nil }
        return attendee
    }

    var isElsewhere: Bool {
        guard case .elsewhere = self else { return false }
        return true
    }
}

let millisecond = Duration.milliseconds(1)

/// Expects that the command is refused for exactly this reason.
func expectRefused<Answer>(
    _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Answer
) async {
    await #expect(throws: JournalError.refused(refusal), sourceLocation: sourceLocation) {
        _ = try await body()
    }
}
