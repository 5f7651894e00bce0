package import Meetings

// Several servers may share one database. Each of them is a node. The engine gives all their batches one
// order: a batch begins when the batch before it, of any node, has ended.

/// The note by which other nodes learn of a committed batch: ids, counters and flags, and no personal
/// data.
package struct CommitNote: Codable, Hashable, Sendable {
    /// The changes to one session.
    package struct Change: Codable, Hashable, Sendable {
        /// The sequence of the session before the changes.
        package var before: Int64
        package var isDeleted = false
        package var isEdited = false
        package var sets: Set<String> = []
        package var hasNewQuestions = false
        package var matching = MatchingNews.none
        /// The session's counters after the changes. Nil if more of its record has changed, so that other
        /// nodes must read it.
        package var counters: Counters?

        package struct Counters: Codable, Hashable, Sendable {
            package let sequence: Int64
            package let headCount: HeadCount
        }

        package init(before: Int64) { self.before = before }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            before = try values.decode(Int64.self, forKey: .before)
            isDeleted = try values.decodeIfPresent(Bool.self, forKey: .isDeleted) ?? false
            isEdited = try values.decodeIfPresent(Bool.self, forKey: .isEdited) ?? false
            sets = try values.decodeIfPresent(Set<String>.self, forKey: .sets) ?? []
            hasNewQuestions = try values.decodeIfPresent(Bool.self, forKey: .hasNewQuestions) ?? false
            matching = try values.decodeIfPresent(MatchingNews.self, forKey: .matching) ?? .none
            counters = try values.decodeIfPresent(Counters.self, forKey: .counters)
        }
    }

    package var sessions: [SessionID: Change] = [:]
    /// The meetings whose settings have changed.
    package var meetings: Set<MeetingID> = []
    package var endedRights: [EndedRight] = []
    package var hasQueuedMail = false
    /// Whether a job has begun or ended.
    package var hasChangedJobs = false

    package init() {}

    var isEmpty: Bool {
        sessions.isEmpty && meetings.isEmpty && endedRights.isEmpty && !hasQueuedMail && !hasChangedJobs
    }

    /// Reads a note. A node of another version may have written it without some of these values.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        sessions = try values.decodeIfPresent([SessionID: Change].self, forKey: .sessions) ?? [:]
        meetings = try values.decodeIfPresent(Set<MeetingID>.self, forKey: .meetings) ?? []
        endedRights = try values.decodeIfPresent([EndedRight].self, forKey: .endedRights) ?? []
        hasQueuedMail = try values.decodeIfPresent(Bool.self, forKey: .hasQueuedMail) ?? false
        hasChangedJobs = try values.decodeIfPresent(Bool.self, forKey: .hasChangedJobs) ?? false
    }

    /// Adds the note of the next batch.
    package mutating func append(_ next: CommitNote) {
        for (id, change) in next.sessions {
            guard var sum = sessions[id] else {
                sessions[id] = change
                continue
            }
            sum.counters = sum.counters == nil ? nil : change.counters
            sum.isDeleted = sum.isDeleted || change.isDeleted
            sum.isEdited = sum.isEdited || change.isEdited
            sum.sets.formUnion(change.sets)
            sum.hasNewQuestions = sum.hasNewQuestions || change.hasNewQuestions
            sum.matching.formUnion(change.matching)
            sessions[id] = sum
        }
        meetings.formUnion(next.meetings)
        endedRights += next.endedRights
        hasQueuedMail = hasQueuedMail || next.hasQueuedMail
        hasChangedJobs = hasChangedJobs || next.hasChangedJobs
    }
}

/// The commits of other nodes since this node last looked.
package struct OtherCommits: Sendable {
    /// The notes of all these commits, as one.
    package var note = CommitNote()
    /// Whether notes are missing, because this node has not looked for too long.
    package var hasGap = false
    /// Whether this node must read its jobs again: another node may have taken them over, or a commit of this
    /// node has an unknown result.
    package var hasLostJobs = false
    /// The visible jobs of all nodes, with their meetings; nil if they have not changed.
    package var visibleJobs: [JobID: MeetingID]?

    package init() {}
}

/// The rooms that show sessions on this node. Any thread may use it.
package protocol RoomDirectory: Sendable {
    /// Whether a room may show the session.
    func shows(_ session: SessionID) -> Bool
    /// Whether a list may show any session.
    var hasLists: Bool { get }
    /// The sessions with rooms that may belong to these meetings.
    func shownSessions(of meetings: Set<MeetingID>) -> Set<SessionID>
}

/// The state of the connection between this node and the others.
package struct NodeStatus: Sendable {
    /// The number of other nodes.
    package let others: Int
    /// The time since this node was last known to have all commits.
    package let silence: Duration
    /// The difference between this machine's clock and the database's.
    package let skew: Duration
    /// The time that the last question to the database took.
    package let roundTrip: Duration

    /// The largest difference of clocks at which a node with others still writes.
    package static let mostSkew = Duration.seconds(2)
    /// A node with others closes its rooms after this silence, because they may show an old state.
    package static let mostSilence = Duration.seconds(3)

    package init(others: Int, silence: Duration, skew: Duration, roundTrip: Duration = .zero) {
        (self.others, self.silence, self.skew, self.roundTrip) = (others, silence, skew, roundTrip)
    }

    /// Returns a failure if there are other nodes and this clock differs from the database's by more than
    /// `mostSkew`; otherwise nil.
    package func wrongClock(during operation: String) -> StorageFailure? {
        guard others > 0, skew > Self.mostSkew || skew < .zero - Self.mostSkew else { return nil }
        // The detail is a number, because messages of every language contain it.
        return StorageFailure(.wrongClock, operation: operation, detail: "\(abs(skew / .seconds(1)))")
    }

    /// Whether the rooms of this node may be behind those of other nodes.
    package var isCutOff: Bool { others > 0 && silence > Self.mostSilence }
}
