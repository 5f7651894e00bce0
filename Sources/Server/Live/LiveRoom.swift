import Journal
import Meetings
import Rooms
import Synchronization
import WebSockets
import Wire

/// Drives one session's room: passes commits, time and results to the room, and the room's frames to the
/// websockets.
///
/// There are two locks. `order` covers each step that decides an order: it copies from the room, encodes,
/// and queues for the websockets. So frames are queued for a subscriber in the order in which the room made
/// them. `state` covers the room itself, and code that holds it only copies, changes or queues. The
/// writer's announcement takes only `state`, so it never waits for an encoding. Code that needs both locks
/// takes `order` first.
final class LiveRoom: Sendable {
    private struct State {
        var room: Room
        var watchers: [View: Int] = [:] {
            didSet { room.watchers = watchers.values.reduce(0, +) }
        }
        /// What the room must read again: question sets, and perhaps the questions from the audience.
        var setsToRead: Set<String> = []
        var mustReadBoard = false
        var isReading = false
        var isGone = false
        /// Whether an edit may have changed the code. The next flush computes and shows it.
        var mustShowCode = false
        /// Whether a client has used the channel of the counts.
        var hasCounts = false
        /// The clients that wait for a position, by the number of their wait.
        var waits: [Int: Wait] = [:]
        var nextWait = 0
        /// The callers of `storedSequence` whose read has not begun yet.
        var sequenceCallers: [SequenceCaller] = []
        var isReadingSequence = false

        /// Removes and returns the waits that end, because the room has published their positions or is gone.
        mutating func takeEndedWaits() -> [Wait] {
            let ended = waits.filter { isGone || $0.value.position <= room.published }
            for number in ended.keys { waits[number] = nil }
            return Array(ended.values)
        }
    }

    private typealias SequenceCaller = CheckedContinuation<Result<Int64?, JournalError>, Never>

    private struct Wait {
        let position: Int64
        let caller: CheckedContinuation<Bool, Never>
    }

    private struct Order {
        /// The encoded snapshots for the position that the room has published. A flush removes them.
        var snapshots: [View: Snapshot] = [:]
        var encodedSnapshots = 0
    }

    /// An encoded snapshot, which all clients that join at the same position share.
    private struct Snapshot {
        let frame: Frame
        let madeAt: Instant

        /// Whether a client may still receive the snapshot. The time that a rotating code remains is part
        /// of it, so it gets old even if nothing changes.
        func isFresh(at now: Instant) -> Bool { madeAt <= now && now < madeAt + .milliseconds(250) }
    }

    let id: SessionID
    let meetingID: MeetingID
    let channels: [View: ChannelID]
    /// The channel of the counts alone, in events with the names of the first app.
    let counts: ChannelID
    private let order = Mutex(Order())
    private let state: Mutex<State>
    private let output: WebSocketChannels
    private let results: ResultsReader
    private let codes: @Sendable (Session) -> CodeBody?
    private let clock: any ServerClock
    private let started = ContinuousClock.now

    init(
        _ room: Room, channels: [View: ChannelID], counts: ChannelID, output: WebSocketChannels,
        clock: any ServerClock,
        results: ResultsReader, codes: @escaping @Sendable (Session) -> CodeBody?
    ) {
        id = room.session.id
        meetingID = room.meeting.id
        self.channels = channels
        self.counts = counts
        self.clock = clock
        self.output = output
        self.results = results
        self.codes = codes
        state = Mutex(State(room: room))
    }

    private var elapsed: Duration { ContinuousClock.now - started }

    var watcherCount: Int { state.withLock { $0.room.watchers } }

    /// The number of snapshots that were encoded.
    var encodedSnapshots: Int { order.withLock { $0.encodedSnapshots } }

    // MARK: Commits and the clock

