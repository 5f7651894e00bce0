import Journal
import Meetings
import Testing

private let stars = questions[0]
private let words = questions[1]
private let choice = questions[2]

extension Stage {
    /// Host 1's session, running, with the sample questions.
    fileprivate func running(anonymous: Bool = true) async throws -> (host: AccountID, session: SessionID) {
        let (host, record) = try await planned(sets: [QuestionSet(questions: questions, anonymous: anonymous)])
        now = at(20)
        return (host, record.session.id)
    }

    fileprivate func ask(_ asked: [Question], in session: SessionID, by host: AccountID, version: ExpectedVersion = .any) async throws
        -> QuestionSet
    {
        try await storage.perform(
            SetQuestions(session: session, set: QuestionSet.feedback, questions: asked, expected: version, actor: host))
    }

    @discardableResult
    fileprivate func settings(
        _ session: SessionID, by host: AccountID, open: Bool? = nil, shared: Bool? = nil, anonymous: Bool? = nil,
        version: ExpectedVersion = .any
    ) async throws -> QuestionSet {
        try await storage.perform(
            EditQuestionSet(
                session: session, set: QuestionSet.feedback, open: open, shared: shared, anonymous: anonymous, expected: version,
                actor: host))
    }

    /// Tallies are what a recount of the responses that results may show gives.
    fileprivate func expectRecount(_ session: SessionID, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let responses = try await published(of: session)
        let tallies = try await tallies(of: session)
        let set = try #require(try await set(of: session), sourceLocation: sourceLocation)
        #expect(set.publishedResponses == responses.count, sourceLocation: sourceLocation)
        for question in set.questions {
            var recount = TallyCount(for: question)
            for response in responses { if let answer = response.answers[question.id] { recount.add(answer, to: question) } }
            #expect((tallies[question.id]?.published ?? TallyCount(for: question)) == recount, sourceLocation: sourceLocation)
        }
    }
}

