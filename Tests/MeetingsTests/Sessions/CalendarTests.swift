import Testing

@testable import Meetings

@Suite struct CalendarTests {
    @Test func `lines are folded at 75 octets, and no character is split`() {
        for value in [
            String(repeating: "x", count: 200), String(repeating: "가", count: 100),
            String(repeating: "👩‍👩‍👧‍👦", count: 20), "",
        ] {
            var calendar = CalendarText()
            calendar.add("SUMMARY", text: value)
            let lines = calendar.text.split(separator: "\r\n", omittingEmptySubsequences: true)
            #expect(lines.allSatisfy { $0.utf8.count <= 75 })
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
            #expect(
                calendar.text.replacing("\r\n ", with: "") == (value.isEmpty ? "" : "SUMMARY:\(value)\r\n"))
        }
    }

    @Test func `special characters are escaped, and control characters are omitted`() {
        #expect(CalendarText.escaped("a,b;c\\d\r\ne\u{7}\tf") == "a\\,b\\;c\\\\d\\ne\tf")
    }

    @Test func `the changes of a zone are found to the second, with their offsets`() throws {
        let berlin = try #require(Zone("Europe/Berlin"))
        let found = berlin.transitions(
            from: try moment("2026-01-01T00:00:00Z"), to: try moment("2027-01-01T00:00:00Z"))
        let changes = [try moment("2026-03-29T01:00:00Z"), try moment("2026-10-25T01:00:00Z")]
        #expect(found.map(\.at) == changes)
        #expect(found.map(\.offsetBefore) == [3600, 7200] && found.map(\.isDaylight) == [true, false])
        let seoul = try #require(Zone("Asia/Seoul"))
        let none = seoul.transitions(
            from: try moment("2026-01-01T00:00:00Z"), to: try moment("2036-01-01T00:00:00Z"))
        #expect(none.isEmpty)
    }

    @Test func `a calendar has stable ids, sequence numbers and wall-clock times`() throws {
        let zone = try #require(Zone("Europe/Berlin"))
        let meeting = Meeting(
            id: .makeTimeless(), name: "Reading; circle", venue: "Room 1, left", timeZone: zone,
            createdAt: now)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1,
            startsAt: try moment("2026-10-24T20:00:00Z"),
            endsAt: try moment("2026-10-25T03:00:00Z"), joinCode: "X", version: 3)
        let text = MeetingCalendar.text(
            of: meeting, sessions: [session], title: { "\(meeting.name) \($0.round)" }, product: "-//T//EN",
            at: now)
        for line in [
            "DTSTART;TZID=Europe/Berlin:20261024T220000", "DTEND;TZID=Europe/Berlin:20261025T040000",
            "UID:\(session.id)@qring",
            "SEQUENCE:2",
            "SUMMARY:Reading\\; circle 1", "LOCATION:Room 1\\, left", "TZOFFSETFROM:+0200",
            "DTSTART:20261025T030000",
        ] { #expect(text.contains("\r\n\(line)\r\n"), "\(line)") }
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    }

    private let now = Instant(rfc3339: "2026-11-20T12:00:00Z")!
    private func moment(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }
}
