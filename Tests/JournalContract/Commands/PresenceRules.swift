import Journal
import Meetings
import Testing

extension Stage {
    /// Creates a meeting whose session records leaving.
    fileprivate func recording(
        _ checkOut: CheckOut = .phones, sets: [QuestionSet] = []
    ) async throws -> (host: AccountID, session: SessionID) {
        let (host, record) = try await planned(sets: sets)
        try await setCheckOut(checkOut, in: record.session.id, by: host)
        return (host, record.session.id)
    }

    fileprivate func setCheckOut(_ checkOut: CheckOut, in session: SessionID, by host: AccountID) async throws
    {
        _ = try await perform(
            EditSession(id: session, settings: SessionSettings(checkOut: checkOut), actor: host))
    }

    @discardableResult
    fileprivate func move(_ move: Move, _ attendee: Attendee) async throws -> Attendee {
        try await perform(MoveOneself(Receipt(for: attendee), move)).0
    }

    @discardableResult
    fileprivate func move(_ move: Move, _ attendee: Attendee, by host: AccountID) async throws -> Attendee {
        try await perform(MoveAttendee(attendee.id, move, actor: host)).0
    }

    /// Returns the number of people inside and of those who have left.
    fileprivate func inside(_ session: SessionID) async throws -> [Int?] {
        let attendance = try #require(try await record(session)).attendance(at: now)
        return [attendance.inside, attendance.left]
    }

    fileprivate func moves(of attendee: Attendee) async throws -> [Int]? {
        try await self.attendee(attendee.id)?.stays?.moves.map {
            Int($0.since(start).components.seconds / 60)
        }
    }
}