    /// Applies a commit to the room. After a deletion, the room publishes nothing more. Runs on the
    /// writer's queue.
    func apply(_ commit: SessionCommit) {
        guard commit.record != nil else { return retire() }
        let (action, mustRead) = state.withLock { state -> (Room.Action, Bool) in
            let action = state.room.apply(commit, elapsed: elapsed)
            if commit.isEdited { state.mustShowCode = true }
            state.setsToRead.formUnion(commit.sets)
            if commit.hasNewQuestions { state.mustReadBoard = true }
            let mustRead = (!state.setsToRead.isEmpty || state.mustReadBoard) && !state.isReading
            if mustRead { state.isReading = true }
            return (action, mustRead)
        }
        follow(action)
        if mustRead { Task { await self.readChanges() } }
    }

    /// Publishes nothing more, because the room is removed from memory. Clients that are about to join find
    /// the room again.
    func retire() {
        let ended = state.withLock { state in
            state.isGone = true
            return state.takeEndedWaits()
        }
        for wait in ended { wait.caller.resume(returning: true) }
    }

    /// Shows the session again, because the clock has changed its phase.
    func showPhase() { follow(state.withLock { $0.room.turn(elapsed: elapsed) }) }

    /// Shows the current code, which is another one if codes rotate.
    func showCode() { follow(showCurrentCode()) }

    /// Computes the code without a lock, and shows it unless the session was edited meanwhile.
    private func showCurrentCode() -> Room.Action {
        let session = state.withLock { state in
            state.mustShowCode = false
            return state.room.session
        }
        let code = codes(session)
        return state.withLock { state in
            // The edit has set `mustShowCode` again.
            guard state.room.session.version == session.version else { return .none }
            return state.room.show(code, elapsed: elapsed)
        }
    }

    var hasRotatingCodes: Bool { state.withLock { $0.room.session.codeKind == .rotating } }

    /// Returns the next moment after `now` at which the clock alone changes the session; nil if there is
    /// none.
    func nextPhaseChange(after now: Instant) -> Instant? {
        state.withLock { $0.room.session.nextPhaseChange(after: now) }
    }

    /// Reads the changed question sets and questions from the audience until nothing more has changed. Reads
    /// at most once per flush interval, because the room cannot publish more often.
    private func readChanges() async {
        while true {
            let (names, mustReadBoard) = state.withLock { state -> (Set<String>, Bool) in
                defer { (state.setsToRead, state.mustReadBoard) = ([], false) }
                if state.setsToRead.isEmpty, !state.mustReadBoard { state.isReading = false }
                return (state.setsToRead, state.mustReadBoard)
            }
            if names.isEmpty, !mustReadBoard { return }
            if mustReadBoard, let board = await results.board(of: id) {
                follow(state.withLock { $0.room.apply(board, elapsed: elapsed) })
            }
            let (found, deleted) = names.isEmpty ? ([], []) : await results.read(id, sets: names)
            for name in deleted {
                follow(state.withLock { $0.room.removeSet(name, elapsed: elapsed) })
            }
            for results in found {
                follow(state.withLock { $0.room.apply(results, elapsed: elapsed) })
            }
            try? await Task.sleep(for: state.withLock { $0.room.flushInterval })
        }
    }

    private func follow(_ action: Room.Action) {
        switch action {
        case .none: break
        case .flushNow: Task { self.flush() }
        case .flush(let at):
            Task {
                try? await Task.sleep(for: at - self.elapsed)
                self.flush()
            }
        }
    }

    private func flush() {
        let next = order.withLock { order -> Room.Action in
            // A change of the code becomes a part of this flush.
            if state.withLock({ $0.mustShowCode }) { _ = showCurrentCode() }
            order.snapshots = [:]
            let now = clock.now
            let (publications, next) = state.withLock { state -> ([Publication], Room.Action) in
                if state.isGone { return ([], .none) }
                let views = Set(state.watchers.filter { $0.value > 0 }.keys)
                return state.room.flush(for: views, at: now, elapsed: elapsed)
            }
            let frames = publications.compactMap { publication in
                channels[publication.view].map { (channel: $0, frame: publication.encoded) }
            }
            let counts = publications.compactMap(\.frame.attendance).last?.checkedIn
            let responses = publications.compactMap(\.frame.feedback).last?.responses
            state.withLock { state in
                // The session is deleted and its channels are closed. A frame would open a channel again,
                // without subscribers and without end.
                if state.isGone { return }
                for (channel, frame) in frames { output.publish(frame, to: channel) }
                guard state.hasCounts else { return }
                for frame in SocketCounts.frames(counts, responses) { output.publish(frame, to: self.counts) }
            }
            return next
        }
        for wait in state.withLock({ $0.takeEndedWaits() }) { wait.caller.resume(returning: true) }
        follow(next)
    }

