package import Journal
package import Meetings

/// The settings of a session.
struct AudienceSettingsRow {
    let session: SessionID
    let settings: AudienceSettings
}

enum AudienceSettingsColumn: Int32, Columns {
    case open, promise, moderation, asked, version
    // Written only.
    case session

    static let table = "audience_settings"
    var writing: ColumnWriting { self == .session ? .key : .always }
    var isRead: Bool { self != .session }

    func bind(_ row: AudienceSettingsRow, to parameters: inout Parameters) {
        switch self {
        case .open: parameters.bind(row.settings.open)
        case .promise: parameters.bind(row.settings.promise.code)
        case .moderation: parameters.bind(row.settings.moderation.code)
        case .asked: parameters.bind(row.settings.asked)
        case .version: parameters.bind(row.settings.version)
        case .session: parameters.bind(row.session)
        }
    }
}

enum AudienceQuestionColumn: Int32, Columns {
    case id, session, attendee, promise, askedAt, text, status, pinned, answer, votes, mergedInto, version

    static let table = "audience_questions"

    var writing: ColumnWriting {
        switch self {
        case .id: .key
        // `addVotes` changes the votes.
        case .session, .votes: .once
        default: .always
        }
    }

    func bind(_ question: AudienceQuestion, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(question.id)
        case .session: parameters.bind(question.sessionID)
        case .attendee: parameters.bind(question.attendeeID)
        case .promise: parameters.bind(question.promise.code)
        case .askedAt: parameters.bind(question.askedAt)
        case .text: parameters.bind(question.text)
        case .status: parameters.bind(question.status.code)
        case .pinned: parameters.bind(question.pinned)
        case .answer: parameters.bind(question.answer)
        case .votes: parameters.bind(question.votes)
        case .mergedInto: parameters.bind(question.mergedInto)
        case .version: parameters.bind(question.version)
        }
    }
}

extension Writing where Column == AudienceSettingsColumn {
    fileprivate static let saveSettings = save("save audience settings")
}

extension Writing where Column == AudienceQuestionColumn {
    fileprivate static let insertQuestion = insert("insert audience question")
    fileprivate static let updateQuestion = update("update audience question")
}

extension Query {
    private static let columns = AudienceQuestionColumn.selected()

    fileprivate static let settings = Query(
        "find audience settings",
        "SELECT \(AudienceSettingsColumn.selected()) FROM audience_settings WHERE session = ?")
    fileprivate static let question = Query(
        "find audience question", "SELECT \(columns) FROM audience_questions WHERE id = ?")
    // The conditions repeat the expressions and the condition of the index literally.
    fileprivate static let questions = Query(
        "list audience questions",
        """
        SELECT \(columns) FROM audience_questions
        WHERE session = ?1 AND status = ?2 AND merged_into IS NULL
            AND (-pinned, -votes, asked_at, id) > (?3, ?4, ?5, ?6)
        ORDER BY -pinned, -votes, asked_at, id LIMIT ?7
        """)
    fileprivate static let newestQuestions = Query(
        "list the newest audience questions",
        """
        SELECT \(columns) FROM audience_questions
        WHERE session = ?1 AND status = ?2 AND merged_into IS NULL
        ORDER BY asked_at DESC, id DESC LIMIT ?3
        """)
    fileprivate static let counts = Query(
        "count audience questions",
        """
        SELECT status, count(*) FROM audience_questions WHERE session = ? AND merged_into IS NULL
        GROUP BY status
        """)
    fileprivate static let questionsOf = Query(
        "list an attendee's questions",
        "SELECT \(columns) FROM audience_questions WHERE attendee = ? ORDER BY asked_at, id")
    fileprivate static let mergedInto = Query(
        "list merged questions",
        "SELECT \(columns) FROM audience_questions WHERE merged_into = ? ORDER BY asked_at, id")
    fileprivate static let vote = Query(
        "find vote", "SELECT 1 FROM audience_votes WHERE question = ? AND attendee = ?")
    fileprivate static let votesOf = Query(
        "list an attendee's votes",
        "SELECT question, copied_from FROM audience_votes WHERE attendee = ? ORDER BY question")
    fileprivate static let removedVotes = Query(
        "find removed votes", "SELECT count FROM removed_votes WHERE session = ? AND attendee = ?")
    fileprivate static let saveRemovedVotes = Query(
        "save removed votes",
        """
        INSERT INTO removed_votes (session, attendee, count) VALUES (?, ?, ?)
        ON CONFLICT (session, attendee) DO UPDATE SET count = excluded.count
        """)
    fileprivate static let deleteRemovedVotes = Query(
        "delete removed votes", "DELETE FROM removed_votes WHERE session = ? AND attendee = ?")
    fileprivate static let heldWords = Query(
        "find held words", "SELECT words, version FROM held_words WHERE meeting = ?")

