import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct MigrationTests {
    private let second = Migration("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO later VALUES (7);")

    private func version(_ folder: String, file: String = "journal.db") throws -> Int {
        let connection = try Connection(path: "\(folder)/\(file)")
        defer { connection.close() }
        return try connection.schemaVersion
    }

    private func fill(_ folder: String) throws {
        let engine = try SQLiteEngine(folder: folder, migrations: [schema1])
        defer { engine.close() }
        let rows = try #require(try engine.openWriter() as? SQLiteRows)
        try rows.begin()
        try insertAccount(AccountID.make(at: now), "a@example.org", into: rows)
        try rows.commit()
    }

    /// Inserts an account with the columns of the first schema.
    private func insertAccount(_ id: AccountID, _ email: String, into rows: SQLiteRows) throws {
        let insert = Query(
            "test",
            """
            INSERT INTO accounts (id, email, email_key, name, password_hash, profile, verified, admin,
                created_at, version)
            VALUES (?, ?, ?, 'A', 'x', '{}', 0, 0, ?, 1)
            """)
        try rows.connection.run(insert, id, email, email, now)
    }

    private func names(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    @Test func `an empty folder gets the whole schema, and no backup`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder).close()
            #expect(try version(folder) == Migration.all.count)
            #expect(try names(folder) == ["journal.db", "journal.lock", "journal.mark", "journal.reserve"])
        }
    }

    @Test func `an older database is copied, then migrated, and has the same rows and epoch`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let engine = try SQLiteEngine(folder: folder, migrations: [schema1, second])
            engine.close()
            let migrated = try Connection(path: folder + "/journal.db")
            #expect(try migrated.first(Query("test", "SELECT count(*) FROM accounts")) { $0.int(0) } == 1)
            migrated.close()
            #expect(try version(folder) == 2)
            #expect(
                try names(folder) == [
                    "journal.db", "journal.db.version-1.backup", "journal.lock", "journal.mark",
                    "journal.reserve",
                ])
            #expect(try version(folder, file: "journal.db.version-1.backup") == 1)
            let backup = try Connection(path: folder + "/journal.db.version-1.backup")
            defer { backup.close() }
            #expect(try backup.first(Query("test", "SELECT count(*) FROM accounts")) { $0.int(0) } == 1)
            #expect(
                try backup.first(Query("test", "SELECT value FROM meta WHERE key = 'epoch'")) { $0.text(0) }
                    == engine.epoch)
            // The second opening has nothing to migrate.
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
        }
    }

    @Test func `a failed migration does not change the old schema`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let broken = Migration("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
            #expect(throws: JournalError.self) {
                _ = try SQLiteEngine(folder: folder, migrations: [schema1, broken])
            }
            #expect(try version(folder) == 1)
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
            #expect(try version(folder) == 2)
        }
    }

    @Test func `a newer schema is refused, and the file does not change`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder, migrations: [schema1, second]).close()
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db"))
            let refused = #expect(throws: JournalError.self) {
                _ = try SQLiteEngine(folder: folder, migrations: [schema1])
            }
            guard case .failed(let failure) = refused else {
                Issue.record("refused with \(String(describing: refused))")
                return
            }
            #expect(failure.reason == .newerSchema(found: 2, known: 1))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db")) == before)
        }
    }

    @Test(arguments: [true, false])
    func `the migration records an operator for a database with an account, but not for an empty one`(
        hasAccount: Bool
    ) async throws {
        try await withFolder { folder in
            if hasAccount {
                try fill(folder)
            } else {
                try SQLiteEngine(folder: folder, migrations: [schema1]).close()
            }
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let found = try await engine.read { rows throws(JournalError) in try rows.hasHadOperator() }
            #expect(found == hasAccount)
        }
    }

    @Test func `the migration marks old sets as final if their numbers of responses show it`() async throws {
        try await withFolder { folder in
            let place = try #require(Migration.all.firstIndex { $0.text == schemaSecondRounds.text })
            let older = try SQLiteEngine(folder: folder, migrations: Array(Migration.all[..<place]))
            let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: now)
            let sealed = Set(["whole", "two"])
            // One session ended long ago, and the other session ends in the far future.
            let ends = [Instant(milliseconds: 3_600_000), Instant(milliseconds: 32_503_680_000_000)]
            let sessions = ends.enumerated().map { place, end in
                Session(
                    id: .makeTimeless(), meetingID: meeting.id, round: place + 1, startsAt: end - .hours(1),
                    endsAt: end,
                    joinCode: "ABC23\(place + 4)")
            }
            let rows = try #require(try older.openWriter() as? SQLiteRows)
            try rows.begin()
            try rows.insertIntoOlder(meeting)
            let insert = Query(
                "test",
                """
                INSERT INTO question_sets (session, name, shared, anonymous, responses, published_responses,
                    version, sealed)
                VALUES (?, ?, 0, ?, ?, ?, 1, ?)
                """)
            for session in sessions {
                try rows.insertIntoOlder(session)
                for (name, anonymous, published) in [
                    ("rest", true, 4), ("whole", true, 6), ("open", true, 6), ("two", true, 2),
                    ("named", false, 4),
                ] {
                    try rows.connection.run(
                        insert, session.id, name, anonymous, published, published, sealed.contains(name))
                }
            }
            try rows.commit()
            older.close()
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            for (session, expected) in zip(sessions, [["rest", "whole"], ["rest"]]) {
                let sets = try await engine.read { rows throws(JournalError) in
                    try rows.questionSets(of: session.id)
                }
                #expect(sets.filter(\.restIsShown).map(\.name) == expected)
            }
        }
    }

    @Test func `the migration fixes the anonymity of old sets that were opened by hand or answered`()
        async throws
    {
        try await withFolder { folder in
            let place = try #require(Migration.all.firstIndex { $0.text == schemaPromises.text })
            let older = try SQLiteEngine(folder: folder, migrations: Array(Migration.all[..<place]))
            let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: now)
            let session = Session(
                id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: now, endsAt: now,
                joinCode: "ABC234")
            let rows = try #require(try older.openWriter() as? SQLiteRows)
            try rows.begin()
            try rows.insertIntoOlder(meeting)
            try rows.insertIntoOlder(session)
            let insert = Query(
                "test",
                """
                INSERT INTO question_sets (session, name, open_by_hand, shared, anonymous, responses,
                    published_responses, version)
                VALUES (?, ?, ?, 0, 1, ?, 0, 1)
                """)
            let sets: [(name: String, open: Bool?, responses: Int)] = [
                ("answered", nil, 1), ("closed", false, 0), ("new", nil, 0), ("opened", true, 0),
            ]
            for set in sets { try rows.connection.run(insert, session.id, set.name, set.open, set.responses) }
            try rows.commit()
            older.close()
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let found = try await engine.read { rows throws(JournalError) in
                try rows.questionSets(of: session.id)
            }
            #expect(found.filter(\.anonymityIsFixed).map(\.name) == ["answered", "closed", "opened"])
        }
    }

    @Test func `the migration joins words of word clouds that look equal`() async throws {
        try await withFolder { folder in
            let place = try #require(Migration.all.firstIndex { $0.text == schemaVisibleWords.text })
            let older = try SQLiteEngine(folder: folder, migrations: Array(Migration.all[..<place]))
            let (one, other) = (QuestionID.makeTimeless(), QuestionID.makeTimeless())
            let rows = try #require(try older.openWriter() as? SQLiteRows)
            // The words need no questions here.
            try rows.connection.run(Query("test", "PRAGMA foreign_keys = OFF"))
            try rows.begin()
            let words = Query("test", "INSERT INTO words (question, word, count) VALUES (?, ?, ?)")
            for (question, word, count) in [
                (one, "배움", 3), (one, "배\u{200B}움", 2), (one, "\u{FEFF}배움", 1), (one, "\u{200B}", 1),
                (other, "te\u{202E}a", 4), (other, "👩‍👩‍👧", 1),
            ] { try rows.connection.run(words, question, word, count) }
            let decided = Query(
                "test", "INSERT INTO moderated_words (question, word, status) VALUES (?, ?, ?)")
            for (question, word, status) in [
                (one, "배움", TextStatus.visible), (one, "배\u{200B}움", .hidden),
                (other, "te\u{202E}a", .hidden),
            ] { try rows.connection.run(decided, question, word, status.code) }
            try rows.commit()
            older.close()
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let found = try await engine.read { rows throws(JournalError) in
                [try rows.words(of: one, limit: 10), try rows.words(of: other, limit: 10)]
            }
            #expect(found[0].map(\.word) == ["배움", "\u{200B}"] && found[0].map(\.count) == [6, 1])
            #expect(found[1].map(\.word) == ["tea", "👩‍👩‍👧"] && found[1].map(\.count) == [4, 1])
            #expect(found[0].map(\.decided) == [.visible, nil] && found[1].map(\.decided) == [.hidden, nil])
        }
    }

    @Test func `old links and invitations get the owner as creator, and are deleted if there is no owner`()
        async throws
    {
        try await withFolder { folder in
            let place = try #require(Migration.all.firstIndex { $0.text == schemaCreators.text })
            let older = try SQLiteEngine(folder: folder, migrations: Array(Migration.all[..<place]))
            let rows = try #require(try older.openWriter() as? SQLiteRows)
            let (meetings, owners) = (
                [MeetingID.make(at: now), .make(at: now)], [AccountID.make(at: now), .make(at: now)]
            )
            let sessions = meetings.map { meeting in
                Session(
                    id: .make(at: now), meetingID: meeting, round: 1, startsAt: now, endsAt: now,
                    joinCode: JoinCode.random())
            }
            try rows.begin()
            for (number, owner) in owners.enumerated() {
                try insertAccount(owner, "a\(number)@example.org", into: rows)
            }
            let link = Query(
                "test", "INSERT INTO presenter_links (id, session, hash, created_at) VALUES (?, ?, ?, ?)")
            let invitation = Query(
                "test",
                "INSERT INTO meeting_invitations (id, meeting, email, email_key, role, created_at, "
                    + "expires_at) VALUES (?, ?, ?, ?, 1, ?, ?)"
            )
            for (number, session) in sessions.enumerated() {
                try rows.insertIntoOlder(Meeting(id: session.meetingID, name: "M", createdAt: now))
                try rows.insertIntoOlder(session)
                try rows.connection.run(
                    link, PresenterLinkID.make(at: now), session.id,
                    [UInt8](repeating: UInt8(number), count: 32), now)
                try rows.connection.run(
                    invitation, MeetingInvitationID.make(at: now), session.meetingID, "Kim@example.org",
                    "kim@example.org", now, now)
            }
            for owner in owners { try rows.setRole(.owner, of: owner, in: meetings[0]) }
            try rows.commit()
            older.close()
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let (links, invitations) = try await engine.read { rows throws(JournalError) in
                var found: (links: [PresenterLink], invitations: [MeetingInvitation]) = ([], [])
                for session in sessions {
                    found.links += try rows.presenterLinks(of: session.id)
                    found.invitations += try rows.invitations(to: session.meetingID)
                }
                return found
            }
            #expect(
                links.map(\.createdBy) == [owners.min()]
                    && links.map(\.hash) == [[UInt8](repeating: 0, count: 32)])
            #expect(
                invitations.map(\.invitedBy) == [owners.min()]
                    && invitations.map(\.email) == ["Kim@example.org"])
        }
    }
}

/// Writes rows into a database of an older schema, which lacks the columns that later migrations add.
extension SQLiteRows {
    fileprivate func insertIntoOlder(_ meeting: Meeting) throws(JournalError) {
        let insert = Query(
            "test",
            """
            INSERT INTO meetings (id, name, description, place, time_zone, identify_by, code_version,
                created_at, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try connection.run(
            insert, meeting.id, meeting.name, meeting.description, meeting.venue, meeting.timeZone.name,
            meeting.identifyBy.code, meeting.codeVersion, meeting.createdAt, meeting.version)
    }

    fileprivate func insertIntoOlder(_ session: Session) throws(JournalError) {
        let insert = Query(
            "test",
            """
            INSERT INTO sessions (id, meeting, round, starts_at, ends_at, late_after_minutes,
                check_in_opens_minutes_before, feedback_closes_hours_after, planned_count, code_kind,
                code_version, join_code, version)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try connection.run(
            insert, session.id, session.meetingID, session.round, session.startsAt, session.endsAt,
            session.lateAfterMinutes, session.checkInOpensMinutesBefore, session.feedbackClosesHoursAfter,
            session.plannedCount, session.codeKind.code, session.codeVersion, session.joinCode,
            session.version)
    }
}
