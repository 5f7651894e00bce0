import Journal
import Meetings
import Testing

/// 20 titles of so many bytes, in different languages.
private func titles(_ bytes: Int) -> LocalizedText {
    let languages = [
        "en", "ko", "ja", "zh", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ru", "uk",
        "tr", "vi", "th",
    ]
    return LocalizedText(
        Dictionary(uniqueKeysWithValues: languages.map { ($0, String(repeating: "a", count: bytes)) }))
}

/// 50 questions, each of which has 20 titles of so many bytes.
private func questions(_ bytes: Int) -> [Question] {
    (0..<50).map { _ in Question(id: .makeTimeless(), title: titles(bytes), kind: .rating(scale: 5)) }
}

extension Stage {
    fileprivate func names(of session: SessionID) async throws -> [String] {
        try await storage.read { rows throws(JournalError) in
            try rows.questionSetsWithoutQuestions(of: session).map(\.name)
        }
    }
}

extension CommandRule {
    static let largeSets: [CommandRule] = [
        CommandRule("all question sets of a session have one limit, also for copies, series and titles") {
            stage in
            // Two sets of 600 KB are within the limit, and three are not.
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: questions(600))])
            let session = record.session.id
            func poll() async throws -> QuestionSet {
                try await stage.perform(
                    CreatePoll(session: session, content: .copy(of: "feedback"), actor: host))
            }
            #expect(try await poll().name == "poll-1")
            await expectRefused(.questionSetsTooLarge) { try await poll() }
            await expectRefused(.questionSetsTooLarge) {
                try await stage.ask(questions(800), in: session, by: host)
            }
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    EditQuestionSet(
                        session: session, set: "poll-1",
                        .init(
                            about: .init(description: LocalizedText(String(repeating: "a", count: 200_000)))),
                        actor: host))
            }
            let other = try await stage.meeting(
                of: host, name: "Other", sets: [QuestionSet(questions: [stars])], allowOverlap: true)
            try await stage.perform(
                SetQuestions(
                    session: other.session.id, set: "more", questions: questions(600), expected: .any,
                    actor: host))
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    CopyQuestions(session: session, from: other.session.id, set: "more", actor: host))
            }
            func proceed(_ questions: [Question]? = nil) async throws -> SessionRecord {
                try await stage.perform(
                    ContinueMeeting(
                        meeting: record.meeting.id, startsAt: at(2_000), endsAt: at(2_060),
                        questions: questions, actor: host))
            }
            await expectRefused(.questionSetsTooLarge) { _ = try await proceed(questions(800)) }
            #expect(try await stage.names(of: session) == ["feedback", "poll-1"])
            #expect(try await stage.set(of: session)?.questions.count == 50)
            let next = try await proceed()
            #expect(try await stage.names(of: next.session.id) == ["feedback", "poll-1"])
            #expect(try await stage.ask([words], in: session, by: host).questions.count == 1)
            #expect(try await poll().questions.count == 1)
        },
        CommandRule("sets that were read before a copy are copied unless they have changed since") { stage in
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: [stars])])
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            let (from, to) = (record.session.id, other.session.id)
            let reading = CopyQuestions(session: to, from: from, set: nil, actor: host)
            let read = try await stage.storage.read { rows throws(JournalError) in
                try reading.originals(in: rows)
            }
            func copy() async throws -> [QuestionSet] {
                try await stage.perform(
                    CopyQuestions(session: to, from: from, set: nil, originals: read, actor: host))
            }
            #expect(try await copy()[0].questions.map(\.title) == [stars.title])
            _ = try await stage.ask([stars, words], in: from, by: host)
            await expectRefused(.meetingIsBusy) { try await copy() }
            let stranger = try await stage.account(7).id
            let spying = CopyQuestions(session: to, from: from, set: nil, actor: stranger)
            await expectRefused(.notAllowed) {
                try await stage.storage.read { rows throws(JournalError) in
                    try spying.originals(in: rows)
                }
            }
        },
        CommandRule("a response is judged by the committed questions, also beside an edit that is undone") {
            stage in
            let (host, session) = try await stage.running(anonymous: false)
            let first = try await stage.arrive(1, in: session)
            let second = try await stage.arrive(2, in: session)
            let third = try await stage.arrive(3, in: session)
            let fourth = try await stage.arrive(4, in: session)
            let before = try await stage.respond(first, [stars.id: .rating(4)]).set
            #expect(before.questions == questions)
            // The edit has the version of the stored set.
            var changed = before
            changed.questions[0].title = "Why?"
            let edited = changed
            let results = try await stage.together(
                {
                    try await stage.perform(
                        Act { transaction throws(JournalError) -> QuestionSet in
                            try transaction.save(edited, of: session)
                            let seen = try transaction.rows.questionSet("feedback", of: session)
                            guard seen?.questions == edited.questions else { return edited }
                            throw .refused(.notAllowed)
                        })
                },
                { try await stage.respond(second, [stars.id: .rating(4)]).set },
                { try await stage.respond(third, [stars.id: .rating(5)]).set })
            #expect(throws: JournalError.refused(.notAllowed)) { try results[0].get() }
            #expect(try results[1].get().questions == before.questions)
            #expect(try results[2].get().questions == before.questions)
            _ = try await stage.ask(edited.questions, in: session, by: host)
            #expect(
                try await stage.respond(fourth, [stars.id: .rating(5)]).set.questions == edited.questions)
            #expect(try await stage.set(of: session)?.questions == edited.questions)
            try await stage.expectRecount(session)
        },
        CommandRule("a session has at most 1,000 questions in all sets, and 25,000 texts") { stage in
            let (host, record) = try await stage.planned(
                sets: [
                    QuestionSet(
                        questions: (0..<50).map { Question(id: id(100 + $0), title: "Q", kind: .yesNo) })
                ])
            for _ in 1..<20 {
                try await stage.perform(
                    CreatePoll(session: record.session.id, content: .copy(of: "feedback"), actor: host))
            }
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    CreatePoll(
                        session: record.session.id,
                        content: .questions([Question(id: .makeTimeless(), title: "Q", kind: .yesNo)]),
                        actor: host))
            }
            let choices = (0..<20).map { Question.Choice(id: "c\($0)", label: titles(1)) }
            func many() -> [Question] {
                (0..<40).map { _ in
                    Question(
                        id: .makeTimeless(), title: titles(1),
                        kind: .multipleChoice(choices: choices, minSelections: 1, maxSelections: 1))
                }
            }
            let other = try await stage.meeting(
                of: host, name: "Other", sets: [QuestionSet(questions: many())], allowOverlap: true)
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    CreatePoll(session: other.session.id, content: .questions(many()), actor: host))
            }
        },
        CommandRule("sets that are above the limit already can be read, opened, shortened and deleted") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            for name in ["feedback", "poll-1", "poll-2"] {
                try await stage.perform(
                    Store(session: session, set: QuestionSet(name: name, questions: questions(600))))
            }
            #expect(try await stage.set("poll-2", of: session)?.questions.count == 50)
            try await stage.settings(session, by: host, open: true)
            var shorter = try #require(try await stage.set(of: session)).questions
            shorter.removeLast()
            #expect(try await stage.ask(shorter, in: session, by: host).questions.count == 49)
            await expectRefused(.questionSetsTooLarge) {
                try await stage.ask(shorter + questions(600).prefix(1), in: session, by: host)
            }
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    CopyQuestions(session: other.session.id, from: session, set: nil, actor: host))
            }
            await expectRefused(.questionSetsTooLarge) {
                try await stage.perform(
                    RepeatMeeting(
                        meeting: record.meeting.id, rule: .weekly, count: 2, actor: host))
            }
            try await stage.perform(
                DeleteQuestionSet(session: session, set: "poll-2", confirmation: nil, actor: host))
            #expect(
                try await stage.perform(
                    RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 2, actor: host)
                ).count == 2)
        },
    ]
}

/// A command that stores a set as it was stored before the limit existed.
private struct Store: Command {
    let session: SessionID
    let set: QuestionSet

    func run(in transaction: Transaction) throws(JournalError) {
        try transaction.save(set, of: session)
    }
}
