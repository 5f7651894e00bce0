import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests what the engine does at a start if files of its folder are missing or empty.
@Suite struct LostFilesTests {
    private static let account = Account(
        id: .make(at: now), email: "a@example.org", name: "A", passwordHash: "x", createdAt: now)

    enum State: CaseIterable { case present, missing, empty }
    enum Outcome { case new, data, databaseLost, secretLost, markMissing }

    struct Case: CustomTestStringConvertible {
        /// Whether all data except the tables is still in the log, as in the first hours of a small server.
        let isYoung: Bool
        let database: State
        let log: State
        let secret: State
        let mark: State
        var testDescription: String {
            "\(isYoung ? "young" : "settled"): db \(database), wal \(log), secret \(secret), mark \(mark)"
        }

        var expected: Outcome {
            guard database == .present else {
                return secret != .missing || mark == .present || log == .present ? .databaseLost : .new
            }
            if secret == .missing { return .secretLost }
            if !isYoung || log == .present { return .data }
            return mark == .present ? .databaseLost : .markMissing
        }
    }

    /// Makes the folder of a server after a power cut: a copy of the server's files while the server runs.
    private static func make(_ folder: String, isYoung: Bool) throws {
        try withoutServer(folder + "-served") { served in
            let engine = try open(served)
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            func commit(_ account: Account?) throws {
                try rows.begin()
                if let account { try rows.insert(account) }
                try rows.commit()
            }
            try commit(Self.account)
            if !isYoung {
                #expect(try rows.connection.emptyLog(waiting: true))
                try commit(nil)
            }
            try FileManager.default.copyItem(atPath: served, toPath: folder)
            try Data("001795000000000".utf8).write(to: URL(fileURLWithPath: "\(folder)/codes.clock"))
            try Data("half a copy".utf8).write(to: URL(fileURLWithPath: "\(folder)/journal.db.rewriting"))
            engine.close()
        }
    }

    private static func withoutServer(_ folder: String, _ body: (String) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private static func open(_ folder: String) throws(JournalError) -> SQLiteEngine {
        var options = SQLiteEngine.Options()
        options.makeSecret = { () throws(JournalError) in
            try PrivateFile.make("\(folder)/secret", Hall.secret)
        }
        return try SQLiteEngine(folder: folder, options)
    }

    private static func content(_ folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            found[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        return found
    }

    @Test(arguments: [true, false])
    func `if files are missing or empty, the engine starts, or refuses the folder and changes nothing`(
        isYoung: Bool
    ) async throws {
        try await withFolder { template in
            try Self.make(template, isYoung: isYoung)
            var number = 0
            for database in State.allCases {
                for log in State.allCases {
                    for secret in State.allCases {
                        for mark in State.allCases {
                            // The index and the clock hold no data. Some cases have these two files, and
                            // other cases do not.
                            number += 1
                            let files: [(String, State)] = [
                                ("journal.db", database), ("journal.db-wal", log), ("secret", secret),
                                ("journal.mark", mark),
                                ("journal.db-shm", number % 2 == 0 ? .present : .missing),
                                ("codes.clock", number % 3 == 0 ? .present : .missing),
                                ("journal.lock", number % 5 == 0 ? .missing : .present),
                                ("journal.db.rewriting", number % 7 < 3 ? .present : .missing),
                            ]
                            try await judge(
                                Case(
                                    isYoung: isYoung, database: database, log: log, secret: secret, mark: mark
                                ), files, template)
                        }
                    }
                }
            }
        }
    }

    private func judge(_ tried: Case, _ files: [(String, State)], _ template: String) async throws {
        try await withFolder { folder in
            try FileManager.default.copyItem(atPath: template, toPath: folder)
            for (name, state) in files {
                switch state {
                case .present: break
                case .missing: try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
                case .empty: try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                }
            }
            let before = try Self.content(folder)
            let outcome: Outcome?
            do throws(JournalError) {
                let engine = try Self.open(folder)
                defer { engine.close() }
                let count = try await engine.read { rows throws(JournalError) in try rows.accountCount() }
                #expect(!PrivateFile.exists("\(folder)/journal.db.rewriting"))
                outcome =
                    if count > 0 { .data } else { engine.epochRenewal == .markMissing ? .markMissing : .new }
            } catch {
                guard case .failed(let failure) = error else { throw error }
                outcome =
                    switch failure.reason {
                    case .databaseLost: .databaseLost
                    case .secretLost: .secretLost
                    default: nil
                    }
                #expect(try Self.content(folder) == before, "\(tried.testDescription)")
            }
            #expect(outcome == tried.expected, "\(tried.testDescription)")
        }
    }

    @Test(arguments: [false, true])
    func `a first start that ends while it creates the secret can be repeated`(secretIsThere: Bool)
        async throws
    {
        try await withFolder { folder in
            var options = SQLiteEngine.Options()
            options.makeSecret = { () throws(JournalError) in
                if secretIsThere { try PrivateFile.make("\(folder)/secret", Hall.secret) }
                throw .failed(StorageFailure(.full, operation: "test"))
            }
            for _ in 1...2 where !PrivateFile.exists("\(folder)/secret") {
                #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder, options) }
            }
            try Self.open(folder).close()
            #expect(PrivateFile.exists("\(folder)/secret"))
            // From this point on, a missing file is a loss.
            try FileManager.default.removeItem(atPath: "\(folder)/secret")
            let refused = #expect(throws: JournalError.self) { _ = try Self.open(folder) }
            guard case .failed(let failure) = refused else { return }
            #expect(failure.reason == .secretLost)
        }
    }

    @Test func `a database with a mark but without a count of commits is refused and does not change`()
        async throws
    {
        try await withFolder { folder in
            try Self.open(folder).close()
            let connection = try Connection(path: "\(folder)/journal.db")
            try connection.execute("DELETE FROM meta WHERE key = 'mark'", "test")
            connection.close()
            let before = try Self.content(folder)
            let refused = #expect(throws: JournalError.self) { _ = try Self.open(folder) }
            guard case .failed(let failure) = refused else { return }
            #expect(failure.reason == .databaseLost)
            #expect(try Self.content(folder) == before)
        }
    }

    @Test(arguments: [false, true])
    func `losing the log after the epoch was renewed is reported as a loss`(isRestored: Bool) async throws {
        func signUp(_ account: Account, _ engine: SQLiteEngine) throws {
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            try rows.begin()
            try rows.insert(account)
            try rows.commit()
        }
        try await withFolder { folder in
            let first = try Self.open(folder)
            try signUp(Self.account, first)
            first.close()
            try FileManager.default.removeItem(atPath: "\(folder)/journal.mark")
            if isRestored {
                // The database has the same state as after a restore.
                let connection = try Connection(path: "\(folder)/journal.db")
                try connection.execute("DELETE FROM meta WHERE key = 'mark'", "test")
                connection.close()
            }
            try await withFolder { killed in
                let engine = try Self.open(folder)
                try signUp(
                    Account(
                        id: .make(at: now), email: "b@example.org", name: "B", passwordHash: "x",
                        createdAt: now), engine)
                try FileManager.default.copyItem(atPath: folder, toPath: killed)
                engine.close()
                try FileManager.default.removeItem(atPath: "\(killed)/journal.db-wal")
                try Self.open(killed).close()
                #expect(LossRecord.all(in: killed).map(\.commits) == [1])
            }
        }
    }
}
