import Journal
import Meetings

extension WatchedRows {
    func audienceSettings(of session: SessionID) throws(JournalError) -> AudienceSettings? {
        try inner.audienceSettings(of: session)
    }
    func audienceQuestion(_ id: AudienceQuestionID) throws(JournalError) -> AudienceQuestion? {
        try inner.audienceQuestion(id)
    }
    func audienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, after cursor: AudienceQuestion.Rank?,
        limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        try inner.audienceQuestions(of: session, status: status, after: cursor, limit: limit)
    }
    func newestAudienceQuestions(of session: SessionID, status: AudienceQuestion.Status, limit: Int)
        throws(JournalError) -> [AudienceQuestion]
    { try inner.newestAudienceQuestions(of: session, status: status, limit: limit) }
    func audienceCounts(of session: SessionID) throws(JournalError) -> [AudienceQuestion.Status: Int] {
        try inner.audienceCounts(of: session)
    }
    func audienceQuestions(askedBy attendee: AttendeeID) throws(JournalError) -> [AudienceQuestion] {
        try inner.audienceQuestions(askedBy: attendee)
    }
    func audienceQuestions(mergedInto question: AudienceQuestionID) throws(JournalError)
        -> [AudienceQuestion]
    {
        try inner.audienceQuestions(mergedInto: question)
    }
    func hasVoted(_ attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool {
        try inner.hasVoted(attendee, for: question)
    }
    func audienceVotes(of attendee: AttendeeID) throws(JournalError) -> [AudienceVote] {
        try inner.audienceVotes(of: attendee)
    }
    func removedVotes(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> Int {
        try inner.removedVotes(of: attendee, in: session)
    }
    func setRemovedVotes(_ count: Int, of attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        try inner.setRemovedVotes(count, of: attendee, in: session)
    }
    func heldWords(of meeting: MeetingID) throws(JournalError) -> HeldWords? {
        try inner.heldWords(of: meeting)
    }
    func save(_ settings: AudienceSettings, of session: SessionID) throws(JournalError) {
        try inner.save(settings, of: session)
    }
    func insert(_ question: AudienceQuestion) throws(JournalError) { try inner.insert(question) }
    func update(_ question: AudienceQuestion) throws(JournalError) { try inner.update(question) }
    func addVotes(_ count: Int, to question: AudienceQuestionID) throws(JournalError) {
        try inner.addVotes(count, to: question)
    }
    func insert(_ vote: AudienceVote, of attendee: AttendeeID) throws(JournalError) -> Bool {
        try inner.insert(vote, of: attendee)
    }
    func deleteVote(of attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool {
        try inner.deleteVote(of: attendee, for: question)
    }
    func moveVotes(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) -> Int {
        try inner.moveVotes(of: attendee, to: other)
    }
    func copyVotes(from question: AudienceQuestionID, to root: AudienceQuestionID) throws(JournalError)
        -> Int
    {
        try inner.copyVotes(from: question, to: root)
    }
    func replaceVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError)
    {
        try inner.replaceVotes(copiedFrom: question, to: root)
    }
    func deleteVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError) -> Int
    {
        try inner.deleteVotes(copiedFrom: question, to: root)
    }
    func save(_ words: HeldWords, of meeting: MeetingID) throws(JournalError) {
        try inner.save(words, of: meeting)
    }
}
