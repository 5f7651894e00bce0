import Journal
import Testing

@testable import PostgresJournal
@testable import SQLJournal

@Suite(.waitingThreads) struct RoundTripTests {
    @Test func `a query waits once for each of its statements, and for nothing else`() async throws {
        try await withEngine { engine in
            let writer = try #require(try engine.openWriter() as? PostgresRows)
            let (connection, unsettled) = (writer.connection, engine.unsettled)
            let rows = PostgresRows(connection, decoded: engine.decoded)
            func waits(_ query: (any ReadableRows) throws(JournalError) -> Void) throws -> Int {
                let before = connection.waits
                let result = rows.answer(query, unsettled)
                try #require(result).get()
                return connection.waits - before
            }
            // The first transactions, among them the migrations, prepare the statements. Plans are renewed
            // after the 1st, 2nd, 4th … 32nd, and next after the 64th.
            for _ in 0..<40 { _ = try waits { rows throws(JournalError) in _ = try rows.accountCount() } }
            #expect(try waits { rows throws(JournalError) in _ = try rows.accountCount() } == 1)
            #expect(
                try waits { rows throws(JournalError) in
                    for _ in 0..<3 { _ = try rows.accountCount() }
                } == 3)
            try connection.settle()
        }
    }
}
