package import Journal
package import Meetings

/// A question set of a session, without its questions.
struct QuestionSetRow {
    let session: SessionID
    let set: QuestionSet
}

enum QuestionSetColumn: Int32, Columns {
    case name, openByHand, shared, anonymous, responses, publishedResponses, version, about, publishedAs
    case withoutReceipt, restShown, anonymityFixed, namesHidden, changeable, position
    // Written only.
    case session

    static let table = "question_sets"
    var writing: ColumnWriting { self == .session || self == .name ? .key : .always }
    var isRead: Bool { self != .session }

    func bind(_ row: QuestionSetRow, to parameters: inout Parameters) throws(JournalError) {
        switch self {
        case .name: parameters.bind(row.set.name)
        case .openByHand: parameters.bind(row.set.openByHand)
        case .shared: parameters.bind(row.set.shared)
        case .anonymous: parameters.bind(row.set.anonymous)
        case .responses: parameters.bind(row.set.responses)
        case .publishedResponses: parameters.bind(row.set.publishedResponses)
        case .version: parameters.bind(row.set.version)
        case .about: parameters.bind(try StoredAbout(row.set).json)
        case .publishedAs: parameters.bind(row.set.publishedAs)
        case .withoutReceipt: parameters.bind(row.set.withoutReceipt)
        case .restShown: parameters.bind(row.set.restIsShown)
        case .anonymityFixed: parameters.bind(row.set.anonymityIsFixed)
        case .namesHidden: parameters.bind(row.set.promise == .hidden)
        case .changeable: parameters.bind(row.set.changeable)
        case .position: parameters.bind(row.set.position)
        case .session: parameters.bind(row.session)
        }
    }
}

/// A response, with its answers as JSON.
struct ResponseRow {
    let response: Response
    let answers: String
    let isPublished: Bool
}

enum ResponseColumn: Int32, Columns {
    case id, session, setName, attendee, answers, at
    // Written only: each statement that reads responses selects those with one value.
    case published

    static let table = "responses"
    /// `replaceAnswers`, `link`, `unlink` and `publish` change them, and find the row by all of its key.
    var writing: ColumnWriting { .once }
    var isRead: Bool { self != .published }

    func bind(_ row: ResponseRow, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(row.response.id)
        case .session: parameters.bind(row.response.sessionID)
        case .setName: parameters.bind(row.response.set)
        case .attendee: parameters.bind(row.response.attendeeID)
        case .answers: parameters.bind(row.answers)
        case .at: parameters.bind(row.response.at)
        case .published: parameters.bind(row.isPublished)
        }
    }
}

extension Writing where Column == QuestionSetColumn {
    fileprivate static let saveSet = save("save question set")
    fileprivate static let saveSettings = update("save question set's settings")
}

extension Writing where Column == ResponseColumn {
    fileprivate static let insertResponse = insert("insert response")
}

extension Query {
    private static let setColumns = QuestionSetColumn.selected()
    private static let responseColumns = ResponseColumn.selected()

