import Journal
import Meetings
import Testing

extension Stage {
    func add(
        _ name: String, email: String = "", number: String = "", to meeting: MeetingID, by host: AccountID
    ) async throws -> Person {
        try await perform(
            AddPerson(
                meeting: meeting, draft: PersonDraft(name: name, email: email, number: number), actor: host))
    }

    func load(_ people: [PersonDraft], to meeting: MeetingID, by host: AccountID) async throws
        -> ImportRoster.Outcome
    {
        let entries = people.enumerated().map { ImportRoster.Entry(pointer: "/people/\($0)", draft: $1) }
        return try await perform(ImportRoster(meeting: meeting, entries: entries, actor: host))
    }

    func roster(of meeting: MeetingID, archived: Bool = false) async throws -> [String] {
        try await storage.read { rows throws(JournalError) in
            try rows.people(of: meeting, archived: archived, text: nil, after: nil, limit: 1000).map(\.name)
        }
    }

    func attendance(of id: SessionID) async throws -> Attendance {
        try #require(try await record(id)).attendance(at: now)
    }
}

private func person(_ name: String, _ email: String = "", _ number: String = "") -> PersonDraft {
    PersonDraft(name: name, email: email, number: number)
}

extension CommandRule {
    static let rosterEdits: [CommandRule] = [
        CommandRule(
            "a person added to the roster is awaited in all sessions not over, and checks in by address"
        ) { stage in
            let (host, record) = try await stage.planned()
            let later = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            let kim = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
            for session in [record.session.id, later.session.id] {
                #expect(try await stage.attendance(of: session).awaited == 1)
                let event = try #require(try await stage.events(of: session).last)
                #expect(
                    event.kind == .edited && event.data == EventData(fields: ["roster"])
                        && event.actor == .account(host))
                #expect(stage.announced.last(session)?.isEdited == true)
            }
            stage.now = at(0)
            let arrived = try await stage.arrive(1, in: record.session.id)
            #expect(arrived.name == "Kim" && !arrived.walkIn)
            let attendance = try await stage.attendance(of: record.session.id)
            #expect(attendance.awaited == 0 && attendance.present == 1 && attendance.walkIns == 0)
            #expect(kim.version == 1)
            try await stage.expectWhole(record.session.id)
            try await stage.expectWhole(later.session.id)
        },
        CommandRule(
            "a person who is not on the roster is a walk-in, and without a roster nobody is a walk-in"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            #expect(try await !stage.arrive(1, in: record.session.id).walkIn)
            _ = try await stage.add("Kim", email: "kim@example.org", to: record.meeting.id, by: host)
            let walkIn = try await stage.arrive(2, in: record.session.id)
            #expect(walkIn.walkIn)
            #expect(try await stage.events(of: record.session.id).last?.data.walkIn == true)
            #expect(try await stage.attendance(of: record.session.id).walkIns == 1)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule(
            "a host may add a walk-in to the next session's roster, but they stay a walk-in here"
        ) { stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.add("Kim", email: "kim@example.org", to: record.meeting.id, by: host)
            stage.now = at(0)
            let (kept, left) = (
                try await stage.arrive(1, in: record.session.id),
                try await stage.arrive(2, in: record.session.id)
            )
            let person = try await stage.perform(
                AddWalkInToRoster(meeting: record.meeting.id, attendee: kept.id, actor: host))
            #expect(person.email == "p1@example.org")
            await expectRefused(.alreadyOnRoster(name: "Person 1")) {
                try await stage.perform(
                    AddWalkInToRoster(meeting: record.meeting.id, attendee: kept.id, actor: host))
            }
            #expect(try await stage.attendee(kept.id)?.walkIn == true && left.walkIn)
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            #expect(Set(try await stage.attendees(of: next.session.id).map(\.name)) == ["Kim", "Person 1"])
            #expect(next.headCount.pending == 2)
            await expectRefused(.notFound(.attendee)) {
                try await stage.perform(
                    AddWalkInToRoster(meeting: record.meeting.id, attendee: .makeTimeless(), actor: host))
            }
            try await stage.expectWhole(record.session.id)
            try await stage.expectWhole(next.session.id)
        },
        CommandRule("an attendee already checked in by address gets the roster slot when added to the roster")
        { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let here = try await stage.arrive(1, in: record.session.id)
            let person = try await stage.add("Kim", email: "P1@example.org", to: record.meeting.id, by: host)
            let slot = try await stage.storage.read { rows throws(JournalError) in
                try rows.attendee(of: person.id, in: record.session.id)
            }
            #expect(slot?.id == here.id)
            #expect(try await stage.attendees(of: record.session.id).count == 1)
        },
        CommandRule("archiving removes only awaited records, and unarchiving restores them") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            for person in [kim, lee] {
                _ = try await stage.perform(
                    EditPerson(meeting: meeting, id: person.id, archived: true, actor: host))
            }
            #expect(try await stage.attendees(of: record.session.id).map(\.name) == ["Kim"])
            #expect(try await stage.attendance(of: record.session.id).awaited == 0)
            let back = try await stage.perform(
                EditPerson(meeting: meeting, id: lee.id, archived: false, actor: host))
            #expect(back.version == 3 && !back.isArchived)
            #expect(try await stage.attendance(of: record.session.id).awaited == 1)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule(
            "a new name and address change the sessions that are not over, but no ended session"
        ) { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let kim = try await stage.add("Kim", email: "old@example.org", to: meeting, by: host)
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            stage.now = at(61)
            _ = try await stage.perform(
                EditPerson(
                    meeting: meeting, id: kim.id, name: "Kim Jisoo", email: "p1@example.org", actor: host))
            #expect(try await stage.attendees(of: record.session.id).map(\.name) == ["Kim"])
            #expect(try await stage.attendees(of: next.session.id).map(\.identity) == ["p1@example.org"])
            stage.now = at(100)
            #expect(try await stage.arrive(1, in: next.session.id).name == "Kim Jisoo")
            #expect(try await stage.attendance(of: record.session.id).absent == 1)
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.perform(
                    EditPerson(meeting: meeting, id: kim.id, name: "X", expected: .version(1), actor: host))
            }
        },
        CommandRule("an address or number of another person is refused in every command") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.add("Kim", email: "kim@example.org", number: "7", to: meeting, by: host)
            let lee = try await stage.add("Lee", to: meeting, by: host)
            for draft in [person("X", "KIM@example.org"), person("X", "", "7")] {
                await expectRefused(.alreadyOnRoster(name: "Kim")) {
                    try await stage.perform(AddPerson(meeting: meeting, draft: draft, actor: host))
                }
                await expectRefused(.alreadyOnRoster(name: "Kim")) {
                    try await stage.perform(
                        EditPerson(
                            meeting: meeting, id: lee.id, email: draft.email, number: draft.number,
                            actor: host))
                }
            }
            #expect(try await stage.roster(of: meeting) == ["Kim", "Lee"])
        },
        CommandRule("a person removed from the roster is on no roster, but their attendance stays") { stage in
            let (host, record) = try await stage.planned()
            let kim = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
            let lee = try await stage.add("Lee", email: "p2@example.org", to: record.meeting.id, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            for id in [kim.id, lee.id] {
                try await stage.perform(RemovePerson(meeting: record.meeting.id, id: id, actor: host))
            }
            #expect(try await stage.roster(of: record.meeting.id) == [])
            #expect(try await stage.roster(of: record.meeting.id, archived: true) == [])
            #expect(try await stage.attendees(of: record.session.id).map(\.name) == ["Kim"])
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("only the meeting's hosts can change its roster, and only its own people") { stage in
            let (host, record) = try await stage.planned()
            let kim = try await stage.add("Kim", to: record.meeting.id, by: host)
            let other = try await stage.account(2).id
            let elsewhere = try await stage.meeting(of: other, name: "Other")
            await expectRefused(.notAllowed) { try await stage.add("X", to: record.meeting.id, by: other) }
            await expectRefused(.notAllowed) { try await stage.load([], to: record.meeting.id, by: other) }
            await expectRefused(.notFound(.person)) {
                try await stage.perform(
                    EditPerson(meeting: elsewhere.meeting.id, id: kim.id, name: "X", actor: other))
            }
        },
    ]

    static let rosterImports: [CommandRule] = [
        CommandRule("an import makes the roster equal to the list") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let first = try await stage.load(
                [
                    person("Kim", "kim@example.org", "1"), person("Lee", "lee@example.org", "2"),
                    person("Park", "park@example.org", "3"),
                ],
                to: meeting, by: host)
            #expect(first.added == 3 && first.people == 3 && first.withoutKey == 0 && first.version == 1)
            let second = try await stage.load(
                [person("Kim Jisoo", "kim@example.org"), person("Lee", "", "2"), person("Choi")], to: meeting,
                by: host)
            #expect(
                second.updated == 1 && second.unchanged == 1 && second.added == 1 && second.archived == 1
                    && second.withoutKey == 2)
            #expect(try await stage.roster(of: meeting) == ["Choi", "Kim Jisoo", "Lee"])
            #expect(try await stage.roster(of: meeting, archived: true) == ["Park"])
            #expect(
                Set(try await stage.attendees(of: record.session.id).map(\.name)) == [
                    "Choi", "Kim Jisoo", "Lee",
                ])
            let third = try await stage.load(
                [person("Kim Jisoo"), person("Lee"), person("Choi"), person("Park", "PARK@example.org")],
                to: meeting, by: host)
            #expect(third.unarchived == 1 && third.unchanged == 3 && third.archived == 0)
            let again = try await stage.load(
                [person("Kim Jisoo"), person("Lee"), person("Choi"), person("Park", "PARK@example.org")],
                to: meeting, by: host)
            #expect(again.version == third.version && again.unchanged == 4)
            #expect(try await stage.attendance(of: record.session.id).awaited == 4)
            // Each import adds one event, however many people it changes.
            #expect(
                try await stage.events(of: record.session.id).map(\.kind) == [
                    .created, .edited, .edited, .edited,
                ])
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("an import with errors names all of them, and imports nothing") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.load(
                [person("Kim", "kim@example.org", "1"), person("Lee", "lee@example.org", "2")], to: meeting,
                by: host)
            await expectRefused(
                .invalid([
                    FieldError("/people/2/email", .sameAs("/people/0")),
                    FieldError("/people/3/number", .sameAs("/people/1")),
                ])
            ) {
                try await stage.load(
                    [
                        person("A", "a@example.org"), person("B", "", "9"), person("C", "A@EXAMPLE.ORG"),
                        person("D", "", "9"),
                    ], to: meeting,
                    by: host)
            }
            await expectRefused(.invalid([FieldError("/people/1/number", .takenByAnotherPerson)])) {
                try await stage.load(
                    [person("New"), person("Kim", "kim@example.org", "2")], to: meeting, by: host)
            }
            #expect(try await stage.roster(of: meeting) == ["Kim", "Lee"])
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("a preview names the changes of an import, writes nothing, and ids restore what was") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.load(
                [person("Kim", "kim@example.org"), person("Lee"), person("Park", "", "3")], to: meeting,
                by: host)
            let before = try await stage.storage.read { rows throws(JournalError) in
                try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 1000)
            }
            let list = [
                person("Kim J.", "kim@example.org", "1"), person("Lee", "lee@example.org"), person("Choi"),
            ]
            let entries = list.enumerated().map { ImportRoster.Entry(pointer: "/people/\($0)", draft: $1) }
            let command = ImportRoster(meeting: meeting, entries: entries, actor: host)
            let now = stage.now
            let preview = try await stage.storage.read { rows throws(JournalError) in
                try command.preview(in: rows, at: now)
            }
            #expect(preview.added.map(\.name) == ["Choi"] && preview.archived.map(\.name) == ["Park"])
            #expect(preview.updated.map { $0.before.name } == ["Kim", "Lee"])
            #expect(preview.updated.map { $0.after.draft } == Array(list.prefix(2)))
            #expect(preview.outcome.version == 1 && preview.outcome.people == 3)
            #expect(try await stage.roster(of: meeting) == ["Kim", "Lee", "Park"])
            let done = try await stage.perform(command)
            #expect(done.added == 1 && done.updated == 2 && done.archived == 1 && done.version == 2)
            // The former list with ids restores everything, and archives whom the import added.
            let former = before.enumerated().map {
                ImportRoster.Entry(pointer: "/people/\($0)", id: $1.id, draft: $1.draft)
            }
            _ = try await stage.perform(
                ImportRoster(meeting: meeting, entries: former, expected: .version(2), actor: host))
            let after = try await stage.storage.read { rows throws(JournalError) in
                try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 1000)
            }
            #expect(after.map(\.draft) == before.map(\.draft) && after.map(\.id) == before.map(\.id))
            #expect(try await stage.roster(of: meeting, archived: true) == ["Choi"])
            // Nobody takes another person's address, and an id must be on this roster.
            for (entry, error) in [
                (
                    ImportRoster.Entry(
                        pointer: "/people/0", id: before[1].id, draft: person("Lee", "kim@example.org")),
                    FieldError("/people/0/number", .takenByAnotherPerson)
                ),
                (
                    ImportRoster.Entry(pointer: "/people/0", id: .makeTimeless(), draft: person("Lee")),
                    FieldError("/people/0/id", .unknownPerson)
                ),
            ] {
                await expectRefused(.invalid([error])) {
                    try await stage.perform(ImportRoster(meeting: meeting, entries: [entry], actor: host))
                }
            }
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("a list that was made from an older roster is refused") { stage in
            let (host, record) = try await stage.planned()
            let first = try await stage.load([person("Kim")], to: record.meeting.id, by: host)
            _ = try await stage.add("Lee", to: record.meeting.id, by: host)
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.perform(
                    ImportRoster(
                        meeting: record.meeting.id, entries: [], expected: .version(first.version),
                        actor: host))
            }
        },
        CommandRule("a command that would write too many roster slots is refused, and writes nothing") {
            stage in
            let (host, record) = try await stage.planned()
            let people = (0..<60).map { person("P\($0)") }
            _ = try await stage.load(people, to: record.meeting.id, by: host)
            await expectRefused(.limitReached(.session, limit: ContinueMeeting.mostSessions)) {
                try await stage.perform(
                    RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 2000, actor: host))
            }
            #expect(60 * 1700 > RosterLimits.mostSlotsAtOnce)
            await expectRefused(.limitReached(.rosterSlot, limit: RosterLimits.mostSlotsAtOnce)) {
                try await stage.perform(
                    RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 1700, actor: host))
            }
            #expect(try await stage.roster(of: record.meeting.id).count == 60)
        },
    ]
}
