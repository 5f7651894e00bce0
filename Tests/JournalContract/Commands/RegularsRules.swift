import Foundation
import Journal
import Meetings
import Seeds
import Testing

extension Stage {
    /// Creates host 1 and a meeting of host 1 whose next round expects these people.
    fileprivate func weekly(_ regulars: Regulars, identifyBy: IdentifyBy = .email) async throws -> (
        host: AccountID, record: SessionRecord
    ) {
        let (host, record) = try await planned(identifyBy: identifyBy)
        try await perform(EditMeeting(id: record.meeting.id, regulars: regulars, actor: host))
        return (host, record)
    }

    /// Adds the next round, from minute `from` on, for an hour.
    fileprivate func next(_ meeting: MeetingID, by host: AccountID, from: Int) async throws -> SessionID {
        try await perform(
            ContinueMeeting(meeting: meeting, startsAt: at(from), endsAt: at(from + 60), actor: host)
        ).session.id
    }

    fileprivate func people(on meeting: MeetingID, archived: Bool = false) async throws -> [Person] {
        try await storage.read { rows throws(JournalError) in
            try rows.people(of: meeting, archived: archived, text: nil, after: nil, limit: 1_000)
        }
    }

    fileprivate func names(of session: SessionID, _ status: RecordedStatus = .pending) async throws
        -> [String]
    {
        try await attendees(of: session).filter { $0.status == status }.map(\.name).sorted()
    }
}