    fileprivate static let questionSet = Query(
        "find question set", "SELECT \(setColumns) FROM question_sets WHERE session = ? AND name = ?")
    fileprivate static let questionSets = Query(
        "list question sets",
        "SELECT \(setColumns) FROM question_sets WHERE session = ? ORDER BY name")
    fileprivate static let feedbackSummary = Query(
        "find feedback summary",
        """
        SELECT (SELECT count(*) FROM questions WHERE session = ?1 AND set_name = ?2), responses, anonymous,
            shared, open_by_hand,
            anonymity_fixed, names_hidden
        FROM question_sets WHERE session = ?1 AND name = ?2
        """)
    fileprivate static let firstQuestion = Query(
        "find first question",
        "SELECT body FROM questions WHERE session = ? AND set_name = ? ORDER BY position LIMIT 1")
    fileprivate static let questionCounts = Query(
        "count questions", "SELECT set_name, count(*) FROM questions WHERE session = ? GROUP BY set_name")
    fileprivate static let questionsSize = Query(
        "measure questions",
        """
        SELECT (SELECT count(*) FROM questions WHERE session = ?1 AND (?2 IS NULL OR set_name = ?2)),
            CAST((SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) FROM questions
                WHERE session = ?1 AND (?2 IS NULL OR set_name = ?2))
            + (SELECT coalesce(sum(length(CAST(about AS BLOB))), 0) FROM question_sets
                WHERE session = ?1 AND (?2 IS NULL OR name = ?2)) AS bigint)
        """)
    // A text of the JSON follows a name and `":"`. Inside a text, JSON escapes the quotation marks.
    fileprivate static let textCount = Query(
        "count texts",
        """
        SELECT CAST(((SELECT coalesce(sum(length(body) - length(replace(body, '":"', ''))), 0) FROM questions
                WHERE session = ?1 AND (?2 IS NULL OR set_name = ?2))
            + (SELECT coalesce(sum(length(about) - length(replace(about, '":"', ''))), 0) FROM question_sets
                WHERE session = ?1 AND (?2 IS NULL OR name = ?2))) / 3 AS bigint)
        """)
    fileprivate static let setOfQuestion = Query(
        "find question", "SELECT session, set_name FROM questions WHERE id = ?")
    fileprivate static let published = Query(
        "find published form", "SELECT session, name FROM question_sets WHERE published_as = ?")
    fileprivate static let tallies = Query(
        "list tallies",
        """
        SELECT t.question, t.published, t.pending, t.waiting FROM questions q
            CROSS JOIN tallies t ON t.question = q.id
        WHERE q.session = ? AND q.set_name = ?
        """)
    fileprivate static let hasAnswered = Query(
        "find answered", "SELECT 1 FROM answered WHERE attendee = ? AND set_name = ?")
    fileprivate static let responses = Query(
        "list responses",
        """
        SELECT \(responseColumns) FROM responses
        WHERE session = ?1 AND set_name = ?2 AND (at, id) < (?3, ?4) AND published = 1
            ORDER BY at DESC, id DESC LIMIT ?5
        """)
    // The statement names the index for the same reason as `publish`.
    fileprivate static let unpublished = Query(
        "list responses that wait",
        "SELECT \(responseColumns) FROM responses INDEXED BY responses_unpublished WHERE session = ? AND "
            + "set_name = ? AND published = 0"
    )
    fileprivate static let responseOf = Query(
        "find response", "SELECT \(responseColumns) FROM responses WHERE attendee = ? AND set_name = ?")
    // The conditions must repeat the conditions of the partial index literally. The index holds only the few
    // sets that the server may have to seal. The statement repeats the feedback window
    // (`Session.feedbackIsOpen`) as SQL.
    fileprivate static let toSeal = Query(
        "list sets to seal",
        """
        SELECT q.session, q.name FROM question_sets q INDEXED BY question_sets_to_seal
            CROSS JOIN sessions s ON s.id = q.session
        WHERE q.anonymous = 1 AND q.responses > 0 AND q.sealed = 0
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = q.session)
            AND NOT CASE WHEN q.open_by_hand IS NOT NULL THEN q.open_by_hand = 1
                ELSE s.starts_at <= ?1 AND ?1 <= s.ends_at + s.feedback_closes_hours_after * 3600000 END
            AND ((q.published_responses = q.responses AND NOT EXISTS (
                    SELECT 1 FROM questions n CROSS JOIN tallies t ON t.question = n.id
                    WHERE n.session = q.session AND n.set_name = q.name AND t.waiting <> '[]'))
                OR s.ends_at + s.feedback_closes_hours_after * 3600000 < ?1)
        ORDER BY q.session, q.name LIMIT ?2
        """)

