internal import Client
internal import Meetings
internal import RecordText
internal import Wire

/// The state of a session on the dashboard, from the updates of its room and from the list of its attendees.
struct SessionState: Sendable {
    private(set) var body: SessionBody
    private(set) var attendance: Attendance
    private(set) var responses: Int
    private(set) var tallies: [TallyBody] = []
    private(set) var sets: [String: QuestionSetSummary] = [:]
    private(set) var voices = Voices()
    /// The newest arrivals; the newest is first.
    private(set) var newest: [AttendeeBody] = []
    private(set) var url: String?
    private(set) var joinCode: String?
    private(set) var sequence: Int64 = 0
    var connection = Connection.connecting
    var people = People()
    /// The index of the question that is shown alone.
    var question = 0
    var selected: AttendeeID?
    /// The selected question or text of the audience.
    var voice: Voices.ID?
    /// The set whose first question is shown as soon as its tally arrives.
    var awaitedSet: String?
    /// The changes that this dashboard has made and can undo; the newest is last.
    var marks: [Mark] = []

    struct Mark: Hashable, Sendable {
        /// Nil if the change concerned what an attendee has written.
        let attendee: AttendeeID?
        let name: String
        /// The sequence number of the correction in the journal.
        let sequence: Int64
    }

    private static let mostNewest = 50

    init(_ body: SessionBody) {
        self.body = body
        attendance = body.attendance
        responses = body.feedback.responses
        url = body.checkInUrl
        joinCode = body.joinCode
    }

    var id: SessionID { body.id }
    var zone: Zone { .named(body.timeZone) }

    /// Applies an update. Returns whether the dashboard must request the list of attendees again.
    mutating func take(_ update: RoomUpdate, now: Instant) -> Bool {
        connection.take(update, now: now)
        switch update {
        case .snapshot(let snapshot, _, let sequence):
            self.sequence = sequence ?? 0
            take(snapshot.session)
            tallies = snapshot.tallies
            sets = [:]
            take(snapshot.sets ?? [])
            voices = Voices()
            if let board = snapshot.audienceQuestions { voices.take(board) }
            for texts in snapshot.moderated ?? [] { voices.take(texts) }
            question = min(question, max(0, tallies.count - 1))
            newest = (snapshot.arrivals ?? []).reversed()
            if let code = snapshot.code { (url, joinCode) = (code.url, code.joinCode) }
            for person in newest { people.put(person) }
            // Request the list again, because attendees may have changed or disappeared while there was no
            // connection.
            return true
        case .frame(let frame): return take(frame)
        case .joined, .home, .refused, .reconnecting, .ended: return false
        }
    }

    private mutating func take(_ frame: RoomFrame) -> Bool {
        if let sequence = frame.sequence { self.sequence = sequence }
        var mustRead = false
        if let session = frame.session {
            // The room does not publish each attendee after an edit that changes many statuses, or after the
            // end of a session.
            mustRead = session.version != body.version || session.phase == .ended && body.phase == .running
            take(session)
        }
        if let attendance = frame.attendance { self.attendance = attendance }
        if let feedback = frame.feedback { responses = feedback.responses }
        if let deleted = frame.removedSets {
            for name in deleted { sets[name] = nil }
            voices.remove(tallies.filter { deleted.contains($0.set) }.map(\.questionId))
            tallies.removeAll { deleted.contains($0.set) }
            question = min(question, max(0, tallies.count - 1))
        }
        take(frame.sets ?? [])
        if let code = frame.code { (url, joinCode) = (code.url, code.joinCode) }
        if let tally = frame.tally {
            if let index = tallies.firstIndex(where: { $0.questionId == tally.questionId }) {
                tallies[index] = tally
            } else {
                tallies.append(tally)
            }
            if tally.set == awaitedSet, let index = tallies.firstIndex(where: { $0.set == tally.set }) {
                question = index
                awaitedSet = nil
            }
        }
        if let board = frame.audienceQuestions { voices.take(board) }
        for texts in frame.moderated ?? [] { voices.take(texts) }
        take(arrivals: frame.arrivals ?? [], changed: frame.changed ?? [], removed: frame.removed ?? [])
        return mustRead || (frame.arrivalsOmitted ?? 0) > 0
    }

    private mutating func take(arrivals: [AttendeeBody], changed: [AttendeeBody], removed: [AttendeeID]) {
        guard !(arrivals.isEmpty && changed.isEmpty && removed.isEmpty) else { return }
        for person in arrivals {
            newest.removeAll { $0.id == person.id }
            newest.insert(person, at: 0)
            people.put(person)
        }
        for person in changed {
            if let index = newest.firstIndex(where: { $0.id == person.id }) { newest[index] = person }
            people.put(person)
        }
        for id in removed {
            newest.removeAll { $0.id == id }
            people.remove(id)
        }
        if newest.count > Self.mostNewest { newest.removeLast(newest.count - Self.mostNewest) }
    }

    private mutating func take(_ sets: [QuestionSetSummary]) {
        for set in sets { self.sets[set.set] = set }
    }

    /// The set of the question that is shown; nil if there is none.
    var shownSet: QuestionSetSummary? {
        tallies.indices.contains(question) ? sets[tallies[question].set] : nil
    }

    private mutating func take(_ session: SessionBody) {
        body = session
        attendance = session.attendance
        responses = session.feedback.responses
        if let url = session.checkInUrl { self.url = url }
        if let code = session.joinCode { joinCode = code }
    }
}

/// The state of the connection to a room, as the screen shows it.
enum Connection: Hashable, Sendable {
    case connecting
    /// The room is connected. `resumed` says when the connection returned and whether no update was lost; it
    /// is nil for the first connection.
    case live(resumed: Resumption?)
    case waiting(until: Instant)

    struct Resumption: Hashable, Sendable {
        let at: Instant
        let recovered: Bool
    }

    /// How long the screen shows that the connection has returned.
    static let resumptionShows = Duration.seconds(5)

    mutating func take(_ update: RoomUpdate, now: Instant) {
        switch update {
        case .joined(let joined):
            if case .waiting = self {
                self = .live(resumed: Resumption(at: now, recovered: joined.recovered))
            } else {
                self = .live(resumed: nil)
            }
        case .reconnecting(let delay, _): self = .waiting(until: now + delay)
        default: break
        }
    }
}