extension CommandRule {
    static let regulars: [CommandRule] = [
        CommandRule("with everybody, the next round expects the people who came, and nobody joins before") {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let (first, meeting) = (record.session.id, record.meeting.id)
            stage.now = at(0)
            for number in 1...3 { _ = try await stage.arrive(number, in: first) }
            #expect(try await stage.people(on: meeting).isEmpty)
            stage.now = at(61)
            let second = try await stage.next(meeting, by: host, from: 100)
            #expect(try await stage.names(of: second) == ["Person 1", "Person 2", "Person 3"])
            #expect(try await stage.people(on: meeting).allSatisfy(\.joinedByCheckIn))
            stage.now = at(100)
            let (known, new) = (try await stage.arrive(1, in: second), try await stage.arrive(4, in: second))
            #expect(!known.walkIn && !known.firstTime && new.walkIn && new.firstTime)
            stage.now = at(161)
            #expect(try await stage.attendance(of: second).absent == 2)
            let third = try await stage.next(meeting, by: host, from: 200)
            stage.now = at(200)
            let again = try await stage.arrive(4, in: third)
            #expect(!again.firstTime && !again.walkIn)
            #expect(try await stage.names(of: third).count == 3)
            for session in [first, second, third] { try await stage.expectWhole(session) }
        },
        CommandRule("kept expects only the roster, and nobody expects nobody") { stage in
            let (host, record) = try await stage.weekly(.kept)
            let meeting = record.meeting.id
            _ = try await stage.add("Kim", email: "kim@example.org", to: meeting, by: host)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            stage.now = at(61)
            let second = try await stage.next(meeting, by: host, from: 100)
            #expect(try await stage.names(of: second) == ["Kim"])
            try await stage.perform(EditMeeting(id: meeting, regulars: .nobody, actor: host))
            let third = try await stage.next(meeting, by: host, from: 200)
            #expect(try await stage.attendees(of: third).isEmpty)
            #expect(try await stage.people(on: meeting).count == 1)
        },
        CommandRule("without a roster, newcomers are the people who were not in the previous round") {
            stage in
            for (number, kind) in IdentifyBy.allCases.enumerated() {
                let host = try await stage.account(number + 1).id
                stage.now = at(-120)
                let record = try await stage.meeting(of: host, identifyBy: kind)
                stage.now = at(0)
                #expect(try await !stage.arrive(1, in: record.session.id).firstTime)
                let empty = try await stage.next(record.meeting.id, by: host, from: 70)
                stage.now = at(131)
                let third = try await stage.next(record.meeting.id, by: host, from: 140)
                stage.now = at(140)
                #expect(try await !stage.arrive(1, in: third).firstTime, "\(kind)")
                #expect(try await stage.arrive(2, in: third).firstTime, "\(kind)")
                try await stage.expectWhole(empty)
            }
        },
        CommandRule("attendees who come after the next round was made join with the round after it") {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let meeting = record.meeting.id
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            let second = try await stage.next(meeting, by: host, from: 100)
            stage.now = at(30)
            _ = try await stage.arrive(2, in: record.session.id)
            #expect(try await stage.names(of: second) == ["Person 1"])
            stage.now = at(100)
            let late = try await stage.arrive(2, in: second)
            #expect(late.walkIn && !late.firstTime)
            stage.now = at(161)
            let third = try await stage.next(meeting, by: host, from: 200)
            #expect(try await stage.names(of: third) == ["Person 1", "Person 2"])
        },
        CommandRule("the withdrawal of the only check-in removes the person whom it brought onto the roster")
        {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let (first, meeting) = (record.session.id, record.meeting.id)
            _ = try await stage.add("Host's guest", email: "p2@example.org", to: meeting, by: host)
            stage.now = at(0)
            let people = [try await stage.arrive(1, in: first), try await stage.arrive(2, in: first)]
            let third = try await stage.arrive(3, in: first)
            let second = try await stage.next(meeting, by: host, from: 100)
            stage.now = at(100)
            let again = try await stage.arrive(3, in: second)
            for person in people + [third] {
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: person)))
            }
            #expect(try await stage.people(on: meeting).map(\.name) == ["Host's guest", "Person 3"])
            #expect(try await stage.names(of: second) == ["Host's guest"])
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: again)))
            #expect(try await stage.people(on: meeting).map(\.name) == ["Host's guest"])
            for session in [first, second] { try await stage.expectWhole(session) }
        },
        CommandRule("an archived person joins again only by coming again, or if the host keeps everybody") {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let (first, meeting) = (record.session.id, record.meeting.id)
            stage.now = at(0)
            for number in 1...2 { _ = try await stage.arrive(number, in: first) }
            let second = try await stage.next(meeting, by: host, from: 100)
            for person in try await stage.people(on: meeting) {
                _ = try await stage.perform(
                    EditPerson(meeting: meeting, id: person.id, archived: true, actor: host))
            }
            stage.now = at(100)
            _ = try await stage.arrive(2, in: second)
            stage.now = at(161)
            let third = try await stage.next(meeting, by: host, from: 200)
            #expect(try await stage.names(of: third) == ["Person 2"])
            let kept = try await stage.perform(
                KeepEverybody(meeting: meeting, session: first, actor: host))
            #expect(kept.kept == 1 && kept.unchanged == 1)
            #expect(try await stage.names(of: third) == ["Person 1", "Person 2"])
            let again = try await stage.perform(KeepEverybody(meeting: meeting, actor: host))
            #expect(again.kept == 0 && again.unchanged == 1)
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            await expectRefused(.notFound(.session)) {
                try await stage.perform(
                    KeepEverybody(meeting: meeting, session: other.session.id, actor: host))
            }
            for session in [first, second, third] { try await stage.expectWhole(session) }
        },
        CommandRule("in slices, everybody joins and a withdrawal waits for the end", slices: .fixed(5)) {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let (first, meeting) = (record.session.id, record.meeting.id)
            stage.now = at(0)
            var people: [Attendee] = []
            for number in 1...20 { people.append(try await stage.arrive(number, in: first)) }
            let leaving = people[7]
            stage.now = at(61)
            async let made = stage.next(meeting, by: host, from: 100)
            async let withdrawn: Void = stage.perform(WithdrawCheckIn(receipt: Receipt(for: leaving)))
            let second = try await made
            try await withdrawn
            #expect(try await stage.people(on: meeting).count == 19)
            #expect(try await stage.names(of: second).count == 19)
            for session in [first, second] { try await stage.expectWhole(session) }
        },
        CommandRule("a new round may have a title, and may change the venue and how people are identified") {
            stage in
            let (host, record) = try await stage.weekly(.everybody)
            let meeting = record.meeting.id
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            func round(_ from: Int) -> ContinueMeeting {
                ContinueMeeting(
                    meeting: meeting, startsAt: at(from), endsAt: at(from + 60),
                    settings: .init(title: "Kick-off", plannedCount: 9),
                    meetingValues: .init(identifyBy: .name, venue: "Room 2"), actor: host)
            }
            await expectRefused(.sessionHasAttendees) { try await stage.perform(round(100)) }
            stage.now = at(61)
            let made = try await stage.perform(round(100))
            #expect(made.session.title == "Kick-off" && made.session.plannedCount == 9)
            #expect(made.meeting.identifyBy == .name && made.meeting.venue == "Room 2")
            stage.now = at(100)
            #expect(try await !stage.arrive(1, in: made.session.id).walkIn)
            let after = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(200), endsAt: at(260), actor: host))
            #expect(after.session.title.isEmpty && after.session.plannedCount == 9)
        },
        CommandRule("a year of a weekly meeting is as a naive model says") { stage in
            let variables = ProcessInfo.processInfo.environment
            let rounds = variables["QRING_YEAR_ROUNDS"].flatMap { Int($0) } ?? 8
            let seed = variables["QRING_SEED"].flatMap { UInt64($0) } ?? 20_261_122
            var year = try await Year(stage, seed: seed)
            for _ in 0..<rounds { try await year.hold() }
            #expect(year.newcomers > 0 && year.absences > 0 && (rounds < 20 || year.returned > 0))
        },
    ]
}

