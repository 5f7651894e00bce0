import CSQLite
import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct FailureTests {
    private func account(_ number: Int) -> Account {
        Account(
            id: .make(at: now), email: "\(number)@example.org", name: String(repeating: "n", count: 100),
            passwordHash: "x", createdAt: now)
    }

    private func reason(_ body: () throws -> Void) -> StorageFailure.Reason? {
        guard case .failed(let failure) = #expect(throws: JournalError.self, performing: body) else {
            return nil
        }
        return failure.reason
    }

    @Test(arguments: [
        // For SQLITE_IOERR_WRITE, _FSYNC, _SHMSIZE and SQLITE_CANTOPEN, the system's error decides the
        // reason.
        (SQLITE_IOERR | 3 << 8, EDQUOT, StorageFailure.Reason.full), (SQLITE_IOERR | 3 << 8, EFBIG, .full),
        (SQLITE_IOERR | 4 << 8, EDQUOT, .full), (SQLITE_IOERR | 19 << 8, ENOSPC, .full),
        (SQLITE_CANTOPEN, EDQUOT, .full),
        (SQLITE_IOERR | 3 << 8, EIO, .inputOutput), (SQLITE_IOERR | 3 << 8, 0, .inputOutput),
        (SQLITE_CANTOPEN, EACCES, .inputOutput),
        // A failed read never means a full disk. The system's last error does not matter.
        (SQLITE_IOERR | 1 << 8, EDQUOT, .inputOutput), (SQLITE_IOERR | 2 << 8, EFBIG, .inputOutput),
        (SQLITE_CORRUPT, EDQUOT, .damaged), (SQLITE_FULL, 0, .full), (SQLITE_BUSY, EFBIG, .busy),
    ])
    func `a quota and a limit on the size of files count as a full disk`(
        code: Int32, system: Int32, reason: StorageFailure.Reason
    ) {
        #expect(StorageFailure.Reason(sqlite: code, system: system) == reason)
    }

    @Test(arguments: [
        (ENOSPC, StorageFailure.Reason.full), (EDQUOT, .full), (EFBIG, .full), (EROFS, .readOnly),
        (EIO, .inputOutput),
    ])
    func `the errno value of a failed system call decides the reported reason`(
        system: Int32, reason: StorageFailure.Reason
    ) {
        #expect(StorageFailure(errno: system, operation: "write").reason == reason)
    }

    private func writer(of engine: SQLiteEngine) throws -> SQLiteRows {
        try #require(try engine.openWriter() as? SQLiteRows)
    }

    @Test func `a full disk fails the whole batch, and the next batch works when there is room`() async throws
    {
        try await withEngine { engine in
            let rows = try writer(of: engine)
            try rows.begin()
            try rows.insert(account(0))
            try rows.commit()
            try rows.connection.execute("PRAGMA max_page_count = 1", "test")  // the file cannot grow
            try rows.begin()
            let found = reason {
                for number in 1...200 {
                    try rows.savepoint()
                    try rows.insert(account(number))
                    try rows.release()
                }
            }
            #expect(found == .full)
            rows.rollBack()
            #expect(!rows.connection.transactionIsOpen)
            #expect(try rows.accountCount() == 1)
            try rows.connection.execute("PRAGMA max_page_count = 100000", "test")
            try rows.begin()
            try rows.insert(account(1))
            try rows.commit()
            #expect(try rows.accountCount() == 2)
        }
    }

    /// Only a foreign key that is checked at the end of a transaction can make COMMIT itself fail and leave
    /// its transaction open.
    @Test func `a commit that fails and stays open is rolled back`() async throws {
        try await withEngine { engine in
            let rows = try writer(of: engine)
            try rows.begin()
            try rows.insert(account(1))
            try rows.connection.execute("PRAGMA defer_foreign_keys = ON", "test")
            let nobody = Token(
                hash: [1], accountID: .make(at: now), kind: .access, signIn: .make(at: now), createdAt: now,
                expiresAt: now, client: "")
            try rows.insert(nobody)
            #expect(reason { try rows.commit() } == .unstorable)
            #expect(!rows.connection.transactionIsOpen)
            #expect(try rows.accountCount() == 0)
            try rows.begin()
            try rows.insert(account(2))
            try rows.commit()
            #expect(try rows.accountCount() == 1)
        }
    }

    /// After some failures, SQLite rolls a transaction back without a request. The test simulates this with a
    /// ROLLBACK that the connection does not notice.
    @Test func `after SQLite has rolled a batch back, the rest of the batch is not written`() async throws {
        try await withEngine { engine in
            let rows = try writer(of: engine)
            try rows.begin()
            try rows.insert(account(1))
            try rows.savepoint()
            let taken = account(2)
            try rows.insert(taken)
            try rows.connection.execute("ROLLBACK", "test")
            #expect(throws: JournalError.self) { try rows.release() }
            #expect(throws: JournalError.self) { try rows.savepoint() }
            #expect(throws: JournalError.self) { try rows.insert(account(3)) }
            #expect(throws: JournalError.self) { try rows.commit() }
            rows.rollBack()
            #expect(try rows.accountCount() == 0)
            try rows.begin()
            try rows.insert(account(4))
            try rows.commit()
            #expect(try rows.accountCount() == 1)
        }
    }

    @Test func `the error of a damaged row names the column, not its value`() async throws {
        try await withEngine { engine in
            let rows = try writer(of: engine)
            let written = account(1)
            try rows.begin()
            try rows.insert(written)
            try rows.connection.execute("UPDATE accounts SET profile = 'secret{'", "test")
            try rows.commit()
            let found = #expect(throws: JournalError.self) { _ = try rows.account(written.id) }
            guard case .failed(let failure) = found else { return }
            #expect(failure.reason == .damaged)
            #expect(!"\(failure)".contains("secret"))
        }
    }

    @Test func `a read sees one state, even if commits happen during the read`() async throws {
        try await withEngine { engine in
            let rows = try writer(of: engine)
            let hasCounted = DispatchSemaphore(value: 0)
            let hasCommitted = DispatchSemaphore(value: 0)
            async let counts = engine.read { rows throws(JournalError) in
                let before = try rows.accountCount()
                hasCounted.signal()
                let inTime = hasCommitted.wait(timeout: .now() + 60) == .success
                return (before, try rows.accountCount(), inTime)
            }
            // Use a separate thread, because threads of Swift's pool must not wait.
            let writing: Result<Void, any Error> = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    // A commit before the start of the read would prove nothing.
                    let hasBegun = hasCounted.wait(timeout: .now() + 60) == .success
                    continuation.resume(
                        returning: Result {
                            try #require(hasBegun)
                            try rows.begin()
                            try rows.insert(account(1))
                            try rows.commit()
                        })
                    hasCommitted.signal()
                }
            }
            try writing.get()
            let (before, after, inTime) = try await counts
            #expect(inTime)
            #expect((before, after) == (0, 0))
            let now = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(now == 1)
        }
    }

    @Test func `a reader cannot write`() async throws {
        try await withEngine { engine in
            let refused = await #expect(throws: JournalError.self) {
                try await engine.read { rows throws(JournalError) in
                    guard let rows = rows as? SQLiteRows else { return }
                    try rows.connection.execute("DELETE FROM meta", "test")
                }
            }
            guard case .failed(let failure) = refused else { return }
            #expect(failure.reason == .readOnly)
        }
    }
}