    fileprivate static let questionIDs = Query(
        "list question ids", "SELECT id FROM questions WHERE session = ? AND set_name = ?")
    // If the id belongs to a question of another set, the condition is false and no row changes.
    fileprivate static let saveQuestion = Query(
        "save question",
        """
        INSERT INTO questions (id, session, set_name, position, body) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET position = excluded.position, body = excluded.body
            WHERE questions.session = excluded.session AND questions.set_name = excluded.set_name
        """)
    fileprivate static let deleteQuestion = Query("delete question", "DELETE FROM questions WHERE id = ?")
    fileprivate static let saveTally = Query(
        "save tally",
        """
        INSERT INTO tallies (question, published, pending, waiting) VALUES (?, ?, ?, ?)
        ON CONFLICT (question) DO UPDATE SET published = excluded.published, pending = excluded.pending,
            waiting = excluded.waiting
        """)
    fileprivate static let markAnswered = Query(
        "mark answered", "INSERT INTO answered (attendee, set_name) VALUES (?, ?) ON CONFLICT DO NOTHING")
    fileprivate static let hasAnsweredDevice = Query(
        "find device", "SELECT 1 FROM answered_devices WHERE session = ? AND set_name = ? AND device = ?")
    fileprivate static let markDevice = Query(
        "mark device",
        "INSERT INTO answered_devices (session, set_name, device) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    fileprivate static let deleteDevices = Query(
        "delete devices",
        """
        DELETE FROM answered_devices WHERE (session, set_name, device) IN
            (SELECT session, set_name, device FROM answered_devices
            WHERE session = ?1 AND set_name = ?2 LIMIT ?3)
        """)
    fileprivate static let deleteResponse = Query(
        "delete response", "DELETE FROM responses WHERE attendee = ? AND set_name = ?")
    // The key of the row stays, so that the statement needs no search by a link that may be gone.
    fileprivate static let replaceAnswers = Query(
        "replace answers",
        """
        UPDATE responses SET answers = ?5, changes = changes + 1
            WHERE session = ?1 AND set_name = ?2 AND at = ?3 AND id = ?4
        """)
    fileprivate static let changes = Query(
        "count changes of answers",
        "SELECT changes FROM responses WHERE session = ? AND set_name = ? AND at = ? AND id = ?")
    fileprivate static let unlink = Query(
        "unlink response",
        "UPDATE responses SET attendee = NULL WHERE session = ?1 AND set_name = ?2 AND at = ?3 AND id = ?4")
    fileprivate static let link = Query(
        "link response",
        """
        UPDATE responses SET attendee = ?5
            WHERE session = ?1 AND set_name = ?2 AND at = ?3 AND id = ?4 AND attendee IS NULL
        """)
    fileprivate static let deleteResponses = Query(
        "delete responses",
        """
        DELETE FROM responses WHERE (session, set_name, at, id) IN
            (SELECT session, set_name, at, id FROM responses WHERE session = ?1 AND set_name = ?2 LIMIT ?3)
        """)
    fileprivate static let deleteWords = Query(
        "delete words",
        """
        DELETE FROM words WHERE (question, word) IN
            (SELECT w.question, w.word FROM questions q CROSS JOIN words w ON w.question = q.id
            WHERE q.session = ?1 AND q.set_name = ?2 LIMIT ?3)
        """)
    fileprivate static let deleteModeratedTexts = Query(
        "delete moderated texts",
        """
        DELETE FROM moderated_texts WHERE (question, response) IN
            (SELECT m.question, m.response FROM questions q
            CROSS JOIN moderated_texts m ON m.question = q.id
            WHERE q.session = ?1 AND q.set_name = ?2 LIMIT ?3)
        """)
    fileprivate static let deleteModeratedWords = Query(
        "delete moderated words",
        """
        DELETE FROM moderated_words WHERE (question, word) IN
            (SELECT m.question, m.word FROM questions q CROSS JOIN moderated_words m ON m.question = q.id
            WHERE q.session = ?1 AND q.set_name = ?2 LIMIT ?3)
        """)
    fileprivate static let countWord = Query(
        "count word",
        """
        INSERT INTO words (question, word, count) VALUES (?, ?, ?)
        ON CONFLICT (question, word) DO UPDATE SET count = words.count + excluded.count
        """)
    fileprivate static let deleteWord = Query(
        "delete word", "DELETE FROM words WHERE question = ? AND word = ? AND count <= 0")
    fileprivate static let deleteSet = Query(
        "delete question set", "DELETE FROM question_sets WHERE session = ? AND name = ?")
    fileprivate static let deleteMark = Query(
        "delete answered", "DELETE FROM answered WHERE attendee = ? AND set_name = ?")
    // The statement names the index because the primary key begins with the same columns. A search by the
    // primary key would read every response of the set.
    fileprivate static let publish = Query(
        "publish responses",
        """
        UPDATE responses INDEXED BY responses_unpublished SET published = 1, at = ?3
            WHERE session = ?1 AND set_name = ?2 AND published = 0
        """)
    fileprivate static let markSealed = Query(
        "mark sealed",
        "UPDATE question_sets SET sealed = ?3 WHERE session = ?1 AND name = ?2 AND sealed <> ?3")
}

