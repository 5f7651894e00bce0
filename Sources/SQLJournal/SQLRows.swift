package import Journal
package import Meetings

/// The rows of one connection; the folder `Rows` has their statements. Each engine adds its connection, its
/// batches and the erasure of deleted data. The connection belongs to the writer, or to a reader.
package protocol SQLRows: WritableRows, Sendable {
    associatedtype Connection: SQLConnection

    var connection: Connection { get }
    /// The zones that were already made, by name, because making a zone reads the zone database.
    var zones: [String: Zone] { get set }
    /// The meetings and sessions that the running query has read; nil if they are not recorded.
    var notes: ReadNotes? { get set }
    /// The decoded questions, which all connections share.
    var decoded: DecodedQuestions { get }
    /// The texts that searches compare, which all connections share. Nil if others may write to the database,
    /// too. Then searches scan the rows.
    var searched: SearchTexts? { get }
    /// The last batch that the running query's snapshot shows for certain.
    var snapshot: Int { get }

    /// Runs `query` in one read transaction, which sees one state.
    ///
    /// Returns nil if the query read a meeting that a job has changed only in part, in this state of the
    /// database. The caller then waits for the job and runs the query again.
    /// - Parameter limit: the most steps that the query may take, in the engine's measure; nil for no limit.
    func answer<Found>(
        _ query: (any ReadableRows) throws(JournalError) -> Found, _ unsettled: UnsettledMeetings, limit: Int?
    ) -> Result<Found, JournalError>?

    /// Notes that personal data was deleted. Each function in `Rows` that deletes a person's data calls this
    /// function.
    func noteErasure() throws(JournalError)
}
