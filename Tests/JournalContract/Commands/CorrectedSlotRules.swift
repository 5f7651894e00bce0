import Journal
import Meetings
import Testing

extension CommandRule {
    /// Rules for the effect of corrections on roster slots.
    static let correctedSlots: [CommandRule] = [
        CommandRule(
            "a removed person on the roster is awaited again, and an undo restores the old record"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let kim = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
            stage.now = at(5)
            let here = try #require(try await stage.checkIn(1, in: session, grant: hash(1)).fresh)
            let before = try await stage.standing(session)
            try await stage.perform(RemoveAttendee(attendee: here.id, note: "twice", actor: host))
            let removal = try await stage.last(in: session)
            let awaited = try #require(try await stage.slot(of: kim, in: session))
            #expect(awaited.id != here.id && awaited.status == .pending)
            #expect(try await stage.attendance(of: session).awaited == 1)
            try await stage.expectWhole(session)

            let undone = try await stage.undo(removal, in: session, by: host)
            #expect(try await stage.standing(session) == before)
            #expect(try await stage.slot(of: kim, in: session)?.id == here.id)
            #expect(try await stage.checkIn(1, in: session, grant: hash(1)).again?.id == here.id)
            // If the undo is undone, the record is removed again.
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await stage.slot(of: kim, in: session)?.status == .pending)
            #expect(try await stage.attendance(of: session).present == 0)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a removal cannot be undone if the person came again or a host edited the new record"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let people = [
                try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host),
                try await stage.add("Lee", email: "p2@example.org", to: record.meeting.id, by: host),
            ]
            stage.now = at(5)
            var removals: [Int64] = []
            for number in [1, 2] {
                let here = try await stage.arrive(number, in: session)
                try await stage.perform(RemoveAttendee(attendee: here.id, actor: host))
                removals.append(try await stage.last(in: session))
            }
            let again = try await stage.arrive(1, in: session)
            let noted = try #require(try await stage.slot(of: people[1], in: session))
            try await stage.perform(CorrectAttendee(attendee: noted.id, status: .excused, actor: host))
            for removal in removals {
                await expectRefused(.changedSince) { try await stage.undo(removal, in: session, by: host) }
            }
            #expect(try await stage.slot(of: people[0], in: session)?.id == again.id)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a removed awaited person is no longer expected, and an ended session awaits nobody"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let (kim, lee) = (
                try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host),
                try await stage.add("Lee", email: "p2@example.org", to: record.meeting.id, by: host)
            )
            let before = try await stage.standing(session)
            let slot = try #require(try await stage.slot(of: kim, in: session))
            try await stage.perform(RemoveAttendee(attendee: slot.id, actor: host))
            #expect(try await stage.slot(of: kim, in: session) == nil)
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.standing(session) == before)
            // An undo does not restore an awaited record if the person has left the roster.
            try await stage.perform(RemoveAttendee(attendee: slot.id, actor: host))
            let removal = try await stage.last(in: session)
            try await stage.perform(
                EditPerson(meeting: record.meeting.id, id: kim.id, archived: true, actor: host))
            await expectRefused(.changedSince) { try await stage.undo(removal, in: session, by: host) }

            stage.now = at(5)
            let here = try await stage.arrive(2, in: session)
            stage.now = at(60) + millisecond
            try await stage.perform(RemoveAttendee(attendee: here.id, actor: host))
            #expect(try await stage.slot(of: lee, in: session) == nil)
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.slot(of: lee, in: session)?.id == here.id)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a merge with a walk-in moves the roster slot and keeps the key, and an undo restores both"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let kim = try await stage.add("Kim", email: "kim@work.example", to: record.meeting.id, by: host)
            stage.now = at(5)
            let walkIn = try #require(
                try await stage.checkIn(1, in: session, identity: "kim@home.example").fresh)
            #expect(walkIn.walkIn)
            let (before, slot) = (
                try await stage.standing(session), try #require(try await stage.slot(of: kim, in: session))
            )
            let (kept, after) = try await stage.perform(
                MergeAttendees(attendee: slot.id, into: walkIn.id, actor: host))
            #expect((kept.identity, kept.walkIn, kept.status) == ("kim@home.example", false, .present))
            #expect(after.headCount.known == 1 && after.headCount.pending == 0)
            #expect(try await stage.slot(of: kim, in: session)?.id == walkIn.id)
            #expect(try await stage.keys(of: walkIn.id).identity == "kim@home.example")
            #expect(try await stage.checkIn(1, in: session, identity: "kim@work.example").isElsewhere)
            // The person's totals count the session once.
            let totals = try await stage.storage.read { [now = stage.now] rows throws(JournalError) in
                try rows.seriesTotals(of: kept, in: record.meeting, at: now)
            }
            #expect(totals == SeriesTotals(present: 1))
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.standing(session) == before)
            #expect(try await stage.slot(of: kim, in: session)?.id == slot.id)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a merge of two slots keeps the remaining one, and an undo keeps a slot added meanwhile"
        ) { stage in
            let (host, record) = try await stage.planned()
            let (session, meeting) = (record.session.id, record.meeting.id)
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting, by: host)
            stage.now = at(5)
            let (one, two) = (try await stage.arrive(1, in: session), try await stage.arrive(2, in: session))
            let before = try await stage.standing(session)
            try await stage.perform(MergeAttendees(attendee: one.id, into: two.id, actor: host))
            #expect(try await stage.slot(of: lee, in: session)?.id == two.id)
            #expect(try await stage.slot(of: kim, in: session) == nil)
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.standing(session) == before)

            let (three, four) = (
                try await stage.arrive(3, in: session), try await stage.arrive(4, in: session)
            )
            try await stage.perform(MergeAttendees(attendee: three.id, into: four.id, actor: host))
            let merge = try await stage.last(in: session)
            // The merged record's key finds the remaining record, because both records are one until the
            // merge is undone.
            let park = try await stage.add("Park", email: "p3@example.org", to: meeting, by: host)
            #expect(try await stage.slot(of: park, in: session)?.id == four.id)
            try await stage.undo(merge, in: session, by: host)
            #expect(try await stage.slot(of: park, in: session)?.id == three.id)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "an awaited person whom a host adds uses the roster slot once, and an undo awaits them again"
        ) { stage in
            for kind in [IdentifyBy.email, .name] {
                let host = try await stage.account(kind == .email ? 1 : 2).id
                stage.now = at(-120)
                let record = try await stage.meeting(of: host, identifyBy: kind)
                let session = record.session.id
                let kim = try await stage.add(
                    "Kim", email: "kim@example.org", to: record.meeting.id, by: host)
                stage.now = at(5)
                let (before, slot) = (
                    try await stage.standing(session),
                    try #require(try await stage.slot(of: kim, in: session))
                )
                func add(_ status: AttendanceStatus? = nil) async throws -> Attendee {
                    try await stage.perform(
                        AddAttendee(
                            session: session, name: "kim", email: "KIM@example.org", note: "no phone",
                            status: status, actor: host)
                    ).0
                }
                if kind == .email {
                    await expectRefused(.attendeeExists(slot.id)) { try await add(.awaited) }
                }
                let here = try await add()
                #expect(
                    (here.id, here.name, here.status, here.method, here.note) == (
                        slot.id, "Kim", .present, .host, "no phone"
                    ))
                #expect(stage.announced.last(session)?.arrivals == [here])
                #expect(try await stage.attendance(of: session).awaited == 0)
                let added = try await stage.last(in: session)
                if kind == .email { await expectRefused(.attendeeExists(here.id)) { try await add() } }
                try await stage.undo(added, in: session, by: host)
                #expect(try await stage.standing(session) == before)
                #expect(
                    try await stage.checkIn(1, in: session, identity: "kim@example.org", name: "Kim").fresh?
                        .id == slot.id)
                try await stage.expectWhole(session)
            }
        },
        CommandRule(
            "roster changes during a removal apply to the record when it is restored"
        ) { stage in
            let (host, record) = try await stage.planned()
            let (session, meeting) = (record.session.id, record.meeting.id)
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            stage.now = at(5)
            let here = try await stage.arrive(1, in: session)
            try await stage.perform(RemoveAttendee(attendee: here.id, actor: host))
            let removal = try await stage.last(in: session)
            try await stage.perform(
                EditPerson(
                    meeting: meeting, id: kim.id, name: "Kim Jisoo", email: "new@example.org", actor: host))
            let back = try #require(try await stage.undo(removal, in: session, by: host).attendee)
            #expect(
                (back.id, back.name, back.identity, back.status) == (
                    here.id, "Kim Jisoo", "new@example.org", .present
                ))
            #expect(try await stage.keys(of: here.id).identity == "new@example.org")
            #expect(try await stage.attendees(of: session).count == 1)
            // If the person is no longer on the roster, the undo restores only the record.
            try await stage.perform(RemoveAttendee(attendee: here.id, actor: host))
            let second = try await stage.last(in: session)
            try await stage.perform(RemovePerson(meeting: meeting, id: kim.id, actor: host))
            #expect(try await stage.attendees(of: session).isEmpty)
            try await stage.undo(second, in: session, by: host)
            #expect(try await stage.attendees(of: session).map(\.id) == [here.id])
            try await stage.expectWhole(session)
        },
    ]
}

/// The data of one attendee's record that a correction and its undo must leave unchanged.
struct Standing: Hashable, Sendable {
    let id: AttendeeID
    let record: Attendee
    let keys: AttendeeKeys
    let person: PersonID?
}

extension Stage {
    func slot(of person: Person, in session: SessionID) async throws -> Attendee? {
        try await storage.read { rows throws(JournalError) in try rows.attendee(of: person.id, in: session) }
    }

    func keys(of attendee: AttendeeID) async throws -> AttendeeKeys {
        try await storage.read { rows throws(JournalError) in try rows.keys(of: attendee) }
    }

    func standing(_ session: SessionID) async throws -> Set<Standing> {
        try await storage.read { rows throws(JournalError) in
            var all: Set<Standing> = []
            for attendee in try rows.attendees(
                of: session, statuses: nil, text: nil, after: nil, limit: 10_000)
            {
                var record = attendee
                record.version = 0
                all.insert(
                    Standing(
                        id: attendee.id, record: record, keys: try rows.keys(of: attendee.id),
                        person: try rows.person(inSlotOf: attendee.id)))
            }
            return all
        }
    }
}