extension SQLRows {
    package func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet? {
        guard let set = try connection.first(.questionSet, session, name, read: Self.settings) else {
            return nil
        }
        return try withQuestions(set, of: session)
    }

    func feedbackSummary(of session: SessionID) throws(JournalError) -> FeedbackSummary {
        try connection.first(.feedbackSummary, session, QuestionSet.feedback) { row in
            FeedbackSummary(
                questions: row.int(0), responses: row.int(1), promise: row.promise(2, namesHidden: 6),
                anonymityIsFixed: row.bool(5), shared: row.bool(3),
                openByHand: row.boolIfAny(4))
        } ?? .none
    }

    package func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        var sets = try questionSetsWithoutQuestions(of: session)
        for index in sets.indices { sets[index] = try withQuestions(sets[index], of: session) }
        return sets
    }

    package func questionSetsWithoutQuestions(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        // A session has few sets, so an index by position is not worth its cost for each response.
        try connection.all(.questionSets, session, read: Self.settings).sorted {
            $0.sortKey < $1.sortKey
        }
    }

    package func questionCounts(of session: SessionID) throws(JournalError) -> [String: Int] {
        let counts = try connection.all(.questionCounts, session) { ($0.text(0), $0.int(1)) }
        return Dictionary(counts) { $1 }
    }

    package func firstQuestion(of set: String, in session: SessionID) throws(JournalError) -> Question? {
        let first: Question? = try connection.first(.firstQuestion, session, set) {
            row throws(JournalError) in try row.json(0)
        }
        guard let first, first.isHidden else { return first }
        return try questionSet(set, of: session)?.asked.first ?? first
    }

    package func questionsSize(of session: SessionID, set: String?) throws(JournalError) -> QuestionsSize {
        var size =
            try connection.first(.questionsSize, session, set) {
                QuestionsSize(questions: $0.int(0), bytes: $0.int(1))
            } ?? QuestionsSize()
        if size.bytes <= QuestionsSize.most.bytes {
            size.texts = try connection.first(.textCount, session, set) { $0.int(0) } ?? 0
        }
        return size
    }

    package func questionsSize(of questions: [Question]) throws(JournalError) -> QuestionsSize {
        var size = QuestionsSize(questions: questions.count)
        for question in questions {
            let body = try JSONText.of(question)
            size.bytes += body.utf8.count
            size.texts += body.ranges(of: "\":\"").count
        }
        return size
    }

    package func location(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)?
    {
        try connection.first(.setOfQuestion, question) { row throws(JournalError) in
            (session: try row.id(0), set: row.text(1))
        }
    }

    package func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)? {
        try connection.first(.published, name) { row throws(JournalError) in
            (session: try row.id(0), set: row.text(1))
        }
    }

    package func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord]
    {
        let found: [(QuestionID, TallyRecord)] = try connection.all(.tallies, session, set) {
            row throws(JournalError) in
            (try row.id(0), try row.tally(1))
        }
        return Dictionary(found) { $1 }
    }

    package func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try connection.first(.hasAnswered, attendee, set) { _ in true } ?? false
    }

    package func hasAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool
    {
        try connection.first(.hasAnsweredDevice, session, set, device) { _ in true } ?? false
    }

    package func responses(
        of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int
    ) throws(JournalError) -> [Response] {
        let cursor =
            cursor ?? ResponseCursor(at: Instant(milliseconds: .max), id: ResponseID(high: .max, low: .max))
        return try connection.all(.responses, session, set, cursor.at, cursor.id, limit, read: Self.response)
    }

    package func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response] {
        try connection.all(.unpublished, session, set, read: Self.response)
    }

    package func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response? {
        try connection.first(.responseOf, attendee, set, read: Self.response)
    }

    package func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(
        session: SessionID, set: String
    )] {
        try connection.all(.toSeal, now, limit) { row throws(JournalError) in
            (session: try row.id(0), set: row.text(1))
        }
    }

    package func save(_ set: QuestionSet, of session: SessionID) throws(JournalError) {
        try connection.run(.saveSet, QuestionSetRow(session: session, set: set))
        // So that `Storage.judged` rarely sees the old questions. If it does, the command itself calls the
        // pattern engine.
        decoded.remove(DecodedQuestions.Key(session: session, set: set.name))
        let kept = Set(set.questions.map(\.id))
        let ids: [QuestionID] = try connection.all(.questionIDs, session, set.name) {
            row throws(JournalError) in try row.id(0)
        }
        for id in ids where !kept.contains(id) { try connection.run(.deleteQuestion, id) }
        for (position, question) in set.questions.enumerated() {
            let saved = try connection.run(
                .saveQuestion, question.id, session, set.name, position, JSONText.of(question))
            guard saved == 1 else {
                throw .failed(
                    StorageFailure(
                        .unstorable, operation: "save question",
                        detail: "the id belongs to a question of another set")
                )
            }
        }
    }

    package func saveSettings(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        try connection.run(.saveSettings, QuestionSetRow(session: session, set: set))
    }

    package func save(_ tally: TallyRecord, of question: QuestionID) throws(JournalError) {
        let waiting = tally.waiting.isEmpty ? "[]" : try JSONText.of(tally.waiting)
        try connection.run(.saveTally, question, try tally.published.json, try tally.pending.json, waiting)
    }

    package func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try connection.run(.markAnswered, attendee, set) == 1
    }

    package func markAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError)
        -> Bool
    {
        try connection.run(.markDevice, session, set, device) == 1
    }

    package func insert(_ response: Response, published: Bool) throws(JournalError) {
        let row = ResponseRow(
            response: response, answers: try Self.json(of: response.answers), isPublished: published)
        try connection.run(.insertResponse, row)
        // Only anonymous sets are sealed, and their responses are published later.
        if !published { try markSealed(response.set, of: response.sessionID, false) }
    }

    package func changes(of response: Response) throws(JournalError) -> Int {
        try connection.first(
            .changes, response.sessionID, response.set, response.at, response.id
        ) { $0.int(0) } ?? 0
    }

    package func replaceAnswers(of response: Response) throws(JournalError) {
        try connection.run(
            .replaceAnswers, response.sessionID, response.set, response.at, response.id,
            Self.json(of: response.answers))
    }

    package func unlink(_ response: Response) throws(JournalError) {
        try connection.run(.unlink, response.sessionID, response.set, response.at, response.id)
    }

    package func link(_ response: Response, to attendee: AttendeeID) throws(JournalError) {
        try connection.run(.link, response.sessionID, response.set, response.at, response.id, attendee)
    }

    package func deleteAnswers(to set: String, of session: SessionID, limit: Int) throws(JournalError) -> Int
    {
        var deleted = 0
        for query in [
            Query.deleteResponses, .deleteDevices, .deleteWords, .deleteModeratedTexts, .deleteModeratedWords,
        ]
        where deleted < limit {
            deleted += try connection.run(query, session, set, limit - deleted)
        }
        return deleted
    }

    package func count(_ words: [String: Int], of question: QuestionID) throws(JournalError) {
        for (word, difference) in words.sorted(by: { $0.key < $1.key }) {
            try connection.run(.countWord, question, word, difference)
            if difference < 0 { try connection.run(.deleteWord, question, word) }
        }
    }

    package func deleteSet(_ set: String, of session: SessionID) throws(JournalError) {
        try connection.run(.deleteSet, session, set)
        decoded.remove(DecodedQuestions.Key(session: session, set: set))
        try noteErasure()
    }

    package func deleteResponse(of attendee: AttendeeID, set: String) throws(JournalError) {
        try connection.run(.deleteResponse, attendee, set)
        try connection.run(.deleteMark, attendee, set)
    }

    package func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError) {
        try connection.run(.publish, session, set, hour)
    }

    package func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError) {
        try connection.run(.markSealed, session, set, sealed)
    }

    private static func settings(_ row: Row) throws(JournalError) -> QuestionSet {
        let cells = Cells<QuestionSetColumn>(row)
        let about = try StoredAbout(row, cells.place(of: .about))
        return QuestionSet(
            name: cells.text(.name), title: about.title, description: about.description, next: about.next,
            openByHand: cells.boolIfAny(.openByHand), shared: cells.bool(.shared),
            promise: row.promise(
                cells.place(of: .anonymous), namesHidden: cells.place(of: .namesHidden)),
            anonymityIsFixed: cells.bool(.anonymityFixed), changeable: cells.boolIfAny(.changeable),
            position: cells.int(.position), responses: cells.int(.responses),
            publishedResponses: cells.int(.publishedResponses), restIsShown: cells.bool(.restShown),
            publishedAs: cells.textIfAny(.publishedAs), withoutReceipt: cells.int(.withoutReceipt),
            oncePerDevice: about.oncePerDevice ?? false, version: cells.int(.version))
    }

    private func withQuestions(_ set: QuestionSet, of session: SessionID) throws(JournalError) -> QuestionSet
    {
        var set = set
        set.questions = try questions(of: set.name, in: session)
        return set
    }

    private static func json(of answers: Answers) throws(JournalError) -> String {
        if let plain = answers.plainJSON { return plain }
        return try JSONText.of(Dictionary(uniqueKeysWithValues: answers.map { ($0.key.text, $0.value) }))
    }

    private static func response(_ row: Row) throws(JournalError) -> Response {
        let cells = Cells<ResponseColumn>(row)
        let answers: [String: Answer] = try cells.json(.answers)
        var byID: Answers = [:]
        for (text, answer) in answers {
            guard let id = QuestionID(text) else {
                throw row.damaged("not a question's id", cells.place(of: .answers))
            }
            byID[id] = answer
        }
        return Response(
            id: try cells.id(.id), sessionID: try cells.id(.session), set: cells.text(.setName),
            attendeeID: cells.idIfAny(.attendee), answers: byID, at: cells.instant(.at))
    }
}

