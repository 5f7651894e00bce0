import Dispatch
import Journal
import Meetings
import SQLJournal
import Synchronization

/// One shuffle of the rows of anonymous sets, while batches and queries continue. README.md says what it
/// removes and what it does not.
///
/// Each `finish` deletes and inserts one slice of rows again, in the order of their keys, in one transaction.
/// Afterwards all rows of the slice have the same `xmin`, and the order of their `ctid` is that of their
/// keys. `release` frees the space of the old rows (VACUUM), which locks out nobody.
///
/// `@unchecked Sendable`: the caller runs `finish`, `abandon` and `release` one after the other, and each
/// call happens after the end of the call before. `cancel` uses an atomic value only.
final class Shuffle: FileRewrite, @unchecked Sendable {
    /// The next step in the current set.
    private enum Step {
        /// The responses after this position. Their ids are random, and their times are whole hours.
        case responses(after: ResponseCursor)
        /// The marks of attendees who have answered, after this attendee.
        case marks(after: AttendeeID)
        /// The other rows that an answer can write.
        case others
    }

    /// The most rows in one slice. A slice of so many takes about 20 ms.
    private static let mostRowsInSlice = 1_000

    private let writer: PostgresRows
    private let settings: String
    private let isCancelled = Atomic<Bool>(false)
    /// The sets that are left, the current one first; nil before the first slice.
    private var sets: ArraySlice<(session: SessionID, name: String)>?
    private var step = Step.responses(after: .first)
    /// The note when the first slice began; nil if there was none.
    private var note: String?

    init(of writer: PostgresRows, settings: String) {
        (self.writer, self.settings) = (writer, settings)
    }

    private static let anonymousSets = Query(
        "list sets to shuffle",
        """
        SELECT session, name FROM question_sets WHERE anonymous = 1 AND responses > 0 AND sealed = 0
        ORDER BY session, name
        """)
    private static let responses = Query(
        "find responses to shuffle",
        """
        SELECT at, id FROM responses WHERE session = ?1 AND set_name = ?2 AND (at, id) > (?3, ?4)
        ORDER BY at, id LIMIT ?5
        """)
    private static let shuffleResponses = Query(
        "shuffle responses",
        """
        WITH moved AS (
            DELETE FROM responses WHERE session = ?1 AND set_name = ?2
                AND (at, id) > (?3, ?4) AND (at, id) <= (?5, ?6) RETURNING *)
        INSERT INTO responses SELECT * FROM moved ORDER BY at, id
        """)
    private static let marks = Query(
        "find marks to shuffle",
        """
        SELECT a.attendee FROM attendees t JOIN answered a ON a.attendee = t.id
        WHERE t.session = ?1 AND a.set_name = ?2 AND t.id > ?3 ORDER BY t.id LIMIT ?4
        """)
    private static let shuffleMarks = Query(
        "shuffle marks",
        """
        WITH moved AS (
            DELETE FROM answered WHERE set_name = ?2 AND attendee IN
                (SELECT id FROM attendees WHERE session = ?1 AND id > ?3 AND id <= ?4) RETURNING *)
        INSERT INTO answered SELECT * FROM moved ORDER BY attendee
        """)
    private static let shuffleDevices = Query(
        "shuffle devices",
        """
        WITH moved AS (DELETE FROM answered_devices WHERE session = ?1 AND set_name = ?2 RETURNING *)
        INSERT INTO answered_devices SELECT * FROM moved ORDER BY device
        """)
    private static let shuffleOthers =
        [("words", "word"), ("moderated_words", "word"), ("moderated_texts", "response")].map { table, key in
            Query(
                "shuffle \(table)",
                """
                WITH moved AS (
                    DELETE FROM \(table) WHERE question IN
                        (SELECT id FROM questions WHERE session = ?1 AND set_name = ?2) RETURNING *)
                INSERT INTO \(table) SELECT * FROM moved ORDER BY question, \(key)
                """)
        } + [shuffleDevices]
    private static let findNote = Query("find note of shuffle", "SELECT value FROM meta WHERE key = 'erased'")
    private static let forgetOrder = Query(
        "forget order", "DELETE FROM meta WHERE key = 'erased' AND value = ?")
    private static let tables = Query(
        "list tables",
        """
        SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = current_schema()
        """)

    func catchUp() throws(JournalError) {
        guard !isCancelled.load(ordering: .relaxed) else {
            throw .failed(StorageFailure(.closed, operation: "shuffle"))
        }
    }

    func finish() throws(JournalError) -> Bool {
        try writer.beginUnnoticed()
        do throws(JournalError) {
            let isDone = try shuffleSlice()
            if isDone, let note { try writer.connection.run(Self.forgetOrder, note) }
            try writer.connection.commit()
            return isDone
        } catch {
            writer.rollBack()
            throw error
        }
    }

    /// Shuffles one slice. Returns whether there is none left.
    private func shuffleSlice() throws(JournalError) -> Bool {
        let connection = writer.connection
        if sets == nil { note = try connection.first(Self.findNote) { $0.text(0) } }
        let left =
            if let sets { sets } else {
                ArraySlice(
                    try connection.all(Self.anonymousSets) { row throws(JournalError) in
                        (session: try row.id(0) as SessionID, name: row.text(1))
                    })
            }
        sets = left
        guard let set = left.first else { return true }
        switch step {
        case .responses(let after):
            let found: [ResponseCursor] = try connection.all(
                Self.responses, set.session, set.name, after.at, after.id, Self.mostRowsInSlice
            ) { row throws(JournalError) in ResponseCursor(at: row.instant(0), id: try row.id(1)) }
            guard let last = found.last else {
                step = .marks(after: ID(high: 0, low: 0))
                return try shuffleSlice()
            }
            try connection.run(
                Self.shuffleResponses, set.session, set.name, after.at, after.id, last.at, last.id)
            step = .responses(after: last)
        case .marks(let after):
            let found: [AttendeeID] = try connection.all(
                Self.marks, set.session, set.name, after, Self.mostRowsInSlice
            ) { row throws(JournalError) in try row.id(0) }
            guard let last = found.last else {
                step = .others
                return try shuffleSlice()
            }
            try connection.run(Self.shuffleMarks, set.session, set.name, after, last)
            step = .marks(after: last)
        case .others:
            for query in Self.shuffleOthers { try connection.run(query, set.session, set.name) }
            sets = left.dropFirst()
            step = .responses(after: .first)
        }
        return false
    }

    /// Each `finish` makes progress, so a large set does not wait longer and longer for its next slice.
    var pause: Duration? { .milliseconds(10) }

    func abandon() {}

    /// One vacuum at a time.
    private static let vacuuming = DispatchQueue(label: "qring.journal.vacuum", qos: .utility)

    /// Frees the space of the old rows. The files do not become shorter, because that needs a lock that stops
    /// check-ins.
    func release() async {
        await withUnsafeContinuation { continuation in
            Self.vacuuming.async { [settings] in
                // If this fails, the server's own vacuum frees the space later.
                if let connection = try? Connection(settings: settings, for: .vacuuming) {
                    let tables = try? connection.first(Self.tables) { $0.text(0) }
                    if let tables {
                        try? connection.execute("VACUUM (SKIP_LOCKED, TRUNCATE false) \(tables)", "vacuum")
                    }
                    connection.close()
                }
                continuation.resume()
            }
        }
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

extension ResponseCursor {
    /// The position before all responses.
    fileprivate static var first: ResponseCursor {
        ResponseCursor(at: Instant(milliseconds: .min), id: ID(high: 0, low: 0))
    }
}