/// A weekly meeting with a seed, and a naive model of it: what each person did in each round.
private struct Year {
    /// What the model knows about one person on the roster or in a round.
    private struct Member {
        var name: String
        var isOnRoster = false
        var isArchived = false
        /// The statuses in the rounds that expected the person, or to which the person came.
        var statuses: [RecordedStatus] = []
    }

    private let stage: Stage
    private let host: AccountID
    private let zone: Zone
    private var record: SessionRecord
    private var random: SeededNumbers
    private var members: [Int: Member] = [:]
    private var cameLast: Set<Int> = []
    private var newest = 40
    private(set) var newcomers = 0
    private(set) var absences = 0
    private(set) var returned = 0

    private var meeting: MeetingID { record.meeting.id }

    init(_ stage: Stage, seed: UInt64) async throws {
        self.stage = stage
        random = SeededNumbers(seed: seed)
        zone = try #require(Zone("America/New_York"))
        let host = try await stage.account(1).id
        self.host = host
        let first = try await stage.meeting(of: host)
        try await stage.perform(
            EditMeeting(id: first.meeting.id, timeZone: zone, regulars: .everybody, actor: host))
        record = try #require(try await stage.record(first.session.id))
    }

    private mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// Holds the present round, makes the next one, and compares it with the model.
    mutating func hold() async throws {
        let (session, starts) = (record.session, record.session.startsAt)
        var came: [Int: Attendee] = [:]
        for number in 1...40 where happens(members[number]?.isArchived == true ? 20 : 80) {
            stage.now = starts + .minutes(happens(20) ? 11 : 2)
            came[number] = try await arrive(number, in: session)
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            newest += 1
            stage.now = starts + .minutes(3)
            came[newest] = try await arrive(newest, in: session)
        }
        stage.now = starts + .minutes(20)
        try await change(&came, in: session)
        try await correct(&came, in: session)
        let expected = members.filter { $0.value.isOnRoster && !$0.value.isArchived }.keys
        for number in expected where came[number] == nil {
            members[number]?.statuses.append(.absent)
            absences += 1
        }
        for (number, attendee) in came {
            var member = members[number] ?? Member(name: attendee.name)
            if !member.isOnRoster { member.name = attendee.name }
            if member.isArchived { returned += 1 }
            (member.isOnRoster, member.isArchived) = (true, false)
            member.statuses.append(attendee.status)
            members[number] = member
        }
        cameLast = Set(came.keys)
        stage.now = record.session.endsAt + .minutes(1)
        // Some weeks are holidays.
        let rule: SeriesRule = happens(10) ? .everyDays(14) : .weekly
        let made = try await stage.perform(
            RepeatMeeting(meeting: meeting, rule: rule, count: 1, actor: host))
        let wall = WallTime(record.session.startsAt, in: zone).text.suffix(5)
        record = try #require(made.first)
        #expect(WallTime(record.session.startsAt, in: zone).text.suffix(5) == wall)
        try await compare(ended: session.id)
        try await archive()
    }

