import Client
import CommandLine
import Meetings
import Phrases
import RecordText
import Terminal
import Wire

/// Implements `watch`: prints one line for each update, until the goal, the time limit, the end of the room
/// or Ctrl-C.
enum Watching {
    private typealias Messages = CommandPhrases.Messages

    private enum Input: Sendable {
        case update(RoomUpdate)
        case second
        case timeIsUp
    }

    static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let until = call.arguments.value("until")
        if let until, WatchGoal(until) == nil, !WatchEnd.isReadable(until) {
            throw .usage(.notReadable("--until", until, expected: WatchEnd.example))
        }
        let other = call.arguments.has("quiet") ? "quiet" : call.jsonOption
        if call.arguments.has("compact"), let other { throw .usage(.together("--compact", "--\(other)")) }
        var position: WatchPosition?
        if let written = call.arguments.value("since") {
            guard let read = WatchPosition(written) else {
                throw .usage(.notReadable("--since", written, expected: "EPOCH:41"))
            }
            position = read
        }
        let limit = try call.duration("timeout")
        if call.arguments.has("quiet"), until == nil, limit == nil {
            throw .said(
                .usage, CommandPhrases.Fail.quietForever, [:], next: "qring watch … --quiet --until ended")
        }
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        let goal = until.flatMap { WatchGoal($0) }
        var end: WatchEnd?
        if let until, goal == nil { end = try WatchEnd(until, of: session) }
        if !call.wantsJSON, !call.arguments.has("quiet") {
            call.note(
                Messages.watching,
                ["name": TerminalEscaping.safe(session.meetingName), "round": String(session.round)])
        }
        let room = RoomName.session(session.id)
        let client = RoomClient(host, rooms: [room], since: position.map { [room: $0.room] } ?? [:])
        return try await follow(
            call, host, inputs(client.updates(), limit), LiveView(startingWith: session, at: position), goal,
            end, limit)
    }

    private static func follow(
        _ call: Invocation, _ host: APIClient, _ inputs: AsyncStream<Input>, _ start: LiveView,
        _ goal: WatchGoal?, _ end: WatchEnd?, _ limit: Duration?
    ) async throws(CommandFailure) -> ExitCode {
        var view = start
        let progress = ProgressBar(call)
        defer { progress.end() }
        let isQuiet = call.arguments.has("quiet")
        func hasEnded() -> Bool {
            end.map { view.isCaughtUp && $0.isReached(in: view.session, at: view.now()) } ?? false
        }
        var alerts = WatchAlerts(goal: goal, of: start)
        for await input in inputs {
            switch input {
            case .timeIsUp:
                progress.end()
                let time = ["time": DurationText.write(limit ?? .zero, in: call.language)]
                guard let text = goal?.text ?? end?.text else {
                    throw .said(.timedOut, CommandPhrases.Fail.watchTimeUp, time, next: nil)
                }
                throw .said(
                    .timedOut, CommandPhrases.Fail.watchTimedOut, time.merging(["goal": text]) { $1 },
                    next: nil)
            case .second:
                let milestones = view.milestones()
                for (index, milestone) in milestones.enumerated() {
                    let resumption = index == milestones.count - 1 ? view.resumption : nil
                    if milestone == .lateLimit {
                        progress.above { TerminalAlert.show(.lateLimit, of: view, call) }
                    }
                    if !isQuiet { try await report(milestone, resumption, view, call, host, progress) }
                }
                if hasEnded() { return .success }
            case .update(.heard): continue
            case .update(let update):
                let lines = view.take(update, call)
                progress.above {
                    for alert in alerts.alerts(after: update, in: view) {
                        TerminalAlert.show(alert, of: view, call)
                    }
                    if Self.isAboutTheConnection(update) {
                        for line in lines { call.console.errLine(line.painted(call.errPaint)) }
                    } else if !call.wantsJSON, !isQuiet {
                        for line in lines {
                            call.out(line.painted(call.paint, width: call.console.width))
                        }
                    }
                    if call.wantsJSON, !isQuiet { call.jsonLine(WatchLine(update, in: view)) }
                }
                try call.checkOutput()
                if case .ended(let end) = update { return try ended(end, at: call) }
                if hasEnded() { return .success }
                if let goal, view.isCaughtUp {
                    if goal.isReached(by: view) { return .success }
                    progress.show(goal.phrase, goal.progress(of: view), of: goal.count)
                }
            }
        }
        return .interrupted
    }

    /// Prints a moment of the session. After the end, prints the absent people, too.
    private static func report(
        _ milestone: SessionMilestone, _ resumption: WatchPosition?, _ view: LiveView, _ call: Invocation,
        _ host: APIClient, _ progress: ProgressBar
    ) async throws(CommandFailure) {
        var absent: [AttendeeBody]?
        var unnamed = 0
        if milestone == .ended, let id = view.session?.id {
            // The room's counts may be a moment older than the end.
            absent = try await calling { () async throws(APIError) in
                try await host.attendees(of: id, status: .absent)
            }
            unnamed = try await calling { () async throws(APIError) in try await host.session(id).body }
                .attendance.unnamed
        }
        progress.above {
            guard !call.wantsJSON else {
                call.jsonLine(
                    WatchLine(
                        milestone, absent: absent, unnamed: unnamed, position: view.position,
                        resumeFrom: resumption))
                return
            }
            call.out(view.line(for: milestone, call).painted(call.paint))
            guard let absent else { return }
            call.out(view.line(absent: absent.map(\.name), unnamed: unnamed, call).painted(call.paint))
        }
    }

    /// Whether the update concerns the connection. Such lines go to standard error, because only data of the
    /// session go to standard output.
    static func isAboutTheConnection(_ update: RoomUpdate) -> Bool {
        switch update {
        case .joined, .heard, .refused, .reconnecting: true
        case .snapshot, .frame, .home, .ended: false
        }
    }

    static func ended(_ end: RoomEnd, at call: Invocation) throws(CommandFailure) -> ExitCode {
        switch end {
        case .stopped: return .interrupted
        case .unreachable(let detail): throw .api(.unreachable(url: try call.server().url, detail: detail))
        case .refused(let problem): throw .api(.problem(problem))
        case .closed(let code, _):
            typealias Fail = CommandPhrases.Fail
            switch CloseCode(rawValue: code) {
            case .notAuthorized: throw .said(.notAllowed, Fail.roomNotAllowed, [:], next: nil)
            case .roomGone: throw .said(.notFound, Fail.sessionDeleted, [:], next: nil)
            default: throw .failed(Fail.roomEnded, ["code": String(code)])
            }
        }
    }

    private static func inputs(_ updates: AsyncStream<RoomUpdate>, _ limit: Duration?) -> AsyncStream<Input> {
        AsyncStream { continuation in
            let reader = Task {
                for await update in updates { continuation.yield(.update(update)) }
                continuation.finish()
            }
            let clock = Task {
                while (try? await Task.sleep(for: .seconds(1))) != nil { continuation.yield(.second) }
            }
            let timer = limit.map { limit in
                Task {
                    do { try await Task.sleep(for: limit) } catch { return }
                    continuation.yield(.timeIsUp)
                }
            }
            continuation.onTermination = { _ in
                reader.cancel()
                clock.cancel()
                timer?.cancel()
            }
        }
    }
}

