import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct MigrationTests {
    private let newest = Migrations.sqlite.newest
    private let later = with("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO later VALUES (7);")

    /// Returns the migrations with a further one.
    private static func with(_ text: String) -> Migrations {
        Migrations(first: Migrations.sqlite.first, Migrations.sqlite.all + [Migration(text)])
    }

    private func version(_ folder: String, file: String = "journal.db") throws -> Int {
        let connection = try Connection(path: "\(folder)/\(file)")
        defer { connection.close() }
        return try connection.schemaVersion
    }

    private func fill(_ folder: String) throws {
        let engine = try SQLiteEngine(folder: folder)
        defer { engine.close() }
        let rows = try #require(try engine.openWriter() as? SQLiteRows)
        try rows.begin()
        let insert = Query(
            "test",
            """
            INSERT INTO accounts (id, email, email_key, name, password_hash, profile, verified, admin,
                created_at, version)
            VALUES (?, 'a@example.org', 'a@example.org', 'A', 'x', '{}', 0, 0, ?, 1)
            """)
        try rows.connection.run(insert, AccountID.make(at: now), now)
        try rows.commit()
    }

    private func names(_ folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    @Test func `an empty folder gets the whole schema, and no backup`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder).close()
            #expect(try version(folder) == Migrations.sqlite.newest)
            #expect(try names(folder) == ["journal.db", "journal.lock", "journal.mark", "journal.reserve"])
        }
    }

    @Test func `an older database is copied, then migrated, and has the same rows and epoch`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let engine = try SQLiteEngine(folder: folder, migrations: later)
            engine.close()
            let migrated = try Connection(path: folder + "/journal.db")
            #expect(try migrated.first(Query("test", "SELECT count(*) FROM accounts")) { $0.int(0) } == 1)
            migrated.close()
            #expect(try version(folder) == later.newest)
            #expect(
                try names(folder) == [
                    "journal.db", "journal.db.version-\(newest).backup", "journal.lock", "journal.mark",
                    "journal.reserve",
                ])
            #expect(try version(folder, file: "journal.db.version-\(newest).backup") == newest)
            let backup = try Connection(path: folder + "/journal.db.version-\(newest).backup")
            defer { backup.close() }
            #expect(try backup.first(Query("test", "SELECT count(*) FROM accounts")) { $0.int(0) } == 1)
            #expect(
                try backup.first(Query("test", "SELECT value FROM meta WHERE key = 'epoch'")) { $0.text(0) }
                    == engine.epoch)
            // The second opening has nothing to migrate.
            try SQLiteEngine(folder: folder, migrations: later).close()
        }
    }

    @Test func `a meeting of the first schema opens without later values, and can get them`()
        async throws
    {
        try await withFolder { folder in
            let first = Migrations(first: Migrations.sqlite.first, [firstSchema])
            try SQLiteEngine(folder: folder, migrations: first).close()
            let id = MeetingID.make(at: now)
            let connection = try Connection(path: folder + "/journal.db")
            let insert = Query(
                "test",
                """
                INSERT INTO meetings (id, name, description, place, time_zone, identify_by, code_version,
                    created_at, version)
                VALUES (?, 'M', '', '', 'UTC', 0, 1, ?, 1)
                """)
            try connection.run(insert, id, now)
            let (session, attendee) = (SessionID.make(at: now), AttendeeID.make(at: now))
            try connection.run(
                Query(
                    "test",
                    """
                    INSERT INTO sessions (id, meeting, round, starts_at, ends_at, late_after_minutes,
                        check_in_opens_minutes_before, feedback_closes_hours_after, planned_count, code_kind,
                        code_version, join_code, version, present)
                    VALUES (?, ?, 1, ?, ?, 10, 60, 24, 0, 0, 1, 'CODE', 1, 1)
                    """), session, id, now, now + .hours(1))
            try connection.run(
                Query(
                    "test",
                    """
                    INSERT INTO attendees (session, id, name, identity, search, status, status_is_by_host,
                        walk_in, checked_in_at, method, arrival_sequence, version, note)
                    VALUES (?, ?, 'Kim', '', 'kim', 1, 0, 0, ?, 0, 1, 1, '')
                    """), session, attendee, now)
            let link = PresenterLinkID.make(at: now)
            try connection.execute("PRAGMA foreign_keys = OFF", "test")
            try connection.run(
                Query("test", "INSERT INTO presenter_links VALUES (?, ?, zeroblob(32), ?, ?)"), link, session,
                now, AccountID.make(at: now))
            connection.close()
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            var meeting = try #require(try rows.meeting(id))
            #expect(meeting.language == nil && meeting.accent == nil)
            #expect(meeting.absenceRule == nil)
            #expect(try rows.presenterLinks(of: session).map(\.purpose) == [.hall])
            (meeting.language, meeting.accent) = ("de", .teal)
            var kim = try #require(try rows.attendee(attendee))
            var record = try #require(try rows.session(session))
            #expect(kim.stays == nil && !record.session.recordsLeaving && record.headCount.left == 0)
            kim.leave(at: now + .minutes(5))
            record.session.checkOut = .phones
            meeting.absenceRule = AbsenceRule(inARow: 3, since: CivilDate("2026-09-01"), mail: false)
            try rows.begin()
            try rows.update(meeting)
            try rows.update(record.session)
            try rows.update(kim)
            try rows.commit()
            #expect(try rows.meeting(id) == meeting)
            #expect(try rows.attendee(attendee) == kim)
            #expect(try rows.session(session)?.session == record.session)
            #expect(try rows.recount(session).left == 1)
        }
    }

    @Test func `a failed migration does not change the old schema`() async throws {
        try await withFolder { folder in
            try fill(folder)
            let broken = Self.with("CREATE TABLE later (a INTEGER) STRICT; INSERT INTO nowhere VALUES (1);")
            #expect(throws: JournalError.self) {
                _ = try SQLiteEngine(folder: folder, migrations: broken)
            }
            #expect(try version(folder) == newest)
            try SQLiteEngine(folder: folder, migrations: later).close()
            #expect(try version(folder) == later.newest)
        }
    }

    @Test func `a newer schema is refused, and the file does not change`() async throws {
        try await withFolder { folder in
            try SQLiteEngine(folder: folder, migrations: later).close()
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db"))
            let refused = #expect(throws: JournalError.self) {
                _ = try SQLiteEngine(folder: folder)
            }
            guard case .failed(let failure) = refused else {
                Issue.record("refused with \(String(describing: refused))")
                return
            }
            #expect(failure.reason == .newerSchema(found: newest + 1, known: newest))
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db")) == before)
        }
    }

    @Test func `a database of a version before 0.1.0 is refused, and the file does not change`() async throws
    {
        try await withFolder { folder in
            try fill(folder)
            let connection = try Connection(path: folder + "/journal.db")
            try connection.execute("PRAGMA user_version = \(Migrations.sqlite.first - 1)", "test")
            connection.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db"))
            let refused = #expect(throws: JournalError.self) { _ = try SQLiteEngine(folder: folder) }
            guard case .failed(let failure) = refused else {
                Issue.record("refused with \(String(describing: refused))")
                return
            }
            #expect(failure.reason == .developmentSchema)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db")) == before)
        }
    }
}
