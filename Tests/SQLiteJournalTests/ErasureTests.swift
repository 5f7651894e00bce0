import Foundation
import Journal
import Meetings
import Testing

@testable import SQLiteJournal

@Suite struct ErasureTests {
    /// Returns the bytes of every file in the folder: the database, its log, and the index of the log.
    private func files(_ folder: String) throws -> Data {
        var all = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            all += try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        return all
    }

    private func name(_ number: Int) -> String { "Erased\(number)#" }

    private func isReadable(_ number: Int, in bytes: Data) -> Bool {
        // Search for the name as it was written, and for the folded name as in the search text and the key.
        bytes.range(of: Data(name(number).utf8)) != nil
            || bytes.range(of: Data(name(number).lowercased().utf8)) != nil
    }

    private let people = 500

    /// Inserts attendees with random ids and grants, so that pages split and rows move within the file before
    /// a person is erased.
    private func fill(_ rows: any WritableRows) throws -> [AttendeeID] {
        let id = try fillSession(rows)
        var ids: [AttendeeID] = []
        try rows.begin()
        for number in 0..<people {
            let attendee = AttendeeID.makeTimeless()
            let key = "\(name(number))@example.org"
            try rows.insert(
                Attendee(id: attendee, sessionID: id, name: name(number), identity: key),
                key: IdentityKey(key),
                grant: ID<Session>.makeTimeless().bytes)
            ids.append(attendee)
        }
        try rows.commit()
        return ids
    }

    private func fillSession(_ rows: any WritableRows) throws -> SessionID {
        let meeting = Meeting(id: .make(at: now), name: "M", createdAt: now)
        let session = Session(
            id: .make(at: now), meetingID: meeting.id, round: 1, startsAt: now, endsAt: now + .hours(1),
            joinCode: "ABC234")
        try rows.begin()
        try rows.insert(meeting)
        try rows.insert(session)
        try rows.commit()
        return session.id
    }

    @Test
    func
        `erased data is in no log after the commit, and in no file after a shuffle`()
        async throws
    {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try engine.openWriter()
            let ids = try fill(rows)
            let before = try files(folder)
            let readable = (0..<people).filter { isReadable($0, in: before) }
            #expect(readable.count == people)
            #expect(try rows.awaitsShuffle() == false)

            let erased = Array(stride(from: 7, to: people, by: 10))
            try rows.begin()
            for number in erased { try rows.delete(ids[number]) }
            try rows.commit()
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db-wal")).isEmpty)
            #expect(try rows.awaitsShuffle())

            try rows.shuffle()
            #expect(try rows.awaitsShuffle() == false)
            let after = try files(folder)
            let left = erased.filter { isReadable($0, in: after) }
            #expect(left.isEmpty, "\(left.count) of \(erased.count)")
            #expect(isReadable(8, in: after))
        }
    }

    @Test func `a withdrawn question is in no log after the commit, and in no file after a shuffle`()
        async throws
    {
        try await withFolder { folder in
            let engine = try SQLiteEngine(folder: folder)
            defer { engine.close() }
            let rows = try engine.openWriter()
            let session = try fillSession(rows)
            var questions = (0..<people).map { number in
                AudienceQuestion(
                    id: .makeTimeless(), sessionID: session, attendeeID: .makeTimeless(), promise: .hidden,
                    askedAt: now, text: name(number), status: .visible, answer: name(number))
            }
            try rows.begin()
            for question in questions { try rows.insert(question) }
            try rows.commit()
            let before = try files(folder)
            #expect((0..<people).allSatisfy { isReadable($0, in: before) })

            let erased = Array(stride(from: 7, to: people, by: 10))
            try rows.begin()
            for number in erased {
                (questions[number].text, questions[number].answer) = ("", "")
                (questions[number].attendeeID, questions[number].status) = (nil, .withdrawn)
                try rows.update(questions[number])
            }
            try rows.commit()
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/journal.db-wal")).isEmpty)
            try rows.shuffle()
            let after = try files(folder)
            #expect(erased.filter { isReadable($0, in: after) }.isEmpty)
            #expect(isReadable(8, in: after))
        }
    }
}
