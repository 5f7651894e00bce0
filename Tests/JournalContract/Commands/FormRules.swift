import Journal
import Meetings
import Testing

let age = Question(id: id(21), title: "How old?", kind: .number(min: 0, max: 120, decimals: 0))

extension Stage {
    /// Creates a running session with these question sets.
    func running(sets: [QuestionSet]) async throws -> (host: AccountID, session: SessionID) {
        let (host, record) = try await planned(sets: sets)
        now = at(20)
        return (host, record.session.id)
    }

    func write(
        _ questions: [Question], to set: String, of session: SessionID, by host: AccountID,
        anonymous: Bool? = nil
    ) async throws
        -> QuestionSet
    {
        try await storage.perform(
            SetQuestions(
                session: session, set: set, questions: questions,
                promise: ChosenPromise(anonymous: anonymous), expected: .any,
                actor: host))
    }

    func open(_ set: String, _ isOpen: Bool?, of session: SessionID, by host: AccountID) async throws {
        _ = try await storage.perform(
            EditQuestionSet(session: session, set: set, .init(open: isOpen), actor: host))
    }
}

extension CommandRule {
    static let forms: [CommandRule] = [
        CommandRule("a set stores its questions with rules and languages, its title and its next set") {
            stage in
            let (host, session) = try await stage.running()
            var asked = words
            asked.title = LocalizedText(["ko": "무엇이 좋았나요?", "en": "What was good?"])
            asked.name = "good"
            asked.placeholder = "…"
            asked.rules = [
                Rule(.minMaxLength(min: 2, max: nil), message: LocalizedText(["ko": "두 글자"])),
                Rule(.pattern("@")),
            ]
            asked.eligibility = [Rule(.not(.text("no")))]
            var hidden = stars
            hidden.isHidden = true
            let about = QuestionSet.About(
                title: "Title", description: LocalizedText(["ko": "설명"]), next: "poll")
            let edited = try await stage.perform(
                SetQuestions(
                    session: session, set: QuestionSet.feedback, questions: [asked, hidden, choice, age],
                    about: about, expected: .any,
                    actor: host))
            #expect(try await stage.set(of: session) == edited)
            #expect(
                edited.questions == [asked, hidden, choice, age] && edited.title == "Title"
                    && edited.next == "poll")
            #expect(
                try await stage.events(of: session).last?.data.fields == [
                    "questions", "title", "description", "next",
                ])
            let ended = try await stage.perform(
                EditQuestionSet(
                    session: session, set: QuestionSet.feedback, .init(about: .init(next: "")), actor: host))
            #expect(ended.next == nil && ended.title == "Title")
            #expect(try await stage.set(of: session) == ended)
        },
        CommandRule(
            "a pattern that the engine refuses is refused in an edit, with the reason and its field"
        ) { stage in
            let (host, session) = try await stage.running()
            var asked = words
            asked.rules = [Rule(.pattern("fine")), Rule(.pattern("("))]
            await expectRefused(
                .invalid([FieldError("/questions/1/rules/1/target", .badPattern("missing )"))])
            ) {
                try await stage.write([stars, asked], to: QuestionSet.feedback, of: session, by: host)
            }
            #expect(try await stage.set(of: session)?.questions == questions)
        },
        CommandRule("answers with numbers are counted, published in threes, and equal a recount") { stage in
            let (_, session) = try await stage.running(sets: [QuestionSet(questions: [age])])
            for number in 1...7 {
                try await stage.respond(
                    try await stage.arrive(number, in: session), [age.id: .number(Double(number * 10))])
                let shown = try await stage.tallies(of: session)[age.id]?.published.numbers
                #expect(shown?.count ?? 0 == number / 3 * 3)
                try await stage.expectRecount(session)
            }
            let shown = try #require(try await stage.tallies(of: session)[age.id]?.published.numbers)
            #expect(shown.least == 10 && shown.most == 60 && shown.sum == 210 && shown.quantile(0.5) == 35)
        },
        CommandRule("a withdrawn named number is removed from the counts") { stage in
            let (_, session) = try await stage.running(sets: [QuestionSet(questions: [age], anonymous: false)]
            )
            let leaving = try await stage.arrive(1, in: session)
            try await stage.respond(leaving, [age.id: .number(99)])
            try await stage.respond(try await stage.arrive(2, in: session), [age.id: .number(20)])
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: leaving)))
            #expect(try await stage.tallies(of: session)[age.id]?.published.numbers?.most == 20)
            try await stage.expectRecount(session)
        },
        CommandRule("an attendee can answer a poll only while a host has opened it, and only once") {
            stage in
            let poll = Question(id: id(22), title: "Warm?", kind: .rating(scale: 3))
            let (host, session) = try await stage.running(sets: [
                QuestionSet(questions: questions),
                QuestionSet(name: "warm-up", questions: [poll], anonymous: false, changeable: false),
            ])
            let person = try await stage.arrive(1, in: session)
            await expectRefused(.feedbackNotOpen(opensAt: nil)) {
                try await stage.respond(person, [poll.id: .rating(1)], set: "warm-up")
            }
            try await stage.open("warm-up", true, of: session, by: host)
            try await stage.respond(person, [poll.id: .rating(1)], set: "warm-up")
            try await stage.respond(person, [stars.id: .rating(1)])
            await expectRefused(.alreadyResponded) {
                try await stage.respond(person, [poll.id: .rating(1)], set: "warm-up")
            }
            try await stage.open("warm-up", false, of: session, by: host)
            let late = try await stage.arrive(2, in: session)
            await expectRefused(.feedbackClosed) {
                try await stage.respond(late, [poll.id: .rating(1)], set: "warm-up")
            }
            #expect(try await stage.set("warm-up", of: session)?.responses == 1)
            #expect(try await stage.set(of: session)?.responses == 1)
        },
        CommandRule("a host copies sets from another session under new ids, and never over existing answers")
        { stage in
            let (host, session) = try await stage.running()
            let other = try await stage.meeting(
                of: host, from: 100, to: 160,
                sets: [QuestionSet(title: "Old", questions: [age], shared: true)])
            let copies = try await stage.perform(
                CopyQuestions(session: session, from: other.session.id, set: nil, actor: host))
            #expect(
                copies.map(\.name) == [QuestionSet.feedback] && copies[0].version == 2
                    && copies[0].questions.map(\.id) != [age.id])
            #expect(try await stage.set(of: session) == copies[0])
            #expect(copies[0].title == "Old" && copies[0].questions[0].title == age.title)
            #expect(!copies[0].shared)
            try await stage.perform(
                CopyQuestions(
                    session: session, from: other.session.id, set: QuestionSet.feedback, copyName: "poll",
                    actor: host))
            #expect(try await stage.set("poll", of: session)?.questions.count == 1)
            try await stage.respond(
                try await stage.arrive(1, in: session), [copies[0].questions[0].id: .number(3)])
            await expectRefused(.questionsLocked) {
                try await stage.perform(
                    CopyQuestions(session: session, from: other.session.id, set: nil, actor: host))
            }
            await expectRefused(.notFound(.questionSet)) {
                try await stage.perform(
                    CopyQuestions(session: session, from: other.session.id, set: "none", actor: host))
            }
            let stranger = try await stage.account(2).id
            let own = try await stage.meeting(of: stranger)
            await expectRefused(.notAllowed) {
                try await stage.perform(
                    CopyQuestions(session: own.session.id, from: session, set: nil, actor: stranger))
            }
        },
    ]
}
