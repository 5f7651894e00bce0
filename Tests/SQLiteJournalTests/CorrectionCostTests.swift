import Journal
import JournalContract
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// Tests that the cost of a page depends on what the page shows, not on the number of existing rows. The cost
/// is counted in steps of SQLite's virtual machine, which do not depend on the load of the computer.
@Suite struct CorrectionCostTests {
    @Test
    func `a page of attendees or of the journal costs the same among 100 and among 100,000 rows`()
        async throws
    {
        let small = try await steps(people: 100)
        let large = try await steps(people: 100_000)
        #expect(small.keys == large.keys && small.count >= 3)
        for (operation, count) in small {
            let other = large[operation] ?? .max
            #expect(
                count > 0 && other * 2 <= count * 3,
                "\(operation): \(count) steps among 100, \(other) among 100,000")
        }
    }

    private func steps(people: Int) async throws -> [String: Int] {
        try await withEngine { engine in
            let rows = try #require(try engine.openWriter() as? SQLiteRows)
            let host = Account(
                id: .makeTimeless(), email: "a@example.org", name: "A", passwordHash: "$",
                createdAt: Instant(milliseconds: 0))
            let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: Instant(milliseconds: 0))
            let session = Session(
                id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: Instant(milliseconds: 0),
                endsAt: Instant(milliseconds: 1),
                joinCode: "ABCDEF")
            try rows.begin()
            try rows.insert(host)
            try rows.insert(meeting)
            try rows.insert(session)
            for number in 1...people {
                // Only a few attendees are late, and they come last, so that the test detects a search that
                // reads all attendees.
                let isLate = number > people - 40
                try rows.insert(
                    Attendee(
                        id: AttendeeID(high: 1, low: UInt64(number)), sessionID: session.id,
                        name: "P\(number)",
                        status: isLate ? .late : .present, arrivalSequence: Int64(number)), key: nil,
                    grant: nil)
                try rows.append(
                    Event(
                        sessionID: session.id, sequence: Int64(number), at: Instant(milliseconds: 0),
                        kind: .checkedIn, attendeeID: nil,
                        actor: .server, data: EventData()))
            }
            try rows.commit()
            let middle = AttendeeID(high: 1, low: UInt64(people / 4))
            #expect(
                try rows.attendees(of: session.id, statuses: nil, text: nil, after: middle, limit: 30).count
                    == 30)
            #expect(
                try rows.attendees(of: session.id, statuses: [.late], text: nil, after: middle, limit: 30)
                    .count == 30)
            #expect(try rows.events(of: session.id, after: Int64(people / 4), limit: 30).count == 30)
            #expect(
                try rows.corrections(of: session.id, in: Int64(people / 4)...Int64(people / 4 + 30)).isEmpty)
            let listed = ["list attendees", "list attendees by status", "list events", "list corrections"]
            return rows.connection.machineSteps.filter { listed.contains($0.key) }
        }
    }
}
