import Journal
import Meetings
import Testing

extension RowsRule {
    static let batches: [RowsRule] = [
        RowsRule("other connections read committed changes, and no earlier ones") { engine in
            let rows = try engine.openWriter()
            try rows.begin()
            try rows.insert(anAccount(1))
            #expect(try rows.account(id(1)) == anAccount(1))
            let before = try await engine.read { rows throws(JournalError) in try rows.account(id(1)) }
            #expect(before == nil)
            try rows.commit()
            let after = try await engine.read { rows throws(JournalError) in try rows.account(id(1)) }
            #expect(after == anAccount(1))
        },
        RowsRule("a batch that is rolled back leaves nothing, and the next batch works") { rows in
            try rows.begin()
            try rows.insert(anAccount(1))
            rows.rollBack()
            #expect(try rows.account(id(1)) == nil)
            rows.rollBack()
            try rows.batch { try rows.insert(anAccount(2)) }
            #expect(try rows.accountCount() == 1)
        },
        RowsRule("a command that is rolled back to its savepoint does not affect other commands") { rows in
            try rows.begin()
            try rows.savepoint()
            try rows.insert(anAccount(1))
            try rows.release()
            try rows.savepoint()
            try rows.insert(anAccount(2))
            try rows.insert(aMeeting(1))
            try rows.rollBackToSavepoint()
            try rows.savepoint()
            try rows.insert(anAccount(3))
            try rows.release()
            try rows.commit()
            #expect(try rows.account(id(1)) != nil)
            #expect(try rows.account(id(2)) == nil)
            #expect(try rows.meeting(id(1)) == nil)
            #expect(try rows.account(id(3)) != nil)
        },
        RowsRule("a failed statement is rolled back to the savepoint, and its batch continues") { rows in
            try rows.begin()
            try rows.insert(anAccount(1))
            try expectFailure(rows) {
                try rows.insert(anAccount(2))
                try rows.insert(anAccount(1))
            }
            try rows.commit()
            #expect(try rows.accountCount() == 1)
        },
        RowsRule("an engine has only one writer") { engine in
            _ = try engine.openWriter()
            #expect(throws: JournalError.self) { _ = try engine.openWriter() }
        },
        RowsRule("a query's refusal reaches the caller, and the next query works") { engine in
            await #expect(throws: JournalError.refused(.notFound(.page))) {
                try await engine.read { _ throws(JournalError) in throw JournalError.refused(.notFound(.page))
                }
            }
            let count = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(count == 0)
        },
        RowsRule("a read fails after close") { engine in
            engine.close()
            await #expect(throws: JournalError.failed(StorageFailure(.closed, operation: "read"))) {
                try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            }
        },
    ]
}
