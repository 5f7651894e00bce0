import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

@Suite struct VerificationTests {
    @Test func `data that commands wrote has no faults and is counted`() async throws {
        try await withHall { hall in
            let verification = try Verification.run(on: hall.folder)
            #expect(verification.faults == [])
            // The events are: one for the meeting, eight check-ins, five times two responses, and one
            // withdrawal. The named response of the withdrawn attendee was deleted.
            let expected = Verification.Counts(
                accounts: 1, meetings: 1, sessions: 1, attendees: 7, checkedIn: 7, events: 20, responses: 9)
            #expect(verification.counts == expected)
        }
    }

    @Test func `verification beside a server sees committed data and does not change the log`()
        async throws
    {
        try await withHall { hall in
            try await hall.open { storage in
                try await hall.checkIn(100, in: storage)
                let log = PrivateFile.size(hall.database + "-wal")
                let verification = try Verification.run(on: hall.folder)
                #expect(verification.faults == [])
                #expect(verification.counts.attendees == 8)
                #expect(PrivateFile.size(hall.database + "-wal") == log)
                #expect((log ?? 0) > 0)
            }
        }
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let kind: Fault.Kind
        let sql: String
        var testDescription: String { "\(kind): \(sql)" }
    }

    /// An offline door that notes some entries, and has none.
    private static func offlineDoor(received: Int) -> String {
        "INSERT INTO satellites SELECT randomblob(16), id, 'Gate', 1, 0, 0, NULL, 0, randomblob(16), NULL, "
            + "NULL, NULL, NULL, NULL, NULL, NULL, \(received) FROM sessions"
    }