extension Answers {
    /// The JSON of answers whose texts need no escapes and whose numbers are whole, as `JSONText` writes it.
    /// It avoids an encoder, because this runs for every response. Nil for other answers.
    fileprivate var plainJSON: String? {
        var json = "{"
        for id in keys.sorted() {
            json += json.utf8.count == 1 ? "\"" : ",\""
            json += id.text
            json += "\":"
            switch self[id] {
            case .choices(let ids, nil) where ids.allSatisfy(Self.isPlain):
                json += ids.isEmpty ? "[]" : "[\"\(ids.joined(separator: "\",\""))\"]"
            case .text(let text) where Self.isPlain(text): json += "\"\(text)\""
            case .number(let number):
                guard let whole = Int(exactly: number), whole.magnitude < 1_000_000, number.sign == .plus
                else {
                    return nil
                }
                json += String(whole)
            default: return nil
            }
        }
        return json + "}"
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
    }
}

extension Row {
    /// Reads a set's promise from its two columns.
    fileprivate func promise(_ anonymous: Int32, namesHidden: Int32) -> AnswerPromise {
        bool(anonymous) ? .anonymous : bool(namesHidden) ? .hidden : .named
    }

    /// Reads a question's tally from the columns `published, pending, waiting`.
    package func tally(_ column: Int32) throws(JournalError) -> TallyRecord {
        // Usually no answer is held back. Decoding the empty list would cost one more decoder for each
        // question of each response.
        let waiting: [ResponseID] = text(column + 2) == "[]" ? [] : try json(column + 2)
        return TallyRecord(
            published: try tallyCount(column), pending: try tallyCount(column + 1), waiting: waiting)
    }

