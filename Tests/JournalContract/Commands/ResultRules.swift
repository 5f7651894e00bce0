import Journal
import Meetings
import Testing

extension CommandRule {
    static let anonymousFeedback: [CommandRule] = [
        CommandRule("an anonymous response has only its hour and no person, and its event has even less") {
            stage in
            let (_, session) = try await stage.running()
            stage.now = at(20) + .seconds(7)
            for number in 1...3 {
                try await stage.respond(
                    try await stage.arrive(number, in: session), [stars.id: .rating(number)])
            }
            let responses = try await stage.published(of: session)
            #expect(responses.count == 3)
            for response in responses {
                #expect(response.attendeeID == nil)
                #expect(response.at == stage.now.startOfHour)
            }
            for event in try await stage.events(of: session) where event.kind == .responded {
                #expect(
                    event.attendeeID == nil && event.actor == .attendee
                        && event.data == EventData(set: "feedback"))
            }
            for attendee in try await stage.attendees(of: session) {
                let found = try await stage.storage.read { rows throws(JournalError) in
                    try rows.response(of: attendee.id, set: QuestionSet.feedback)
                }
                #expect(found == nil)
            }
        },
        CommandRule("results are published in threes, also texts, and equal a recount after every answer") {
            stage in
            let (_, session) = try await stage.running()
            for number in 1...10 {
                let answers: Answers = [
                    stars.id: .rating(number % 5 + 1), words.id: .text("Text \(number)"),
                    choice.id: .choices(number % 2 == 0 ? ["a"] : ["b", "a"]),
                ]
                try await stage.respond(try await stage.arrive(number, in: session), answers)
                let set = try #require(try await stage.set(of: session))
                #expect(set.responses == number)
                #expect(set.publishedResponses == number / 3 * 3)
                #expect(try await stage.published(of: session).count == number / 3 * 3)
                #expect(try await stage.tallies(of: session)[stars.id]?.published.answers == number / 3 * 3)
                #expect(try await stage.tallies(of: session)[stars.id]?.pending.answers == number % 3)
                try await stage.expectRecount(session)
            }
        },
        CommandRule("concurrent answers of many attendees are counted exactly") { stage in
            let (_, session) = try await stage.running()
            try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    group.addTask {
                        let attendee = try await stage.arrive(number, in: session)
                        try await stage.respond(attendee, [stars.id: .rating(number % 5 + 1)])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stage.tallies(of: session)[stars.id]?.published.counts == [12, 12, 12, 12, 12])
            try await stage.expectRecount(session)
            try await stage.expectWhole(session)
        },
        CommandRule("a withdrawn attendee's anonymous answer stays, without a trace of its author") { stage in
            let (_, session) = try await stage.running()
            let people = [
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session),
                try await stage.arrive(3, in: session),
            ]
            for (index, person) in people.enumerated() {
                try await stage.respond(person, [stars.id: .rating(index + 1)])
            }
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: people[0])))
            #expect(try await stage.set(of: session)?.responses == 3)
            #expect(try await stage.tallies(of: session)[stars.id]?.published.counts == [1, 1, 1, 0, 0])
            try await stage.expectRecount(session)
            try await stage.expectWhole(session)
        },
    ]

    static let namedFeedback: [CommandRule] = [
        CommandRule("a named response is published at once, with its time and its person") { stage in
            let (_, session) = try await stage.running(anonymous: false)
            stage.now = at(20) + .seconds(7)
            let attendee = try await stage.arrive(1, in: session)
            try await stage.respond(attendee, [stars.id: .rating(2), words.id: .text("Hm")])
            let response = try #require(try await stage.published(of: session).first)
            #expect(response.attendeeID == attendee.id && response.at == stage.now)
            #expect(try await stage.events(of: session).last?.attendeeID == attendee.id)
            try await stage.expectRecount(session)
        },
        CommandRule("a withdrawn attendee's named answers are removed from the tallies of every set") {
            stage in
            let (host, session) = try await stage.running(anonymous: false)
            let poll = Question(id: .makeTimeless(), title: "Poll", kind: .rating(scale: 3))
            try await stage.perform(
                SetQuestions(session: session, set: "poll", questions: [poll], expected: .any, actor: host))
            try await stage.perform(
                EditQuestionSet(
                    session: session, set: "poll",
                    .init(open: true, promise: ChosenPromise(anonymous: false)),
                    actor: host))
            let leaving = try await stage.arrive(1, in: session)
            let staying = try await stage.arrive(2, in: session)
            try await stage.respond(
                leaving, [stars.id: .rating(2), words.id: .text("Hm"), choice.id: .choices(["b"])])
            try await stage.respond(staying, [stars.id: .rating(4), choice.id: .choices(["b"])])
            try await stage.respond(leaving, [poll.id: .rating(3)], set: "poll")
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: leaving)))
            let tallies = try await stage.tallies(of: session)
            #expect(tallies[stars.id]?.published.counts == [0, 0, 0, 1, 0])
            #expect(tallies[choice.id]?.published.counts == [0, 1])
            #expect(tallies[words.id]?.published.answers == 0)
            #expect(try await stage.tallies(of: session, set: "poll")[poll.id]?.published.answers == 0)
            #expect(try await stage.published(of: session).map(\.attendeeID) == [staying.id])
            #expect(try await stage.set("poll", of: session)?.responses == 0)
            #expect(stage.announced.last(session)?.sets == ["feedback", "poll"])
            try await stage.expectRecount(session)
        },
        CommandRule("a host may change a question's kind if no answers to it remain") { stage in
            let (host, session) = try await stage.running(anonymous: false)
            let leaving = try await stage.arrive(1, in: session)
            try await stage.respond(leaving, [stars.id: .rating(5), choice.id: .choices(["b"])])
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: leaving)))
            var wider = questions
            wider[0].kind = .rating(scale: 10)
            wider[2].kind = .multipleChoice(
                choices: (0..<9).map { .init(id: "c\($0)", label: "C\($0)") }, minSelections: 1,
                maxSelections: 9)
            _ = try await stage.ask(wider, in: session, by: host)
            try await stage.respond(
                try await stage.arrive(2, in: session), [stars.id: .rating(10), choice.id: .choices(["c8"])])
            #expect(
                try await stage.tallies(of: session)[stars.id]?.published.counts == [
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
                ])
            try await stage.expectRecount(session)
        },
    ]

    static let sealing: [CommandRule] = [
        CommandRule("a closed set is published completely, and is sealed once") { stage in
            let (_, session) = try await stage.running()
            for number in 1...5 {
                try await stage.respond(
                    try await stage.arrive(number, in: session), [stars.id: .rating(number)])
            }
            let closed = at(25 * 60) + millisecond
            #expect(try await stage.toSeal(at: at(25 * 60)).isEmpty)
            #expect(try await stage.toSeal(at: closed) == ["feedback"])
            stage.now = at(25 * 60)
            try await stage.perform(PublishClosedSet(session: session, set: QuestionSet.feedback))
            #expect(try await stage.set(of: session)?.publishedResponses == 3)
            stage.now = closed
            let sequence = try await stage.record(session)?.sequence
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await stage.set(of: session)?.publishedResponses == 5)
            #expect(try await stage.published(of: session).count == 5)
            #expect(try await stage.tallies(of: session)[stars.id]?.published.counts == [1, 1, 1, 1, 1])
            #expect(try await stage.toSeal(at: closed).isEmpty)
            #expect(try await stage.record(session)?.sequence == sequence)
            #expect(
                stage.announced.commits.contains {
                    $0.id == session && $0.news.isEmpty && $0.sets == ["feedback"]
                })
            try await stage.expectRecount(session)
        },
        CommandRule(
            "closing by hand publishes nothing, and the rest is published once when the window ends"
        ) { stage in
            let (host, session) = try await stage.running()
            func answer(_ numbers: ClosedRange<Int>) async throws {
                for number in numbers {
                    try await stage.respond(
                        try await stage.arrive(number, in: session), [stars.id: .rating(1)])
                }
            }
            func close() async throws {
                try await stage.settings(session, by: host, open: false)
                try await stage.storage.seal(QuestionSet.feedback, of: session)
            }
            func published() async throws -> Int? {
                let set = try await stage.set(of: session)
                return set?.publishedResponses
            }
            try await answer(1...4)
            try await close()
            #expect(try await published() == 3)
            // The set is not due for sealing before its window ends, even if the server checks often.
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.settings(session, by: host, open: true)
            try await answer(5...5)
            let late = try await stage.arrive(6, in: session)
            try await close()
            #expect(try await published() == 3)
            stage.now = at(25 * 60) + millisecond
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await published() == 5)
            try await stage.settings(session, by: host, open: true)
            try await stage.respond(late, [stars.id: .rating(1)])
            try await close()
            #expect(try await published() == 5)
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
        },
        CommandRule("a set that was opened again and answered is due for sealing again") { stage in
            let (host, session) = try await stage.running()
            var people: [Attendee] = []
            for number in 1...6 { people.append(try await stage.arrive(number, in: session)) }
            for person in people.prefix(3) { try await stage.respond(person, [stars.id: .rating(1)]) }
            try await stage.settings(session, by: host, open: false)
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.settings(session, by: host, open: true)
            for person in people.suffix(3) { try await stage.respond(person, [stars.id: .rating(1)]) }
            try await stage.settings(session, by: host, open: false)
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
        },
        CommandRule("a set is not marked as sealed if an answer came after the shuffle") { stage in
            let (host, session) = try await stage.running()
            var people: [Attendee] = []
            for number in 1...6 { people.append(try await stage.arrive(number, in: session)) }
            for person in people.prefix(3) { try await stage.respond(person, [stars.id: .rating(1)]) }
            try await stage.settings(session, by: host, open: false)
            let shuffled = try #require(
                try await stage.perform(PublishClosedSet(session: session, set: QuestionSet.feedback)))
            try await stage.settings(session, by: host, open: true)
            for person in people.suffix(3) { try await stage.respond(person, [stars.id: .rating(1)]) }
            try await stage.settings(session, by: host, open: false)
            try await stage.perform(
                MarkSealed(session: session, set: QuestionSet.feedback, responses: shuffled))
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
        },
        CommandRule("named sets and sets without answers are never due for sealing") { stage in
            let (host, session) = try await stage.running(anonymous: false)
            try await stage.respond(try await stage.arrive(1, in: session), [stars.id: .rating(1)])
            _ = try await stage.meeting(of: host, from: 100, to: 160, sets: [QuestionSet(questions: [])])
            #expect(try await stage.toSeal(at: at(99 * 60)).isEmpty)
        },
    ]
}