    @Test(arguments: [
        Damage(kind: .journalGap, sql: "DELETE FROM events WHERE sequence = 20 - 5"),
        Damage(kind: .journalGap, sql: "DELETE FROM events WHERE sequence = 1"),
        Damage(kind: .counterDiffers, sql: "UPDATE sessions SET sequence = sequence + 1"),
        Damage(
            kind: .counterDiffers,
            sql: "DELETE FROM events WHERE sequence = (SELECT max(sequence) FROM events)"),
        Damage(kind: .unknownEventData, sql: "UPDATE events SET fields = '김철수' WHERE sequence = 1"),
        Damage(
            kind: .unknownEventData, sql: "UPDATE events SET fields = 'kim@example.org' WHERE sequence = 1"),
        Damage(kind: .unknownEventData, sql: "UPDATE events SET changes = 'Kim' WHERE sequence = 1"),
        Damage(
            kind: .unknownEventData,
            sql: "UPDATE events SET changes = '{\"name\":\"Kim\"}' WHERE sequence = 1"),
        Damage(
            kind: .unknownEventData,
            sql: #"UPDATE events SET changes = '[{"field":"name","from":"Kim","to":"1"}]' WHERE sequence = 1"#
        ),
        Damage(
            kind: .unknownEventData,
            sql:
                #"UPDATE events SET changes = '[{"field":"name","from":"1","to":"2","why":"Kim"}]' "#
                + "WHERE sequence = 1"
        ),
        Damage(
            kind: .unknownEventData, sql: "UPDATE events SET set_name = 'Kim Lee' WHERE set_name = 'poll'"),
        Damage(kind: .unknownEventData, sql: "UPDATE events SET actor = 'Kim' WHERE sequence = 2"),
        Damage(kind: .unknownEventData, sql: "UPDATE events SET kind = 99 WHERE sequence = 2"),
        Damage(kind: .unknownEventData, sql: "ALTER TABLE events ADD COLUMN name TEXT"),
        Damage(kind: .headCountDiffers, sql: "UPDATE sessions SET present = present + 1, late = late - 1"),
        Damage(kind: .headCountDiffers, sql: "UPDATE sessions SET walk_ins = 1"),
        Damage(kind: .headCountDiffers, sql: "UPDATE attendees SET status = 4 WHERE name = 'Person 1'"),
        Damage(
            kind: .arrivalWithoutEvent,
            sql: "UPDATE attendees SET arrival_sequence = 1 WHERE name = 'Person 1'"),
        Damage(
            kind: .arrivalWithoutEvent,
            sql: "UPDATE events SET attendee = randomblob(16) WHERE sequence = "
                + "2"),
        Damage(kind: .arrivalLost, sql: "DELETE FROM attendees WHERE name = 'Person 1'"),
        Damage(kind: .keyDiffers, sql: "UPDATE attendees SET key = 'x' || key WHERE name = 'Person 1'"),
        Damage(
            kind: .keyDiffers,
            sql: "UPDATE attendees SET identity = 'other@example.org' WHERE name = 'Person 1'"),
        Damage(
            kind: .placeElsewhere,
            sql: """
                INSERT INTO meetings (id, name, description, place, time_zone, identify_by, code_version,
                    created_at, version, regulars)
                SELECT randomblob(16), 'Other', '', '', 'UTC', 0, 1, 0, 1, 1;
                INSERT INTO people SELECT randomblob(16), id, 'P', 'p', '', NULL, '', NULL, '', 0, 1, 0
                    FROM meetings WHERE name = 'Other';
                INSERT INTO places SELECT p.id, a.session, a.id FROM people p, attendees a
                    WHERE a.name = 'Person 1'
                """),
        Damage(kind: .responsesDiffer, sql: "UPDATE question_sets SET responses = 6 WHERE name = 'feedback'"),
        Damage(
            kind: .responsesDiffer,
            sql: "DELETE FROM responses WHERE set_name = 'poll' AND answers LIKE '%b%'"),
        Damage(
            kind: .publishedDiffer,
            sql: "UPDATE question_sets SET published_responses = 5 WHERE name = 'feedback'"),
        Damage(kind: .marksDiffer, sql: "DELETE FROM answered WHERE set_name = 'poll'"),
        Damage(kind: .marksDiffer, sql: "DELETE FROM answered WHERE set_name = 'feedback'"),
        Damage(
            kind: .marksDiffer,
            sql: "INSERT INTO answered SELECT id, 'feedback' FROM attendees WHERE true ON CONFLICT DO NOTHING"
        ),
        Damage(kind: .responseEventsDiffer, sql: "UPDATE events SET kind = 3 WHERE set_name = 'feedback'"),
        Damage(
            kind: .anonymousNamed,
            sql: "UPDATE responses SET attendee = (SELECT id FROM attendees) WHERE answers LIKE '%text 0%'"),
        Damage(
            kind: .anonymousNamed,
            sql:
                "UPDATE events SET attendee = (SELECT id FROM attendees) WHERE kind = 6 AND set_name = "
                + "'feedback'"
        ),
        Damage(kind: .tallyDiffers, sql: "UPDATE tallies SET published = pending, pending = published"),
        Damage(kind: .tallyDiffers, sql: "UPDATE responses SET answers = replace(answers, ':5', ':4')"),
        Damage(kind: .tallyDiffers, sql: "DELETE FROM tallies"),
        Damage(kind: .answerDoesNotFit, sql: "UPDATE responses SET answers = replace(answers, ':5', ':50')"),
        Damage(kind: .unreadable, sql: "UPDATE responses SET answers = '{' WHERE set_name = 'poll'"),
        Damage(
            kind: .votesDiffer,
            sql: "INSERT INTO audience_questions SELECT randomblob(16), id, NULL, 0, 0, 'Why?', 1, 0, '', 3, "
                + "NULL, 1 FROM sessions"),
        Damage(kind: .doorEntriesDiffer, sql: offlineDoor(received: 2)),
        Damage(
            kind: .doorEntriesDiffer,
            sql: offlineDoor(received: 1)
                + "; INSERT INTO door_entries SELECT id, 2, session, NULL, x'00', 0, 0 FROM satellites"),
        Damage(
            kind: .doorEntriesDiffer,
            sql: offlineDoor(received: 1)
                + "; INSERT INTO door_entries SELECT id, number, session, NULL, x'00', 0, 0 FROM satellites, "
                + "(SELECT 1 AS number UNION SELECT 3)"),
        Damage(kind: .latestSessionDiffers, sql: "UPDATE members SET ends_at = ends_at + 1"),
        Damage(kind: .brokenReference, sql: "DELETE FROM meetings"),
    ])
    func `each kind of damage is found, with its session`(_ damage: Damage) async throws {
        try await withHall { hall in
            try hall.damage(damage.sql)
            let found = try Verification.run(on: hall.folder).faults
            let finding = found.first { $0.kind == damage.kind }
            #expect(finding != nil, "\(found)")
            let ofTheFile: Set<Fault.Kind> = [.brokenReference, .unreadable]
            if !ofTheFile.contains(damage.kind), !damage.sql.hasPrefix("ALTER") {
                #expect(finding?.session == hall.session)
            }
        }
    }

    @Test func `the fault names the first missing sequence`() async throws {
        try await withHall { hall in
            try hall.damage("DELETE FROM events WHERE sequence IN (7, 9)")
            let gap = try Verification.run(on: hall.folder).faults.first { $0.kind == .journalGap }
            #expect(gap?.values == ["events": "18", "last": "20", "missing": "7"])
        }
    }

    @Test func `a damaged page is found, and the rest of the file is still checked`() async throws {
        try await withHall { hall in
            let connection = try Connection(path: hall.database)
            let page = try connection.first(
                Query("test", "SELECT rootpage FROM sqlite_schema WHERE name = 'tokens_by_expiry'")
            ) {
                $0.int(0)
            }
            connection.close()
            let file = try #require(FileHandle(forUpdatingAtPath: hall.database))
            try file.seek(toOffset: UInt64((try #require(page) - 1) * 2048))
            try file.write(contentsOf: Data(repeating: 0xAB, count: 2048))
            try file.close()
            let verification = try Verification.run(on: hall.folder)
            #expect(verification.faults.contains { $0.kind == .damagedFile || $0.kind == .unreadable })
            #expect(verification.counts.attendees == 7)
        }
    }

    @Test func `a folder without data is refused with that reason`() async throws {
        try await withFolder { folder in
            #expect(throws: OperatingError.noData(folder: folder)) { _ = try Verification.run(on: folder) }
        }
    }
}