extension CommandPhrases.Messages {
    static let watching = Phrase("Watching {name}, session {round}. Press Ctrl-C to stop.")
}

extension CommandPhrases.Fail {
    static let quietForever = Phrase(
        "without --until or --timeout, --quiet would print nothing and never end.")
    static let untilSkipped = Phrase("clocks skip {time} on that day. Write another time.")
    static let untilOver = Phrase("{time} is already over. Write a later time, for example +30m.")
    static let watchTimeUp = Phrase("timed out after {time}.")
    static let roomNotAllowed = Phrase("you no longer have access to this session.")
    static let watchTimedOut = Phrase("{goal} was not reached within {time}.")
}

/// The goal at which `watch` ends: `--until checked-in=50` or `responses=9`.
struct WatchGoal: Equatable {
    enum Kind: String, CaseIterable {
        case checkedIn = "checked-in"
        case responses
    }

    let kind: Kind
    let count: Int

    init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let count = Int(parts[1]),
            count >= 0
        else { return nil }
        self.kind = kind
        self.count = count
    }

    /// The goal as the user types it.
    var text: String { "\(kind.rawValue)=\(count)" }

    func isReached(by view: LiveView) -> Bool {
        (kind == .checkedIn ? view.attendance != nil : view.session != nil) && progress(of: view) >= count
    }

    func progress(of view: LiveView) -> Int {
        switch kind {
        case .checkedIn: view.attendance?.checkedIn ?? 0
        case .responses: view.responses
        }
    }

    var phrase: Phrase {
        switch kind {
        case .checkedIn: CommandPhrases.Progress.checkedIn
        case .responses: CommandPhrases.Progress.responses
        }
    }
}

