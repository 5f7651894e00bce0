import Journal
import Meetings
import Testing

let stars = questions[0]
let words = questions[1]
let choice = questions[2]

extension Stage {
    /// Creates host 1's running session with the sample questions.
    func running(anonymous: Bool = true) async throws -> (host: AccountID, session: SessionID) {
        let (host, record) = try await planned(sets: [QuestionSet(questions: questions, anonymous: anonymous)]
        )
        now = at(20)
        return (host, record.session.id)
    }

    func ask(_ asked: [Question], in session: SessionID, by host: AccountID, version: ExpectedVersion = .any)
        async throws
        -> QuestionSet
    {
        try await storage.perform(
            SetQuestions(
                session: session, set: QuestionSet.feedback, questions: asked, expected: version, actor: host)
        )
    }

    @discardableResult
    func settings(
        _ session: SessionID, by host: AccountID, open: Bool? = nil, shared: Bool? = nil,
        anonymous: Bool? = nil,
        version: ExpectedVersion = .any
    ) async throws -> QuestionSet {
        try await storage.perform(
            EditQuestionSet(
                session: session, set: QuestionSet.feedback,
                .init(open: open, shared: shared, promise: ChosenPromise(anonymous: anonymous)),
                expected: version, actor: host))
    }

    /// Expects that the stored tallies equal a recount of the responses that results may show.
    func expectRecount(_ session: SessionID, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let responses = try await published(of: session)
        let tallies = try await tallies(of: session)
        let set = try #require(try await set(of: session), sourceLocation: sourceLocation)
        #expect(set.publishedResponses == responses.count, sourceLocation: sourceLocation)
        for question in set.questions {
            var recount = TallyCount(for: question, set.promise)
            let tally = tallies[question.id] ?? TallyRecord(for: question, set.promise)
            for response in responses where !tally.waiting.contains(response.id) {
                if let answer = response.answers[question.id] { recount.add(answer, to: question) }
            }
            #expect(tally.published == recount, sourceLocation: sourceLocation)
            #expect(tally.waiting.count < QuestionSet.smallestGroup, sourceLocation: sourceLocation)
        }
    }
}

