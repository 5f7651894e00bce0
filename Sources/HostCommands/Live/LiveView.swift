internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// A line that a watcher prints, in parts that a terminal shows in different colours.
struct LiveLine: Equatable {
    struct Part: Equatable {
        let text: String
        var role: Paint.Role?
    }

    private(set) var parts: [Part]

    init(time: String, _ text: String, _ role: Paint.Role? = nil) {
        parts = [Part(text: "\(time)  ", role: .faint), Part(text: text, role: role)]
    }

    init(_ text: String, _ role: Paint.Role? = nil) { parts = [Part(text: text, role: role)] }

    mutating func add(_ text: String, _ role: Paint.Role? = nil) {
        parts.append(Part(text: text, role: role))
    }

    var text: String { parts.map(\.text).joined() }

    /// Returns the line with its colours, cut to `width` columns; nil for no limit.
    func painted(_ paint: Paint, width: Int? = nil) -> String {
        var room = width ?? .max
        var line = ""
        for part in parts where room > 0 {
            let text = DisplayWidth.cut(part.text, to: room)
            room -= DisplayWidth.of(text)
            line += part.role.map { paint.styled(text, $0) } ?? text
            if text != part.text { break }
        }
        return line
    }
}

/// The state of a session that a watcher shows. Updates change this state and produce lines of text.
struct LiveView {
    private typealias Messages = CommandPhrases.Messages

    private(set) var session: SessionBody?
    private(set) var attendance: Attendance?
    private(set) var responses = 0
    private(set) var tallies: [QuestionID: TallyBody] = [:]
    /// The attendees whose arrival was announced by name; each is counted once.
    private(set) var arrived: Set<AttendeeID> = []
    /// Whether some arrivals were never announced by name: the room omitted them, or they happened while
    /// there was no connection.
    private var hasGaps = false
    private(set) var epoch: String?
    private(set) var sequence: Int64?
    private var isReconnecting = false
    private var lastLine: String?

    /// The difference between the server's clock and this machine's, as of the last join.
    private var ahead = Duration.zero
    /// The moment of the server until which milestones were reported; nil before the client has joined.
    private var reportedUntil: Instant?

    /// Whether the client has joined the room. The data that `watch` read over HTTP before are not news.
    private(set) var isLive = false

    /// The room's sequence number when the client joined it.
    private var sequenceAtJoining: Int64?

    /// Whether more updates with the same position follow at once: the snapshot or the missed frames after a
    /// join, or the other tallies of a flush.
    private(set) var isWithinBatch = false

    /// Whether the counts include arrivals that later frames bring.
    private var awaitsArrivals = false

    /// Whether the client has received all events from before it joined the room, and all arrivals that the
    /// counts include.
    var isCaughtUp: Bool {
        guard let sequence, let sequenceAtJoining, !isWithinBatch, !awaitsArrivals else { return false }
        return sequence >= sequenceAtJoining
    }

    /// The number of attendees that this view knows of: all announced attendees, or the room's count if the
    /// room omitted names.
    var seen: Int { hasGaps ? attendance?.checkedIn ?? 0 : arrived.count }

    init() {}

    /// Starts with data that were read over HTTP. They contain the time zone, and the state that a resumed
    /// room does not repeat.
    /// - Parameter position: the position from which the client resumes the room.
    init(startingWith session: SessionBody, at position: WatchPosition? = nil) {
        self.session = session
        epoch = position?.room.epoch
        sequence = position?.room.sequence
        reportedUntil = position?.reportedUntil
        attendance = session.attendance
        responses = session.feedback.responses
    }

    var position: RoomPosition? {
        guard let epoch, let sequence else { return nil }
        return RoomPosition(epoch: epoch, sequence: sequence)
    }

    /// The position from which another client loses nothing of what follows, and gets nothing twice; nil
    /// within a batch.
    var resumption: WatchPosition? {
        guard !isWithinBatch, let position, let reportedUntil else { return nil }
        return WatchPosition(room: position, reportedUntil: reportedUntil)
    }

    /// Applies an update and returns the lines that it adds; empty if nothing on the screen changes.
    mutating func take(_ update: RoomUpdate, _ call: Invocation, now: Instant = SystemTime.now) -> [LiveLine]
    {
        switch update {
        case .joined(let joined):
            epoch = joined.epoch
            sequenceAtJoining = joined.sequence
            ahead = joined.now.since(now)
            // After an interruption, the moments in between are reported, too.
            reportedUntil = reportedUntil ?? joined.now
            // A snapshot follows, and replaces the previous state.
            if !joined.recovered { sequence = nil }
            isLive = true
            isWithinBatch = true
            defer { isReconnecting = false }
            return isReconnecting ? [line(call.text(Messages.resumed), now, .good)] : []
        case .snapshot(let snapshot, _, let sequence):
            // The snapshot has only the newest arrivals.
            hasGaps = snapshot.session.attendance.checkedIn > (snapshot.arrivals ?? []).count
            self.sequence = sequence
            isWithinBatch = false
            awaitsArrivals = snapshot.arrivalsToCome ?? 0 > 0
            session = snapshot.session
            attendance = snapshot.session.attendance
            responses = snapshot.session.feedback.responses
            for tally in snapshot.tallies { tallies[tally.questionId] = tally }
            for person in snapshot.arrivals ?? [] { arrived.insert(person.id) }
            return counts(call, now).map { [$0] } ?? []
        case .frame(let frame): return take(frame, call, now)
        case .refused(let problem): return [LiveLine("\(problem.title). \(problem.detail)", .bad)]
        case .reconnecting(let delay, _):
            isReconnecting = true
            let seconds = String((delay.wholeMilliseconds + 999) / 1000)
            return [line(call.text(Messages.reconnecting, ["time": seconds]), now, .bad)]
        case .heard, .home, .ended: return []
        }
    }

