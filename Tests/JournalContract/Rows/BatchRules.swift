import Journal
import Meetings
import Testing

extension RowsRule {
    static let batches: [RowsRule] = [
        RowsRule("what is committed is read by others, and nothing before") { engine in
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
        RowsRule("a batch rolled back leaves nothing, and the next one works") { rows in
            try rows.begin()
            try rows.insert(anAccount(1))
            rows.rollBack()
            #expect(try rows.account(id(1)) == nil)
            rows.rollBack()
            try rows.batch { try rows.insert(anAccount(2)) }
            #expect(try rows.accountCount() == 1)
        },
        RowsRule("a command rolled back to its savepoint leaves its neighbours") { rows in
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
        RowsRule("a statement that fails leaves its command's other rows to the savepoint") { rows in
            try rows.begin()
            try rows.insert(anAccount(1))
            try expectFailure(rows) {
                try rows.insert(anAccount(2))
                try rows.insert(anAccount(1))
            }
            try rows.commit()
            #expect(try rows.accountCount() == 1)
        },
        RowsRule("there is one writer") { engine in
            _ = try engine.openWriter()
            #expect(throws: JournalError.self) { _ = try engine.openWriter() }
        },
        RowsRule("a query that refuses says so, and the next one works") { engine in
            await #expect(throws: JournalError.refused(.notFound(.page))) {
                try await engine.read { _ throws(JournalError) in throw JournalError.refused(.notFound(.page))
                }
            }
            let count = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            #expect(count == 0)
        },
        RowsRule("after close a read fails") { engine in
            engine.close()
            await #expect(throws: JournalError.failed(StorageFailure(.closed, operation: "read"))) {
                try await engine.read { rows throws(JournalError) in try rows.accountCount() }
            }
        },
        RowsRule("a shuffle changes no row") { rows in
            try rows.plan()
            try rows.shuffle()
            #expect(try rows.session(id(1))?.session == aSession(1))
            try rows.batch { try rows.insert(anAccount(2)) }
        },
    ]
}