    fileprivate static let addVotes = Query(
        "count votes", "UPDATE audience_questions SET votes = votes + ?2 WHERE id = ?1")
    fileprivate static let insertVote = Query(
        "insert vote",
        """
        INSERT INTO audience_votes (question, attendee, copied_from) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
        """)
    fileprivate static let deleteVote = Query(
        "delete vote", "DELETE FROM audience_votes WHERE question = ? AND attendee = ?")
    fileprivate static let moveVotes = Query(
        "move votes", "UPDATE audience_votes SET attendee = ?2 WHERE attendee = ?1")
    fileprivate static let copyVotes = Query(
        "copy votes",
        """
        INSERT INTO audience_votes (question, attendee, copied_from)
        SELECT ?2, attendee, ?1 FROM audience_votes WHERE question = ?1 ON CONFLICT DO NOTHING
        """)
    // The inner statements only search the votes of the deleted copies. Copying the other questions' votes
    // again would try to insert each of their votes.
    fileprivate static let replaceCopied = Query(
        "replace copied votes",
        """
        UPDATE audience_votes SET copied_from =
            (SELECT q.id FROM audience_questions q CROSS JOIN audience_votes v
                ON v.question = q.id AND v.attendee = audience_votes.attendee
            WHERE q.merged_into = ?2 AND q.id <> ?1 ORDER BY q.asked_at, q.id LIMIT 1)
        WHERE copied_from IS NOT NULL AND copied_from = ?1 AND question = ?2 AND EXISTS
            (SELECT 1 FROM audience_questions q CROSS JOIN audience_votes v
                ON v.question = q.id AND v.attendee = audience_votes.attendee
            WHERE q.merged_into = ?2 AND q.id <> ?1)
        """)
    fileprivate static let deleteCopied = Query(
        "delete copied votes",
        "DELETE FROM audience_votes WHERE copied_from IS NOT NULL AND copied_from = ? AND question = ?")
    fileprivate static let saveWords = Query(
        "save held words",
        """
        INSERT INTO held_words (meeting, words, version) VALUES (?, ?, ?)
        ON CONFLICT (meeting) DO UPDATE SET words = excluded.words, version = excluded.version
        """)
}

extension SQLRows {
    package func audienceSettings(of session: SessionID) throws(JournalError) -> AudienceSettings? {
        try connection.first(.settings, session) { row throws(JournalError) in
            let cells = Cells<AudienceSettingsColumn>(row)
            return AudienceSettings(
                open: cells.bool(.open), promise: try cells.code(.promise),
                moderation: try cells.code(.moderation), asked: cells.int(.asked),
                version: cells.int(.version))
        }
    }

    package func audienceQuestion(_ id: AudienceQuestionID) throws(JournalError) -> AudienceQuestion? {
        try connection.first(.question, id, read: Self.question)
    }

