import Meetings
import Rooms
import Wire

/// A room and the journal behind it. Each deed is one event, and each event has its own commit unless a test
/// commits several together.
struct Stage {
    static let startsAt = Instant(seconds: 1_795_255_200)
    static let code = CodeBody(url: "HTTPS://EXAMPLE.ORG/C/SECRET", joinCode: "K7QX2M", expiresInMs: nil)

    var room: Room
    var session: Session
    var meeting: Meeting
    private(set) var headCount = HeadCount()
    private(set) var sequence: Int64
    /// The attendees who are in the session now, by id.
    private(set) var people: [AttendeeID: Attendee] = [:]
    /// Each arrival's event sequence and attendee, including attendees who were removed later.
    private(set) var arrivals: [(sequence: Int64, id: AttendeeID)] = []
    private(set) var events: [(sequence: Int64, id: AttendeeID?, isArrival: Bool)] = []
    private var pending: [News] = []

    init(sequence: Int64 = 0, plannedCount: Int = 0, sets: [SetResults] = [], code: CodeBody? = Stage.code) {
        self.sequence = sequence
        meeting = Meeting(id: MeetingID(high: 1, low: 1), name: "Study group", createdAt: Self.startsAt)
        session = Session(
            id: SessionID(high: 1, low: 2), meetingID: meeting.id, round: 1, startsAt: Self.startsAt,
            endsAt: Self.startsAt + .hours(2),
            plannedCount: plannedCount, joinCode: "K7QX2M")
        room = Room(
            SessionRecord(session: session, meeting: meeting, sequence: sequence), newest: [], sets: sets,
            code: code)
    }

    // MARK: Events

    @discardableResult
    mutating func arrive() -> AttendeeID {
        sequence += 1
        let number = UInt64(arrivals.count + 1)
        let attendee = Attendee(
            id: AttendeeID(high: 7, low: number), sessionID: session.id, name: "Person \(number)",
            identity: "p\(number)@example.org",
            status: .present, checkedInAt: Self.startsAt, method: .qr, arrivalSequence: sequence)
        people[attendee.id] = attendee
        headCount.add(attendee)
        arrivals.append((sequence, attendee.id))
        note(attendee.id, .arrived(attendee), isArrival: true)
        return attendee.id
    }

    mutating func change(_ id: AttendeeID, to status: RecordedStatus) {
        guard var attendee = people[id] else { return }
        sequence += 1
        headCount.remove(attendee)
        attendee.status = status
        headCount.add(attendee)
        people[id] = attendee
        note(id, .changed(attendee))
    }

    /// Lets an attendee whom a host corrected check in again.
    mutating func arriveAgain(_ id: AttendeeID) {
        guard var attendee = people[id] else { return }
        sequence += 1
        headCount.remove(attendee)
        attendee.status = .present
        attendee.arrivalSequence = sequence
        headCount.add(attendee)
        people[id] = attendee
        arrivals.append((sequence, id))
        note(id, .arrived(attendee), isArrival: true)
    }

    /// A host sets an attendee back to awaited.
    mutating func setBack(_ id: AttendeeID) {
        guard var attendee = people[id] else { return }
        sequence += 1
        headCount.remove(attendee)
        (attendee.status, attendee.arrivalSequence) = (.pending, 0)
        headCount.add(attendee)
        people[id] = attendee
        note(id, .changed(attendee))
    }

    /// A host undoes the removal of an attendee.
    mutating func restore(_ attendee: Attendee) {
        sequence += 1
        headCount.add(attendee)
        people[attendee.id] = attendee
        note(attendee.id, .changed(attendee))
    }

    mutating func remove(_ id: AttendeeID) {
        guard let attendee = people.removeValue(forKey: id) else { return }
        sequence += 1
        headCount.remove(attendee)
        note(id, .removed(id))
    }

    /// Adds an event without an attendee, such as an anonymous response.
    mutating func respond() {
        sequence += 1
        events.append((sequence, nil, false))
    }

    private mutating func note(_ id: AttendeeID, _ kind: News.Kind, isArrival: Bool = false) {
        events.append((sequence, id, isArrival))
        pending.append(News(sequence: sequence, kind: kind))
    }

    // MARK: The room