    /// Checks a person in, and compares the marks with the model.
    private mutating func arrive(_ number: Int, in session: Session) async throws -> Attendee {
        let attendee = try await stage.arrive(number, in: session.id)
        let member = members[number]
        let isExpected = member?.isOnRoster == true && member?.isArchived == false
        let isNew = !isExpected && !cameLast.isEmpty && !cameLast.contains(number)
        #expect(attendee.firstTime == isNew, "person \(number), round \(session.round)")
        if isNew { newcomers += 1 }
        return attendee
    }

    /// Some attendees correct their names, withdraw, or came twice and are merged.
    private mutating func change(_ came: inout [Int: Attendee], in session: Session) async throws {
        for number in came.keys.sorted() {
            guard let attendee = came[number] else { continue }
            if happens(5) {
                let (renamed, _) = try await stage.perform(
                    CorrectOwnName(
                        receipt: Receipt(for: attendee), name: "Renamed \(number) in \(session.round)"))
                came[number] = renamed
            } else if happens(4) {
                let typed = try #require(
                    try await stage.checkIn(
                        1000 * session.round + number, in: session.id, name: "Person \(number)"
                    ).fresh)
                let (merged, _) = try await stage.perform(
                    MergeAttendees(attendee: typed.id, into: attendee.id, actor: host))
                came[number] = merged
            } else if happens(2), members[number] == nil {
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: attendee)))
                came[number] = nil
            }
        }
    }

    /// The host marks some people late by mistake, undoes all of it, and redoes a part.
    private mutating func correct(_ came: inout [Int: Attendee], in session: Session) async throws {
        let marked = came.keys.sorted().shuffled(using: &random).prefix(4)
        let before = try await stage.standing(session.id)
        for number in marked {
            let id = try #require(came[number]).id
            try await stage.perform(CorrectAttendee(attendee: id, status: .late, actor: host))
        }
        for _ in marked { try await stage.undoLatest(in: session.id, by: host) }
        #expect(try await stage.standing(session.id) == before)
        for number in marked.prefix(Int.random(in: 0...marked.count, using: &random)) {
            let redone = try await stage.redo(in: session.id, by: host)
            #expect(redone.attendee?.id == came[number]?.id && redone.attendee?.status == .late)
            came[number] = redone.attendee
        }
    }

    /// The host archives somebody now and then, while the next round expects the person.
    private mutating func archive() async throws {
        guard happens(30) else { return }
        let people = try await stage.people(on: meeting)
        guard let person = people.randomElement(using: &random), let number = Int(person.email.number) else {
            return
        }
        _ = try await stage.perform(
            EditPerson(meeting: meeting, id: person.id, archived: true, actor: host))
        members[number]?.isArchived = true
    }

    /// Compares the roster, the totals and the absences in a row with the model.
    private func compare(ended: SessionID) async throws {
        let people = try await stage.people(on: meeting)
        let expected = members.filter { $0.value.isOnRoster && !$0.value.isArchived }
        #expect(Set(people.map(\.email)) == Set(expected.keys.map { "p\($0)@example.org" }))
        #expect(try await stage.names(of: record.session.id) == expected.values.map(\.name).sorted())
        let (now, meeting) = (stage.now, record.meeting)
        for person in people {
            let member = try #require(Int(person.email.number).flatMap { expected[$0] })
            #expect(person.name == member.name)
            let (totals, isAbsent) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.seriesTotals(of: person, in: meeting, at: now),
                    try rows.wasAbsent(person, inARow: 2, at: now)
                )
            }
            func count(_ status: RecordedStatus) -> Int { member.statuses.count { $0 == status } }
            #expect(
                totals
                    == SeriesTotals(present: count(.present), late: count(.late), absent: count(.absent)))
            #expect(isAbsent == (member.statuses.suffix(2) == [.absent, .absent]), "\(person.email)")
        }
        for session in [ended, record.session.id] { try await stage.expectWhole(session) }
    }
}

extension String {
    /// The digits between `p` and `@` in the addresses of the stage.
    fileprivate var number: String { String(dropFirst().prefix { $0 != "@" }) }
}
