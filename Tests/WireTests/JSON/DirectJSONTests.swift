import Meetings
import Testing
import Wire

/// `WireJSON.bytes` encodes the outermost value by `Codable`, and the items of an array directly. For pages
/// of attendees and events it is the reverse.
struct DirectJSONTests {
    private func isSame(_ value: some Encodable) -> Bool {
        let direct = WireJSON.bytes([value])
        return direct == Array("[".utf8) + WireJSON.bytes(value) + Array("]".utf8)
    }

    @Test func `an attendee has the bytes that Codable writes, with every member and with none`() {
        var attendee = Sample.attendee
        var recording = Sample.session
        recording.take(SessionSettings(checkOut: .phones, minimumPercent: 80))
        for kind in IdentifyBy.allCases {
            #expect(isSame(AttendeeBody(forAttendee: attendee, identifyBy: kind, sessionIsOver: true)))
            #expect(isSame(AttendeeBody(forMembers: attendee, identifyBy: kind, sessionIsOver: false)))
        }
        attendee.note = "\"\n한"
        attendee.consentNumber = 3
        attendee.setTyped(TypedDetails(name: "Another", identity: "another@example.org"))
        attendee.leave(at: Sample.startsAt + .minutes(9))
        let presence = attendee.presence(in: recording, at: Sample.startsAt + .hours(3))
        #expect(presence?.isPartial == true)
        var body = AttendeeBody(
            forMembers: attendee, identifyBy: .email, sessionIsOver: true, presence: presence)
        #expect(isSame(body))
        body.totals = SeriesTotals()
        #expect(isSame(body))
        let awaited = Attendee(
            id: AttendeeID(high: 1, low: 7), sessionID: Sample.session.id, name: "A", identity: "")
        #expect(isSame(AttendeeBody(forMembers: awaited, identifyBy: .name, sessionIsOver: false)))
    }

    @Test(arguments: [nil, "next\""]) func `a page has the bytes that Codable writes`(cursor: String?) {
        let body = AttendeeBody(forMembers: Sample.attendee, identifyBy: .email, sessionIsOver: false)
        let event = EventBody(
            Event(
                sessionID: Sample.session.id, sequence: 9, at: Sample.startsAt, kind: .checkedIn,
                attendeeID: Sample.attendee.id, actor: .server, data: EventData()))
        for count in 0...2 {
            #expect(isSame(Page(items: Array(repeating: body, count: count), nextCursor: cursor)))
            #expect(isSame(Page(items: Array(repeating: event, count: count), nextCursor: cursor)))
        }
    }

    @Test func `an event has the bytes that Codable writes, with every member and with none`() {
        let attendee = AttendeeID(high: 5, low: 6)
        let full = EventData(
            status: .late, before: .pending, method: .qr, walkIn: true, codeAge: 3, grantAge: 0, set: "s",
            fields: ["a", "\\"], recomputed: 7, into: attendee, undoes: 12,
            changes: [FieldChange("title", from: "", to: "\"x\"")], link: PresenterLinkID(high: 1, low: 2),
            question: AudienceQuestionID(high: 3, low: 4), intoQuestion: AudienceQuestionID(high: 5, low: 6))
        for data in [EventData(), full] {
            #expect(isSame(data))
            for actor in [Event.Actor.server, .attendee, .account(AccountID(high: 1, low: 1))] {
                var body = EventBody(
                    Event(
                        sessionID: Sample.session.id, sequence: 9, at: Sample.startsAt, kind: .checkedIn,
                        attendeeID: actor == .server ? nil : attendee, actor: actor, data: data))
                #expect(isSame(body))
                (body.attendeeName, body.intoName, body.actorName) = ("A", "B\t", "C")
                (body.note, body.version, body.undoable) = ("n", 4, false)
                #expect(isSame(body))
            }
        }
    }

    @Test func `counts and times have the bytes that Codable writes`() {
        var count = HeadCount()
        count.add(Sample.attendee)
        for checkOut in CheckOut.allCases {
            var session = Sample.session
            session.take(SessionSettings(checkOut: checkOut))
            let record = SessionRecord(session: session, meeting: Sample.meeting, headCount: count)
            #expect(isSame(record.attendance(at: Sample.startsAt)))
        }
        #expect(isSame(Instant(milliseconds: 1)))
        #expect(isSame(Sample.startsAt))
    }
}
