import Meetings
import Phrases
import Testing
import Wire

struct RoomFrameTests {
    private let room = RoomName.session(Sample.session.id)
    private var name: String { room.text }

    @Test func `the server's answers are as the contract describes them`() {
        #expect(
            json(Joined(joined: room, id: 1, epoch: "e", sequence: 42, recovered: true, now: Sample.startsAt))
                == #"""
                {"joined":"\#(name)","id":1,"epoch":"e","sequence":42,\#
                "recovered":true,"now":"2026-11-21T10:00:00Z"}
                """#
        )
        #expect(
            json(
                Joined(
                    joined: .home, id: nil, epoch: "e", sequence: nil, recovered: false, now: Sample.startsAt)
            )
                == #"{"joined":"home","epoch":"e","recovered":false,"now":"2026-11-21T10:00:00Z"}"#)
        #expect(json(Left(left: room, id: 2)) == #"{"left":"\#(name)","id":2}"#)
        #expect(json(Pong(pong: 3)) == #"{"pong":3}"#)
        #expect(json(Authorized()) == #"{"authorized":true}"#)
        #expect(
            json(RoomError(Problem(code: .unknownRoom, in: .english), id: 1)).hasPrefix(
                #"{"error":{"type":"urn:qring:problem:unknown_room","#))
        #expect(json(RoomError(Problem(code: .unknownRoom, in: .english), id: 1)).hasSuffix(#"},"id":1}"#))
    }

    @Test func `a frame has its room and sequence, and only the other fields that are set`() {
        #expect(json(RoomFrame(room: room, sequence: 42)) == #"{"room":"\#(name)","sequence":42}"#)
        var frame = RoomFrame(room: room, sequence: 57)
        frame.attendance = Attendance(HeadCount(), planned: 30, sessionIsOver: false)
        frame.arrivalsOmitted = 5
        frame.removed = [AttendeeID(high: 0, low: 1)]
        frame.code = CodeBody(url: "HTTPS://X/C/1", joinCode: "K7QX2M", expiresInMs: 9000)
        #expect(
            json(frame)
                == #"""
                {"room":"\#(name)","sequence":57,"attendance":{"planned":30,"awaited":30,"present":0,\#
                "late":0,"absent":0,"excused":0,"checkedIn":0,"walkIns":0,"unnamed":30},"arrivalsOmitted":5,\#
                "removed":["00000000000000000000000001"],\#
                "code":{"url":"HTTPS://X/C/1","joinCode":"K7QX2M","expiresInMs":9000}}
                """#
        )
    }

    @Test func `an attendee in a frame is as the contract describes it`() {
        #expect(
            json(Sample.attendeeBody)
                == #"""
                {"id":"\#(Sample.attendee.id)","name":"김민준","email":"kim@example.org",\#
                "status":"late","walkIn":true,"firstTime":false,"checkedInAt":"2026-11-21T10:11:00Z",\#
                "method":"qr","version":1}
                """#
        )
    }

    @Test func `a client reads a complete frame back as the server wrote it`() throws {
        var frame = RoomFrame(room: room, sequence: 57)
        frame.snapshot = .init(
            session: Sample.sessionBody, tallies: Sample.tallies, arrivals: [Sample.attendeeBody], code: nil)
        frame.attendance = Sample.sessionBody.attendance
        frame.arrivals = [Sample.attendeeBody]
        frame.changed = [Sample.attendeeBody]
        frame.tally = Sample.tallies[0]
        frame.feedback = Sample.sessionBody.feedback
        frame.session = Sample.sessionBody
        let read = try WireJSON.decode(RoomFrame.self, from: WireJSON.bytes(frame))
        #expect(json(read) == json(frame))
        #expect(read.snapshot?.tallies == Sample.tallies)
        let home = HomeFrame(
            snapshot: .init(sessions: [Sample.sessionBody], nearest: Sample.session.id),
            session: Sample.sessionBody)
        #expect(json(try WireJSON.decode(HomeFrame.self, from: WireJSON.bytes(home))) == json(home))
        #expect(json(HomeFrame()) == #"{"room":"home"}"#)
    }

    @Test func `close codes are as the contract lists them, and a client reconnects after two of them`() {
        #expect(CloseCode.allCases.map(\.rawValue) == [1000, 1001, 1008, 1009, 4001, 4002, 4003])
        #expect(CloseCode.allCases.filter(\.isWorthReconnecting) == [.goingAway, .slow])
    }
}
