import Meetings
import Phrases
import Testing

@testable import Wire

@Suite struct AttendanceTableTests {
    @Test(
        arguments: [
            ("Kim", "Kim"), ("=1+1", "'=1+1"), ("+82", "'+82"), ("@SUM(A1)", "'@SUM(A1)"), ("＝1", "'＝1"),
            ("-1", "-1"), ("-0.5", "-0.5"), ("-1+1", "'-1+1"), ("-1\n", "\"'-1\n\""), ("-1e5", "'-1e5"),
            ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("=\"x\",1", "\"'=\"\"x\"\",1\""), ("김;이", "\"김;이\""),
            ("", ""), ("a=b", "a=b"), (" =1+1", "' =1+1"), ("\u{A0}\u{3000}@x", "'\u{A0}\u{3000}@x"),
            ("\u{200B}=1", "'\u{200B}=1"), ("\u{FEFF}+1", "'\u{FEFF}+1"), ("\u{202E}-1", "'\u{202E}-1"),
            ("\u{2066}\u{AD}=1", "'\u{2066}\u{AD}=1"), ("\u{1}=1", "'\u{1}=1"),
            ("\u{3164}=1", "'\u{3164}=1"), ("﹦1", "'﹦1"), ("x;=1;y", "\"x;'=1;y\""), ("x;-1;y", "\"x;-1;y\""),
            (" a=b", " a=b"), ("\tx", "\"'\tx\""),
            (" \n =1", "\"' \n' =1\""), ("x\r\n=1", "\"x\r\n'=1\""), ("x;\u{301};@y", "\"x;\u{301};'@y\""),
            (" ", " "),
        ])
    func `the writer quotes cells if necessary, and no spreadsheet runs a cell as a formula`(
        text: String, cell: String
    ) {
        #expect(SpreadsheetLines.Cell.text(text).written == cell)
    }

    @Test func `a table of a meeting by number has the attendee's number and the roster's e-mail address`()
        throws
    {
        let start = try #require(Instant(rfc3339: "2026-11-21T10:00:00Z"))
        let meeting = Meeting(id: .makeTimeless(), name: "M", identifyBy: .number, createdAt: start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start, endsAt: start + .hours(1),
            joinCode: "X")
        var table = AttendanceTable(session, of: meeting, TableForm(in: .english), at: start)
        table.add(
            Attendee(id: .makeTimeless(), sessionID: session.id, name: "Kim", identity: "17"),
            person: Person(
                id: .makeTimeless(), meetingID: meeting.id, name: "Kim", email: "kim@example.org",
                number: "17"))
        #expect(
            String(decoding: table.bytes, as: UTF8.self)
                == "Name,E-mail,Number,Status,Checked in "
                + "at,Method,Walk-in,Note,First time\r\nKim,kim@example.org,17,awaited,,,,,\r\n"
        )
    }

    @Test func `a meeting that asks for consent has a column with the number of each attendee's text`() throws
    {
        let start = try #require(Instant(rfc3339: "2026-11-21T10:00:00Z"))
        let meeting = Meeting(id: .makeTimeless(), name: "M", identifyBy: .name, createdAt: start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start, endsAt: start + .hours(1),
            joinCode: "X")
        var table = AttendanceTable(
            session, of: meeting, TableForm(in: .english, headings: .keys), hasConsents: true, at: start)
        for (name, consent) in [("Kim", 2), ("Lee", nil)] as [(String, Int?)] {
            table.add(
                Attendee(id: .makeTimeless(), sessionID: session.id, name: name, consentNumber: consent))
        }
        let lines = String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(lines[0].hasSuffix(",firstTime,consentNumber"))
        #expect(lines[1].hasSuffix(",2") && lines[2].hasSuffix(","))
    }

    @Test func `a session that records leaving has columns of the time present`() throws {
        let start = try #require(Instant(rfc3339: "2026-11-21T10:00:00Z"))
        let meeting = Meeting(id: .makeTimeless(), name: "M", identifyBy: .name, createdAt: start)
        var session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start, endsAt: start + .hours(1),
            joinCode: "X")
        session.take(SessionSettings(checkOut: .door, minimumMinutes: 30))
        let form = TableForm(in: .english, headings: .keys)
        var table = AttendanceTable(session, of: meeting, form, at: start + .hours(2))
        for (name, leaves) in [("Kim", 29), ("Lee", nil)] as [(String, Int?)] {
            var attendee = Attendee(
                id: .makeTimeless(), sessionID: session.id, name: name, status: .present, checkedInAt: start)
            if let leaves { attendee.leave(at: start + .minutes(leaves)) }
            table.add(attendee)
        }
        table.add(Attendee(id: .makeTimeless(), sessionID: session.id, name: "Choi"))
        let lines = String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n")
        #expect(lines[0].hasSuffix(",firstTime,leftAt,presentMinutes,partial"))
        #expect(lines[1].hasSuffix(",2026-11-21 10:29:00,29,yes"))
        #expect(lines[2].hasSuffix(",,60,"))
        #expect(lines[3].hasSuffix(",,,"))
    }

    @Test
    func `a table has a header in the caller's language, CRLF lines, and a byte order mark on request`()
        throws
    {
        let zone = try #require(Zone("Asia/Seoul"))
        let start = try #require(Instant(rfc3339: "2026-11-21T10:00:00Z"))
        let meeting = Meeting(id: .makeTimeless(), name: "M", timeZone: zone, createdAt: start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start, endsAt: start + .hours(1),
            joinCode: "X")
        var table = AttendanceTable(
            session, of: meeting, TableForm(in: .korean, byteOrderMark: true), at: start + .hours(2))
        table.add(
            Attendee(
                id: .makeTimeless(), sessionID: session.id, name: "김", identity: "kim@example.org",
                status: .late, walkIn: true, firstTime: true,
                checkedInAt: start + .seconds(61), method: .qr, note: "=1+1, 늦음"),
            person: Person(
                id: .makeTimeless(), meetingID: meeting.id, name: "김", email: "other@example.org",
                number: "+7"))
        table.add(Attendee(id: .makeTimeless(), sessionID: session.id, name: "Lee"))
        table.add(unnamed: 5)
        #expect(table.bytes.starts(with: [0xEF, 0xBB, 0xBF]))
        #expect(
            String(decoding: table.bytes.dropFirst(3), as: UTF8.self)
                == """
                이름,이메일,번호,상태,체크인 시각,방법,현장 참가,메모,첫 출석\r
                김,kim@example.org,'+7,지각,2026-11-21 19:01:01,qr,예,"'=1+1, 늦음",예\r
                Lee,,,결석,,,,,\r
                외 이름 없는 5명,,,결석,,,,,\r

                """)
    }
}
