import Journal
import Meetings
import Testing

extension CommandRule {
    static let rosterPlaces: [CommandRule] = [
        CommandRule(
            "planned counts known people and unnamed seats, and after the end the missing are absent"
        ) { stage in
            let (host, record) = try await stage.planned()
            let id = record.session.id
            try await stage.perform(EditSession(id: id, settings: .init(plannedCount: 4), actor: host))
            for number in 1...3 {
                _ = try await stage.add(
                    "P\(number)", email: "p\(number)@example.org", to: record.meeting.id, by: host)
            }
            #expect(try await stage.attendance(of: id).awaited == 4)
            try await stage.perform(EditSession(id: id, settings: .init(plannedCount: 2), actor: host))
            #expect(try await stage.attendance(of: id).awaited == 3)
            stage.now = at(11)
            _ = try await stage.arrive(1, in: id)
            _ = try await stage.arrive(9, in: id)
            var attendance = try await stage.attendance(of: id)
            #expect(
                attendance.awaited == 2 && attendance.late == 2 && attendance.walkIns == 1
                    && attendance.absent == 0)
            stage.now = at(60)
            #expect(try await stage.attendance(of: id).absent == 0)
            stage.now = at(60) + millisecond
            attendance = try await stage.attendance(of: id)
            #expect(attendance.absent == 2 && attendance.awaited == 0 && attendance.checkedIn == 2)
        },
        CommandRule("a withdrawn attendee is awaited again under a new record while the session lasts") {
            stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
            stage.now = at(0)
            let here = try await stage.arrive(1, in: record.session.id)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: here)))
            let attendees = try await stage.attendees(of: record.session.id)
            #expect(attendees.map(\.status) == [.pending] && attendees[0].id != here.id)
            #expect(try await !stage.arrive(1, in: record.session.id).walkIn)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("an attendee's totals are counted by roster slot, or else by identity key") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(60), endsAt: at(120), actor: host))
            let sessions = [record.session.id, next.session.id]
            func totals(_ attendee: Attendee) async throws -> SeriesTotals {
                let now = stage.now
                return try await stage.storage.read { rows throws(JournalError) in
                    try rows.seriesTotals(of: attendee, in: record.meeting, at: now)
                }
            }
            stage.now = at(0)
            let (kim, lee) = (
                try await stage.arrive(1, in: sessions[0]), try await stage.arrive(2, in: sessions[0])
            )
            _ = try await stage.perform(AddWalkInToRoster(meeting: meeting, attendee: kim.id, actor: host))
            stage.now = at(75)
            _ = try await stage.arrive(2, in: sessions[1])
            #expect(try await totals(kim) == SeriesTotals(present: 1))
            #expect(try await totals(lee) == SeriesTotals(present: 1, late: 1))
            stage.now = at(121)
            #expect(try await totals(kim) == SeriesTotals(present: 1, absent: 1))
            let nobody = Attendee(id: .makeTimeless(), sessionID: sessions[0], name: "X")
            #expect(try await totals(nobody) == SeriesTotals(absent: 1))
        },
        CommandRule("a series cannot go beyond the last year in which a session may be") { stage in
            let (host, record) = try await stage.planned()
            let last = Instant(rfc3339: "2199-12-20T10:00:00Z") ?? at(0)
            let first = (startsAt: last, endsAt: last + .hours(2))
            await expectRefused(.invalid([FieldError("/endsAt", .outsideTheYears)])) {
                try await stage.perform(
                    RepeatMeeting(
                        meeting: record.meeting.id, rule: .everyDays(366), count: 100, first: first,
                        actor: host))
            }
            let two = try await stage.perform(
                RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 2, first: first, actor: host))
            await expectRefused(.invalid([FieldError("/endsAt", .outsideTheYears)])) {
                try await stage.perform(
                    RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 1, actor: host))
            }
            #expect(two.map(\.session.startsAt.rfc3339) == ["2199-12-20T10:00:00Z", "2199-12-27T10:00:00Z"])
        },
        CommandRule(
            "a meeting may change how it identifies people while nobody is checked in, and keys follow"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.add("Kim", email: "kim@example.org", number: "1", to: meeting, by: host)
            try await stage.perform(EditMeeting(id: meeting, identifyBy: .number, actor: host))
            stage.now = at(0)
            let arrived = try await stage.arrive(1, in: record.session.id)
            #expect(arrived.name == "Kim" && arrived.identity == "1" && !arrived.walkIn)
            await expectRefused(.sessionHasAttendees) {
                try await stage.perform(EditMeeting(id: meeting, identifyBy: .name, actor: host))
            }
            #expect(try await stage.record(record.session.id)?.meeting.identifyBy == .number)
            try await stage.expectWhole(record.session.id)
        },
    ]

    static let namesAsKeys: [CommandRule] = [
        CommandRule(
            "a name that is on the roster once claims its slot once, and a namesake is another person"
        ) { stage in
            let (host, record) = try await stage.planned(identifyBy: .name)
            let id = record.session.id
            _ = try await stage.add("Kim Jisoo", to: record.meeting.id, by: host)
            stage.now = at(0)
            let first = try await stage.arrive(1, in: id, named: " KIM jisoo ")
            #expect(first.name == "Kim Jisoo" && !first.walkIn)
            let second = try await stage.arrive(2, in: id, named: "Kim Jisoo")
            #expect(second.walkIn && second.id != first.id)
            #expect(try await stage.attendance(of: id).present == 2)
            try await stage.expectWhole(id)
        },
        CommandRule("a name that is on the roster twice claims no slot until one of them is archived") {
            stage in
            let (host, record) = try await stage.planned(identifyBy: .name)
            let (id, meeting) = (record.session.id, record.meeting.id)
            _ = try await stage.add("Kim", to: meeting, by: host)
            let other = try await stage.add("kim", to: meeting, by: host)
            stage.now = at(0)
            #expect(try await stage.arrive(1, in: id, named: "Kim").walkIn)
            #expect(try await stage.attendance(of: id).awaited == 2)
            _ = try await stage.perform(
                EditPerson(meeting: meeting, id: other.id, archived: true, actor: host))
            #expect(try await !stage.arrive(2, in: id, named: "Kim").walkIn)
            #expect(try await stage.attendance(of: id).awaited == 0)
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            _ = try await stage.perform(
                EditPerson(meeting: meeting, id: other.id, name: "Lee", archived: false, actor: host))
            stage.now = at(100)
            for name in ["Lee", "Kim"] {
                #expect(try await !stage.arrive(3, in: next.session.id, named: name).walkIn, "\(name)")
            }
            try await stage.expectWhole(id)
            try await stage.expectWhole(next.session.id)
        },
        CommandRule("renaming a person moves their claim, and lets a namesake claim by name again") { stage in
            let (host, record) = try await stage.planned(identifyBy: .name)
            let (id, meeting) = (record.session.id, record.meeting.id)
            _ = try await stage.add("Kim", to: meeting, by: host)
            let other = try await stage.add("Kim", to: meeting, by: host)
            _ = try await stage.perform(
                EditPerson(meeting: meeting, id: other.id, name: "Kim B", actor: host))
            stage.now = at(0)
            for name in ["Kim", "Kim B"] {
                #expect(try await !stage.arrive(1, in: id, named: name).walkIn, "\(name)")
            }
            try await stage.expectWhole(id)
        },
    ]

    static let series: [CommandRule] = [
        CommandRule(
            "a series copies everything of the latest session, with a new round and awaited records each"
        ) {
            stage in
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            try await stage.perform(
                EditSession(
                    id: record.session.id,
                    settings: .init(lateAfterMinutes: 3, plannedCount: 7, codeKind: .rotating), actor: host))
            _ = try await stage.add("Kim", email: "kim@example.org", to: record.meeting.id, by: host)
            let made = try await stage.perform(
                RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 3, actor: host))
            #expect(made.map(\.session.round) == [2, 3, 4])
            #expect(made.map(\.session.startsAt) == [at(7 * 1440), at(14 * 1440), at(21 * 1440)])
            var ids: Set<QuestionID> = []
            for record in made {
                let session = record.session
                #expect(
                    session.lateAfterMinutes == 3 && session.plannedCount == 7
                        && session.codeKind == .rotating)
                #expect(
                    session.endsAt.since(session.startsAt) == .minutes(60) && record.headCount.pending == 1)
                ids.formUnion(try await stage.set(of: session.id)?.questions.map(\.id) ?? [])
                try await stage.expectWhole(session.id)
            }
            #expect(ids.count == 9 && Set(made.map(\.session.joinCode)).count == 3)
        },
        CommandRule(
            "a series is created completely or not at all, and the refusal names the session in its way"
        ) { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(
                of: host, name: "Third week", from: 21 * 1440 + 59, to: 21 * 1440 + 61)
            await expectRefused(.sessionOverlap([Overlap(other.session, meetingName: "Third week")])) {
                try await stage.perform(
                    RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 4, actor: host))
            }
            #expect(
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.sessionCount(of: record.meeting.id)
                } == 1)
            let made = try await stage.perform(
                RepeatMeeting(
                    meeting: record.meeting.id, rule: .weekly, count: 4, allowOverlap: true, actor: host))
            #expect(made.count == 4)
        },
        CommandRule("a series is refused if its sessions overlap each other, but they may touch") {
            stage in
            let (host, record) = try await stage.planned()
            let first = (startsAt: at(1440), endsAt: at(2880))
            let daily = try await stage.perform(
                RepeatMeeting(
                    meeting: record.meeting.id, rule: .everyDays(1), count: 3, first: first, actor: host))
            #expect(daily.map(\.session.startsAt) == [at(1440), at(2880), at(4320)])
            let long = (startsAt: at(10_000), endsAt: at(11_441))
            await #expect(throws: JournalError.self) {
                try await stage.perform(
                    RepeatMeeting(
                        meeting: record.meeting.id, rule: .everyDays(1), count: 2, first: long, actor: host))
            }
        },
    ]
}

extension Stage {
    fileprivate func arrive(_ number: Int, in session: SessionID, named name: String) async throws -> Attendee
    {
        try #require(try await checkIn(number, in: session, name: name).fresh)
    }
}
