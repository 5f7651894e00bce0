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
    /// The texts of a question that the host has opened.
    var texts: OpenTexts?
    var selected: AttendeeID?
    /// The selected question or text of the audience.
    var voice: Voices.ID?
    /// The poll that was opened last, as far as this dashboard knows.
    private(set) var openedLast: String?
    /// The set that was opened, closed, shared or hidden last while this dashboard watched.
    private(set) var changedLast: String?
    /// The times of these changes by set, as far as the room has announced them.
    private(set) var changedAt: [String: Instant] = [:]
    /// The set whose first question is shown as soon as its tally arrives.
    var awaitedSet: String?
    /// The attendees whom the host has selected for the next correction.
    var picked: Set<AttendeeID> = []
    /// The changes that this dashboard has made and can undo; the newest is last.
    var marks: [Mark] = []
    /// The changes that this dashboard has undone and can redo; the newest is last.
    var undone: [Mark] = []
    /// The attendee whose details are open.
    var details: PersonDetails?
    var journal = JournalTail()
    /// The meeting's session before this one, as far as it has been read.
    var previous: SessionBody?
    var hasAskedForPrevious = false
    /// The time until which the last row offers results, files and the next session. Nil if this dashboard
    /// has not seen the session end.
    var offersAfterwardsUntil: Instant?

    /// All texts that answer one question, which the dashboard requests page by page.
    struct OpenTexts: Hashable, Sendable {
        let question: QuestionID
        var texts: [TextAnswerBody] = []
        var isComplete = false
        /// The index of the selected text.
        var selected = 0
        /// The rows by which the selected text has been scrolled, because it is longer than the screen.
        var line = 0
    }

    /// What an attendee did in the meeting's sessions, as far as it has been read.
    struct PersonDetails: Hashable, Sendable {
        struct Round: Hashable, Sendable {
            let session: SessionBody
            /// Nil if the person was neither expected nor there.
            let attendee: AttendeeBody?
        }

        let id: AttendeeID
        var totals: SeriesTotals?
        /// The earlier sessions, the newest first.
        var rounds: [Round] = []
        var isComplete = false
    }

    /// The newest events of the session's journal. They are read only while the screen shows them.
    struct JournalTail: Sendable {
        private(set) var events: [EventBody] = []
        /// The sequence number up to which events have been read.
        private(set) var readUpTo: Int64 = 0
        var isReading = false
        /// The number of newer rows above the first row on the screen.
        var firstRow = 0

        static let most = 200

        /// An event, or several answers to one set in a row. Answers have no names, so they look the same.
        struct Row: Sendable {
            let event: EventBody
            var count = 1
        }

        /// The rows of the screen, the newest first.
        var rows: [Row] {
            var rows: [Row] = []
            for event in events.reversed() {
                if let last = rows.last?.event, event.kind == .responded, last.kind == .responded,
                    event.data.set == last.data.set, event.attendeeId == last.attendeeId
                {
                    rows[rows.count - 1].count += 1
                } else {
                    rows.append(Row(event: event))
                }
            }
            return rows
        }

        /// Returns the sequence number after which to read, so that one page reaches the newest event.
        func start(newest: Int64) -> Int64 { max(readUpTo, newest - Int64(JournalTail.most), 0) }

        mutating func take(_ page: [EventBody], upTo sequence: Int64) {
            isReading = false
            readUpTo = max(readUpTo, sequence, page.last?.sequence ?? 0)
            let known = Set(events.map(\.sequence))
            events += page.filter { !known.contains($0.sequence) }
            if events.count > Self.most { events.removeFirst(events.count - Self.most) }
        }
    }

    /// Returns the index of the question whose texts the host can open: the selected question, or else the
    /// next one with texts; nil if there is none.
    func questionWithTexts() -> Int? {
        let order = Array(tallies.indices.drop { $0 < question }) + tallies.indices.prefix(question)
        return order.first { !(tallies[$0].latest ?? []).isEmpty }
    }

    /// A change that can be undone, or that was undone and can be redone.
    struct Mark: Hashable, Sendable {
        /// The attendees whom the change concerned. Empty if it concerned the session or a text.
        let attendees: [AttendeeID]
        /// The attendee's name or the text, for messages.
        let name: String
        /// The sequence numbers of the change's events in the journal.
        let sequences: [Int64]
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
            let before = sets
            sets = [:]
            take(snapshot.sets ?? [], after: before, at: nil)
            voices = Voices()
            if let board = snapshot.audienceQuestions { voices.take(board) }
            for texts in snapshot.moderated ?? [] { voices.take(texts) }
            question = min(question, max(0, tallies.count - 1))
            newest = (snapshot.arrivals ?? []).reversed().filter {
                $0.status == .present || $0.status == .late
            }
            if let code = snapshot.code { (url, joinCode) = (code.url, code.joinCode) }
            for person in newest { people.put(person) }
            // Request the list again, because attendees may have changed or disappeared while there was no
            // connection.
            return true
        case .frame(let frame): return take(frame, now: now)
        case .joined, .heard, .home, .refused, .reconnecting, .ended: return false
        }
    }

    private mutating func take(_ frame: RoomFrame, now: Instant) -> Bool {
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
        take(frame.sets ?? [], after: sets, at: now)
        if let code = frame.code { (url, joinCode) = (code.url, code.joinCode) }
        if let tally = frame.tally {
            if let index = tallies.firstIndex(where: { $0.questionId == tally.questionId }) {
                tallies[index] = tally
            } else {
                insert(tally)
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
            replaceAmongNewest(person)
            people.put(person)
        }
        for id in removed {
            newest.removeAll { $0.id == id }
            people.remove(id)
        }
        if newest.count > Self.mostNewest { newest.removeLast(newest.count - Self.mostNewest) }
    }

    /// Replaces, removes or inserts a corrected attendee, because a correction can add or delete an arrival.
    private mutating func replaceAmongNewest(_ person: AttendeeBody) {
        let index = newest.firstIndex { $0.id == person.id }
        guard person.status == .present || person.status == .late, let moment = person.checkedInAt else {
            if let index { newest.remove(at: index) }
            return
        }
        if let index {
            newest[index] = person
            return
        }
        let place = newest.firstIndex { ($0.checkedInAt ?? moment) < moment } ?? newest.count
        if place < Self.mostNewest { newest.insert(person, at: place) }
    }

    /// Inserts a new tally at its place: results that are shared later arrive one by one, in any order. The
    /// question that is shown stays.
    private mutating func insert(_ tally: TallyBody) {
        func isBefore(_ one: TallyBody, _ other: TallyBody) -> Bool {
            if one.set == other.set { return (one.number ?? 0) < (other.number ?? 0) }
            func key(_ set: String) -> (Int, Int, String) {
                QuestionSet.sortKey(set, sets[set]?.position ?? 0)
            }
            return key(one.set) < key(other.set)
        }
        let index = tallies.firstIndex { isBefore(tally, $0) } ?? tallies.endIndex
        if index <= question, !tallies.isEmpty { question += 1 }
        tallies.insert(tally, at: index)
    }

    /// Takes the sets of an update. `moment` is the time of their changes; nil if it is unknown.
    private mutating func take(
        _ sets: [QuestionSetSummary], after before: [String: QuestionSetSummary], at moment: Instant?
    ) {
        for set in sets.sorted(by: { $0.sortKey < $1.sortKey }) {
            self.sets[set.set] = set
            let old = before[set.set]
            if set.isPoll, set.open, old?.open != true { openedLast = set.set }
            // A snapshot says which sets are open, but not since when.
            guard old != nil || moment != nil,
                old?.open ?? false != set.open || old?.shared ?? false != set.shared
            else { continue }
            changedLast = set.set
            changedAt[set.set] = moment
        }
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
struct Connection: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case connecting
        /// The room is connected. `resumed` says when the connection returned and whether no update was lost;
        /// it is nil for the first connection.
        case live(resumed: Resumption?)
        case waiting(until: Instant)
    }

    struct Resumption: Hashable, Sendable {
        let at: Instant
        let recovered: Bool
    }

    private(set) var state = State.connecting
    /// The time of the newest message from the server, by the screen's clock.
    private var heardAt: Instant?

    /// How long the screen shows that the connection has returned.
    static let resumptionShows = Duration.seconds(5)
    /// The silence after which the screen shows it. The client pings every 5 s, so a server that sends
    /// nothing for this time is frozen, or the network is.
    private static let silenceShows = Duration.seconds(10)

    static let connecting = Connection()

    /// Returns the time since the newest message; nil if the connection is not live, or if the server has
    /// answered recently.
    func silence(at now: Instant) -> Duration? {
        guard case .live = state, let heardAt else { return nil }
        let silence = now.since(heardAt)
        return silence >= Self.silenceShows ? silence : nil
    }

    /// Returns the age of what the screen shows if it is stale: the room is not connected, or the server has
    /// been silent. Nil if it is live, or if nothing has arrived yet.
    func staleness(at now: Instant) -> Duration? {
        if let silence = silence(at: now) { return silence }
        if case .live = state { return nil }
        return heardAt.map { max(.zero, now.since($0)) }
    }

    /// The time for which an attempt to connect is left alone.
    private static let attempt = Duration.seconds(10)

    /// Whether a new attempt to connect is useful: what the screen shows is stale, and no attempt has just
    /// begun.
    func canRetry(at now: Instant) -> Bool {
        if case .waiting(let until) = state, until <= now, now.since(until) < Self.attempt { return false }
        return staleness(at: now) != nil
    }

    /// Notes that the host does not wait for the next attempt to connect.
    mutating func retry(at now: Instant) { state = .waiting(until: now) }

    mutating func take(_ update: RoomUpdate, now: Instant) {
        switch update {
        case .reconnecting, .refused, .ended: break
        case .joined, .heard, .home, .snapshot, .frame: heardAt = now
        }
        switch update {
        case .joined(let joined):
            if case .waiting = state {
                state = .live(resumed: Resumption(at: now, recovered: joined.recovered))
            } else {
                state = .live(resumed: nil)
            }
        case .reconnecting(let delay, _): state = .waiting(until: now + delay)
        default: break
        }
    }
}
