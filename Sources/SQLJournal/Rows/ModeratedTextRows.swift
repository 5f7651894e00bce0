package import Journal
package import Meetings

extension Query {
    fileprivate static let moderation = Query(
        "find text moderation", "SELECT moderation FROM text_moderation WHERE session = ? AND set_name = ?")
    fileprivate static let status = Query(
        "find text status", "SELECT status FROM moderated_texts WHERE question = ? AND response = ?")
    fileprivate static let saveModeration = Query(
        "save text moderation",
        """
        INSERT INTO text_moderation (session, set_name, moderation) VALUES (?, ?, ?)
        ON CONFLICT (session, set_name) DO UPDATE SET moderation = excluded.moderation
        """)
    fileprivate static let saveStatus = Query(
        "save text status",
        """
        INSERT INTO moderated_texts (question, response, status) VALUES (?, ?, ?)
        ON CONFLICT (question, response) DO UPDATE SET status = excluded.status
        """)
    fileprivate static let words = Query(
        "list words",
        """
        SELECT w.word, w.count, m.status FROM words w
        LEFT JOIN moderated_words m ON m.question = w.question AND m.word = w.word
        WHERE w.question = ? ORDER BY w.count DESC, w.word LIMIT ?
        """)
    fileprivate static let wordCount = Query(
        "find word", "SELECT count FROM words WHERE question = ? AND word = ?")
    fileprivate static let wordStatus = Query(
        "find word status", "SELECT status FROM moderated_words WHERE question = ? AND word = ?")
    fileprivate static let wordStatuses = Query(
        "list word statuses", "SELECT word, status FROM moderated_words WHERE question = ?")
    fileprivate static let saveWordStatus = Query(
        "save word status",
        """
        INSERT INTO moderated_words (question, word, status) VALUES (?, ?, ?)
        ON CONFLICT (question, word) DO UPDATE SET status = excluded.status
        """)
    fileprivate static let deleteWordStatus = Query(
        "delete word status", "DELETE FROM moderated_words WHERE question = ? AND word = ?")
    fileprivate static let deleteStatus = Query(
        "delete text status", "DELETE FROM moderated_texts WHERE question = ? AND response = ?")
}

extension SQLRows {
    package func textModeration(of session: SessionID, set: String) throws(JournalError) -> TextModeration {
        try connection.first(.moderation, session, set) { row throws(JournalError) in try row.code(0) }
            ?? TextModeration.none
    }

    package func textStatus(in response: ResponseID, to question: QuestionID) throws(JournalError)
        -> TextStatus?
    {
        try connection.first(.status, question, response) { row throws(JournalError) in try row.code(0) }
    }

    package func words(of question: QuestionID, limit: Int) throws(JournalError) -> [ModeratedWord] {
        try connection.all(.words, question, limit) { row throws(JournalError) in
            ModeratedWord(
                word: row.text(0), count: row.int(1), decided: try row.codeIfAny(2))
        }
    }

    package func wordCount(of word: String, to question: QuestionID) throws(JournalError) -> Int {
        try connection.first(.wordCount, question, word) { $0.int(0) } ?? 0
    }

    package func wordStatus(of word: String, to question: QuestionID) throws(JournalError) -> TextStatus? {
        try connection.first(.wordStatus, question, word) { row throws(JournalError) in try row.code(0) }
    }

    package func wordStatuses(of question: QuestionID) throws(JournalError) -> [String: TextStatus] {
        let found = try connection.all(.wordStatuses, question) {
            row throws(JournalError) -> (String, TextStatus) in (row.text(0), try row.code(1))
        }
        return Dictionary(found) { first, _ in first }
    }

    package func setWordStatus(_ status: TextStatus?, of word: String, to question: QuestionID)
        throws(JournalError)
    {
        if let status {
            try connection.run(.saveWordStatus, question, word, status.code)
        } else {
            try connection.run(.deleteWordStatus, question, word)
        }
    }

    package func save(_ moderation: TextModeration, of session: SessionID, set: String) throws(JournalError) {
        try connection.run(.saveModeration, session, set, moderation.code)
    }

    package func setTextStatus(_ status: TextStatus?, in response: ResponseID, to question: QuestionID)
        throws(JournalError)
    {
        if let status {
            try connection.run(.saveStatus, question, response, status.code)
        } else {
            try connection.run(.deleteStatus, question, response)
        }
    }
}

extension TextModeration: Coded {
    package static let cases: [TextModeration] = [.none, .before, .after]
    package var code: Int {
        switch self {
        case .none: 0
        case .before: 1
        case .after: 2
        }
    }
}

extension TextStatus: Coded {
    package static let cases: [TextStatus] = [.pending, .visible, .hidden]
    package var code: Int {
        switch self {
        case .pending: 0
        case .visible: 1
        case .hidden: 2
        }
    }
}
