import Meetings
import Testing

/// Tests every combination of status and time that a host can give, at the exact second.
struct AttendanceCorrectionTests {
    private static let start = Instant(milliseconds: 1_795_000_000_000)
    private static func at(_ minutes: Int) -> Instant { start + .minutes(minutes) }

    private let session = Session(
        id: .makeTimeless(), meetingID: .makeTimeless(), round: 1, startsAt: Self.start, endsAt: Self.at(60),
        joinCode: "ABCDEF")

    private func person(_ status: RecordedStatus = .pending, at moment: Instant? = nil) -> Attendee {
        Attendee(
            id: .makeTimeless(), sessionID: session.id, name: "Kim", status: status, checkedInAt: moment,
            method: moment == nil ? nil : .qr,
            arrivalSequence: moment == nil ? 0 : 5)
    }

    private func corrected(
        _ person: Attendee, _ status: AttendanceStatus? = nil, at time: Instant? = nil,
        now: Instant = Self.at(30)
    ) throws -> Attendee {
        var attendee = person
        try AttendanceCorrection(status: status, checkedInAt: time).apply(to: &attendee, in: session, at: now)
        return attendee
    }

    @Test func `a time in the window gives the status by the late rule, to the second`() throws {
        for (time, status) in [
            (Self.at(-60), RecordedStatus.present), (Self.at(10), .present),
            (Self.at(10) + .seconds(1), .late), (Self.at(30), .late),
        ] {
            let after = try corrected(person(.absent), at: time)
            #expect(
                (after.status, after.statusIsByHost, after.checkedInAt, after.method) == (
                    status, false, time, .host
                ))
        }
        #expect(try corrected(person(at: Self.at(1)), at: Self.at(2)).method == .qr)
    }

    @Test func `a time outside the window needs a status, and a time in the future is refused`() throws {
        let outside = Refusal.invalid([FieldError("/checkedInAt", .outsideTheWindow)])
        let future = Refusal.invalid([FieldError("/checkedInAt", .inTheFuture)])
        #expect(throws: outside) { try corrected(person(), at: Self.at(-60) - .milliseconds(1)) }
        #expect(throws: outside) {
            try corrected(person(), at: Self.at(60) + .milliseconds(1), now: Self.at(90))
        }
        #expect(try corrected(person(), at: Self.at(60), now: Self.at(90)).status == .late)
        #expect(try corrected(person(), .present, at: Self.at(-90)).checkedInAt == Self.at(-90))
        #expect(throws: future) { try corrected(person(), at: Self.at(31) + .milliseconds(1)) }
        // The host's clock may be a little ahead of the server's clock. The server then uses its present
        // time.
        #expect(try corrected(person(), at: Self.at(31)).checkedInAt == Self.at(30))
    }

    @Test
    func `present or late without a time means now while check-in is open, and an unknown time otherwise`()
        throws
    {
        for (now, time) in [
            (Self.at(30), Self.at(30) as Instant?), (Self.at(-60), Self.at(-60)), (Self.at(60), Self.at(60)),
            (Self.at(-60) - .milliseconds(1), nil), (Self.at(60) + .milliseconds(1), nil),
        ] {
            let after = try corrected(person(), .present, now: now)
            #expect(
                (after.status, after.statusIsByHost, after.checkedInAt, after.method) == (
                    .present, true, time, .host
                ))
        }
        let known = try corrected(person(.present, at: Self.at(3)), .late)
        #expect((known.status, known.checkedInAt, known.method) == (.late, Self.at(3), .qr))
    }

    @Test func `an absent attendee cannot get a new time, and the recorded time stays as evidence`() throws {
        for status in [AttendanceStatus.absent, .excused, .awaited] {
            #expect(throws: Refusal.invalid([FieldError("/checkedInAt", .timeOfAbsentAttendee)])) {
                try corrected(person(), status, at: Self.at(0))
            }
        }
        let absent = try corrected(person(.present, at: Self.at(3)), .absent)
        #expect(
            (absent.status, absent.statusIsByHost, absent.checkedInAt, absent.arrivalSequence) == (
                .absent, true, Self.at(3), 5
            ))
        let awaited = try corrected(person(.present, at: Self.at(3)), .awaited)
        #expect(
            (awaited.status, awaited.statusIsByHost, awaited.checkedInAt, awaited.arrivalSequence) == (
                .pending, false, nil, 0
            ))
    }

    @Test
    func
        `a person added before the window is awaited, in the window arrives, and after it is present`()
        throws
    {
        for (now, status, time) in [
            (Self.at(-61), RecordedStatus.pending, nil as Instant?), (Self.at(-60), .present, Self.at(-60)),
            (Self.at(11), .late, Self.at(11)),
            (Self.at(61), .present, nil),
        ] {
            var added = person()
            try AttendanceCorrection.forAddedPerson(in: session, at: now).apply(
                to: &added, in: session, at: now)
            #expect((added.status, added.checkedInAt) == (status, time))
        }
    }

    @Test func `a merged record has the earlier check-in of both records, and a host's status has priority`()
        throws
    {
        let (early, late) = (person(.present, at: Self.at(1)), person(.late, at: Self.at(20)))
        #expect(
            (late.absorbing(early, in: session).status, late.absorbing(early, in: session).checkedInAt) == (
                .present, Self.at(1)
            ))
        #expect(early.absorbing(late, in: session).status == .present)
        let absent = try corrected(person(), .absent)
        #expect(
            (absent.absorbing(late, in: session).status, absent.absorbing(late, in: session).statusIsByHost)
                == (.late, false))
        let word = try corrected(late, .present)
        #expect(
            (early.absorbing(word, in: session).status, early.absorbing(word, in: session).statusIsByHost)
                == (.present, true))
        #expect(person().absorbing(try corrected(person(), .excused), in: session).status == .excused)
        #expect(absent.absorbing(try corrected(person(), .excused), in: session).status == .absent)
        #expect(person().absorbing(person(), in: session).status == .pending)
    }
}
