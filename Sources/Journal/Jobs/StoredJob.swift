package import Meetings

/// A long command whose work is stored, so that it reaches its end even after a crash. The row exists from
/// the transaction that begins the work to the transaction that ends it.
package struct StoredJob: Hashable, Sendable {
    /// The kinds of work. The order of the cases is part of the file format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// Makes a roster equal to a list (`RosterWork`).
        case roster
        /// Changes how a meeting identifies attendees (`RekeyWork`).
        case rekey
        /// Erases a hidden meeting (`ErasureWork`).
        case erasure
        /// Applies a session's late rule to many attendees (`LateRuleWork`).
        case lateRule
        /// Deletes a hidden account (`AccountWork`). The job's meeting does not exist.
        case account
        /// Revokes the presenter links that a former host has made (`LinkRevocation`).
        case links
        /// Deletes a question set with its responses (`SetDeletionWork`).
        case setDeletion
        /// Deletes a person who has withdrawn from the roster (`LeavingWork`).
        case leaving
        /// Renews the codes of a meeting's sessions, or revokes their presenter links (`CodeRevocation`).
        case codes
    }

    package let id: JobID
    package let kind: Kind
    /// The meeting whose rows the job changes.
    package let meeting: MeetingID
    /// Whether readers and commands of the meeting wait for the job's end. False for hidden rows.
    package let isVisible: Bool
    /// The number of steps that are done, and the number of all steps.
    package var done: Int
    package let total: Int

    package init(
        id: JobID, kind: Kind, meeting: MeetingID, isVisible: Bool = true, done: Int = 0, total: Int
    ) {
        self.id = id
        self.kind = kind
        self.meeting = meeting
        self.isVisible = isVisible
        self.done = done
        self.total = total
    }
}

package typealias JobID = ID<StoredJob>

/// The queries for jobs.
package protocol JobReading {
    /// Returns the jobs that have not ended, the oldest first.
    func jobs() throws(JournalError) -> [StoredJob]
    /// Returns the stored plan of the job; nil if there is no such job.
    func plan(of job: JobID) throws(JournalError) -> [UInt8]?
}

/// The writes of jobs, and the writes that only jobs need.
package protocol JobWriting {
    /// Inserts the job. `plan` describes the work for a writer that resumes it.
    func insert(_ job: StoredJob, plan: [UInt8]) throws(JournalError)
    func saveProgress(of job: JobID, done: Int) throws(JournalError)
    func delete(_ job: JobID) throws(JournalError)
    /// Counts the session's attendees by status. Reads all of them.
    func recount(_ session: SessionID) throws(JournalError) -> HeadCount
    /// Moves the session from a hidden meeting to `session.meetingID`, and writes all values of the session.
    func move(_ session: Session) throws(JournalError)
    /// Deletes a hidden meeting without sessions. Such a meeting has no personal data.
    func deleteEmpty(_ meeting: MeetingID) throws(JournalError)
    /// Hides the session: no query finds it, its attendees or its presenter links any more. Its rows now
    /// belong to the hidden meeting `meeting`, which must exist.
    func hide(_ session: SessionID, under meeting: MeetingID) throws(JournalError)
    /// Hides the meeting with its sessions: no query finds them any more.
    func hide(_ meeting: MeetingID) throws(JournalError)
    /// Deletes at most `limit` rows of a hidden meeting. Returns true when the meeting itself is deleted.
    func eraseSome(of meeting: MeetingID, limit: Int) throws(JournalError) -> Bool
}