    package func audienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, after cursor: AudienceQuestion.Rank?,
        limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        let after =
            cursor
            ?? AudienceQuestion.Rank(
                isPinned: true, votes: .max, askedAt: Instant(milliseconds: .min), id: ID(high: 0, low: 0))
        return try connection.all(
            .questions, session, status.code, after.isPinned ? -1 : 0, -after.votes, after.askedAt, after.id,
            limit, read: Self.question)
    }

    package func newestAudienceQuestions(
        of session: SessionID, status: AudienceQuestion.Status, limit: Int
    ) throws(JournalError) -> [AudienceQuestion] {
        try connection.all(.newestQuestions, session, status.code, limit, read: Self.question)
    }

    package func audienceCounts(of session: SessionID) throws(JournalError) -> [AudienceQuestion.Status: Int]
    {
        let counts: [(AudienceQuestion.Status, Int)] = try connection.all(.counts, session) {
            row throws(JournalError) in (try row.code(0), row.int(1))
        }
        return Dictionary(counts) { $1 }
    }

    package func audienceQuestions(askedBy attendee: AttendeeID) throws(JournalError) -> [AudienceQuestion] {
        try connection.all(.questionsOf, attendee, read: Self.question)
    }

    package func audienceQuestions(mergedInto question: AudienceQuestionID) throws(JournalError)
        -> [AudienceQuestion]
    {
        try connection.all(.mergedInto, question, read: Self.question)
    }

    package func hasVoted(_ attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError)
        -> Bool
    {
        try connection.first(.vote, question, attendee) { _ in true } ?? false
    }

    package func audienceVotes(of attendee: AttendeeID) throws(JournalError) -> [AudienceVote] {
        try connection.all(.votesOf, attendee) { row throws(JournalError) in
            AudienceVote(question: try row.id(0), copiedFrom: row.idIfAny(1))
        }
    }

    package func removedVotes(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> Int {
        try connection.first(.removedVotes, session, attendee) { $0.int(0) } ?? 0
    }

    package func setRemovedVotes(_ count: Int, of attendee: AttendeeID, in session: SessionID)
        throws(JournalError)
    {
        if count == 0 {
            try connection.run(.deleteRemovedVotes, session, attendee)
        } else {
            try connection.run(.saveRemovedVotes, session, attendee, count)
        }
    }

    package func heldWords(of meeting: MeetingID) throws(JournalError) -> HeldWords? {
        try connection.first(.heldWords, meeting) { row throws(JournalError) in
            HeldWords(try row.json(0), version: row.int(1))
        }
    }

    package func save(_ settings: AudienceSettings, of session: SessionID) throws(JournalError) {
        try connection.run(.saveSettings, AudienceSettingsRow(session: session, settings: settings))
    }

    package func insert(_ question: AudienceQuestion) throws(JournalError) {
        try connection.run(.insertQuestion, question)
    }

    package func update(_ question: AudienceQuestion) throws(JournalError) {
        try connection.run(.updateQuestion, question)
        if question.status == .withdrawn { try noteErasure() }
    }

    package func addVotes(_ count: Int, to question: AudienceQuestionID) throws(JournalError) {
        if count != 0 { try connection.run(.addVotes, question, count) }
    }

    package func insert(_ vote: AudienceVote, of attendee: AttendeeID) throws(JournalError) -> Bool {
        try connection.run(.insertVote, vote.question, attendee, vote.copiedFrom) == 1
    }

    package func deleteVote(of attendee: AttendeeID, for question: AudienceQuestionID) throws(JournalError)
        -> Bool
    {
        try connection.run(.deleteVote, question, attendee) == 1
    }

    package func moveVotes(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) -> Int {
        try connection.run(.moveVotes, attendee, other)
    }

    package func copyVotes(from question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError)
        -> Int
    {
        try connection.run(.copyVotes, question, root)
    }

    package func replaceVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError)
    {
        try connection.run(.replaceCopied, question, root)
    }

    package func deleteVotes(copiedFrom question: AudienceQuestionID, to root: AudienceQuestionID)
        throws(JournalError) -> Int
    {
        try connection.run(.deleteCopied, question, root)
    }

    package func save(_ words: HeldWords, of meeting: MeetingID) throws(JournalError) {
        try connection.run(.saveWords, meeting, JSONText.of(words.words), words.version)
    }

    private static func question(_ row: Row) throws(JournalError) -> AudienceQuestion {
        let cells = Cells<AudienceQuestionColumn>(row)
        return AudienceQuestion(
            id: try cells.id(.id), sessionID: try cells.id(.session), attendeeID: cells.idIfAny(.attendee),
            promise: try cells.code(.promise), askedAt: cells.instant(.askedAt), text: cells.text(.text),
            status: try cells.code(.status), pinned: cells.bool(.pinned), answer: cells.text(.answer),
            votes: cells.int(.votes), mergedInto: cells.idIfAny(.mergedInto), version: cells.int(.version))
    }
}

extension AudienceQuestion.Status: Coded {
    package static let cases: [AudienceQuestion.Status] = [
        .pending, .visible, .answered, .hidden, .withdrawn,
    ]
    package var code: Int {
        switch self {
        case .pending: 0
        case .visible: 1
        case .answered: 2
        case .hidden: 3
        case .withdrawn: 4
        }
    }
}

extension AudienceQuestion.Promise: Coded {
    package static let cases: [AudienceQuestion.Promise] = [.hidden, .named]
    package var code: Int {
        switch self {
        case .hidden: 0
        case .named: 1
        }
    }
}

extension AudienceSettings.Moderation: Coded {
    package static let cases: [AudienceSettings.Moderation] = [.before, .after]
    package var code: Int {
        switch self {
        case .before: 0
        case .after: 1
        }
    }
}