    private func tallyCount(_ column: Int32) throws(JournalError) -> TallyCount {
        if let count = withBytes(column, TallyCount.init(shortJSON:)) { return count }
        return try json(column)
    }
}

extension TallyCount {
    /// The JSON of the tally. A short tally is written without an encoder, because each response writes one
    /// tally for each question.
    fileprivate var json: String {
        get throws(JournalError) {
            if numbers != nil || words != nil { return try JSONText.of(self) }
            return "{\"answers\":\(answers),\"counts\":[\(counts.map(String.init).joined(separator: ","))]}"
        }
    }

    /// Reads a short tally as `json` writes it, without a decoder, because each response reads the tallies of
    /// all questions of its set. Returns nil for any other text.
    fileprivate init?(shortJSON bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        func skip(_ text: StaticString) -> Bool {
            let expected = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard rest.starts(with: expected) else { return false }
            rest = rest.dropFirst(expected.count)
            return true
        }
        func number() -> Int? {
            var value = 0
            var digits = 0
            while let byte = rest.first, (0x30...0x39).contains(byte), digits < 18 {
                value = value * 10 + Int(byte - 0x30)
                digits += 1
                rest = rest.dropFirst()
            }
            return digits == 0 ? nil : value
        }
        guard skip("{\"answers\":"), let answers = number(), skip(",\"counts\":[") else { return nil }
        var counts: [Int] = []
        if !skip("]}") {
            repeat {
                guard let count = number() else { return nil }
                counts.append(count)
            } while skip(",")
            guard skip("]}") else { return nil }
        }
        guard rest.isEmpty else { return nil }
        self.init(answers: answers, counts: counts)
    }
}

