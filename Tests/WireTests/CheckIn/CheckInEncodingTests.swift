import Meetings
import Testing
import Wire

struct CheckInEncodingTests {
    private let sessions = EncodedSessions()

    private func isEncodedAsByCodable(_ body: CheckInBody) -> Bool {
        body.bytes(sessions) == WireJSON.bytes(body)
    }

    private func answer(_ attendee: Attendee?, _ session: SessionBody) -> CheckInBody {
        CheckInBody(
            attendee: attendee.map {
                AttendeeBody(forAttendee: $0, identifyBy: session.identifyBy, sessionIsOver: false)
            },
            session: session, receipt: attendee == nil ? nil : "qrc_1", alreadyCheckedIn: attendee == nil)
    }

    private func session(
        _ session: Session = Sample.session, of meeting: Meeting = Sample.meeting,
        _ count: HeadCount = HeadCount(), at now: Instant = Sample.startsAt
    ) -> SessionBody {
        SessionBody(session, of: meeting, headCount: count, feedback: Sample.set().summary, at: now)
    }

    @Test func `each answer has the bytes that Codable writes, while counts, settings and time change`() {
        var count = HeadCount()
        var meeting = Sample.meeting
        for number in 0..<20 {
            count.add(Sample.attendee)
            // A text looks like the key of the counts.
            if number == 7 { meeting.name = #"","attendance":{"planned":1}"# }
            if number == 9 { meeting.identifyBy = .number }
            if number == 11 { meeting.identifyBy = .name }
            let now = Sample.startsAt + .minutes(20 * number - 80)
            #expect(isEncodedAsByCodable(answer(Sample.attendee, session(of: meeting, count, at: now))))
        }
    }

    @Test func `the answers of a session that records leaving have the bytes that Codable writes`() {
        var (recording, attendee, count) = (Sample.session, Sample.attendee, HeadCount())
        recording.take(SessionSettings(checkOut: .phones, minimumPercent: 80))
        count.add(attendee)
        let body = session(recording, count)
        #expect(body.attendance.inside == 1 && body.attendance.left == 0)
        #expect(isEncodedAsByCodable(answer(attendee, body)))
        attendee.leave(at: Sample.startsAt + .minutes(9))
        count = HeadCount()
        count.add(attendee)
        #expect(isEncodedAsByCodable(answer(attendee, session(recording, count))))
        #expect(isEncodedAsByCodable(answer(attendee, session())))
    }

    @Test func `the answers of two sessions do not mix`() {
        let other = Session(
            id: SessionID(high: 9, low: 9), meetingID: Sample.meeting.id, round: 3, startsAt: Sample.startsAt,
            endsAt: Sample.startsAt + .hours(1), joinCode: "K7QX2N")
        for _ in 0..<3 {
            #expect(isEncodedAsByCodable(answer(Sample.attendee, session())))
            #expect(isEncodedAsByCodable(answer(Sample.attendee, session(other))))
        }
    }

    @Test
    func `an answer without an attendee, one of an awaited person, and one that ends a form are the same`() {
        var awaited = Attendee(
            id: AttendeeID(high: 1, low: 7), sessionID: Sample.session.id, name: "\"A\"\\\u{1}", identity: "")
        #expect(isEncodedAsByCodable(answer(awaited, session())))
        awaited.setTyped(TypedDetails(name: "B", identity: "b@example.org"))
        #expect(isEncodedAsByCodable(answer(awaited, session())))
        #expect(isEncodedAsByCodable(answer(nil, session())))
        #expect(
            isEncodedAsByCodable(
                CheckInBody(
                    attendee: nil, session: session(), receipt: nil, alreadyCheckedIn: false, ended: "Bye")))
    }
}