extension CommandPhrases.Progress {
    static let checkedIn = Phrase("checked in")
    static let responses = Phrase("answers")
}

/// The moment at which `watch` ends: `--until opened`, `ended` or a time of the session's clock.
struct WatchEnd: Equatable {
    enum Moment: Equatable {
        case milestone(SessionMilestone)
        case time(Instant)
    }

    static let example = "checked-in=50, responses=9, opened, ended, 20:30"
    static let words = ["opened": SessionMilestone.checkInOpened, "ended": .ended]

    let text: String
    private let moment: Moment

    static func isReadable(_ text: String) -> Bool { words[text] != nil || WhenText.isReadable(text) }

    /// Reads a word or a time in the session's zone. A time without a day is on the day of the session, or on
    /// the next day if the session goes on past midnight.
    /// - Throws: `.said` if the time is over, or if clocks skip it.
    init(_ text: String, of session: SessionBody, now: Instant = SystemTime.now) throws(CommandFailure) {
        self.text = text
        if let milestone = Self.words[text] {
            moment = .milestone(milestone)
            return
        }
        let zone = Zone.named(session.timeZone)
        func read(from start: Instant) -> Instant? {
            WhenText.isTimeAlone(text)
                ? WhenText.moved(text, from: start, now: now, in: zone)
                : WhenText.start(text, now: now, in: zone)
        }
        guard var time = read(from: session.startsAt) else {
            throw .usage(.notReadable("--until", text, expected: Self.example))
        }
        if time < session.startsAt, time < now, let next = read(from: session.endsAt), next <= session.endsAt
        {
            time = next
        }
        guard !WhenText.isSkipped(text, readAs: time, in: zone) else {
            throw .said(.usage, CommandPhrases.Fail.untilSkipped, ["time": text], next: nil)
        }
        guard time >= now.wholeSecond else {
            throw .said(
                .usage, CommandPhrases.Fail.untilOver,
                ["time": TerminalEscaping.safe(time.labelledWall(in: zone, for: .current))], next: nil)
        }
        moment = .time(time)
    }

    /// Whether the moment has come. An edit of the session can move it.
    func isReached(in session: SessionBody?, at now: Instant) -> Bool {
        switch moment {
        case .milestone(let milestone): session.flatMap(milestone.moment).map { $0 <= now } ?? false
        case .time(let time): time <= now
        }
    }
}

/// The point from which `watch` continues: a position of the room, and the moment until which moments of the
/// session were reported. It is written `EPOCH:41`, or with the moment in milliseconds
/// `EPOCH:41@1795255205000`.
struct WatchPosition: Equatable {
    let room: RoomPosition
    let reportedUntil: Instant?

    init(room: RoomPosition, reportedUntil: Instant?) {
        (self.room, self.reportedUntil) = (room, reportedUntil)
    }

