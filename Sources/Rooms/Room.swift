package import Meetings
package import Wire

/// The live room of one session: a pure state machine that applies commits and makes frames. It owns no
/// socket, no clock and no thread.
///
/// Counts, tallies, texts and questions from the audience are state: frames contain the newest values and
/// may skip earlier ones. Arrivals are news: every arrival is sent, in order, 50 per frame. A quiet room
/// flushes at once, and a busy room every 50 ms. A flush of a busy room makes one frame for each view, with
/// one changed tally; the others wait their turn. So a burst of check-ins or answers costs each subscriber 20
/// frames a second, not thousands. After a second without a flush, the first one may make 4 more frames of
/// tallies, so that a single response shows at once; that makes at most 24 in any second.
///
/// A large room flushes less often, with fuller frames: its frames to all watchers cost most of the server's
/// time, and check-ins wait for it.
package struct Room: Sendable {
    /// The least time between two flushes, for at most `watchersOfSmallRoom` watchers.
    package static let flushInterval = Duration.milliseconds(50)
    package static let watchersOfSmallRoom = 1000
    package static let longestInterval = Duration.milliseconds(150)
    /// The changed tallies that the first flush after `quiet` publishes. Later flushes publish one each.
    static let mostTalliesAtOnce = 5
    private static let quiet = Duration.seconds(1)

    /// The action that the room's driver must take.
    package enum Action: Hashable, Sendable {
        case none
        case flushNow
        /// Flush at this time on the driver's monotonic clock.
        case flush(at: Duration)
    }

    /// The session as of the newest commit that the room has applied.
    private(set) var record: SessionRecord
    /// The position of subscribers that have received everything published so far.
    package internal(set) var published: Int64
    /// The code that presenters and members see; nil if the session shows none now.
    package private(set) var code: CodeBody?

    private(set) var ring: NewsRing
    private(set) var newest: NewestArrivals
    /// Since the room was made: the arrivals that were applied and not removed, and those that frames have
    /// published or counted as omitted.
    private(set) var arrivalsApplied = 0
    var arrivalsPublished = 0
    private(set) var sets: [String: SetResults]
    /// The latest deleted sets, at most `mostDeleted`, for clients that catch up.
    private(set) var deleted: [QuestionSet] = []
    /// The questions from the audience, and what the frames have shown of them so far.
    var board: AudienceBoard
    var publishedBoard: AudienceBoard
    /// The texts of answers, as the frames for members have shown them so far.
    var publishedTexts: [QuestionID: QuestionTexts]
    /// The changes, besides the news, that the next flush publishes.
    var changed = Changed()
    /// The number of connections that get the room's frames.
    package var watchers = 0
    private var lastFlush: Duration?
    private var isFlushScheduled = false

    struct Changed {
        var counts = false
        var session = false
        var feedback = false
        var code = false
        var sets: Set<String> = []
        /// The sets that were deleted.
        var deleted: [QuestionSet] = []
        /// The questions whose tallies changed; the first of them has waited longest. Each appears once.
        var tallies: [QuestionID] = []
        /// The questions whose texts have changed, for members.
        var texts: Set<QuestionID> = []
    }

    package var session: Session { record.session }
    package var meeting: Meeting { record.meeting }
    /// The sequence of the newest event that the room has applied.
    package var sequence: Int64 { record.sequence }

    /// Creates a room from one consistent read of the database.
    /// - Parameter newest: the newest 50 arrivals; the newest one is last.
    package init(
        _ record: SessionRecord, newest: [Attendee], sets: [SetResults], board: AudienceBoard = .empty,
        code: CodeBody?
    ) {
        self.record = record
        self.code = code
        self.newest = NewestArrivals(newest)
        (self.board, publishedBoard) = (board, board)
        published = record.sequence
        ring = NewsRing(from: record.sequence)
        self.sets = Dictionary(sets.map { ($0.set.name, $0) }) { first, _ in first }
        publishedTexts = Dictionary(sets.flatMap(\.texts).map { ($0.question, $0) }) { first, _ in first }
    }

    // MARK: Commits, results, codes and time

    /// Applies a commit. The driver passes commits in their order. The room ignores a commit that it already
    /// contains, and a deletion, because the driver then removes the room. An edit of the meeting is an event
    /// of the latest session only. In the meeting's other sessions, the commit of this edit has an unchanged
    /// sequence.
    package mutating func apply(_ commit: SessionCommit, elapsed: Duration) -> Action {
        guard let next = commit.record,
            next.sequence > sequence || commit.isEdited && next.sequence == sequence
        else {
            return .none
        }
        for news in commit.news where news.sequence > sequence {
            // Do not count an arrival as omitted if it was removed before it was published.
            if case .removed(let id) = news.kind {
                arrivalsApplied -= ring.arrivals(of: id, after: published)
            }
            ring.append(news)
            switch news.kind {
            case .arrived: break
            case .changed(let attendee):
                newest.remove(attendee.id)
                // The frame of an arrival that is not published yet adds the attendee.
                if ring.arrivals(of: attendee.id, after: published) == 0 { newest.add(attendee) }
            case .removed(let id): newest.remove(id)
            }
            if news.kind.isArrival { arrivalsApplied += 1 }
        }
        if next.session.namesDeletedAt != nil, record.session.namesDeletedAt == nil {
            // New and returning subscribers must not get the deleted names.
            newest = NewestArrivals([])
            ring = NewsRing(from: next.sequence)
        }
        record = next
        changed.counts = true
        if commit.isEdited { changed.session = true }
        return schedule(elapsed)
    }

    /// Adds an arrival that a frame publishes.
    mutating func notePublished(_ attendee: Attendee) { newest.add(attendee) }

    /// The largest number of deleted sets that the room remembers.
    private static let mostDeleted = 100

    /// Removes a deleted question set with its tallies.
    package mutating func removeSet(_ name: String, elapsed: Duration) -> Action {
        guard let removed = sets.removeValue(forKey: name) else { return .none }
        changed.sets.remove(name)
        changed.tallies.removeAll { id in removed.tallies.contains { $0.questionId == id } }
        for texts in removed.texts {
            changed.texts.remove(texts.question)
            publishedTexts[texts.question] = nil
        }
        changed.deleted.append(removed.set)
        deleted.append(removed.set)
        if deleted.count > Self.mostDeleted { deleted.removeFirst() }
        return schedule(elapsed)
    }

    /// Applies the results of a question set, as read after a change of that set.
    package mutating func apply(_ results: SetResults, elapsed: Duration) -> Action {
        let before = sets[results.set.name]
        // A new set can have the name of a deleted one. A viewer of this frame may not know the new one yet,
        // so the name stays among the frame's removed sets.
        deleted.removeAll { $0.name == results.set.name }
        sets[results.set.name] = results
        // If the host has just shared the results, every tally is new to the viewers who could not see it
        // before.
        let isSharedNow = results.set.shared && before?.set.shared == false
        for tally in results.tallies where isSharedNow || before?.tallies.contains(tally) != true {
            if !changed.tallies.contains(tally.questionId) { changed.tallies.append(tally.questionId) }
        }
        for texts in results.texts where publishedTexts[texts.question] != texts {
            changed.texts.insert(texts.question)
        }
        if results.set.name == QuestionSet.feedback { changed.feedback = true }
        if before.map({ !$0.set.isShown(as: results.set) }) ?? true { changed.sets.insert(results.set.name) }
        return schedule(elapsed)
    }

    /// Shows another code, or none.
    package mutating func show(_ code: CodeBody?, elapsed: Duration) -> Action {
        // The code's remaining time alone is not a change to publish.
        let isSame = code?.url == self.code?.url && code?.joinCode == self.code?.joinCode
        self.code = code
        if isSame { return .none }
        changed.code = true
        // A frame has no value for "no code any more". So the flush sends the session, which then has no
        // code.
        if code == nil { changed.session = true }
        return schedule(elapsed)
    }

    /// Marks the session as changed, because the passing of time alone changed what it shows.
    package mutating func turn(elapsed: Duration) -> Action {
        changed.session = true
        changed.counts = true
        // The clock opens and closes this set; a host opens and closes the others.
        if sets[QuestionSet.feedback] != nil { changed.sets.insert(QuestionSet.feedback) }
        return schedule(elapsed)
    }

    mutating func schedule(_ elapsed: Duration) -> Action {
        if isFlushScheduled { return .none }
        isFlushScheduled = true
        guard let lastFlush, elapsed < lastFlush + flushInterval else { return .flushNow }
        return .flush(at: lastFlush + flushInterval)
    }

    /// The least time between two flushes. It grows with the watchers, so that those of a large room get
    /// together as many frames a second as those of a room of `watchersOfSmallRoom`, up to the longest time.
    package var flushInterval: Duration {
        guard watchers > Self.watchersOfSmallRoom else { return Self.flushInterval }
        return min(Self.longestInterval, Self.flushInterval * watchers / Self.watchersOfSmallRoom)
    }

    /// Begins a flush. Changes after this call belong to the next flush. Returns how many changed tallies the
    /// flush publishes.
    mutating func beginFlush(_ elapsed: Duration) -> Int {
        defer { lastFlush = elapsed }
        isFlushScheduled = false
        guard let lastFlush, elapsed < lastFlush + Self.quiet else { return Self.mostTalliesAtOnce }
        return 1
    }
}

extension QuestionSet {
    /// Whether the summaries of the two sets are equal.
    fileprivate func isShown(as other: QuestionSet) -> Bool {
        title == other.title && next == other.next && openByHand == other.openByHand && shared == other.shared
            && promise == other.promise && changeable == other.changeable && position == other.position
            && heading == other.heading
            && questions.count == other.questions.count && version == other.version
            && responses == other.responses && publishedResponses == other.publishedResponses
            && withoutReceipt == other.withoutReceipt
    }
}