    // MARK: Joining and leaving

    /// Joins a connection to the room: in one piece, queues the answer and then the missed frames or a
    /// snapshot, and subscribes the connection. Does nothing if the room has not published `since` yet.
    /// `news` contains the journal's news after `since`, if memory does not reach back that far and the
    /// journal does.
    func join(
        _ connection: WebSocketConnection, as view: View, message id: Int?, epoch: String, since: Int64?,
        news: [News]?, _ answer: (Joined) -> [UInt8]
    )
        -> Resumption.Outcome
    {
        guard let channel = channels[view] else { return .isGone }
        let (outcome, action) = order.withLock { order -> (Resumption.Outcome, Room.Action) in
            if let since, state.withLock({ since > $0.room.published }) { return (.isBehind, .none) }
            let now = clock.now
            var action = Room.Action.none
            if since != nil || order.snapshots[view]?.isFresh(at: now) != true { action = showCurrentCode() }
            let room = state.withLock { $0.room }
            var missed: [Publication]?
            if let since {
                missed = room.missed(after: since, news, view: view, at: now)
                if missed == nil, news == nil { return (.needsNews, action) }
            }
            let joined = Joined(
                joined: view.name(of: self.id), id: id, epoch: epoch, sequence: room.published,
                recovered: missed != nil, now: now)
            var actions = [ConnectionAction.send(answer(joined))]
            if let since, let missed {
                // The missed frames are sent as to a slow client: the loop sends each frame when the client
                // can receive it.
                actions += [
                    .subscribe(to: channel, at: UInt64(since)), .catchUp(channel, missed.map(\.encoded)),
                ]
            } else {
                let snapshot = snapshot(of: room, for: view, at: now, &order)
                actions += [.sendFrame(snapshot), .subscribe(to: channel, at: snapshot.to)]
            }
            let isJoined = state.withLock { state in
                if state.isGone { return false }
                connection.perform(actions)
                state.watchers[view, default: 0] += 1
                return true
            }
            return (isJoined ? .joined : .isGone, action)
        }
        follow(action)
        return outcome
    }

    /// Returns the encoded snapshot for the position that the room has published.
    private func snapshot(of room: Room, for view: View, at now: Instant, _ order: inout Order) -> Frame {
        if let made = order.snapshots[view], made.isFresh(at: now) { return made.frame }
        let position = UInt64(room.published)
        let frame = Frame.encode(
            text: WireJSON.bytes(room.snapshot(for: view, at: now)), from: position, to: position)
        order.encodedSnapshots += 1
        order.snapshots[view] = Snapshot(frame: frame, madeAt: now)
        return frame
    }

    /// Sends the counts of now, and subscribes the connection to the later ones.
    func beginCounts(_ connection: WebSocketConnection, isBehind: Bool = false) {
        order.withLock { _ in
            let room = state.withLock { state in
                state.hasCounts = true
                return state.room
            }
            let body = room.body(for: .audience, at: clock.now)
            let frames = SocketCounts.frames(body.attendance.checkedIn, body.feedback.responses)
            if isBehind { return connection.catchUp(counts, frames) }
            connection.perform(
                frames.map { ConnectionAction.sendFrame($0) } + [.subscribe(to: counts, at: 0)])
        }
    }

    /// Waits until the room has published all that it knows now. Returns false if that takes longer than
    /// `limit`.
    func publishesAll(within limit: Duration) async -> Bool {
        await publishes(state.withLock { $0.room.sequence }, within: limit)
    }

