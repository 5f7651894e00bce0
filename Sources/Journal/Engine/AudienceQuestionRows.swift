package import Meetings

/// An attendee's vote for a question.
package struct AudienceVote: Hashable, Sendable, Codable {
    package let question: AudienceQuestionID
    /// The merged question from which this vote was copied; nil if the attendee voted for `question` itself.
    package let copiedFrom: AudienceQuestionID?

    package init(question: AudienceQuestionID, copiedFrom: AudienceQuestionID? = nil) {
        self.question = question
        self.copiedFrom = copiedFrom
    }
}

/// The queries for questions from the audience.
package protocol AudienceQuestionReading: AnyObject {
    /// Returns the session's settings; nil if no host has set them.
    func audienceSettings(of session: SessionID) throws(JournalError) -> AudienceSettings?
    func audienceQuestion(_ id: AudienceQuestionID) throws(JournalError) -> AudienceQuestion?
    /// Returns the questions with this status that were not merged, after `cursor`, in the order of `Rank`.
    func audienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, after cursor: AudienceQuestion.Rank?,
        limit: Int
    ) throws(JournalError) -> [AudienceQuestion]
    /// Returns the questions with this status that were not merged, the newest first.
    func newestAudienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, limit: Int
    ) throws(JournalError) -> [AudienceQuestion]
    /// Returns the number of questions that were not merged, by status.
    func audienceCounts(of session: SessionID) throws(JournalError) -> [AudienceQuestion.Status: Int]
    /// Returns the attendee's questions, including merged and withdrawn ones, the oldest first.
    func audienceQuestions(askedBy attendee: AttendeeID) throws(JournalError) -> [AudienceQuestion]
    /// Returns the questions that were merged directly into this one, the oldest first.
    func audienceQuestions(mergedInto question: AudienceQuestionID) throws(JournalError)
        -> [AudienceQuestion]
    func hasVoted(_ attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool
    /// Returns the attendee's votes, ordered by question.
    func audienceVotes(of attendee: AttendeeID) throws(JournalError) -> [AudienceVote]
    /// Returns how many votes the attendee has removed in the session.
    func removedVotes(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> Int
    /// Returns the meeting's list of words; nil if no host has set one.
    func heldWords(of meeting: MeetingID) throws(JournalError) -> HeldWords?
}

/// The writes of questions from the audience.
package protocol AudienceQuestionWriting: AnyObject {
    /// Inserts or replaces the session's settings.
    func save(_ settings: AudienceSettings, of session: SessionID) throws(JournalError)
    func insert(_ question: AudienceQuestion) throws(JournalError)
    /// Writes all values of the question except its votes. If the text becomes empty or another one, the
    /// former text is erased.
    func update(_ question: AudienceQuestion) throws(JournalError)
    func addVotes(_ count: Int, to question: AudienceQuestionID) throws(JournalError)
    /// Inserts a vote. Returns false if the attendee has already voted for the question.
    func insert(_ vote: AudienceVote, of attendee: AttendeeID) throws(JournalError) -> Bool
    /// Deletes a vote. Returns false if there is none.
    func deleteVote(of attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool
    /// Makes an attendee's votes those of another id, which has no votes. Returns their number.
    func moveVotes(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) -> Int
    /// Sets how many votes the attendee has removed in the session; 0 deletes the row.
    func setRemovedVotes(_ count: Int, of attendee: AttendeeID, in session: SessionID) throws(JournalError)
    /// Copies the votes of a question to another one, except those of attendees who have voted for both.
    /// Returns the number of copied votes.
    func copyVotes(from question: AudienceQuestionID, to root: AudienceQuestionID) throws(JournalError) -> Int
    /// Makes the votes that were copied from a question copies of the oldest other question that is merged
    /// into `root`, if their attendees have voted for such a question. The count of `root` does not change.
    func replaceVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError)
    /// Deletes the votes that were copied from a merged question. Returns their number.
    func deleteVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError) -> Int
    /// Inserts or replaces the meeting's list of words.
    func save(_ words: HeldWords, of meeting: MeetingID) throws(JournalError)
}

extension AudienceQuestionReading {
    /// Returns the questions with one of these statuses, in the order of `Rank`.
    package func audienceQuestions(
        of session: SessionID, statuses: [AudienceQuestion.Status], after cursor: AudienceQuestion.Rank?,
        limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        var found: [AudienceQuestion] = []
        for status in statuses {
            found += try audienceQuestions(of: session, status: status, after: cursor, limit: limit)
        }
        return statuses.count == 1 ? found : Array(found.sorted { $0.rank < $1.rank }.prefix(limit))
    }

    /// Returns the newest questions with one of these statuses, the newest first.
    package func newestAudienceQuestions(
        of session: SessionID, statuses: [AudienceQuestion.Status], limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        var found: [AudienceQuestion] = []
        for status in statuses {
            found += try newestAudienceQuestions(of: session, status: status, limit: limit)
        }
        return Array(found.sorted { ($0.askedAt, $0.id) > ($1.askedAt, $1.id) }.prefix(limit))
    }

    /// Returns the question into which this one was merged, directly or indirectly, or the question itself.
    package func root(of question: AudienceQuestion) throws(JournalError) -> AudienceQuestion {
        var root = question
        // A merged question takes part in no further merge, so this path has no circle.
        while let id = root.mergedInto, let next = try audienceQuestion(id) { root = next }
        return root
    }

    /// Returns the question followed by all questions that were merged into it, directly or indirectly.
    package func group(of root: AudienceQuestion) throws(JournalError) -> [AudienceQuestion] {
        var group = [root]
        var index = 0
        while index < group.count {
            group += try audienceQuestions(mergedInto: group[index].id)
            index += 1
        }
        return group
    }
}
