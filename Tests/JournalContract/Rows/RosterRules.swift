import Journal
import Meetings
import Testing

private func aPerson(_ number: Int, name: String? = nil, of meeting: Int = 1, archived: Bool = false)
    -> Person
{
    Person(
        id: id(number), meetingID: id(meeting), name: name ?? "Person \(number)",
        email: "P\(number)@Example.org", number: "N-\(number)",
        isArchived: archived)
}

extension RowsRule {
    static let rosters: [RowsRule] = [
        RowsRule("people are found by id, and by folded e-mail address and number within their meeting") {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aMeeting(2))
                try rows.insert(aPerson(1))
                try rows.insert(Person(id: id(2), meetingID: id(1), name: "Nobody's address"))
                try rows.insert(
                    Person(
                        id: id(3), meetingID: id(2), name: "Elsewhere", email: "p1@example.org", number: "n-1"
                    ))
            }
            #expect(try rows.person(id(1)) == aPerson(1))
            #expect(try rows.person(id(9)) == nil)
            #expect(try rows.person(of: id(1), email: IdentityKey(" p1@example.ORG")) == aPerson(1))
            #expect(try rows.person(of: id(1), number: IdentityKey("n-1")) == aPerson(1))
            #expect(try rows.person(of: id(1), email: IdentityKey("")) == nil)
            #expect(try rows.person(of: id(2), email: IdentityKey("p1@example.org"))?.id == id(3))
            #expect(try rows.personCount(of: id(1)) == 2)
        },
        RowsRule(
            "an e-mail address or number is unique in a meeting, even if archived, but names may repeat"
        ) { rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(aPerson(1, archived: true))
            try expectFailure(rows) {
                try rows.insert(Person(id: id(2), meetingID: id(1), name: "Other", email: "p1@EXAMPLE.org"))
            }
            try expectFailure(rows) {
                try rows.insert(Person(id: id(2), meetingID: id(1), name: "Other", number: "n-1"))
            }
            try expectFailure(rows) { try rows.insert(Person(id: id(1), meetingID: id(1), name: "Same id")) }
            try expectFailure(rows) {
                try rows.insert(Person(id: id(2), meetingID: id(7), name: "Of no meeting"))
            }
            try rows.insert(Person(id: id(2), meetingID: id(1), name: "person 1"))
            try expectFailure(rows) {
                try rows.update(Person(id: id(2), meetingID: id(1), name: "Other", email: "p1@example.org"))
            }
            try rows.insert(Person(id: id(3), meetingID: id(1), name: "PERSON 1"))
            try rows.commit()
            #expect(try rows.people(of: id(1), named: IdentityKey("Person 1")).map(\.id) == [id(2), id(3)])
        },
        RowsRule(
            "a roster is listed by name, archived people separately, and searched by every identity"
        ) { rows in
            try rows.plan()
            let names = ["나", "가", "kim", "Kim", "", "Zoe", "adam", "가나", String(repeating: "가", count: 60)]
            try rows.batch {
                for (number, name) in names.enumerated() {
                    try rows.insert(aPerson(number + 1, name: name.isEmpty ? "b" : name))
                }
                try rows.insert(aPerson(20, name: "Gone", archived: true))
            }
            let all = try rows.people(of: id(1), archived: false, text: nil, after: nil, limit: 100)
            #expect(
                all.map(\.name) == [
                    "adam", "b", "kim", "Kim", "Zoe", "가", String(repeating: "가", count: 60), "가나", "나",
                ])
            for limit in [1, 2, 4] {
                let paged = try pages { (last: Person?) in
                    try rows.people(
                        of: id(1), archived: false, text: nil, after: last?.position, limit: limit)
                }
                #expect(paged == all)
            }
            #expect(
                try rows.people(of: id(1), archived: true, text: nil, after: nil, limit: 9).map(\.name) == [
                    "Gone"
                ])
            #expect(
                try rows.people(of: id(1), archived: false, text: "KIM", after: nil, limit: 9).map(\.name)
                    == ["kim", "Kim"])
            #expect(
                try rows.people(of: id(1), archived: false, text: "p2@ex", after: nil, limit: 9).map(\.name)
                    == ["가"])
            #expect(
                try rows.people(of: id(1), archived: false, text: "n-1", after: nil, limit: 9).map(\.name)
                    == ["나"])
        },
        RowsRule("a meeting has a roster if anybody on it is not archived, and the roster has a version") {
            rows in
            try rows.plan()
            #expect(try !rows.hasRoster(id(1)))
            #expect(try rows.rosterVersion(of: id(1)) == 0)
            try rows.batch {
                try rows.insert(aPerson(1))
                try rows.setRosterVersion(1, of: id(1))
            }
            #expect(try rows.hasRoster(id(1)))
            try rows.batch {
                try rows.update(aPerson(1, archived: true))
                try rows.setRosterVersion(2, of: id(1))
            }
            #expect(try !rows.hasRoster(id(1)))
            #expect(try rows.rosterVersion(of: id(1)) == 2)
            try rows.batch { try rows.delete(id(1) as PersonID) }
            #expect(try rows.person(id(1)) == nil)
            try rows.batch {
                try rows.insert(aPerson(2))
                try rows.delete(id(1) as MeetingID)
            }
            #expect(try rows.person(id(2)) == nil)
        },
    ]

    static let places: [RowsRule] = [
        RowsRule("a slot joins one attendee and one person in a session, and is deleted with either") {
            rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(aSession(2))
            for number in [1, 2] { try rows.insert(aPerson(number)) }
            for number in [1, 2] { try rows.insert(anAttendee(number), key: nil, grant: nil) }
            try rows.insert(anAttendee(3, in: 2), key: nil, grant: nil)
            try rows.setSlot(of: id(1), to: id(1), in: id(1))
            try rows.setSlot(of: id(1), to: id(3), in: id(2))
            try expectFailure(rows) { try rows.setSlot(of: id(2), to: id(1), in: id(1)) }
            try expectFailure(rows) { try rows.setSlot(of: id(9), to: id(2), in: id(1)) }
            try rows.commit()
            #expect(try rows.person(inSlotOf: id(1)) == id(1))
            #expect(try rows.person(inSlotOf: id(2)) == nil)
            #expect(try rows.attendee(of: id(1), in: id(2)) == anAttendee(3, in: 2))
            try rows.batch { try rows.setSlot(of: id(1), to: id(2), in: id(1)) }
            #expect(try rows.attendee(of: id(1), in: id(1)) == anAttendee(2))
            #expect(try rows.person(inSlotOf: id(1)) == nil)
            try rows.batch { try rows.delete(id(2) as AttendeeID) }
            #expect(try rows.attendee(of: id(1), in: id(1)) == nil)
            try rows.batch { try rows.delete(id(1) as PersonID) }
            #expect(try rows.attendee(of: id(1), in: id(2)) == nil)
            #expect(try rows.attendee(id(3)) != nil)
        },
        RowsRule("a key can be set and cleared, and is unique in its session") { rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(anAttendee(1), key: IdentityKey("a"), grant: nil)
            try rows.insert(anAttendee(2), key: nil, grant: nil)
            try expectFailure(rows) { try rows.setKey(IdentityKey("a"), of: anAttendee(2)) }
            try rows.setKey(IdentityKey("b"), of: anAttendee(2))
            try rows.setKey(nil, of: anAttendee(1))
            try rows.commit()
            #expect(try rows.attendee(in: id(1), key: IdentityKey("a")) == nil)
            #expect(try rows.attendee(in: id(1), key: IdentityKey("b")) == anAttendee(2))
        },
        RowsRule(
            "totals count by slot or key, and awaited people are absent only in ended sessions"
        ) { rows in
            try rows.plan()
            let statuses: [RecordedStatus] = [.present, .late, .absent, .excused, .pending, .pending]
            try rows.batch {
                try rows.insert(aPerson(1))
                // At minute 61, session 7 has not ended yet; the other sessions are over.
                for number in 2...7 {
                    try rows.insert(aSession(number, from: number, to: number == 7 ? 100 : 50))
                }
                for (index, status) in statuses.enumerated() {
                    let number = index + 2
                    try rows.insert(anAttendee(number, in: number, status: status), key: nil, grant: nil)
                    try rows.setSlot(of: id(1), to: id(number), in: id(number))
                }
                // Attendee 20 checked in before the roster existed, and is found by the e-mail address.
                // Attendee 21 is another person's record.
                try rows.insert(
                    anAttendee(20, in: 1, status: .late), key: IdentityKey("p1@example.org"), grant: nil)
                try rows.insert(
                    anAttendee(21, in: 2, status: .late), key: IdentityKey("p1@example.org"), grant: nil)
            }
            let key = aPerson(1).draft.emailKey
            let totals = SeriesTotals(present: 1, late: 2, absent: 2, excused: 1)
            #expect(try rows.seriesTotals(of: aPerson(1), key: key, at: at(61)) == totals)
            #expect(try rows.seriesTotals(of: aPerson(1), key: nil, at: at(61)).late == 1)
            #expect(try rows.seriesTotals(of: aPerson(1), key: nil, at: at(101)).absent == 3)
            #expect(
                try rows.seriesTotals(of: id(1), key: IdentityKey("p1@example.org"), at: at(61))
                    == SeriesTotals(late: 2))
            #expect(
                try rows.seriesTotals(of: id(1), key: IdentityKey("nobody"), at: at(61)) == SeriesTotals())
        },
        RowsRule("the latest statuses are those of ended sessions, newest first, without excused ones") {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aPerson(1))
                for (number, status) in [
                    (2, RecordedStatus.present), (3, .absent), (4, .excused), (5, .pending), (6, .late),
                ] {
                    try rows.insert(aSession(number, from: number * 10, to: number * 10 + 5))
                    try rows.insert(anAttendee(number, in: number, status: status), key: nil, grant: nil)
                    try rows.setSlot(of: id(1), to: id(number), in: id(number))
                }
            }
            #expect(try rows.latestStatuses(of: aPerson(1), at: at(55), limit: 9) == [.absent, .present])
            #expect(
                try rows.latestStatuses(of: aPerson(1), at: at(55) + millisecond, limit: 9) == [
                    .pending, .absent, .present,
                ])
            #expect(try rows.latestStatuses(of: aPerson(1), at: at(100), limit: 2) == [.late, .pending])
        },
        RowsRule("the latest statuses are found behind many newer sessions in which the person has no slot") {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aPerson(1))
                for (number, status) in [(2, RecordedStatus.present), (3, .absent)] {
                    try rows.insert(aSession(number, from: number * 10, to: number * 10 + 5))
                    try rows.insert(anAttendee(number, in: number, status: status), key: nil, grant: nil)
                    try rows.setSlot(of: id(1), to: id(number), in: id(number))
                }
                for number in 4...44 {
                    try rows.insert(aSession(number, from: number * 10, to: number * 10 + 5))
                }
            }
            #expect(try rows.latestStatuses(of: aPerson(1), at: at(900), limit: 1) == [.absent])
            #expect(try rows.latestStatuses(of: aPerson(1), at: at(900), limit: 3) == [.absent, .present])
        },
    ]

    static let rounds: [RowsRule] = [
        RowsRule("sessions are found by round and by the moment of their start") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aMeeting(2))
                for number in 2...6 {
                    try rows.insert(aSession(number, from: number / 2 * 100, to: number / 2 * 100 + 10))
                }
                try rows.insert(aSession(9, of: 2, from: 100, to: 110))
            }
            #expect(try rows.session(of: id(1), round: 3)?.number == 3)
            #expect(try rows.session(of: id(1), round: 9) == nil)
            func found(_ from: Int, _ to: Int, after cursor: RoundCursor? = nil, limit: Int = 10) throws
                -> [Int]
            {
                try rows.sessions(of: id(1), starting: at(from)..<at(to), before: cursor, limit: limit).map(
                    \.number)
            }
            #expect(try found(100, 300) == [5, 4, 3, 2])
            #expect(try found(100, 300, limit: 3) == [5, 4, 3])
            #expect(try found(100, 300, after: RoundCursor(startsAt: at(200), round: 4)) == [3, 2])
            #expect(try found(100, 101) == [3, 2] && found(99, 100) == [] && found(0, 1) == [1])
        },
        RowsRule("the titles of a meeting's sessions are listed, the newest round first") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aMeeting(2))
                for (number, meeting, title) in [
                    (2, 1, "둘째 회차 이름"), (3, 1, ""), (4, 1, "Fourth"), (9, 2, "Other"),
                ] {
                    var session = aSession(number, of: meeting, from: number * 10, to: number * 10 + 5)
                    session.title = title
                    try rows.insert(session)
                }
            }
            let found = try rows.sessionTitles(of: id(1))
            #expect(found.map(\.round) == [4, 2] && found.map(\.title) == ["Fourth", "둘째 회차 이름"])
        },
        RowsRule("sessions that are not over are listed by round, and the nearest is the running or next one")
        {
            rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aSession(2, from: 300, to: 310))
                try rows.insert(aSession(3, from: 100, to: 110))
                try rows.insert(aSession(4, from: 50, to: 70))
            }
            let all: [SessionID] = [id(1), id(2), id(3), id(4)]
            #expect(try rows.idsOfSessionsNotOver(of: id(1), at: at(60)) == all)
            #expect(try rows.idsOfSessionsNotOver(of: id(1), at: at(70) + millisecond) == [id(2), id(3)])
            for (minute, nearest) in [(-1, 1), (0, 1), (50, 4), (70, 4), (71, 3), (111, 2), (310, 2)] {
                #expect(try rows.nearestSession(of: id(1), at: at(minute))?.number == nearest, "\(minute)")
            }
            #expect(try rows.nearestSession(of: id(1), at: at(311)) == nil)
        },
        RowsRule("a newcomer has neither key nor name in the last round to which anybody came") { rows in
            try rows.plan()
            try rows.batch {
                for round in 2...12 {
                    try rows.insert(aSession(round, from: 100 * round, to: 100 * round + 60))
                }
                var counts = HeadCount()
                counts.present = 2
                try rows.saveCounters(of: id(1), sequence: 2, headCount: counts)
                let here = anAttendee(1, name: "Kim", status: .present, arrival: 1, minute: 0)
                try rows.insert(here, key: IdentityKey("kim"), grant: nil)
                let named = Attendee(id: id(2), sessionID: id(1), name: "Lee Jun", status: .late)
                try rows.insert(named, key: nil, grant: nil)
                let absent = anAttendee(3, name: "Park", status: .absent)
                try rows.insert(absent, key: IdentityKey("park"), grant: nil)
                try rows.insert(
                    MergedTrace(
                        id: id(9), sessionID: id(1), into: id(1), keys: AttendeeKeys(identity: "typo")))
            }
            func isNewcomer(_ text: String, named name: String? = nil, round: Int = 3) throws -> Bool {
                try rows.isNewcomer(IdentityKey(text), named: name, to: aSession(round))
            }
            #expect(try !isNewcomer("KIM") && !isNewcomer("typo"))
            #expect(try isNewcomer("park") && isNewcomer("lee jun") && isNewcomer("choi", named: "Choi"))
            #expect(try !isNewcomer("lee jun", named: "LEE Jun"))
            #expect(try !isNewcomer("park", round: 1) && !isNewcomer("park", round: 12))
            func found(_ name: String) throws -> [AttendeeID] {
                try rows.attendeesWithoutKey(in: id(1), named: name, limit: 10).map(\.id)
            }
            #expect(try found("lee JUN") == [id(2)] && found("Kim") == [])
        },
        RowsRule("regulars, titles and the marks of newcomers are stored and changed") { rows in
            try rows.plan()
            var meeting = Meeting(
                id: id(2), name: "M", regulars: .everybody, joinedRound: 3, createdAt: start)
            var session = Session(
                id: id(9), meetingID: id(2), round: 1, title: "Kick-off", startsAt: at(0), endsAt: at(60),
                joinCode: "NINE")
            var attendee = Attendee(id: id(8), sessionID: id(9), name: "Kim", firstTime: true)
            let person = Person(id: id(7), meetingID: id(2), name: "Kim", joinedByCheckIn: true)
            try rows.batch {
                try rows.insert(meeting)
                try rows.insert(session)
                try rows.insert(attendee, key: nil, grant: nil)
                try rows.insert(person)
            }
            #expect(try rows.meeting(id(2)) == meeting && rows.session(id(9))?.session == session)
            #expect(try rows.attendee(id(8)) == attendee && rows.person(id(7)) == person)
            (meeting.regulars, meeting.joinedRound, session.title) = (.nobody, 4, "")
            attendee.firstTime = false
            let (edited, untitled, known) = (meeting, session, attendee)
            try rows.batch {
                try rows.update(edited)
                try rows.update(untitled)
                try rows.update(known)
            }
            #expect(try rows.meeting(id(2)) == meeting && rows.session(id(9))?.session == session)
            #expect(try rows.attendee(id(8)) == attendee)
        },
    ]
}
