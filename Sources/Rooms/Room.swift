package import Meetings
package import Wire

/// The live room of one session, as a pure state machine: it folds commits and makes frames, and owns no socket, no clock and no thread.
///
/// Counts and tallies are state: the newest is sent, whatever was skipped. Arrivals are news: every one is sent, in order, 50 a frame. A room
/// flushes at once when quiet and every 50 ms when busy, so that a burst of check-ins costs each watcher twenty frames a second, not thousands.
package struct Room: Sendable {
    package static let flushInterval = Duration.milliseconds(50)

    /// What the driver is to do.
    package enum Action: Hashable, Sendable {
        case none
        case flushNow
        /// On the driver's monotonic clock.
        case flush(at: Duration)
    }

    package private(set) var session: Session
    package private(set) var meeting: Meeting
    package private(set) var headCount: HeadCount
    /// Of the newest event folded.
    package private(set) var sequence: Int64
    /// Where subscribers stand who have everything that was published.
    package private(set) var published: Int64
    /// What presenters and members are shown; nil where codes are not to be shown.
    package private(set) var code: CodeBody?

    private var ring: NewsRing
    /// Those of the newest 50 arrivals that are published, newest last.
    private var newest: [Attendee]
    /// Arrivals folded, and arrivals told or left out, since the room was made.
    private var arrivalsFolded = 0
    private var arrivalsTold = 0
    private var sets: [String: SetResults]
    private var dirtyTallies: Set<QuestionID> = []
    private var isCountDirty = false
    private var isSessionDirty = false
    private var isFeedbackDirty = false
    private var isCodeDirty = false
    private var lastFlush: Duration?
    private var isFlushScheduled = false

    /// As read from the store in one piece; `newest` are the newest 50 arrivals, newest last.
    package init(
        session: Session, meeting: Meeting, headCount: HeadCount, sequence: Int64, newest: [Attendee], sets: [SetResults],
        code: CodeBody?
    ) {
        self.session = session
        self.meeting = meeting
        self.headCount = headCount
        self.sequence = sequence
        self.code = code
        self.newest = newest
        published = sequence
        ring = NewsRing(from: sequence)
        self.sets = Dictionary(sets.map { ($0.set.name, $0) }) { first, _ in first }
    }

    // MARK: What happened

    /// Changes come in the order of their commits; one that the room was made with already is passed over.
    package mutating func apply(_ change: RoomChange, elapsed: Duration) -> Action {
        guard change.sequence > sequence else { return .none }
        for news in change.news where news.sequence > sequence {
            ring.append(news)
            keepNewest(news)
            if news.kind.isArrival { arrivalsFolded += 1 }
        }
        session = change.session
        meeting = change.meeting
        headCount = change.headCount
        sequence = change.sequence
        isCountDirty = true
        if change.isEdited { isSessionDirty = true }
        return schedule(elapsed)
    }

    private mutating func keepNewest(_ news: News) {
        switch news.kind {
        case .arrived: break
        case .changed(let attendee): newest = newest.map { $0.id == attendee.id ? attendee : $0 }
        case .removed(let id): newest.removeAll { $0.id == id }
        }
    }

    /// Results as they were read after a change that named their set.
    package mutating func apply(_ results: SetResults, elapsed: Duration) -> Action {
        let before = sets[results.set.name]
        sets[results.set.name] = results
        // A result that is shared now is news to those who could not see it before.
        let isSharedNow = results.set.shared && before?.set.shared == false
        for tally in results.tallies where isSharedNow || before?.tallies.contains(tally) != true { dirtyTallies.insert(tally.questionId) }
        isFeedbackDirty = isFeedbackDirty || results.set.name == QuestionSet.feedback
        return schedule(elapsed)
    }

    package mutating func show(_ code: CodeBody?, elapsed: Duration) -> Action {
        guard code != self.code else { return .none }
        self.code = code
        isCodeDirty = true
        return schedule(elapsed)
    }

    /// The clock alone changed what the session shows.
    package mutating func turn(elapsed: Duration) -> Action {
        isSessionDirty = true
        isCountDirty = true
        return schedule(elapsed)
    }

    private mutating func schedule(_ elapsed: Duration) -> Action {
        if isFlushScheduled { return .none }
        isFlushScheduled = true
        guard let lastFlush, elapsed < lastFlush + Self.flushInterval else { return .flushNow }
        return .flush(at: lastFlush + Self.flushInterval)
    }

    // MARK: What is told

    /// One flush: at most one frame of news a view, then a frame for each tally that moved. `next` says whether another flush must follow.
    package mutating func flush(for views: Set<View>, at now: Instant, elapsed: Duration) -> (publications: [Publication], next: Action) {
        isFlushScheduled = false
        lastFlush = elapsed
        let pending = ring.newsKept(after: published)
        let step = Step(pending, upTo: sequence)
        let omitted = arrivalsFolded - arrivalsTold - pending.count { $0.kind.isArrival }
        var publications: [Publication] = []
        for view in View.allCases where views.contains(view) {
            if step.end > published || isSessionDirty || isCountDirty || isFeedbackDirty || isCodeDirty {
                let frame = newsFrame(for: view, step, omitted: omitted, at: now)
                publications.append(Publication(view: view, from: published, to: step.end, frame: frame))
            }
            publications += tallyFrames(for: view, at: step.end) { dirtyTallies.contains($0) }
        }
        published = step.end
        for entry in step.news {
            if case .arrived(let attendee) = entry.kind { newest.append(attendee) }
        }
        if newest.count > RoomFrame.mostArrivals { newest.removeFirst(newest.count - RoomFrame.mostArrivals) }
        arrivalsTold += omitted + step.arrivals
        isCountDirty = false
        isSessionDirty = false
        isFeedbackDirty = false
        isCodeDirty = false
        dirtyTallies = []
        return (publications, published < sequence ? schedule(elapsed) : .none)
    }

    private func newsFrame(for view: View, _ step: Step, omitted: Int, at now: Instant) -> RoomFrame {
        var frame = RoomFrame(room: view.name(of: session.id), sequence: step.end)
        if isCountDirty { frame.attendance = attendance(at: now) }
        if isSessionDirty { frame.session = body(for: view, at: now) }
        if isFeedbackDirty { frame.feedback = feedback }
        if isCodeDirty, view.showsCode { frame.code = code }
        if view.showsNames { tell(step.news, omitted: omitted, in: &frame, at: now) }
        return frame
    }

    private func tell(_ news: ArraySlice<News>, omitted: Int, in frame: inout RoomFrame, at now: Instant) {
        var arrivals: [AttendeeBody] = []
        var changed: [AttendeeBody] = []
        var removed: [AttendeeID] = []
        for entry in news {
            switch entry.kind {
            case .arrived(let attendee): arrivals.append(body(of: attendee, at: now))
            case .changed(let attendee): changed.append(body(of: attendee, at: now))
            case .removed(let id): removed.append(id)
            }
        }
        if !arrivals.isEmpty { frame.arrivals = arrivals }
        if !changed.isEmpty { frame.changed = changed }
        if !removed.isEmpty { frame.removed = removed }
        if omitted > 0 { frame.arrivalsOmitted = omitted }
    }

    private func tallyFrames(for view: View, at position: Int64, where isWanted: (QuestionID) -> Bool) -> [Publication] {
        tallies(for: view).filter { isWanted($0.questionId) }.map { tally in
            var frame = RoomFrame(room: view.name(of: session.id), sequence: position)
            frame.tally = tally
            return Publication(view: view, from: position, to: position, frame: frame)
        }
    }

    // MARK: For those who come, or come back

    /// Everything as it stands for subscribers at `published`.
    package func snapshot(for view: View, at now: Instant) -> RoomFrame {
        var frame = RoomFrame(room: view.name(of: session.id), sequence: published)
        frame.snapshot = RoomFrame.Snapshot(
            session: body(for: view, at: now), tallies: tallies(for: view),
            arrivals: view.showsNames ? newest.map { body(of: $0, at: now) } : nil, code: view.showsCode ? code : nil)
        return frame
    }

    /// What a subscriber at `position` missed, up to `published`. Nil where memory does not reach back that far: then `catchUp(with:)`.
    package func catchUp(from position: Int64, view: View, at now: Instant) -> [Publication]? {
        ring.news(after: position).map { catchUp(from: position, with: $0, view: view, at: now) }
    }

    /// The same from news that were read from the journal, all after `position` and in order.
    package func catchUp(from position: Int64, with news: ArraySlice<News>, view: View, at now: Instant) -> [Publication] {
        var publications: [Publication] = []
        var rest = news.prefix { $0.sequence <= published }
        var at = position
        repeat {
            let step = Step(rest, upTo: published)
            var frame = RoomFrame(room: view.name(of: session.id), sequence: step.end)
            if view.showsNames { tell(step.news, omitted: 0, in: &frame, at: now) }
            rest = rest.dropFirst(step.news.count)
            if step.end == published {
                frame.attendance = attendance(at: now)
                frame.feedback = feedback
                frame.session = body(for: view, at: now)
                if view.showsCode { frame.code = code }
            }
            publications.append(Publication(view: view, from: at, to: step.end, frame: frame))
            at = step.end
        } while at < published
        return publications + tallyFrames(for: view, at: published) { _ in true }
    }

    /// News read from the journal a moment ago, with what the room has folded since.
    package func completed(_ read: [News], after position: Int64) -> ArraySlice<News> {
        let last = read.last?.sequence ?? position
        return (read + ring.newsKept(after: last))[...]
    }

    // MARK: Bodies

    private var summary: FeedbackSummary { sets[QuestionSet.feedback]?.set.summary ?? .none }
    private var feedback: SessionBody.Feedback { SessionBody.Feedback(summary) }

    private func attendance(at now: Instant) -> Attendance {
        Attendance(headCount, planned: session.plannedCount, sessionIsOver: session.isOver(at: now))
    }

    package func body(for view: View, at now: Instant) -> SessionBody {
        var body = SessionBody(session, of: meeting, headCount: headCount, feedback: summary, at: now)
        if view.showsCode {
            body.joinCode = code?.joinCode
            body.checkInUrl = code?.url
        }
        return body
    }

    private func body(of attendee: Attendee, at now: Instant) -> AttendeeBody {
        AttendeeBody(attendee, identifyBy: meeting.identifyBy, sessionIsOver: session.isOver(at: now))
    }

    private func tallies(for view: View) -> [TallyBody] {
        let others = sets.keys.filter { $0 != QuestionSet.feedback }.sorted()
        return ([QuestionSet.feedback] + others).compactMap { sets[$0] }.filter { view.shows($0.set) }.flatMap { $0.tallies }
    }
}

/// As much news as one frame takes.
private struct Step {
    let news: ArraySlice<News>
    let arrivals: Int
    /// The position of whoever has been told it.
    let end: Int64

    /// All of `pending`, or a part that ends before its 51st arrival; news of one event stay together.
    init(_ pending: ArraySlice<News>, upTo sequence: Int64) {
        var count = 0
        var arrivals = 0
        for entry in pending {
            if entry.kind.isArrival, arrivals == RoomFrame.mostArrivals { break }
            if entry.kind.isArrival { arrivals += 1 }
            count += 1
        }
        news = pending.prefix(count)
        self.arrivals = arrivals
        end = count == pending.count ? sequence : news.last?.sequence ?? sequence
    }
}