    /// Returns nil if `text` is malformed.
    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let room = RoomPosition(String(parts[0])) else { return nil }
        self.room = room
        guard parts.count == 2 else {
            reportedUntil = nil
            return
        }
        guard let milliseconds = Int64(parts[1]), milliseconds >= 0 else { return nil }
        reportedUntil = Instant(milliseconds: milliseconds)
    }

    var text: String { room.text + (reportedUntil.map { "@\($0.milliseconds)" } ?? "") }
}

/// One update as one line of `watch --json`.
struct WatchLine: Encodable {
    let update: String
    /// The room's position after this update.
    let position: String?
    /// The value for `--since` that continues after this line. Only the last line of a batch has it, so that
    /// a client that stores it and is killed loses nothing.
    var resumeFrom: String?
    var recovered: Bool?
    var snapshot: RoomFrame.Snapshot?
    var frame: RoomFrame?
    var problem: Problem?
    var retryInMs: Int?
    /// The reason of `moment`, `reconnecting` and `ended`, one of a documented list.
    var reason: String?
    /// The absent people with a name, at the moment `ended`.
    var absent: [AttendeeBody]?
    /// The number of absent people without a name, at the moment `ended`.
    var unnamed: Int?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case update, position, resumeFrom, recovered, snapshot, frame, problem, retryInMs, reason, absent
        case unnamed
    }

    static let fields = CodingKeys.allCases.map(\.rawValue)

    /// Makes the line for a moment of the session.
    init(
        _ milestone: SessionMilestone, absent: [AttendeeBody]?, unnamed: Int, position: RoomPosition?,
        resumeFrom: WatchPosition?
    ) {
        update = "moment"
        self.position = position?.text
        self.resumeFrom = resumeFrom?.text
        reason = milestone.rawValue
        self.absent = absent
        self.unnamed = absent == nil ? nil : unnamed
    }

    init(_ update: RoomUpdate, in view: LiveView) {
        position = view.position?.text
        // Lines about the connection do not end a batch.
        if !Watching.isAboutTheConnection(update) { resumeFrom = view.resumption?.text }
        switch update {
        case .joined(let joined):
            self.update = "joined"
            recovered = joined.recovered
        case .snapshot(let snapshot, _, _):
            self.update = "snapshot"
            self.snapshot = snapshot
        case .frame(let frame):
            self.update = "frame"
            self.frame = frame
        case .heard: self.update = "heard"
        case .home: self.update = "home"
        case .refused(let problem):
            self.update = "refused"
            self.problem = problem
        case .reconnecting(let delay, let interruption):
            self.update = "reconnecting"
            retryInMs = Int(delay / .milliseconds(1))
            reason = interruption.code
        case .ended(let end):
            self.update = "ended"
            reason = end.code
            if case .refused(let problem) = end { self.problem = problem }
        }
    }
}

extension RoomInterruption {
    /// The code that `watch --json` prints as `reason`; docs/protocol.md lists the codes.
    var code: String {
        switch self {
        case .closed(let code, let reason): CloseCode.name(of: code, reason: reason)
        case .unreachable: "unreachable"
        case .silent: "silent"
        }
    }
}

extension RoomEnd {
    /// The code that `watch --json` prints as `reason`; docs/protocol.md lists the codes.
    var code: String {
        switch self {
        case .stopped: "stopped"
        case .closed(let code, let reason): CloseCode.name(of: code, reason: reason)
        case .unreachable: "unreachable"
        case .refused: "refused"
        }
    }
}

extension CloseCode {
    /// Returns the reason of the close frame, such as `room_gone`, or else the code's own name. Another
    /// program, such as a proxy, can send any reason, so a reason that is no code is not used.
    fileprivate static func name(of code: UInt16, reason: String) -> String {
        let isCode = reason.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (97...122).contains($0) }
        if !reason.isEmpty, isCode { return reason }
        return switch CloseCode(rawValue: code) {
        case .normal: "normal"
        case .goingAway: "going_away"
        case .policy: "policy"
        case .tooBig: "too_big"
        case .notAuthorized: "not_authorized"
        case .slow: "slow"
        case .roomGone: "room_gone"
        case nil: "closed"
        }
    }
}
