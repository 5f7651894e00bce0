import Journal
import Meetings
import Testing

extension CommandRule {
    /// Rules about people who check in with other people's details, to learn something or to fill the
    /// journal.
    static let strangers: [CommandRule] = [
        CommandRule("an attendee on the roster sees the typed name, and the record keeps the roster's name") {
            stage in
            let (host, record) = try await stage.planned(identifyBy: .number)
            let (meeting, session) = (record.meeting.id, record.session.id)
            let kim = try await stage.add("Kim Minseo", number: "A-17", to: meeting, by: host)
            stage.now = at(0)
            let here = try #require(
                try await stage.checkIn(1, in: session, grant: hash(1), identity: "a-17", name: "x").fresh)
            #expect((here.name, here.identity) == ("Kim Minseo", "A-17"))
            #expect(here.seenByAttendee == TypedDetails(name: "x", identity: "a-17"))
            #expect(here.differentTypedName == "x")
            // Neither an edit of the roster nor another name reveals the roster's values.
            try await stage.perform(
                EditPerson(meeting: meeting, id: kim.id, name: "Kim Minji", number: "B-18", actor: host))
            let edited = try #require(try await stage.attendee(here.id))
            #expect((edited.name, edited.identity) == ("Kim Minji", "B-18"))
            #expect(edited.seenByAttendee == here.seenByAttendee)
            let (renamed, _) = try await stage.perform(CorrectOwnName(receipt: Receipt(for: here), name: "y"))
            #expect((renamed.name, renamed.seenByAttendee.name) == ("Kim Minji", "y"))
            #expect(try await stage.checkIn(2, in: session, grant: hash(1)).again == renamed)
            #expect(try await stage.attendee(here.id) == renamed)
            try await stage.expectWhole(session)
        },
        CommandRule("an attendee who typed the roster's name does not see a later name of the roster") {
            stage in
            let (host, record) = try await stage.planned(identifyBy: .number)
            let (meeting, session) = (record.meeting.id, record.session.id)
            let kim = try await stage.add("Kim", number: "1", to: meeting, by: host)
            stage.now = at(0)
            let here = try #require(try await stage.checkIn(1, in: session, name: "Kim").fresh)
            #expect(here.typed == nil)
            try await stage.perform(
                EditPerson(meeting: meeting, id: kim.id, name: "Kim Minji", actor: host))
            let edited = try #require(try await stage.attendee(here.id))
            #expect((edited.name, edited.seenByAttendee.name) == ("Kim Minji", "Kim"))
            #expect(edited.differentTypedName == "Kim")
        },
        CommandRule("a merge into an awaited person does not show the roster's name to the attendee") {
            stage in
            let (host, record) = try await stage.planned(identifyBy: .number)
            let session = record.session.id
            _ = try await stage.add("Kim Minseo", number: "1", to: record.meeting.id, by: host)
            stage.now = at(0)
            let stranger = try #require(try await stage.checkIn(2, in: session, name: "x").fresh)
            let slot = try #require(
                try await stage.attendees(of: session).first { $0.status == .pending })
            let (kept, _) = try await stage.perform(
                MergeAttendees(attendee: stranger.id, into: slot.id, actor: host))
            #expect((kept.name, kept.seenByAttendee.name) == ("Kim Minseo", "x"))
            try await stage.expectWhole(session)
        },
        CommandRule("the answers of the form are checked before the server says that somebody is checked in")
        {
            stage in
            let question = Question(
                id: .makeTimeless(), title: "Do you agree?", required: true,
                kind: .shortAnswer(maxLength: 10))
            let set = QuestionSet(name: QuestionSet.checkIn, questions: [question], anonymous: false)
            let session = try await stage.planned(sets: [set]).record.session.id
            stage.now = at(0)
            func enter(_ answers: Answers) async throws -> CheckIn.Outcome {
                try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: nil, name: "Kim",
                        email: "kim@example.org", answers: answers))
            }
            #expect(try await enter([question.id: .text("yes")]).fresh != nil)
            await expectRefused(
                .invalid([FieldError("/answers/\(question.id)", .missing)])
            ) { try await enter([:]) }
            #expect(try await enter([question.id: .text("yes")]).isElsewhere)
        },
        CommandRule("a grant may name five people, and again those whom it has named") { stage in
            let session = try await stage.planned().record.session.id
            let repeats = CheckInRepeats()
            stage.now = at(0)
            func enter(_ number: Int, grant: Int, device: Int = 1) async throws -> CheckIn.Outcome {
                try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: hash(grant), name: "P",
                        email: "p\(number)@example.org",
                        evidence: CheckInEvidence(device: hash(device), network: nil), repeats: repeats))
            }
            for number in 1...8 { #expect(try await enter(number, grant: number).fresh != nil) }
            #expect(repeats.peopleNamed(on: hash(1)) == 0)
            for number in 1...5 { #expect(try await enter(number, grant: 99, device: 2).isElsewhere) }
            for number in [6, 7, 1000] {
                await expectRefused(.grantUsedUp) { try await enter(number, grant: 99, device: 2) }
            }
            #expect(try await enter(5, grant: 99, device: 2).isElsewhere)
            #expect(repeats.peopleNamed(on: hash(2)) == 5)
            // A grant of the same device is not refused.
            #expect(try await enter(6, grant: 100, device: 2).isElsewhere)
            #expect(repeats.peopleNamed(on: hash(2)) == 6)
        },
        CommandRule("a grant whose check-ins were withdrawn cannot try one number after the other") { stage in
            let session = try await stage.planned(identifyBy: .number).record.session.id
            let repeats = CheckInRepeats()
            stage.now = at(0)
            func enter(_ number: Int) async throws -> CheckIn.Outcome {
                try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: hash(1), name: "P",
                        number: "\(number)", repeats: repeats))
            }
            for number in 1...CheckInRepeats.mostPeopleOfGrant {
                let here = try #require(try await enter(number).fresh)
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: here), repeats: repeats))
            }
            await expectRefused(.grantUsedUp) { try await enter(6) }
            #expect(try await enter(1).fresh != nil)
            try await stage.expectWhole(session)
        },
        CommandRule("withdrawals by other grants do not keep a person from checking in") { stage in
            let repeats = CheckInRepeats()
            let most = CheckInRepeats.mostWithdrawals
            let session = try await stage.planned(identifyBy: .number).record.session.id
            stage.now = at(0)
            func enter(_ grant: Int) async throws -> CheckIn.Outcome {
                try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: hash(grant), name: "Kim",
                        number: "77", repeats: repeats))
            }
            for grant in Array(1...(2 * most)) + Array(repeating: 100, count: most) {
                let here = try #require(try await enter(grant).fresh)
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: here), repeats: repeats))
            }
            await expectRefused(.grantUsedUp) { try await enter(100) }
            #expect(try await enter(101).fresh != nil)
            try await stage.expectWhole(session)
        },
    ]
}
