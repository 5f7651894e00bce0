package import Meetings

// Several servers may share one database. Each of them is a node. The engine gives all their batches one
// order: a batch begins when the batch before it, of any node, has ended.

/// What other nodes must learn of a committed batch: ids and flags, and no personal data.
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

        package init(before: Int64) { self.before = before }
    }

    package var sessions: [SessionID: Change] = [:]
    /// The meetings whose settings have changed.
    package var meetings: Set<MeetingID> = []
    package var endedRights: [EndedRight] = []
    package var hasQueuedMail = false
    /// Whether a job has begun or ended.
    package var hasChangedJobs = false

    package init() {}

    /// Adds the note of the next batch.
    package mutating func append(_ next: CommitNote) {
        for (id, change) in next.sessions {
            var sum = sessions[id] ?? CommitNote.Change(before: change.before)
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

/// What other nodes have committed since this node last looked.
package struct OtherCommits: Sendable {
    /// The notes of all these commits, as one.
    package var note = CommitNote()
    /// Whether notes are missing, because this node has not looked for too long.
    package var hasGap = false
    /// Whether this node must read its jobs again: another node may have taken them over, or a commit of this
    /// node has an unknown result.
    package var hasLostJobs = false
    /// The meetings that visible jobs of other nodes are changing; nil if this has not changed.
    package var busyMeetings: Set<MeetingID>?

    package init() {}
}

/// The rooms that show sessions on this node. Any thread may use it.
package protocol RoomDirectory: Sendable {
    /// Whether a room, or a list of sessions, may show the session.
    func shows(_ session: SessionID) -> Bool
    /// The sessions with rooms that may belong to these meetings.
    func shownSessions(of meetings: Set<MeetingID>) -> Set<SessionID>
}

/// The state of the connection between this node and the others.
package struct NodeStatus: Sendable {
    /// The number of other nodes.
    package let others: Int
    /// The time since this node last read what others have committed, or would have.
    package let silence: Duration
    /// The difference between this machine's clock and the database's.
    package let skew: Duration

    /// The largest difference of clocks at which a node with others still writes.
    package static let mostSkew = Duration.seconds(2)
    /// A node with others closes its rooms after this silence, because they may show an old state.
    package static let mostSilence = Duration.seconds(3)

    package init(others: Int, silence: Duration, skew: Duration) {
        (self.others, self.silence, self.skew) = (others, silence, skew)
    }

    package var hasWrongClock: Bool { skew > Self.mostSkew || skew < .zero - Self.mostSkew }

    /// Whether the rooms of this node may be behind those of other nodes.
    package var isCutOff: Bool { others > 0 && silence > Self.mostSilence }
}
