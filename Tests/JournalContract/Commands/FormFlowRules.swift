import Journal
import Meetings
import Testing

private let checkIn = QuestionSet.checkIn
private let meal = Question(
    id: id(31), title: "Meal?", required: true,
    kind: .multipleChoice(
        choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1, maxSelections: 1)
)

extension Stage {
    fileprivate func come(_ number: Int, to session: SessionID, _ answers: Answers, grant: [UInt8]? = nil)
        async throws -> CheckIn.Outcome
    {
        try await storage.perform(
            CheckIn(
                session: session, moment: now, method: .qr, grant: grant, name: "Person \(number)",
                email: "p\(number)@example.org",
                answers: answers))
    }
}

extension CommandRule {
    static let checkInQuestions: [CommandRule] = [
        CommandRule("a check-in needs valid answers to its questions, and stores them with the person") {
            stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(name: checkIn, questions: [meal])
            ])
            #expect(try await stage.set(checkIn, of: session)?.anonymous == false)
            await expectRefused(.invalid([FieldError("/answers/\(meal.id)", .missing)])) {
                try await stage.come(1, to: session, [:])
            }
            await expectRefused(.invalid([FieldError("/answers/\(meal.id)", .unknownChoice)])) {
                try await stage.come(1, to: session, [meal.id: .choices(["z"])])
            }
            #expect(try await stage.record(session)?.headCount.known == 0)
            let person = try #require(
                try await stage.come(1, to: session, [meal.id: .choices(["b"])], grant: [1]).fresh)
            let response = try await stage.storage.read { rows throws(JournalError) in
                try rows.response(of: person.id, set: checkIn)
            }
            #expect(response?.answers == [meal.id: .choices(["b"])])
            #expect(try await stage.tallies(of: session, set: checkIn)[meal.id]?.published.counts == [0, 1])
            // A repeated check-in changes nothing, whatever answers the repeat contains.
            #expect(
                try await stage.come(1, to: session, [meal.id: .choices(["a"])], grant: [1]).again == person)
            #expect(try await stage.set(checkIn, of: session)?.responses == 1)
            await expectRefused(.alreadyResponded) {
                try await stage.respond(person, [meal.id: .choices(["a"])], set: checkIn)
            }
            #expect(try await stage.events(of: session).suffix(2).map(\.kind) == [.checkedIn, .responded])
            try await stage.expectWhole(session)
            // If the host closes the check-in questions, attendees check in without answers.
            try await stage.open(checkIn, false, of: session, by: host)
            #expect(try await stage.come(2, to: session, [:]).fresh != nil)
        },
        CommandRule(
            "optional check-in questions may be left out, and answers to unknown questions are refused"
        ) { stage in
            var optional = meal
            optional.required = false
            let (_, session) = try await stage.running(sets: [
                QuestionSet(name: checkIn, questions: [optional])
            ])
            #expect(try await stage.come(1, to: session, [:]).fresh != nil)
            #expect(try await stage.set(checkIn, of: session)?.responses == 0)
            await expectRefused(.invalid([FieldError("/answers/\(stars.id)", .unknownQuestion)])) {
                try await stage.come(2, to: session, [stars.id: .rating(1)])
            }
        },
        CommandRule("an attendee whom a host set back to awaited can check in again, with one response") {
            stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(name: checkIn, questions: [meal, words])
            ])
            func response(of attendee: Attendee) async throws -> Response? {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.response(of: attendee.id, set: checkIn)
                }
            }
            func expectCounts(_ counts: [Int], texts: Int) async throws {
                let tallies = try await stage.tallies(of: session, set: checkIn)
                #expect(tallies[meal.id]?.published.counts == counts)
                #expect(tallies[words.id]?.published.answers == texts)
                #expect(try await stage.set(checkIn, of: session)?.responses == counts.reduce(0, +))
                #expect(try await stage.published(of: session, set: checkIn).count == counts.reduce(0, +))
                try await stage.expectWhole(session)
            }
            _ = try await stage.come(2, to: session, [meal.id: .choices(["a"])], grant: [2])
            let first = try #require(
                try await stage.come(
                    1, to: session, [meal.id: .choices(["a"]), words.id: .text("No nuts")], grant: [1]
                ).fresh)
            var last = first
            for (grant, choice, text) in [(UInt8(3), "b", nil), (4, "a", "No milk")] {
                try await stage.perform(CorrectAttendee(attendee: first.id, status: .awaited, actor: host))
                // The answers count until the attendee gives others.
                var answers: Answers = [meal.id: .choices([choice])]
                if let text { answers[words.id] = .text(text) }
                let again = try #require(
                    try await stage.come(1, to: session, answers, grant: [grant]).fresh)
                #expect(again.id == first.id)
                last = again
                // A question that the attendee left out this time has its earlier answer.
                #expect(
                    try await response(of: again)?.answers
                        == [meal.id: .choices([choice]), words.id: .text(text ?? "No nuts")])
                try await expectCounts(choice == "a" ? [2, 0] : [1, 1], texts: 1)
            }
            // Withdrawal deletes the response, and it is counted no more.
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: last)))
            try await expectCounts([1, 0], texts: 0)
        },
        CommandRule("an attendee who checks in again without answers has the earlier ones, counted once") {
            stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(name: checkIn, questions: [meal])
            ])
            let first = try #require(
                try await stage.come(1, to: session, [meal.id: .choices(["a"])], grant: [1]).fresh)
            try await stage.perform(CorrectAttendee(attendee: first.id, status: .awaited, actor: host))
            try await stage.open(checkIn, false, of: session, by: host)
            #expect(try await stage.come(1, to: session, [:], grant: [2]).fresh?.id == first.id)
            #expect(try await stage.tallies(of: session, set: checkIn)[meal.id]?.published.counts == [1, 0])
            #expect(try await stage.set(checkIn, of: session)?.responses == 1)
        },
        CommandRule("an ineligible person gets the reason, and nothing is checked in or stored") { stage in
            var asked = age
            asked.eligibility = [Rule(.minMax(min: 19, max: nil), message: "Adults")]
            let (_, session) = try await stage.running(sets: [QuestionSet(name: checkIn, questions: [asked])])
            let before = try await stage.events(of: session).count
            guard case .ended(let rule, _) = try await stage.come(1, to: session, [asked.id: .number(18)])
            else {
                Issue.record("not ended")
                return
            }
            #expect(rule == asked.eligibility[0])
            #expect(try await stage.events(of: session).count == before)
            #expect(try await stage.record(session)?.headCount.known == 0)
            #expect(try await stage.come(1, to: session, [asked.id: .number(19)]).fresh != nil)
        },
        CommandRule("answers to check-in questions are never anonymous") { stage in
            let (host, session) = try await stage.running()
            await expectRefused(.invalid([FieldError("/anonymous", .checkInIsAlwaysNamed)])) {
                try await stage.write([meal], to: checkIn, of: session, by: host, anonymous: true)
            }
            #expect(try await stage.write([meal], to: checkIn, of: session, by: host).anonymous == false)
        },
    ]

    static let followUps: [CommandRule] = [
        CommandRule("an answer that ends the form is not stored, and may be given again") { stage in
            var asked = age
            asked.eligibility = [Rule(.minMax(min: 19, max: nil))]
            let (_, session) = try await stage.running(sets: [QuestionSet(questions: [asked])])
            let person = try await stage.arrive(1, in: session)
            let before = try await stage.events(of: session).count
            #expect(try await stage.respond(person, [asked.id: .number(18)]).ending == asked.eligibility[0])
            #expect(try await stage.events(of: session).count == before)
            #expect(try await stage.set(of: session)?.responses == 0)
            #expect(try await stage.respond(person, [asked.id: .number(19)]).ending == nil)
            #expect(try await stage.set(of: session)?.responses == 1)
        },
        CommandRule("a set leads to its next set, but only for attendees who answered it") { stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(next: "more", questions: [stars]), QuestionSet(name: "more", questions: [age]),
            ])
            let person = try await stage.arrive(1, in: session)
            await expectRefused(.feedbackNotOpen(opensAt: nil)) {
                try await stage.respond(person, [age.id: .number(1)], set: "more")
            }
            #expect(try await stage.respond(person, [stars.id: .rating(4)]).next == "more")
            let open = try await stage.storage.read { rows throws(JournalError) in
                let session = try rows.session(session)
                return try rows.setsToAnswer(person.id, in: session!.session, at: at(20), by: PlainPatterns())
                    .map(\.name)
            }
            #expect(open == ["more"])
            #expect(try await stage.respond(person, [age.id: .number(1)], set: "more").next == nil)
            // The set is not due for sealing before its feedback window ends, because more answers may come.
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            let second = try await stage.arrive(2, in: session)
            try await stage.respond(second, [stars.id: .rating(4)])
            try await stage.open("more", false, of: session, by: host)
            await expectRefused(.feedbackClosed) {
                try await stage.respond(second, [age.id: .number(1)], set: "more")
            }
        },
        CommandRule("an answer to a named set leads only to the next set of its branch") { stage in
            var asked = choice
            asked.branches = [Branch(.sameAs(.text("a")), next: "as")]
            let (_, session) = try await stage.running(sets: [
                QuestionSet(questions: [asked], anonymous: false),
                QuestionSet(name: "as", questions: [age], anonymous: false),
            ])
            let (first, second) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            #expect(try await stage.respond(first, [asked.id: .choices(["a"])]).next == "as")
            #expect(try await stage.respond(second, [asked.id: .choices(["b"])]).next == nil)
            try await stage.respond(first, [age.id: .number(9)], set: "as")
            await expectRefused(.feedbackNotOpen(opensAt: nil)) {
                try await stage.respond(second, [age.id: .number(9)], set: "as")
            }
        },
        CommandRule("an anonymous set cannot have branches, because the next set would reveal the answer") {
            stage in
            var asked = choice
            asked.branches = [Branch(.sameAs(.text("a")), next: "as")]
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let session = record.session.id
            let refusal = Refusal.invalid([FieldError("/questions/0/branches", .branchTellsAnswer)])
            await expectRefused(refusal) {
                try await stage.write([asked], to: QuestionSet.feedback, of: session, by: host)
            }
            _ = try await stage.write(
                [asked], to: QuestionSet.feedback, of: session, by: host, anonymous: false)
            await expectRefused(refusal) { try await stage.settings(session, by: host, anonymous: true) }
        },
    ]
}
