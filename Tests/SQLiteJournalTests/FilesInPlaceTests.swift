import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct FilesInPlaceTests {
    private func account(_ number: Int) -> Account {
        Account(
            id: .make(at: now), email: "\(number)@example.org", name: "A", passwordHash: "x", createdAt: now)
    }

    private func reason(_ body: () throws -> Void) -> StorageFailure.Reason? {
        guard case .failed(let failure) = #expect(throws: JournalError.self, performing: body) else {
            return nil
        }
        return failure.reason
    }

    @Test(arguments: ["journal.db", "journal.db-wal", ""], [false, true])
    func `after files were moved or replaced, commits fail until the files are back`(
        name: String, isReplaced: Bool
    ) async throws {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func commit(_ number: Int) throws {
                try rows.begin()
                try rows.insert(account(number))
                try rows.commit()
            }
            try commit(1)
            try engine.checkFiles()
            let path = name.isEmpty ? folder : "\(folder)/\(name)"
            let away = "\(folder)-away"
            defer { try? FileManager.default.removeItem(atPath: away) }
            try FileManager.default.moveItem(atPath: path, toPath: away)
            if isReplaced { try FileManager.default.copyItem(atPath: away, toPath: path) }
            #expect(reason { try engine.checkFiles() } == .moved)
            #expect(reason { try commit(2) } == .moved)
            #expect(!rows.connection.transactionIsOpen)
            #expect(reason { try rows.shuffle() } == .moved)
            #expect(try await engine.read { rows throws(JournalError) in try rows.accountCount() } == 1)
            if isReplaced { try FileManager.default.removeItem(atPath: path) }
            try FileManager.default.moveItem(atPath: away, toPath: path)
            try engine.checkFiles()
            try commit(3)
            #expect(try rows.accountCount() == 2)
        }
    }

    @Test func `checkpoints, shuffles and a second opening do not replace the files`()
        async throws
    {
        try await withFolder { folder in
            for opening in 1...2 {
                let engine = try SQLiteEngine(folder: folder)
                defer { engine.close() }
                let rows = try #require(try engine.openWriter() as? SQLiteRows)
                try rows.begin()
                try rows.insert(account(opening))
                try rows.noteErasure()
                try rows.commit()
                try engine.checkFiles()
                try rows.shuffle()
                try engine.checkFiles()
                #expect(try rows.connection.emptyLog(waiting: true))
                try engine.checkFiles()
            }
        }
    }

    @Test func `if files cannot be examined, the error is the system's error`() async throws {
        let name = String(repeating: "n", count: 300)
        let found = #expect(throws: JournalError.self) { _ = try FilesInPlace(["/\(name)"]) }
        guard case .failed(let failure) = found else { return }
        #expect(failure.reason == .inputOutput)
        #expect(failure.code == ENAMETOOLONG)
        #expect(reason { _ = try FilesInPlace(["/nowhere/journal.db"]) } == .moved)
    }
}