    /// Waits until the room has published `position`. Returns false if that takes longer than `limit`.
    /// Returns true at once if the room was removed from memory.
    func publishes(_ position: Int64, within limit: Duration) async -> Bool {
        await withCheckedContinuation { caller in
            let number = state.withLock { state -> Int? in
                if state.isGone || position <= state.room.published { return nil }
                state.nextWait += 1
                state.waits[state.nextWait] = Wait(position: position, caller: caller)
                return state.nextWait
            }
            guard let number else { return caller.resume(returning: true) }
            Task {
                try? await Task.sleep(for: limit)
                state.withLock { $0.waits.removeValue(forKey: number) }?.caller.resume(returning: false)
            }
        }
    }

    /// Returns the session's sequence in the database; nil if the session does not exist. At most one read
    /// runs at a time, and serves all callers that came before it began. So clients that invent positions
    /// cost little.
    func storedSequence() async throws(JournalError) -> Int64? {
        let result = await withCheckedContinuation { (caller: SequenceCaller) in
            let mustStart = state.withLock { state in
                state.sequenceCallers.append(caller)
                defer { state.isReadingSequence = true }
                return !state.isReadingSequence
            }
            if mustStart { Task { await self.readSequences() } }
        }
        return try result.get()
    }

    private func readSequences() async {
        while true {
            let callers = state.withLock { state in
                defer { state.sequenceCallers = [] }
                if state.sequenceCallers.isEmpty { state.isReadingSequence = false }
                return state.sequenceCallers
            }
            if callers.isEmpty { return }
            let result: Result<Int64?, JournalError>
            do throws(JournalError) { result = .success(try await results.sequence(of: id)) } catch {
                result = .failure(error)
            }
            for caller in callers { caller.resume(returning: result) }
        }
    }

    func left(_ view: View) { state.withLock { $0.watchers[view, default: 1] -= 1 } }

    /// Sends a slow subscriber the frames that it has missed, from memory or from `news`. Returns false if
    /// memory does not reach back to `position` and `news` is nil.
    func catchUp(_ connection: WebSocketConnection, as view: View, from position: Int64, news: [News]?)
        -> Bool
    {
        guard let channel = channels[view] else { return true }
        return order.withLock { _ in
            let room = state.withLock { $0.room }
            guard let missed = room.missed(after: position, news, view: view, at: clock.now) else {
                return false
            }
            connection.catchUp(channel, missed.map(\.encoded))
            return true
        }
    }

    /// Sends a snapshot to a subscriber that has missed more news than the journal returns at once.
    func sendSnapshot(_ connection: WebSocketConnection, as view: View, from position: Int64) {
        guard let channel = channels[view] else { return }
        order.withLock { order in
            let room = state.withLock { $0.room }
            let snapshot = snapshot(of: room, for: view, at: clock.now, &order)
            connection.catchUp(channel, [snapshot.from(UInt64(position))])
        }
    }
}

extension Room {
    /// Returns the frames after `position`: from memory, or else from the journal's `news`. Returns nil if
    /// neither reaches back that far.
    fileprivate func missed(after position: Int64, _ news: [News]?, view: View, at now: Instant)
        -> [Publication]?
    {
        catchUp(from: position, view: view, at: now)
            ?? news.map { catchUp(from: position, with: completed($0, after: position), view: view, at: now) }
    }
}

extension Publication {
    var encoded: Frame { Frame.encode(text: WireJSON.bytes(frame), from: UInt64(from), to: UInt64(to)) }
}

/// The counts of a session as events of Socket.IO, with the names that the first app listens for.
enum SocketCounts {
    static let attendance = ["homeCnt", "homeAttendCnt", "meetingAttendCnt"]
    static let feedback = ["meetingFeedbackCnt"]

    /// Returns a frame for each name. A nil count has not changed.
    static func frames(_ checkedIn: Int?, _ responses: Int?) -> [Frame] {
        [(attendance, checkedIn), (feedback, responses)].flatMap { names, count in
            count.map { count in names.map { frame($0, count) } } ?? []
        }
    }

    /// Returns the frame for the room `home`.
    static func home(_ checkedIn: Int) -> Frame { frame("homeCnt", checkedIn) }

    private static func frame(_ name: String, _ count: Int) -> Frame {
        Frame.encode(text: Array("42[\"\(name)\",\(count)]".utf8), from: 0, to: 0)
    }
}
