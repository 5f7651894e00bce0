import Dispatch
import Journal
import Meetings
import Synchronization

/// One shuffle of the responses to anonymous sets, while batches and queries continue. README.md says what it
/// removes and what it does not.
///
/// Each `finish` deletes and inserts one slice of a set's responses again, in the order of their random ids,
/// in one transaction. Afterwards all rows of the slice have the same `xmin`, and the order of their `ctid`
/// is that of their ids. `release` frees the space of the old rows (VACUUM), which locks out nobody.
///
/// `@unchecked Sendable`: the caller runs `finish`, `abandon` and `release` one after the other, and each
/// call happens after the end of the call before. `cancel` uses an atomic value only.
final class Shuffle: FileRewrite, @unchecked Sendable {
    /// The most responses in one slice. A slice of so many takes about 20 ms.
    private static let mostRowsInSlice = 500

    private let writer: SQLRows
    private let settings: String
    private let notesBefore: Int
    private let isCancelled = Atomic<Bool>(false)
    /// The set and the response after which the next slice begins; nil before the first slice.
    private var last: (session: SessionID, set: String, id: ResponseID)?

    init(of writer: SQLRows, settings: String) {
        (self.writer, self.settings, notesBefore) = (writer, settings, writer.shuffleNotes)
    }

    // The next response of any anonymous set that is not sealed, in the order of sets and ids.
    private static let next = Query(
        "find responses to shuffle",
        """
        SELECT r.session, r.set_name, r.id FROM question_sets q
            JOIN responses r ON r.session = q.session AND r.set_name = q.name
        WHERE q.anonymous = 1 AND q.responses > 0 AND q.sealed = 0
            AND (r.session, r.set_name, r.id) > (?1, ?2, ?3)
        ORDER BY r.session, r.set_name, r.id LIMIT ?4
        """)
    private static let shuffle = Query(
        "shuffle responses",
        """
        WITH moved AS (
            DELETE FROM responses WHERE session = ?1 AND set_name = ?2 AND id >= ?3 AND id <= ?4 RETURNING *)
        INSERT INTO responses SELECT * FROM moved ORDER BY id
        """)
    private static let forgetOrder = Query("forget order", "DELETE FROM meta WHERE key = 'erased'")
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
        try writer.begin()
        do throws(JournalError) {
            let isDone = try shuffleSlice()
            if isDone, writer.shuffleNotes == notesBefore { try writer.connection.run(Self.forgetOrder) }
            try writer.commit()
            return isDone
        } catch {
            writer.rollBack()
            throw error
        }
    }

    /// Shuffles one slice. Returns whether it was the last.
    private func shuffleSlice() throws(JournalError) -> Bool {
        let after = last ?? (ID(high: 0, low: 0), "", ID(high: 0, low: 0))
        let found: [(session: SessionID, set: String, id: ResponseID)] = try writer.connection.all(
            Self.next, after.session, after.set, after.id, Self.mostRowsInSlice
        ) { row throws(JournalError) in (try row.id(0), row.text(1), try row.id(2)) }
        guard let first = found.first else { return true }
        let slice = found.prefix { $0.session == first.session && $0.set == first.set }
        last = slice.last
        try writer.connection.run(
            Self.shuffle, first.session, first.set, first.id, slice.last?.id ?? first.id)
        return false
    }

    func abandon() {}

    func release() async {
        await withUnsafeContinuation { continuation in
            DispatchQueue.global(qos: .background).async { [settings] in
                // If this fails, the server's own vacuum frees the space later.
                if let connection = try? Connection(settings: settings, for: .vacuuming) {
                    let tables = try? connection.first(Self.tables) { $0.text(0) }
                    if let tables { try? connection.execute("VACUUM (SKIP_LOCKED) \(tables)", "vacuum") }
                    connection.close()
                }
                continuation.resume()
            }
        }
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}