extension CommandRule {
    static let questionEdits: [CommandRule] = [
        CommandRule("a host may change all questions if there are no responses") { stage in
            let (host, session) = try await stage.running()
            let edited = try await stage.ask([choice, stars], in: session, by: host, version: .version(1))
            #expect(edited.questions == [choice, stars] && edited.version == 2)
            #expect(try await stage.set(of: session) == edited)
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.ask([], in: session, by: host, version: .version(1))
            }
            #expect(
                try await stage.events(of: session).last?.data
                    == EventData(set: "feedback", fields: ["questions"]))
            #expect(stage.announced.last(session)?.sets == ["feedback"])
        },
        CommandRule("after a response, a host may change only texts and append optional questions") { stage in
            let (host, session) = try await stage.running()
            func respond(_ number: Int) async throws {
                try await stage.respond(try await stage.arrive(number, in: session), [stars.id: .rating(4)])
            }
            try await respond(1)
            var reworded = questions
            reworded[0].title = "How was it really?"
            reworded[2].kind = .multipleChoice(
                choices: [.init(id: "a", label: "Apple"), .init(id: "b", label: "Bread")], minSelections: 1,
                maxSelections: 2)
            let extra = Question(id: .makeTimeless(), title: "And?", kind: .rating(scale: 3))
            #expect(try await stage.ask(reworded, in: session, by: host).questions == reworded)
            // While answers are held back, all people of the group see the same questions.
            var hidden = reworded
            hidden[2].isHidden = true
            for number in 2...3 {
                for asked in [reworded + [extra], hidden] {
                    await expectRefused(.answersHeldBack) {
                        try await stage.ask(asked, in: session, by: host)
                    }
                }
                try await respond(number)
            }
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
                choices: [
                    .init(id: "a", label: "A"), .init(id: "b", label: "B"), .init(id: "c", label: "C"),
                ], minSelections: 1,
                maxSelections: 2)
            var optional = all
            optional[0].required = false
            let otherRequired = Question(
                id: .makeTimeless(), title: "Must", required: true, kind: .rating(scale: 3))
            let wrong = [
                [], Array(all.dropLast()), [all[1], all[0], all[2], all[3]], Array(reworded) + [required],
                scaled, longer, moreChoices,
                optional,
                all + [otherRequired],
            ]
            for asked in wrong {
                await expectRefused(.questionsLocked) { try await stage.ask(asked, in: session, by: host) }
            }
            await expectRefused(.questionsLocked) {
                try await stage.settings(session, by: host, anonymous: false)
            }
            #expect(try await stage.set(of: session)?.questions == all)
        },
        CommandRule("an edit or a new meeting cannot use the id of another set's question") { stage in
            let (host, session) = try await stage.running()
            let other = try await stage.meeting(of: host, name: "Other", from: 100, to: 160)
            await expectRefused(.invalid([FieldError("/questions/1/id", .unknownQuestion)])) {
                try await stage.ask(
                    [Question(id: .makeTimeless(), title: "New", kind: .rating(scale: 5)), stars],
                    in: other.session.id, by: host)
            }
            await expectRefused(.invalid([FieldError("/session/questions/0/id", .unknownQuestion)])) {
                try await stage.meeting(of: host, from: 200, to: 260, sets: [QuestionSet(questions: [stars])])
            }
            #expect(try await stage.set(of: session)?.questions == questions)
            #expect(stage.storage.statistics.failures == 0)
        },
        CommandRule("a session has a limited number of sets") { stage in
            let (host, session) = try await stage.running()
            func add(_ number: Int) async throws {
                _ = try await stage.perform(
                    SetQuestions(
                        session: session, set: "poll-\(number)", questions: [], expected: .version(0),
                        actor: host))
            }
            for number in 1..<SetQuestions.mostSets { try await add(number) }
            await expectRefused(.limitReached(.questionSet, limit: SetQuestions.mostSets)) {
                try await add(SetQuestions.mostSets)
            }
            await expectRefused(.versionMismatch(current: 1)) { try await add(1) }
        },
        CommandRule("a missing set has no settings, and an edit that changes nothing adds no event") {
            stage in
            let (host, session) = try await stage.running()
            await expectRefused(.notFound(.questionSet)) {
                try await stage.perform(
                    EditQuestionSet(session: session, set: "poll", .init(open: true), actor: host))
            }
            #expect(try await stage.settings(session, by: host, shared: false, anonymous: true).version == 1)
            #expect(try await stage.record(session)?.sequence == 1)
            #expect(
                try await stage.settings(session, by: host, shared: true, version: .version(1)).version == 2)
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.settings(session, by: host, open: true, version: .version(1))
            }
        },
    ]

    static let responding: [CommandRule] = [
        CommandRule("feedback is open from the start until exactly 24 hours after the end") {
            stage in
            let (_, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let session = record.session.id
            stage.now = at(-1)
            let people = [
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session),
                try await stage.arrive(3, in: session),
            ]
            stage.now = at(0) - millisecond
            await expectRefused(.feedbackNotOpen(opensAt: at(0))) {
                try await stage.respond(people[0], [stars.id: .rating(1)])
            }
            stage.now = at(0)
            try await stage.respond(people[0], [stars.id: .rating(1)])
            stage.now = at(25 * 60)
            try await stage.respond(people[1], [stars.id: .rating(1)])
            stage.now = at(25 * 60) + millisecond
            await expectRefused(.feedbackClosed) {
                try await stage.respond(people[2], [stars.id: .rating(1)])
            }
        },
        CommandRule("a host may open and close feedback by hand at any time") { stage in
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
        CommandRule("an attendee can answer a set only once, also within one batch") { stage in
            let (_, session) = try await stage.running()
            let attendee = try await stage.arrive(1, in: session)
            let results = try await stage.together(
                all: (0..<3).map { number in
                    { _ = try await stage.respond(attendee, [stars.id: .rating(number + 1)]) }
                })
            try results[0].get()
            for result in results.dropFirst() {
                #expect(throws: JournalError.refused(.alreadyResponded)) { try result.get() }
            }
            await expectRefused(.alreadyResponded) {
                try await stage.respond(attendee, [stars.id: .rating(5)])
            }
            #expect(try await stage.set(of: session)?.responses == 1)
            #expect(try await stage.events(of: session).count == 3)
        },
        CommandRule("wrong answers are refused with the field of each, and nothing is stored") { stage in
            let (_, session) = try await stage.running()
            let attendee = try await stage.arrive(1, in: session)
            let unknown = QuestionID.makeTimeless()
            await expectRefused(
                .invalid([
                    FieldError("/answers/\(stars.id)", .missing),
                    FieldError("/answers/\(choice.id)", .unknownChoice),
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
        CommandRule("only the session's attendees can answer, and only an existing set with questions") {
            stage in
            let (host, session) = try await stage.running()
            let other = try await stage.meeting(of: host, allowOverlap: true)
            let attendee = try await stage.arrive(1, in: session)
            let stranger = try await stage.arrive(1, in: other.session.id)
            await expectRefused(.receiptNotValid) {
                try await stage.perform(
                    Respond(
                        receipt: Receipt(for: stranger), session: session, set: QuestionSet.feedback,
                        answers: [stars.id: .rating(1)]))
            }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(
                    Respond(
                        receipt: Receipt(for: .makeTimeless(), arrival: 1), session: session,
                        set: QuestionSet.feedback,
                        answers: [stars.id: .rating(1)]))
            }
            await expectRefused(.notFound(.questionSet)) {
                try await stage.respond(attendee, [:], set: "poll")
            }
            try await stage.perform(
                SetQuestions(session: session, set: "poll", questions: [], expected: .any, actor: host))
            await expectRefused(.noQuestions) { try await stage.respond(attendee, [:], set: "poll") }
        },
    ]
}
