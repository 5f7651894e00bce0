import Journal
import Meetings

extension MemoryRows {
    func audienceSettings(of session: SessionID) throws(JournalError) -> AudienceSettings? {
        try tables().audienceSettings[session]
    }

    func audienceQuestion(_ id: AudienceQuestionID) throws(JournalError) -> AudienceQuestion? {
        try tables().audienceQuestions[id]
    }

    func audienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, after cursor: AudienceQuestion.Rank?,
        limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        let found = try tables().audienceQuestions.values.filter { question in
            question.sessionID == session && question.status == status && question.mergedInto == nil
                && cursor.map { $0 < question.rank } ?? true
        }
        return Array(found.sorted { $0.rank < $1.rank }.prefix(limit))
    }

    func newestAudienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        let found = try oldest {
            $0.sessionID == session && $0.status == status && $0.mergedInto == nil
        }
        return Array(found.reversed().prefix(limit))
    }

    func audienceCounts(of session: SessionID) throws(JournalError) -> [AudienceQuestion.Status: Int] {
        let found = try tables().audienceQuestions.values.filter {
            $0.sessionID == session && $0.mergedInto == nil
        }
        return Dictionary(grouping: found, by: \.status).mapValues(\.count)
    }

    func audienceQuestions(askedBy attendee: AttendeeID) throws(JournalError) -> [AudienceQuestion] {
        try oldest { $0.attendeeID == attendee }
    }

    func audienceQuestions(mergedInto question: AudienceQuestionID) throws(JournalError)
        -> [AudienceQuestion]
    {
        try oldest { $0.mergedInto == question }
    }

    private func oldest(where isWanted: (AudienceQuestion) -> Bool) throws(JournalError) -> [AudienceQuestion]
    {
        try tables().audienceQuestions.values.filter(isWanted).sorted {
            $0.askedAt == $1.askedAt ? $0.id < $1.id : $0.askedAt < $1.askedAt
        }
    }

    func hasVoted(_ attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool {
        try tables().audienceVotes[Tables.VoteKey(question: question, attendee: attendee)] != nil
    }

    func audienceVotes(of attendee: AttendeeID) throws(JournalError) -> [AudienceVote] {
        try tables().audienceVotes.filter { $0.key.attendee == attendee }.map(\.value)
            .sorted { $0.question < $1.question }
    }

    func removedVotes(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> Int {
        try tables().removedVotes[Tables.RemovedVotes(session: session, attendee: attendee)] ?? 0
    }

    func setRemovedVotes(_ count: Int, of attendee: AttendeeID, in session: SessionID) throws(JournalError) {
        try change("set removed votes") {
            $0.removedVotes[Tables.RemovedVotes(session: session, attendee: attendee)] =
                count == 0 ? nil : count
        }
    }

    func heldWords(of meeting: MeetingID) throws(JournalError) -> HeldWords? {
        try tables().heldWords[meeting]
    }

    func save(_ settings: AudienceSettings, of session: SessionID) throws(JournalError) {
        try change("save audience settings") { tables throws(JournalError) in
            guard tables.sessions[session] != nil else {
                throw conflict("save audience settings", "of no session")
            }
            tables.audienceSettings[session] = settings
        }
    }

    func insert(_ question: AudienceQuestion) throws(JournalError) {
        try change("insert audience question") { tables throws(JournalError) in
            guard tables.sessions[question.sessionID] != nil, tables.audienceQuestions[question.id] == nil
            else { throw conflict("insert audience question", "not unique, or of no session") }
            tables.audienceQuestions[question.id] = question
        }
    }

    func update(_ question: AudienceQuestion) throws(JournalError) {
        try change("update audience question") { tables in
            guard let votes = tables.audienceQuestions[question.id]?.votes else { return }
            tables.audienceQuestions[question.id] = question
            tables.audienceQuestions[question.id]?.votes = votes
        }
    }

    func addVotes(_ count: Int, to question: AudienceQuestionID) throws(JournalError) {
        try change("count votes") { $0.audienceQuestions[question]?.votes += count }
    }

    func insert(_ vote: AudienceVote, of attendee: AttendeeID) throws(JournalError) -> Bool {
        try change("insert vote") { tables throws(JournalError) in
            guard tables.audienceQuestions[vote.question] != nil else {
                throw conflict("insert vote", "of no question")
            }
            let key = Tables.VoteKey(question: vote.question, attendee: attendee)
            guard tables.audienceVotes[key] == nil else { return false }
            tables.audienceVotes[key] = vote
            return true
        }
    }

    func deleteVote(of attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError) -> Bool {
        try change("delete vote") {
            $0.audienceVotes.removeValue(forKey: Tables.VoteKey(question: question, attendee: attendee))
                != nil
        }
    }

    func moveVotes(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) -> Int {
        try change("move votes") { tables in
            let keys = tables.audienceVotes.keys.filter { $0.attendee == attendee }
            for key in keys {
                tables.audienceVotes[Tables.VoteKey(question: key.question, attendee: other)] =
                    tables.audienceVotes.removeValue(forKey: key)
            }
            return keys.count
        }
    }

    func copyVotes(from question: AudienceQuestionID, to root: AudienceQuestionID) throws(JournalError)
        -> Int
    {
        try change("copy votes") { tables in
            var copied = 0
            for key in tables.audienceVotes.keys where key.question == question {
                let copy = Tables.VoteKey(question: root, attendee: key.attendee)
                guard tables.audienceVotes[copy] == nil else { continue }
                tables.audienceVotes[copy] = AudienceVote(question: root, copiedFrom: question)
                copied += 1
            }
            return copied
        }
    }

    func replaceVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError)
    {
        let others = try audienceQuestions(mergedInto: root).filter { $0.id != question }
        try change("replace copied votes") { tables in
            for (key, vote) in tables.audienceVotes
            where key.question == root && vote.copiedFrom == question {
                let other = others.first {
                    tables.audienceVotes[Tables.VoteKey(question: $0.id, attendee: key.attendee)] != nil
                }
                guard let other else { continue }
                tables.audienceVotes[key] = AudienceVote(question: root, copiedFrom: other.id)
            }
        }
    }

    func deleteVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError) -> Int
    {
        try change("delete copied votes") { tables in
            let copied = tables.audienceVotes.filter {
                $0.key.question == root && $0.value.copiedFrom == question
            }
            for key in copied.keys { tables.audienceVotes[key] = nil }
            return copied.count
        }
    }

    func save(_ words: HeldWords, of meeting: MeetingID) throws(JournalError) {
        try change("save held words") { tables throws(JournalError) in
            guard tables.meetings[meeting] != nil else { throw conflict("save held words", "of no meeting") }
            tables.heldWords[meeting] = words
        }
    }
}
