import Journal
import Meetings
import Seeds
import Testing

extension CommandRule {
    static let undoing: [CommandRule] = [
        CommandRule("an undo restores everything, adds its own event, and can be undone") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(20)
            let late = try await stage.arrive(1, in: session)
            try await stage.perform(
                CorrectAttendee(
                    attendee: late.id, name: "Other", note: "why", status: .excused, expected: .any,
                    actor: host))
            let sequence = try await stage.last(in: session)
            let undone = try await stage.undo(sequence, in: session, by: host)
            #expect(
                (undone.event.kind, undone.event.data.undoes, undone.event.data.status) == (
                    .undone, sequence, .late
                ))
            var expected = late
            expected.version = 3
            #expect(try await stage.attendee(late.id) == expected)
            #expect(undone.attendee == expected)
            try await stage.undo(undone.event.sequence, in: session, by: host)
            let again = try await stage.attendee(late.id)
            #expect((again?.name, again?.note, again?.status) == ("Other", "why", .excused))
            try await stage.expectWhole(session)
        },
        CommandRule(
            "an undo is refused if the correction was already undone or its record changed since"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            try await stage.perform(CorrectAttendee(attendee: person.id, status: .late, actor: host))
            let first = try await stage.last(in: session)
            try await stage.perform(CorrectAttendee(attendee: person.id, status: .excused, actor: host))
            let second = try await stage.last(in: session)
            await expectRefused(.changedSince) { try await stage.undo(first, in: session, by: host) }
            try await stage.undo(second, in: session, by: host)
            await expectRefused(.changedSince) { try await stage.undo(second, in: session, by: host) }
            #expect(try await stage.attendee(person.id)?.status == .late)
            await expectRefused(.cannotBeUndone) { try await stage.undo(1, in: session, by: host) }
            await expectRefused(.notFound(.event)) { try await stage.undo(99, in: session, by: host) }
            await expectRefused(.notFound(.event)) { try await stage.undo(0, in: session, by: host) }
        },
        CommandRule("a removal can be undone for a day, with key, receipt and named answers") {
            stage in
            let (host, record) = try await stage.planned(sets: [
                QuestionSet(questions: questions, anonymous: false)
            ])
            let session = record.session.id
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            try await stage.respond(person, [id(1): .rating(4)])
            let tallies = try await stage.tallies(of: session)
            try await stage.perform(RemoveAttendee(attendee: person.id, note: "twice", actor: host))
            #expect(try await stage.record(session)?.headCount == HeadCount())
            #expect(try await stage.set(of: session)?.responses == 0)
            let sequence = try await stage.last(in: session)
            try await stage.undo(sequence, in: session, by: host)
            #expect(try await stage.tallies(of: session) == tallies)
            #expect(try await stage.set(of: session)?.responses == 1)
            #expect(try await stage.checkIn(1, in: session).isElsewhere)
            await expectRefused(.alreadyResponded) { try await stage.respond(person, [id(1): .rating(5)]) }
            try await stage.expectWhole(session)

            try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            let removed = try await stage.last(in: session)
            stage.now = at(24 * 60) - millisecond
            #expect(try await stage.perform(ForgetRemoved()) == false)
            #expect(try await stage.kept(removed, in: session)?.before != nil)
            stage.now = at(24 * 60)
            try await stage.perform(ForgetRemoved())
            #expect(try await stage.kept(removed, in: session) == nil)
            await expectRefused(.cannotBeUndone) { try await stage.undo(removed, in: session, by: host) }
        },
        CommandRule("the day for an undo of a removal begins again with a second removal") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            stage.now = at(60)
            try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            let second = try await stage.last(in: session)
            stage.now = at(24 * 60)
            try await stage.perform(ForgetRemoved())
            #expect(try await stage.undo(second, in: session, by: host).attendee?.name == "Person 1")
            try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            stage.now = at(48 * 60)
            try await stage.perform(ForgetRemoved())
            for sequence in 1...(try await stage.last(in: session)) {
                #expect(try await stage.kept(sequence, in: session) == nil)
            }
        },
        CommandRule(
            "an erasure cannot be undone, and an undo does not take a key that another attendee has now"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let (first, second) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            try await stage.perform(RemoveAttendee(attendee: first.id, erases: true, actor: host))
            await expectRefused(.cannotBeUndone) {
                try await stage.undo(try await stage.last(in: session), in: session, by: host)
            }
            try await stage.perform(RemoveAttendee(attendee: second.id, actor: host))
            let removed = try await stage.last(in: session)
            let other = try await stage.arrive(2, in: session)
            await expectRefused(.changedSince) { try await stage.undo(removed, in: session, by: host) }
            #expect(try await stage.attendee(other.id) == other)
            try await stage.expectWhole(session)
        },
        CommandRule("an undo of a late start restores each status as the late rule gives it") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            for (number, minute) in [(1, 10), (2, 11)] {
                stage.now = at(minute)
                _ = try await stage.arrive(
                    number, in: session, moment: at(10) + (number == 1 ? .zero : .seconds(1)))
            }
            #expect(try await stage.record(session)?.headCount.late == 1)
            _ = try await stage.edit(session, by: host, from: 5)
            let edit = try await stage.last(in: session)
            #expect(try await stage.record(session)?.headCount.late == 0)
            try await stage.undo(edit, in: session, by: host)
            let after = try #require(try await stage.record(session))
            #expect((after.headCount.present, after.headCount.late, after.session.startsAt) == (1, 1, at(0)))
            await expectRefused(.changedSince) { try await stage.undo(edit, in: session, by: host) }
            stage.now = at(60) + millisecond
            await expectRefused(.sessionOver) {
                try await stage.undo(try await stage.last(in: session), in: session, by: host)
            }
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a merge keeps the first time, the receipt and one answer per set, and an undo separates them"
        ) {
            stage in
            let (host, record) = try await stage.planned(sets: [
                QuestionSet(questions: questions, anonymous: false)
            ])
            let session = record.session.id
            stage.now = at(5)
            let early = try #require(try await stage.checkIn(1, in: session, grant: hash(1)).fresh)
            stage.now = at(30)
            let late = try await stage.arrive(2, in: session)
            try await stage.respond(early, [id(1): .rating(2)])
            try await stage.respond(late, [id(1): .rating(5)])
            let before = (try await stage.tallies(of: session), try await stage.attendees(of: session))
            let (kept, after) = try await stage.perform(
                MergeAttendees(attendee: early.id, into: late.id, note: "one person", actor: host))
            #expect(
                (kept.id, kept.status, kept.checkedInAt, kept.name) == (late.id, .present, at(5), "Person 2"))
            #expect((after.headCount.present, after.headCount.late) == (1, 0))
            #expect(try await stage.set(of: session)?.responses == 1)
            #expect(try await stage.published(of: session).map(\.answers) == [[id(1): .rating(5)]])
            #expect(try await stage.attendee(early.id) == nil)
            let again = try await stage.checkIn(1, in: session, receipt: Receipt(for: early)).again
            #expect(again?.id == late.id)
            #expect(try await stage.checkIn(1, in: session, grant: hash(1)).again?.id == late.id)
            #expect(try await stage.checkIn(1, in: session).isElsewhere)
            await expectRefused(.alreadyResponded) { try await stage.respond(early, [id(1): .rating(1)]) }
            try await stage.expectWhole(session)

            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.tallies(of: session) == before.0)
            #expect(
                try await stage.attendees(of: session).map(\.withoutVersion) == before.1.map(\.withoutVersion)
            )
            #expect(try await stage.set(of: session)?.responses == 2)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "counts, sequences and tallies equal a recount after any corrections, merges and undos"
        ) { stage in
            let (host, record) = try await stage.planned(sets: [
                QuestionSet(questions: questions, anonymous: false)
            ])
            let session = record.session.id
            stage.now = at(0)
            var random = SeededNumbers(seed: 20_261_121)
            for step in 0..<250 {
                stage.now = stage.now + .seconds(Int.random(in: 0...9, using: &random))
                let people = try await stage.attendees(of: session)
                let (one, other) = (
                    people.randomElement(using: &random), people.randomElement(using: &random)
                )
                let last = try await stage.last(in: session)
                do throws(JournalError) {
                    switch (Int.random(in: 0..<9, using: &random), one, other) {
                    case (0, _, _), (1, _, _), (_, nil, _):
                        _ = try await stage.storage.perform(
                            CheckIn(
                                session: session, moment: stage.now, method: .qr, grant: nil,
                                name: "P\(step)",
                                email: "p\(Int.random(in: 0..<40, using: &random))@example.org"))
                    case (2, let one?, _):
                        let time =
                            Bool.random(using: &random) ? at(Int.random(in: -70...70, using: &random)) : nil
                        _ = try await stage.storage.perform(
                            CorrectAttendee(
                                attendee: one.id,
                                status: AttendanceStatus.allCases.randomElement(using: &random),
                                checkedInAt: time,
                                actor: host))
                    case (3, _, _):
                        _ = try await stage.storage.perform(
                            AddAttendee(
                                session: session, name: "A\(step)",
                                status: AttendanceStatus.allCases.randomElement(using: &random),
                                actor: host))
                    case (4, let one?, let other?):
                        _ = try await stage.storage.perform(
                            MergeAttendees(attendee: one.id, into: other.id, actor: host))
                    case (5, let one?, _):
                        try await stage.storage.perform(RemoveAttendee(attendee: one.id, actor: host))
                    case (6, let one?, _):
                        _ = try await stage.storage.perform(
                            Respond(
                                receipt: Receipt(for: one), session: session, set: QuestionSet.feedback,
                                answers: [id(1): .rating(Int.random(in: 1...5, using: &random))]))
                    default:
                        _ = try await stage.storage.perform(
                            UndoCorrection(
                                session: session,
                                sequence: max(1, last - Int64.random(in: 0..<6, using: &random)), actor: host)
                        )
                    }
                } catch {
                    // A rule may refuse the change, but the storage must never fail.
                    if case .failed = error { throw error }
                }
                if step % 10 == 9 { try await stage.expectWhole(session) }
            }
            let responses = try await stage.published(of: session)
            var tally = TallyCount(for: questions[0])
            for response in responses {
                if let answer = response.answers[id(1)] { tally.add(answer, to: questions[0]) }
            }
            #expect(
                try await stage.tallies(of: session)[id(1)]?.published ?? TallyCount(for: questions[0])
                    == tally)
            #expect(try await stage.set(of: session)?.responses == responses.count)
            #expect(try await stage.last(in: session) > 100)
        },
    ]
}

extension Stage {
    func kept(_ sequence: Int64, in session: SessionID) async throws -> CorrectionRecord? {
        try await storage.read { rows throws(JournalError) in
            try rows.correction(of: session, sequence: sequence)
        }
    }
}

extension Attendee {
    fileprivate var withoutVersion: Attendee {
        var copy = self
        copy.version = 0
        return copy
    }
}
