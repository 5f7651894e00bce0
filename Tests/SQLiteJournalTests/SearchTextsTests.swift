import Journal
import JournalContract
import Meetings
import Seeds
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests the search texts in memory. A smaller limit than in a server makes every session a large one.
@Suite(.timeLimit(.minutes(2))) struct SearchTextsTests {
    private let session = SessionID(high: 1, low: 1)

    private func withSession<Result>(
        mostBytes: Int = 1_000_000, _ body: (SQLiteEngine, SQLiteRows) async throws -> Result
    ) async throws -> Result {
        try await withFolder { folder in
            var options = SQLiteEngine.Options()
            options.leastSearched = 0
            options.mostSearchedBytes = mostBytes
            let engine = try SQLiteEngine(folder: folder, options)
            defer { engine.close() }
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let now = Instant(milliseconds: 1_795_000_000_000)
            let meeting = Meeting(id: MeetingID(high: 1, low: 1), name: "M", createdAt: now)
            try change(rows) {
                try rows.insert(meeting)
                try rows.insert(
                    Session(
                        id: session, meetingID: meeting.id, round: 1, startsAt: now,
                        endsAt: now + .minutes(60), checkInOpensMinutesBefore: 60, joinCode: "CODE1"))
            }
            return try await body(engine, rows)
        }
    }

    private func change(_ rows: SQLiteRows, commits: Bool = true, _ body: () throws -> Void) throws {
        try rows.begin()
        try body()
        if commits { try rows.commit() } else { rows.rollBack() }
    }

    private func attendee(_ number: Int, _ name: String) -> Attendee {
        Attendee(
            id: AttendeeID(high: 2, low: UInt64(number)), sessionID: session, name: name,
            identity: "p\(number)@example.org", status: number.isMultiple(of: 3) ? .late : .present,
            statusIsByHost: false, walkIn: false, checkedInAt: nil, method: nil, arrivalSequence: 0)
    }

    private func search(
        _ engine: SQLiteEngine, _ text: String, statuses: Set<RecordedStatus>? = nil, after: Int = 0,
        limit: Int = 5
    ) async throws -> [String] {
        let session = session
        return try await engine.scan { rows throws(JournalError) in
            try rows.attendees(
                of: session, statuses: statuses, text: text,
                after: AttendeeID(high: 2, low: UInt64(after)), limit: limit)
        }.map(\.name)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `searches among stored texts find what the rows hold, through changes of any kind`(seed: UInt64)
        async throws
    {
        var random = SeededNumbers(seed: seed)
        let words = ["김", "민준", "이서연", "Kim", "anna", "준", "zz"]
        try await withSession { engine, rows in
            var names: [Int: String] = [:]
            for turn in 0..<300 {
                let commits = Int.random(in: 0..<5, using: &random) > 0
                var changed = names
                try change(rows, commits: commits) {
                    for _ in 0..<Int.random(in: 0..<4, using: &random) {
                        let number = Int.random(in: 1..<200, using: &random)
                        let name =
                            "\(words.randomElement(using: &random) ?? "") "
                            + "\(words.randomElement(using: &random) ?? "") \(turn)"
                        let record = attendee(number, name)
                        if changed[number] == nil {
                            try rows.insert(record, key: nil, grant: nil)
                        } else if turn % 50 == 49 {
                            try rows.delete(record.id)
                            changed[number] = nil
                            continue
                        } else {
                            try rows.update(record)
                        }
                        changed[number] = name
                    }
                }
                if commits { names = changed }
                let sought = words.randomElement(using: &random) ?? ""
                let after = Int.random(in: 0..<100, using: &random)
                let isLate = Bool.random(using: &random)
                let found = try await search(
                    engine, sought, statuses: isLate ? [.late] : nil, after: after)
                let expected = names.sorted { $0.key < $1.key }.filter { number, name in
                    number > after && (!isLate || number.isMultiple(of: 3))
                        && name.lowercased().contains(sought.lowercased())
                }
                #expect(found == expected.prefix(5).map(\.value), "turn \(turn), \(sought)")
            }
            #expect(engine.searched.usedCount > 100)
        }
    }

    @Test func `a batch that was open when a search began is not lost for the searches after it`()
        async throws
    {
        try await withSession { engine, rows in
            try change(rows) { try rows.insert(attendee(1, "Ann"), key: nil, grant: nil) }
            try rows.begin()
            try rows.insert(attendee(2, "Anna"), key: nil, grant: nil)
            // The writer did not note the second attendee, and no search can see the row yet.
            for _ in 0..<3 { #expect(try await search(engine, "ann") == ["Ann"]) }
            try rows.commit()
            for _ in 0..<3 { #expect(try await search(engine, "ann") == ["Ann", "Anna"]) }
            #expect(engine.searched.usedCount > 0)
        }
    }

    @Test func `an erasure drops the texts, and later searches read them again`() async throws {
        try await withSession { engine, rows in
            try change(rows) {
                for number in 1...3 { try rows.insert(attendee(number, "Ann"), key: nil, grant: nil) }
            }
            for _ in 0..<3 { #expect(try await search(engine, "ann").count == 3) }
            let used = engine.searched.usedCount
            #expect(used > 0)
            try change(rows) { try rows.delete(attendee(2, "").id) }
            #expect(engine.searched.byteCount == 0)
            for _ in 0..<3 { #expect(try await search(engine, "ann").count == 2) }
            #expect(engine.searched.usedCount > used)
        }
    }

    @Test
    func `a commit erases a replaced text from memory, and after a rollback searches find the old text`()
        async throws
    {
        try await withSession { engine, rows in
            try change(rows) {
                for number in 1...3 {
                    try rows.insert(attendee(number, "Before \(number)"), key: nil, grant: nil)
                }
            }
            for _ in 0..<3 { #expect(try await search(engine, "before").count == 3) }
            try change(rows) { try rows.update(attendee(2, "After")) }
            #expect(!engine.searched.holds("before 2", of: session))
            try change(rows) { try rows.update(attendee(2, "Later")) }
            #expect(!engine.searched.holds("after", of: session))
            #expect(engine.searched.holds("later", of: session))
            let used = engine.searched.usedCount
            #expect(try await search(engine, "before") == ["Before 1", "Before 3"])
            #expect(engine.searched.usedCount > used)
            try change(rows, commits: false) { try rows.update(attendee(3, "Never")) }
            for _ in 0..<3 { #expect(try await search(engine, "before") == ["Before 1", "Before 3"]) }
            #expect(!engine.searched.holds("never", of: session))
        }
    }

    @Test func `a commit erases a text that was noted before the others were read`() async throws {
        try await withSession { engine, rows in
            try change(rows) {
                for number in 1...2 { try rows.insert(attendee(number, "First"), key: nil, grant: nil) }
            }
            #expect(try await search(engine, "first").count == 2)
            try change(rows) { try rows.insert(attendee(3, "Noted"), key: nil, grant: nil) }
            for _ in 0..<2 { #expect(try await search(engine, "noted").count == 1) }
            try change(rows) { try rows.update(attendee(3, "After")) }
            #expect(!engine.searched.holds("noted", of: session))
            #expect(engine.searched.holds("after", of: session))
        }
    }

    @Test func `texts beyond the limit of bytes are not stored, and searches scan`() async throws {
        try await withSession(mostBytes: 40) { engine, rows in
            try change(rows) {
                for number in 1...9 { try rows.insert(attendee(number, "Ann"), key: nil, grant: nil) }
            }
            for _ in 0..<4 {
                #expect(try await search(engine, "ann", limit: 9).count == 9)
                #expect(engine.searched.byteCount <= 40)
            }
            #expect(engine.searched.usedCount == 0)
        }
    }
}