    /// Returns a commit of these news, with the stage's current session.
    func commit(_ news: [News] = [], sequence: Int64? = nil, isEdited: Bool = false) -> SessionCommit {
        let record = SessionRecord(
            session: session, meeting: meeting, headCount: headCount, sequence: sequence ?? self.sequence)
        return SessionCommit(id: session.id, record: record, news: news, isEdited: isEdited)
    }

    /// Commits all deeds since the last commit together, and returns the room's next action.
    mutating func commit(at elapsed: Duration = .zero, isEdited: Bool = false) -> Room.Action {
        let commit = commit(pending, isEdited: isEdited)
        pending = []
        return room.apply(commit, elapsed: elapsed)
    }

    @discardableResult
    mutating func arrive(_ count: Int, at elapsed: Duration = .zero) -> Room.Action {
        var action = Room.Action.none
        for _ in 0..<count {
            arrive()
            let next = commit(at: elapsed)
            if action == .none { action = next }
        }
        return action
    }

    mutating func apply(_ results: SetResults, at elapsed: Duration = .zero) -> Room.Action {
        room.apply(results, elapsed: elapsed)
    }
    mutating func removeSet(_ name: String, at elapsed: Duration = .zero) -> Room.Action {
        room.removeSet(name, elapsed: elapsed)
    }

    mutating func apply(_ board: AudienceBoard, at elapsed: Duration = .zero) -> Room.Action {
        room.apply(board, elapsed: elapsed)
    }
    mutating func apply(_ commit: SessionCommit, at elapsed: Duration = .zero) -> Room.Action {
        room.apply(commit, elapsed: elapsed)
    }
    mutating func show(_ code: CodeBody?, at elapsed: Duration = .zero) -> Room.Action {
        room.show(code, elapsed: elapsed)
    }
    mutating func turn(at elapsed: Duration = .zero) -> Room.Action { room.turn(elapsed: elapsed) }

    mutating func flush(
        for views: Set<View> = Set(View.allCases), now: Instant = startsAt, at elapsed: Duration = .zero
    ) -> (publications: [Publication], next: Room.Action) {
        room.flush(for: views, at: now, elapsed: elapsed)
    }

    /// Flushes until nothing is left, and returns the publications to one view.
    mutating func flushAll(for view: View = .session) -> [Publication] {
        var all: [Publication] = []
        var next = Room.Action.flushNow
        while next != .none {
            let flushed = flush(for: [view])
            all += flushed.publications
            next = flushed.next
        }
        return all
    }

    /// Returns the journal's news after `position`, with the current attendees.
    func news(after position: Int64) -> [News] {
        events.filter { $0.sequence > position }.compactMap { event in
            guard let id = event.id else { return nil }
            guard let attendee = people[id] else { return News(sequence: event.sequence, kind: .removed(id)) }
            return News(
                sequence: event.sequence, kind: event.isArrival ? .arrived(attendee) : .changed(attendee))
        }
    }

    var attendance: Attendance { Attendance(headCount, planned: session.plannedCount, sessionIsOver: false) }
}

extension [Publication] {
    /// The ids of all published arrivals, in order.
    var arrivals: [AttendeeID] { flatMap { $0.frame.arrivals ?? [] }.map(\.id) }
    var omitted: Int { reduce(0) { $0 + ($1.frame.arrivalsOmitted ?? 0) } }
    var texts: [String] { map { String(decoding: WireJSON.bytes($0.frame), as: UTF8.self) } }

    /// True if each publication begins where the publication before it ended.
    func chains(from start: Int64) -> Bool {
        var position = start
        for publication in self {
            guard publication.from == position, publication.to >= position,
                publication.frame.sequence == publication.to
            else {
                return false
            }
            position = publication.to
        }
        return true
    }
}

/// Returns a set with one rating question and `fives` five-star answers.
func results(
    _ name: String = QuestionSet.feedback, fives: Int, shared: Bool,
    question: QuestionID = QuestionID(high: 3, low: 3)
)
    -> SetResults
{
    let question = Question(id: question, title: "How was it?", kind: .rating(scale: 5))
    let set = QuestionSet(
        name: name, questions: [question], shared: shared, anonymous: false, responses: fives,
        publishedResponses: fives)
    var count = TallyCount(for: question)
    for _ in 0..<fives { count.add(.rating(5), to: question) }
    return SetResults(set: set, tallies: [TallyBody(question, in: set, count: count, latest: [])])
}