    /// Returns the time of the server's clock.
    func now(at now: Instant = SystemTime.now) -> Instant { now + ahead }

    /// Returns the moments of the session that the server's clock has reached since the last call.
    mutating func milestones(at now: Instant = SystemTime.now) -> [SessionMilestone] {
        guard let session, let before = reportedUntil else { return [] }
        let now = now + ahead
        reportedUntil = max(before, now)
        return SessionMilestone.reached(in: session, after: before, until: now)
    }

    /// Returns a line for a moment of the session.
    func line(for milestone: SessionMilestone, _ call: Invocation, now: Instant = SystemTime.now) -> LiveLine
    {
        line(call.text(milestone.phrase), now, milestone.role)
    }

    /// Returns a line with the people who did not come: all named people, and the number of the others.
    func line(absent people: [String], unnamed: Int, _ call: Invocation, now: Instant = SystemTime.now)
        -> LiveLine
    {
        var names = people.map { TerminalEscaping.safe($0) }
        if unnamed > 0 { names.append(call.text(Phrase.Export.unnamed, ["count": String(unnamed)])) }
        guard !names.isEmpty else { return line(call.text(Messages.nobodyAbsent), now, .good) }
        return line(call.text(Messages.absent, ["names": names.joined(separator: ", ")]), now, .bad)
    }

    private mutating func take(_ frame: RoomFrame, _ call: Invocation, _ now: Instant) -> [LiveLine] {
        if let sequence = frame.sequence {
            self.sequence = sequence
            isWithinBatch = frame.more ?? false
            awaitsArrivals = frame.arrivalsToCome ?? 0 > 0
        }
        if let session = frame.session {
            self.session = session
            attendance = session.attendance
            responses = session.feedback.responses
        }
        if let attendance = frame.attendance { self.attendance = attendance }
        if let feedback = frame.feedback { responses = feedback.responses }
        var lines: [LiveLine] = []
        let isCompact = call.arguments.has("compact")
        let people = frame.arrivals ?? []
        for person in people { arrived.insert(person.id) }
        if var said = counts(call, now, always: !people.isEmpty && !isCompact) {
            if !people.isEmpty, !isCompact { Self.add(people, to: &said, call) }
            lines.append(said)
        }
        if let omitted = frame.arrivalsOmitted, omitted > 0 {
            hasGaps = true
            if isCompact { return lines }
            lines.append(line(call.text(Messages.omitted, ["count": String(omitted)]), now, .warning))
        }
        if let tally = frame.tally, tallies[tally.questionId] != tally {
            tallies[tally.questionId] = tally
            if !isCompact { lines.append(line(TallyText.short(tally, call), now)) }
        }
        return lines
    }

    /// Returns a line with the counts; nil if they have not changed since the last line.
    private mutating func counts(_ call: Invocation, _ now: Instant, always: Bool = false) -> LiveLine? {
        guard let attendance else { return nil }
        var said = SessionSummary.counts(attendance, nil, call)
        if responses > 0 { said += " · " + call.text(Messages.responsesCount, ["count": String(responses)]) }
        guard always || said != lastLine else { return nil }
        lastLine = said
        // The number of late people has the colour of late names.
        let late = call.text(Messages.lateCount, ["count": String(attendance.late)])
        guard attendance.late > 0, let found = said.firstRange(of: late) else { return line(said, now) }
        var painted = line(String(said[..<found.lowerBound]), now)
        painted.add(late, .warning)
        painted.add(String(said[found.upperBound...]))
        return painted
    }

    private func line(_ text: String, _ now: Instant, _ role: Paint.Role? = nil) -> LiveLine {
        LiveLine(time: now.clock(in: .named(session?.timeZone ?? "UTC")), text, role)
    }

    private static func add(_ people: [AttendeeBody], to line: inout LiveLine, _ call: Invocation) {
        for (index, person) in people.prefix(4).enumerated() {
            line.add(index == 0 ? "  + " : ", ")
            line.add(TerminalEscaping.safe(person.name), person.status.role)
        }
        guard people.count > 4 else { return }
        line.add(" " + call.text(Messages.andMore, ["count": String(people.count - 4)]))
    }
}

extension CommandPhrases.Messages {
    static let andMore = Phrase("and {count} more")
    static let omitted = Phrase(
        "{count} {count|arrival is|arrivals are} not shown; qring attendee list shows all")
    static let absent = Phrase("absent: {names}")
    static let nobodyAbsent = Phrase("nobody is absent")
    static let reconnecting = Phrase("connection lost; retrying in {time} s")
    static let resumed = Phrase("connected again")
}