/// The texts of a question set, the name of the following set, and whether its published form takes one
/// response from each device. They are stored as JSON in one column.
struct StoredAbout: Codable {
    let title: LocalizedText
    let description: LocalizedText
    let next: String?
    /// Nil, which the JSON leaves out, is false.
    let oncePerDevice: Bool?

    private static let none = "{}"

    private enum CodingKeys: String, CodingKey {
        case title, description, next, oncePerDevice
    }

    init(_ set: QuestionSet) {
        title = set.title
        description = set.description
        next = set.next
        oncePerDevice = set.oncePerDevice ? true : nil
    }

    init(_ row: Row, _ column: Int32) throws(JournalError) {
        self = row.text(column) == Self.none ? StoredAbout(QuestionSet()) : try row.json(column)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(LocalizedText.self, forKey: .title) ?? .none
        description = try container.decodeIfPresent(LocalizedText.self, forKey: .description) ?? .none
        next = try container.decodeIfPresent(String.self, forKey: .next)
        oncePerDevice = try container.decodeIfPresent(Bool.self, forKey: .oncePerDevice)
    }

    /// The JSON for the column. The empty value is written without an encoder, because every response writes
    /// this column and it is usually empty.
    var json: String {
        get throws(JournalError) {
            title.isEmpty && description.isEmpty && next == nil && oncePerDevice == nil
                ? Self.none : try JSONText.of(self)
        }
    }
}