extension CommandRule {
    static let presence: [CommandRule] = [
        CommandRule("a phone leaves and returns, each once, and the counts follow") { stage in
            let (_, session) = try await stage.recording()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            _ = try await stage.arrive(2, in: session)
            #expect(try await stage.inside(session) == [2, 0])
            stage.now = at(10)
            let left = try await stage.move(.leave, person)
            #expect(left.stays?.leftAt == at(10) && left.version == person.version + 1)
            let event = try #require(try await stage.events(of: session).last)
            #expect(event.kind == .left && event.actor == .attendee && event.attendeeID == person.id)
            #expect(event.data == EventData())
            #expect(
                stage.announced.commits.last?.news == [News(sequence: event.sequence, kind: .changed(left))])
            #expect(try await stage.inside(session) == [1, 1])
            stage.now = at(12)
            #expect(try await stage.move(.leave, person) == left)
            #expect(try await stage.events(of: session).last == event)
            stage.now = at(15)
            let back = try await stage.move(.enterAgain, person)
            #expect(try await stage.move(.enterAgain, person) == back)
            #expect(try await stage.moves(of: person) == [10, 15])
            #expect(try await stage.events(of: session).last?.kind == .returned)
            #expect(try await stage.inside(session) == [2, 0])
            stage.now = at(61)
            #expect(try await stage.inside(session) == [0, 0])
            try await stage.expectWhole(session)
        },
        CommandRule("the session's setting decides who records leaving") { stage in
            let (host, session) = try await stage.recording(.notRecorded)
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            await expectRefused(.checkOutOff) { try await stage.move(.leave, person) }
            await expectRefused(.checkOutOff) { try await stage.move(.leave, person, by: host) }
            try await stage.setCheckOut(.door, in: session, by: host)
            await expectRefused(.checkOutOff) { try await stage.move(.leave, person) }
            #expect(try await stage.move(.leave, person, by: host).isOutside)
            try await stage.setCheckOut(.phones, in: session, by: host)
            #expect(try await !stage.move(.enterAgain, person).isOutside)
        },
        CommandRule("nobody leaves before the check-in, after the end, or without a valid receipt") { stage in
            let (host, session) = try await stage.recording()
            let meeting = try #require(try await stage.record(session)).meeting.id
            _ = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: host)
            let awaited = try #require(try await stage.attendees(of: session).first)
            await expectRefused(.notCheckedIn) { try await stage.move(.leave, awaited, by: host) }
            stage.now = at(0)
            let person = try await stage.arrive(2, in: session)
            stage.now = at(60) + .milliseconds(1)
            await expectRefused(.sessionOver) { try await stage.move(.leave, person) }
            await expectRefused(.sessionOver) { try await stage.move(.leave, person, by: host) }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) { try await stage.move(.leave, person, by: stranger) }
            stage.now = at(30)
            try await stage.perform(
                CorrectAttendee(attendee: person.id, endsReceipts: true, actor: host))
            await expectRefused(.receiptNotValid) { try await stage.move(.leave, person) }
        },
        CommandRule("an attendee has fifty stays at most") { stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            for _ in 1..<Stays.most {
                try await stage.move(.leave, person)
                try await stage.move(.enterAgain, person)
            }
            try await stage.move(.leave, person)
            let last = try await stage.last(in: session)
            let refusal = Refusal.limitReached(.stay, limit: Stays.most)
            await expectRefused(refusal) { try await stage.move(.enterAgain, person) }
            await expectRefused(refusal) { try await stage.move(.enterAgain, person, by: host) }
            #expect(try await stage.last(in: session) == last)
            try await stage.expectWhole(session)
        },
        CommandRule("a host undoes each move by its event, again and again") { stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            stage.now = at(10)
            try await stage.move(.leave, person)
            let first = try await stage.last(in: session)
            stage.now = at(20)
            try await stage.move(.enterAgain, person)
            let second = try await stage.last(in: session)
            await expectRefused(.changedSince) { try await stage.undo(first, in: session, by: host) }
            try await stage.undo(second, in: session, by: host)
            #expect(try await stage.moves(of: person) == [10])
            #expect(try await stage.inside(session) == [0, 1])
            stage.now = at(70)
            let undone = try await stage.undo(first, in: session, by: host)
            #expect(undone.attendee?.stays == nil && undone.event.data.undoes == first)
            #expect(try await stage.record(session)?.headCount.left == 0)
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await stage.moves(of: person) == [10])
            #expect(try await stage.record(session)?.headCount.left == 1)
            try await stage.expectWhole(session)
        },
        CommandRule("the undo of the latest step skips moves of phones and of the door, but not a host's") {
            stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let (one, two) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            try await stage.perform(CorrectAttendee(attendee: one.id, note: "seen", actor: host))
            let note = try await stage.last(in: session)
            try await stage.move(.leave, two)
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    // As the door does.
                    guard let attendee = try transaction.rows.attendee(two.id) else { return }
                    let record = try transaction.session(session)
                    try transaction.presence.enterAgain(attendee, in: record, by: .account(host))
                })
            let latest = try await stage.perform(
                UndoCorrection(session: session, .latest(of: nil), actor: host))
            #expect(latest.event.data.undoes == note)
            // The door does not end what a host can repeat.
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    guard let attendee = try transaction.rows.attendee(two.id) else { return }
                    let record = try transaction.session(session)
                    try transaction.presence.leave(attendee, in: record, by: .account(host))
                })
            _ = try await stage.perform(UndoCorrection(session: session, .redo(of: nil), actor: host))
            #expect(try await stage.attendee(one.id)?.note == "seen")
            try await stage.move(.leave, one, by: host)
            let own = try await stage.last(in: session)
            let undone = try await stage.perform(
                UndoCorrection(session: session, .latest(of: nil), actor: host))
            #expect(undone.event.data.undoes == own)
            #expect(try await stage.attendee(one.id)?.isOutside == false)
            try await stage.expectWhole(session)
        },
        CommandRule("a merge unites the stays, and its undo separates them") { stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let (one, two) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            stage.now = at(10)
            try await stage.move(.leave, one)
            stage.now = at(20)
            try await stage.move(.leave, two)
            stage.now = at(30)
            try await stage.move(.enterAgain, one)
            let merged = try await stage.perform(
                MergeAttendees(attendee: two.id, into: one.id, actor: host)
            ).0
            #expect(merged.stays?.moves == [at(20), at(30)])
            #expect(try await stage.inside(session) == [1, 0])
            // The phone of the merged record moves the remaining one.
            stage.now = at(40)
            try await stage.move(.leave, two)
            #expect(try await stage.moves(of: one) == [20, 30, 40])
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            let merge = try #require(try await stage.events(of: session).first { $0.kind == .merged })
            try await stage.undo(merge.sequence, in: session, by: host)
            #expect(try await stage.moves(of: one) == [10, 30])
            #expect(try await stage.moves(of: two) == [20])
            #expect(try await stage.inside(session) == [1, 1])
            try await stage.expectWhole(session)
        },
        CommandRule("corrections keep, restart or remove the stays") { stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            stage.now = at(10)
            try await stage.move(.leave, person)
            func correct(_ status: AttendanceStatus?, at moment: Instant? = nil) async throws -> Attendee {
                try await stage.perform(
                    CorrectAttendee(
                        attendee: person.id, status: status, checkedInAt: moment, actor: host)
                ).0
            }
            #expect(try await correct(.absent).stays?.moves == [at(10)])
            #expect(try await stage.record(session)?.headCount.left == 0)
            await expectRefused(.notCheckedIn) { try await stage.move(.enterAgain, person, by: host) }
            #expect(try await correct(.present).isOutside)
            #expect(try await stage.inside(session) == [0, 1])
            #expect(try await correct(nil, at: at(-5)).stays?.moves == [at(10)])
            stage.now = at(20)
            #expect(try await correct(nil, at: at(15)).stays == nil)
            #expect(try await stage.inside(session) == [1, 0])
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.moves(of: person) == [10])
            #expect(try await correct(.awaited).stays == nil)
            #expect(try await stage.record(session)?.headCount.left == 0)
            try await stage.expectWhole(session)
        },
        CommandRule("an edit of the session's times changes the time present, and no record") { stage in
            let (host, session) = try await stage.recording()
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            stage.now = at(50)
            let left = try await stage.move(.leave, person)
            _ = try await stage.edit(session, by: host, from: 20, to: 120)
            let record = try #require(try await stage.record(session))
            #expect(left.timePresent(in: record.session, at: at(200)) == .minutes(30))
            #expect(try await stage.moves(of: person) == [50])
            try await stage.expectWhole(session)
        },
        CommandRule("who enters another session of the meeting leaves the first one") { stage in
            for kind in [IdentifyBy.email, .number] {
                let (_, sessions) = try await stage.twoRooms(identifyBy: kind)
                let (first, second) = (sessions[0], sessions[1])
                stage.now = at(0)
                let one = try await stage.arrive(1, in: first)
                _ = try await stage.arrive(2, in: first)
                stage.now = at(10)
                let other = try await stage.arrive(1, in: second)
                #expect(try await stage.moves(of: one) == [10])
                #expect(try await stage.inside(first) == [1, 1])
                #expect(try await stage.inside(second) == [1, 0])
                stage.now = at(20)
                try await stage.move(.enterAgain, one)
                #expect(try await stage.attendee(other.id)?.stays?.leftAt == at(20))
                #expect(try await stage.inside(second) == [0, 1])
                try await stage.expectWhole(first)
                try await stage.expectWhole(second)
            }
        },
        CommandRule("an undone admission lets the person back into the room that it had made them leave") {
            stage in
            let (host, sessions) = try await stage.twoRooms(identifyBy: .number)
            let (first, second) = (sessions[0], sessions[1])
            let meeting = try #require(try await stage.record(first)).meeting.id
            _ = try await stage.add("Kim", number: "41", to: meeting, by: host)
            func admit(to session: SessionID, _ number: String = "41") async throws -> Int64 {
                let guest = Admit.Guest.identity(IdentityKey(number))
                return try #require(
                    try await stage.perform(Admit(guest, to: session, actor: host)).sequence)
            }
            func undo(_ sequence: Int64, in session: SessionID) async throws {
                try await stage.perform(UndoAdmission(in: session, sequence: sequence, actor: host))
            }
            stage.now = at(0)
            _ = try await admit(to: first)
            stage.now = at(10)
            let wrong = try await admit(to: second)
            #expect(try await stage.inside(first) == [0, 1])
            stage.now = at(11)
            try await undo(wrong, in: second)
            #expect(try await stage.inside(first) == [1, 0])
            #expect(try await stage.inside(second) == [0, 0])
            // If the person leaves the first room later, the undo does not let the person in there.
            stage.now = at(20)
            let entered = try await admit(to: second)
            stage.now = at(21)
            let back = try await admit(to: first)
            #expect(try await stage.inside(second) == [0, 1])
            let kim = try #require(
                try await stage.attendees(of: first).first { $0.status.countsAsCheckedIn })
            try await stage.move(.leave, kim, by: host)
            await expectRefused(.changedSince) { try await undo(entered, in: second) }
            await expectRefused(.changedSince) { try await undo(back, in: first) }
            #expect(try await stage.inside(first) == [0, 1])
            try await stage.expectWhole(first)
            try await stage.expectWhole(second)
        },
        CommandRule(
            "an early check-in to the next session leaves nothing, and a phone no session of the door"
        ) {
            stage in
            let (host, sessions) = try await stage.twoRooms(identifyBy: .email)
            let (first, second) = (sessions[0], sessions[1])
            stage.now = at(0)
            let one = try await stage.arrive(1, in: first)
            let meeting = try #require(try await stage.record(first)).meeting.id
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(60), endsAt: at(120), actor: host))
            stage.now = at(20)
            _ = try await stage.arrive(1, in: next.session.id)
            #expect(try await stage.attendee(one.id)?.isOutside == false)
            try await stage.setCheckOut(.door, in: first, by: host)
            _ = try await stage.arrive(1, in: second)
            #expect(try await stage.attendee(one.id)?.isOutside == false)
            try await stage.expectWhole(first)
        },
        CommandRule("a roster slot says who a person is, and a name alone does not") { stage in
            let (host, sessions) = try await stage.twoRooms(identifyBy: .name)
            let meeting = try #require(try await stage.record(sessions[0])).meeting.id
            stage.now = at(0)
            let namesake = try await stage.arrive(1, in: sessions[0])
            _ = try await stage.arrive(1, in: sessions[1])
            #expect(try await stage.attendee(namesake.id)?.isOutside == false)
            let kim = try await stage.add("Kim", to: meeting, by: host)
            let slot = try await stage.storage.read { rows throws(JournalError) in
                try rows.attendee(of: kim.id, in: sessions[0])
            }
            for session in sessions { _ = try await stage.checkIn(9, in: session, name: "Kim") }
            #expect(try await stage.attendee(try #require(slot).id)?.isOutside == true)
        },
        CommandRule("a session that does not record leaving is neither left nor leaves others") { stage in
            let (host, sessions) = try await stage.twoRooms(identifyBy: .email)
            stage.now = at(0)
            let one = try await stage.arrive(1, in: sessions[0])
            try await stage.setCheckOut(.notRecorded, in: sessions[0], by: host)
            _ = try await stage.arrive(1, in: sessions[1])
            #expect(try await stage.attendee(one.id)?.stays == nil)
            try await stage.setCheckOut(.door, in: sessions[0], by: host)
            try await stage.setCheckOut(.notRecorded, in: sessions[1], by: host)
            let two = try await stage.arrive(2, in: sessions[0])
            _ = try await stage.arrive(2, in: sessions[1])
            #expect(try await stage.attendee(two.id)?.stays == nil)
        },
        CommandRule("the next round copies the check-out and the least time, and an edit is undone") {
            stage in
            let (host, session) = try await stage.recording(.door)
            let record = try #require(try await stage.record(session))
            _ = try await stage.perform(
                EditSession(id: session, settings: SessionSettings(minimumPercent: 80), actor: host))
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host)
            ).session
            #expect((next.checkOut, next.minimumPercent, next.minimumMinutes) == (.door, 80, 0))
            _ = try await stage.perform(
                EditSession(id: session, settings: SessionSettings(minimumMinutes: 45), actor: host))
            let edit = try #require(try await stage.events(of: session).last)
            #expect(
                edit.data.changes == [
                    FieldChange("minimumMinutes", from: "0", to: "45"),
                    FieldChange("minimumPercent", from: "80", to: "0"),
                ])
            try await stage.undo(edit.sequence, in: session, by: host)
            let reverted = try #require(try await stage.record(session)).session
            #expect((reverted.minimumMinutes, reverted.minimumPercent) == (0, 80))
        },
        CommandRule("partial presences count in the session and in the totals of a person") { stage in
            let (host, session) = try await stage.recording()
            let meeting = try #require(try await stage.record(session)).meeting
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting.id, by: host)
            _ = try await stage.perform(
                EditSession(id: session, settings: SessionSettings(minimumMinutes: 30), actor: host))
            stage.now = at(0)
            let slot = try #require(try await stage.attendees(of: session).first)
            guard case .checkedIn(let person, _, _) = try await stage.checkIn(1, in: session) else {
                Issue.record("not checked in")
                return
            }
            #expect(person.id == slot.id)
            _ = try await stage.arrive(2, in: session)
            stage.now = at(5)
            try await stage.move(.leave, person)
            func partial() async throws -> (Int, Int?) {
                let now = stage.now
                return try await stage.storage.scan { rows throws(JournalError) in
                    let record = try rows.session(session)
                    return (
                        try record.map { record throws(JournalError) in
                            try rows.partiallyPresent(in: record.session, at: now)
                        } ?? 0, try rows.seriesTotals(of: kim, in: meeting, at: now).partial
                    )
                }
            }
            #expect(try await partial() == (1, nil))
            stage.now = at(61)
            #expect(try await partial() == (1, 1))
            let totals = try await stage.storage.scan { rows throws(JournalError) in
                try rows.seriesTotals(of: meeting.id, key: IdentityKey("p2@example.org"), at: at(61))
            }
            #expect(totals == SeriesTotals(present: 1))
        },
        CommandRule("leaving changes no result, and an attendee who has left can still answer") { stage in
            let (_, session) = try await stage.recording(
                sets: [QuestionSet(questions: questions, anonymous: true)])
            stage.now = at(0)
            var people: [Attendee] = []
            for number in 1...4 { people.append(try await stage.arrive(number, in: session)) }
            for person in people.prefix(2) { try await stage.respond(person, [id(1): .rating(4)]) }
            let tallies = try await stage.tallies(of: session)
            stage.now = at(5)
            for person in people { try await stage.move(.leave, person) }
            for commit in stage.announced.commits.suffix(4) {
                #expect(commit.sets.isEmpty && !commit.hasNewQuestions)
            }
            #expect(try await stage.tallies(of: session) == tallies)
            #expect(try await stage.published(of: session).isEmpty)
            try await stage.respond(people[2], [id(1): .rating(2)])
            #expect(try await stage.published(of: session).count == 3)
            let moves = try await stage.events(of: session).filter { $0.kind == .left }
            #expect(moves.count == 4 && moves.allSatisfy { $0.data == EventData() })
        },
    ]
}

extension Stage {
    /// Creates a meeting with two sessions at the same time that record leaving.
    fileprivate func twoRooms(identifyBy: IdentifyBy) async throws -> (AccountID, [SessionID]) {
        now = at(-120)
        let host = try await account(identifyBy == .number ? 2 : 1).id
        let record = try await meeting(of: host, identifyBy: identifyBy)
        let other = try await perform(
            ContinueMeeting(
                meeting: record.meeting.id, startsAt: at(0), endsAt: at(60), allowOverlap: true, actor: host))
        let sessions = [record.session.id, other.session.id]
        for session in sessions { try await setCheckOut(.phones, in: session, by: host) }
        return (host, sessions)
    }
}