extension CommandRule {
    static let questionEdits: [CommandRule] = [
        CommandRule("without responses the questions change as a whole") { stage in
            let (host, session) = try await stage.running()
            let edited = try await stage.ask([choice, stars], in: session, by: host, version: .version(1))
            #expect(edited.questions == [choice, stars] && edited.version == 2)
            #expect(try await stage.set(of: session) == edited)
            await expectRefused(.versionMismatch(current: 2)) { try await stage.ask([], in: session, by: host, version: .version(1)) }
            #expect(try await stage.events(of: session).last?.data == EventData(set: "feedback", fields: ["questions"]))
            #expect(stage.announced.last(session)?.sets == ["feedback"])
        },
        CommandRule("with responses only words change, and optional questions come behind") { stage in
            let (host, session) = try await stage.running()
            try await stage.respond(try await stage.arrive(1, in: session), [stars.id: .rating(4)])
            var reworded = questions
            reworded[0].title = "How was it really?"
            reworded[2].kind = .multipleChoice(
                choices: [.init(id: "a", label: "Apple"), .init(id: "b", label: "Bread")], minSelections: 1, maxSelections: 2)
            let extra = Question(id: .makeTimeless(), title: "And?", kind: .rating(scale: 3))
            #expect(try await stage.ask(reworded + [extra], in: session, by: host).questions.count == 4)
            let all = reworded + [extra]

            var required = extra
            required.required = true
            var scaled = all
            scaled[0].kind = .rating(scale: 6)
            var longer = all
            longer[1].kind = .shortAnswer(maxLength: 501)
            var moreChoices = all
            moreChoices[2].kind = .multipleChoice(
                choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B"), .init(id: "c", label: "C")], minSelections: 1,
                maxSelections: 2)
            var optional = all
            optional[0].required = false
            let otherRequired = Question(id: .makeTimeless(), title: "Must", required: true, kind: .rating(scale: 3))
            let wrong = [
                [], Array(all.dropLast()), [all[1], all[0], all[2], all[3]], Array(reworded) + [required], scaled, longer, moreChoices,
                optional,
                all + [otherRequired],
            ]
            for asked in wrong { await expectRefused(.questionsLocked) { try await stage.ask(asked, in: session, by: host) } }
            await expectRefused(.questionsLocked) { try await stage.settings(session, by: host, anonymous: false) }
            #expect(try await stage.set(of: session)?.questions == all)
        },
        CommandRule("a question of another set is not taken over, by an edit or by a new meeting") { stage in
            let (host, session) = try await stage.running()
            let other = try await stage.meeting(of: host, name: "Other", from: 100, to: 160)
            await expectRefused(.invalid([FieldError("/questions/1/id", .unknownQuestion)])) {
                try await stage.ask(
                    [Question(id: .makeTimeless(), title: "New", kind: .rating(scale: 5)), stars], in: other.session.id, by: host)
            }
            await expectRefused(.invalid([FieldError("/session/questions/0/id", .unknownQuestion)])) {
                try await stage.meeting(of: host, from: 200, to: 260, sets: [QuestionSet(questions: [stars])])
            }
            #expect(try await stage.set(of: session)?.questions == questions)
            #expect(stage.storage.statistics.failures == 0)
        },
        CommandRule("a session takes so many sets and no more") { stage in
            let (host, session) = try await stage.running()
            func add(_ number: Int) async throws {
                _ = try await stage.perform(
                    SetQuestions(session: session, set: "poll-\(number)", questions: [], expected: .version(0), actor: host))
            }
            for number in 1..<SetQuestions.mostSets { try await add(number) }
            await expectRefused(.limitReached(.questionSet, limit: SetQuestions.mostSets)) { try await add(SetQuestions.mostSets) }
            await expectRefused(.versionMismatch(current: 1)) { try await add(1) }
        },
        CommandRule("a set that is not there has no settings, and an edit that changes none is no event") { stage in
            let (host, session) = try await stage.running()
            await expectRefused(.notFound(.questionSet)) {
                try await stage.perform(
                    EditQuestionSet(session: session, set: "poll", open: true, shared: nil, anonymous: nil, actor: host))
            }
            #expect(try await stage.settings(session, by: host, shared: false, anonymous: true).version == 1)
            #expect(try await stage.record(session)?.sequence == 1)
            #expect(try await stage.settings(session, by: host, shared: true, version: .version(1)).version == 2)
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.settings(session, by: host, open: true, version: .version(1))
            }
        },
    ]

    static let responding: [CommandRule] = [
        CommandRule("feedback opens with the start and closes 24 hours after the end, both ends included") { stage in
            let (_, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let session = record.session.id
            stage.now = at(-1)
            let people = [
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session), try await stage.arrive(3, in: session),
            ]
            stage.now = at(0) - millisecond
            await expectRefused(.feedbackNotOpen(opensAt: at(0))) { try await stage.respond(people[0], [stars.id: .rating(1)]) }
            stage.now = at(0)
            try await stage.respond(people[0], [stars.id: .rating(1)])
            stage.now = at(25 * 60)
            try await stage.respond(people[1], [stars.id: .rating(1)])
            stage.now = at(25 * 60) + millisecond
            await expectRefused(.feedbackClosed) { try await stage.respond(people[2], [stars.id: .rating(1)]) }
        },
        CommandRule("a host opens and closes by hand at any time") { stage in
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let session = record.session.id
            stage.now = at(-10)
            let first = try await stage.arrive(1, in: session)
            let second = try await stage.arrive(2, in: session)
            try await stage.settings(session, by: host, open: true)
            try await stage.respond(first, [stars.id: .rating(1)])
            stage.now = at(10)
            try await stage.settings(session, by: host, open: false)
            await expectRefused(.feedbackClosed) { try await stage.respond(second, [stars.id: .rating(1)]) }
            stage.now = at(99 * 60)
            try await stage.settings(session, by: host, open: true)
            try await stage.respond(second, [stars.id: .rating(1)])
        },
        CommandRule("one attendee answers once, alone or in one batch") { stage in
            let (_, session) = try await stage.running()
            let attendee = try await stage.arrive(1, in: session)
            let results = try await stage.together(
                all: (0..<3).map { number in { _ = try await stage.respond(attendee, [stars.id: .rating(number + 1)]) } })
            try results[0].get()
            for result in results.dropFirst() { #expect(throws: JournalError.refused(.alreadyResponded)) { try result.get() } }
            await expectRefused(.alreadyResponded) { try await stage.respond(attendee, [stars.id: .rating(5)]) }
            #expect(try await stage.set(of: session)?.responses == 1)
            #expect(try await stage.events(of: session).count == 3)
        },
        CommandRule("what is wrong with answers is told by field, and nothing is kept") { stage in
            let (_, session) = try await stage.running()
            let attendee = try await stage.arrive(1, in: session)
            let unknown = QuestionID.makeTimeless()
            await expectRefused(
                .invalid([
                    FieldError("/answers/\(stars.id)", .missing), FieldError("/answers/\(choice.id)", .unknownChoice),
                    FieldError("/answers/\(unknown)", .unknownQuestion),
                ])
            ) {
                try await stage.respond(attendee, [choice.id: .choices(["z"]), unknown: .rating(1)])
            }
            await expectRefused(.invalid([FieldError("/answers/\(stars.id)", .range(min: 1, max: 5))])) {
                try await stage.respond(attendee, [stars.id: .rating(6)])
            }
            #expect(try await stage.set(of: session)?.responses == 0)
            #expect(try await stage.tallies(of: session).isEmpty)
            try await stage.respond(attendee, [stars.id: .rating(5)])
        },
        CommandRule("only an attendee of the session answers, only a set that is there and asks something") { stage in
            let (host, session) = try await stage.running()
            let other = try await stage.meeting(of: host, allowOverlap: true)
            let attendee = try await stage.arrive(1, in: session)
            let stranger = try await stage.arrive(1, in: other.session.id)
            await expectRefused(.receiptNotValid) {
                try await stage.perform(
                    Respond(attendee: stranger.id, session: session, set: QuestionSet.feedback, answers: [stars.id: .rating(1)]))
            }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(
                    Respond(attendee: .makeTimeless(), session: session, set: QuestionSet.feedback, answers: [stars.id: .rating(1)]))
            }
            await expectRefused(.notFound(.questionSet)) { try await stage.respond(attendee, [:], set: "poll") }
            try await stage.perform(SetQuestions(session: session, set: "poll", questions: [], expected: .any, actor: host))
            await expectRefused(.noQuestions) { try await stage.respond(attendee, [:], set: "poll") }
        },
    ]

    static let anonymousFeedback: [CommandRule] = [
        CommandRule("an anonymous response keeps the hour and nobody, and its event keeps less") { stage in
            let (_, session) = try await stage.running()
            stage.now = at(20) + .seconds(7)
            for number in 1...3 { try await stage.respond(try await stage.arrive(number, in: session), [stars.id: .rating(number)]) }
            let responses = try await stage.published(of: session)
            #expect(responses.count == 3)
            for response in responses {
                #expect(response.attendeeID == nil)
                #expect(response.at == stage.now.startOfHour)
            }
            for event in try await stage.events(of: session) where event.kind == .responded {
                #expect(event.attendeeID == nil && event.actor == .attendee && event.data == EventData(set: "feedback"))
            }
            for attendee in try await stage.attendees(of: session) {
                let found = try await stage.storage.read { rows throws(JournalError) in
                    try rows.response(of: attendee.id, set: QuestionSet.feedback)
                }
                #expect(found == nil)
            }
        },
        CommandRule("results move in steps of three, texts too, and equal a recount at every step") { stage in
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
        CommandRule("a crowd's concurrent answers are counted exactly") { stage in
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
        CommandRule("who withdraws leaves an anonymous answer, which nobody can tell apart") { stage in
            let (_, session) = try await stage.running()
            let people = [
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session), try await stage.arrive(3, in: session),
            ]
            for (index, person) in people.enumerated() { try await stage.respond(person, [stars.id: .rating(index + 1)]) }
            try await stage.perform(WithdrawCheckIn(attendee: people[0].id))
            #expect(try await stage.set(of: session)?.responses == 3)
            #expect(try await stage.tallies(of: session)[stars.id]?.published.counts == [1, 1, 1, 0, 0])
            try await stage.expectRecount(session)
            try await stage.expectWhole(session)
        },
    ]

    static let namedFeedback: [CommandRule] = [
        CommandRule("a named response is shown at once, with its moment and its person") { stage in
            let (_, session) = try await stage.running(anonymous: false)
            stage.now = at(20) + .seconds(7)
            let attendee = try await stage.arrive(1, in: session)
            try await stage.respond(attendee, [stars.id: .rating(2), words.id: .text("Hm")])
            let response = try #require(try await stage.published(of: session).first)
            #expect(response.attendeeID == attendee.id && response.at == stage.now)
            #expect(try await stage.events(of: session).last?.attendeeID == attendee.id)
            try await stage.expectRecount(session)
        },
        CommandRule("who withdraws takes named answers out of the tallies, of every set") { stage in
            let (host, session) = try await stage.running(anonymous: false)
            let poll = Question(id: .makeTimeless(), title: "Poll", kind: .rating(scale: 3))
            try await stage.perform(SetQuestions(session: session, set: "poll", questions: [poll], expected: .any, actor: host))
            try await stage.perform(
                EditQuestionSet(session: session, set: "poll", open: nil, shared: nil, anonymous: false, actor: host))
            let leaving = try await stage.arrive(1, in: session)
            let staying = try await stage.arrive(2, in: session)
            try await stage.respond(leaving, [stars.id: .rating(2), words.id: .text("Hm"), choice.id: .choices(["b"])])
            try await stage.respond(staying, [stars.id: .rating(4), choice.id: .choices(["b"])])
            try await stage.respond(leaving, [poll.id: .rating(3)], set: "poll")
            try await stage.perform(WithdrawCheckIn(attendee: leaving.id))
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
        CommandRule("questions that nobody answers any more may change their kind") { stage in
            let (host, session) = try await stage.running(anonymous: false)
            let leaving = try await stage.arrive(1, in: session)
            try await stage.respond(leaving, [stars.id: .rating(5), choice.id: .choices(["b"])])
            try await stage.perform(WithdrawCheckIn(attendee: leaving.id))
            var wider = questions
            wider[0].kind = .rating(scale: 10)
            wider[2].kind = .multipleChoice(
                choices: (0..<9).map { .init(id: "c\($0)", label: "C\($0)") }, minSelections: 1, maxSelections: 9)
            _ = try await stage.ask(wider, in: session, by: host)
            try await stage.respond(try await stage.arrive(2, in: session), [stars.id: .rating(10), choice.id: .choices(["c8"])])
            #expect(try await stage.tallies(of: session)[stars.id]?.published.counts == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
            try await stage.expectRecount(session)
        },
    ]

    static let sealing: [CommandRule] = [
        CommandRule("a set that has closed is published wholly, and is sealed once") { stage in
            let (_, session) = try await stage.running()
            for number in 1...5 { try await stage.respond(try await stage.arrive(number, in: session), [stars.id: .rating(number)]) }
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
            #expect(stage.announced.batches.joined().contains { $0.id == session && $0.events.isEmpty && $0.sets == ["feedback"] })
            try await stage.expectRecount(session)
        },
        CommandRule("a set that is opened again and answered is due again") { stage in
            let (host, session) = try await stage.running()
            let people = [try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)]
            try await stage.respond(people[0], [stars.id: .rating(1)])
            try await stage.settings(session, by: host, open: false)
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
            try await stage.storage.seal(QuestionSet.feedback, of: session)
            #expect(try await stage.toSeal(at: stage.now).isEmpty)
            try await stage.settings(session, by: host, open: true)
            try await stage.respond(people[1], [stars.id: .rating(1)])
            #expect(try await stage.set(of: session)?.publishedResponses == 1)
            try await stage.settings(session, by: host, open: false)
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
        },
        CommandRule("an answer that came after the shuffle keeps its set from being marked") { stage in
            let (host, session) = try await stage.running()
            let people = [try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)]
            try await stage.respond(people[0], [stars.id: .rating(1)])
            try await stage.settings(session, by: host, open: false)
            let shuffled = try #require(
                try await stage.perform(PublishClosedSet(session: session, set: QuestionSet.feedback)))
            try await stage.settings(session, by: host, open: true)
            try await stage.respond(people[1], [stars.id: .rating(1)])
            try await stage.settings(session, by: host, open: false)
            try await stage.perform(MarkSealed(session: session, set: QuestionSet.feedback, responses: shuffled))
            #expect(try await stage.toSeal(at: stage.now) == ["feedback"])
        },
        CommandRule("a named set and one without answers are never due") { stage in
            let (host, session) = try await stage.running(anonymous: false)
            try await stage.respond(try await stage.arrive(1, in: session), [stars.id: .rating(1)])
            _ = try await stage.meeting(of: host, from: 100, to: 160, sets: [QuestionSet(questions: [])])
            #expect(try await stage.toSeal(at: at(99 * 60)).isEmpty)
        },
    ]
}
