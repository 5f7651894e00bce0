import Journal
import Meetings
import Testing

private let fruit = Question(
    id: id(31), title: "Fruit?", required: true,
    kind: .multipleChoice(
        choices: [.init(id: "a", label: "Apple"), .init(id: "b", label: "Banana")], minSelections: 1,
        maxSelections: 1))

extension Stage {
    /// Creates host 1's running session and opens a poll with this promise.
    fileprivate func polled(_ promise: AnswerPromise? = nil) async throws -> (
        host: AccountID, session: SessionID, poll: QuestionSet
    ) {
        let (host, record) = try await planned()
        now = at(20)
        let poll = try await perform(
            CreatePoll(
                session: record.session.id, content: .questions([fruit]), promise: promise, open: true,
                actor: host))
        return (host, record.session.id, poll)
    }

    fileprivate func choose(_ choice: String, by person: Attendee, _ set: String = "poll-1") async throws
        -> Respond.Outcome
    {
        try await respond(person, [fruit.id: .choices([choice])], set: set)
    }

    /// Returns the shown counts of the choices.
    fileprivate func counts(_ session: SessionID) async throws -> [Int] {
        try await tallies(of: session, set: "poll-1")[fruit.id]?.published.counts ?? []
    }

    fileprivate func delete(
        _ set: String, of session: SessionID, by host: AccountID, confirmation: String? = nil
    ) async throws {
        try await perform(
            DeleteQuestionSet(session: session, set: set, confirmation: confirmation, actor: host))
    }
}

extension CommandRule {
    static let polls: [CommandRule] = [
        CommandRule("a poll gets the next number, hides names, and opens at once if the host wants") {
            stage in
            let (host, session, poll) = try await stage.polled()
            #expect(poll.name == "poll-1" && poll.promise == .hidden && poll.isChangeable)
            #expect(poll.openByHand == true && poll.anonymityIsFixed && !poll.shared)
            let again = try await stage.perform(
                CreatePoll(session: session, content: .copy(of: "poll-1"), shared: true, actor: host))
            #expect(again.name == "poll-2" && again.openByHand == nil && again.shared)
            #expect(again.questions.map(\.title) == poll.questions.map(\.title))
            #expect(again.questions[0].id != fruit.id)
            #expect(try await stage.set("poll-1", of: session)?.openByHand == true)
            await expectRefused(.notFound(.questionSet)) {
                try await stage.perform(
                    CreatePoll(session: session, content: .copy(of: "poll-9"), actor: host))
            }
            await expectRefused(.invalid([FieldError("/changeable", .anonymousAnswersStay)])) {
                try await stage.perform(
                    CreatePoll(
                        session: session, content: .copy(of: "poll-1"), promise: .anonymous, changeable: true,
                        actor: host))
            }
        },
        CommandRule("a changed answer keeps its row and counts once, and the event names nobody") { stage in
            let (_, session, _) = try await stage.polled()
            let people = [try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)]
            #expect(try await stage.choose("a", by: people[0]).replaced == false)
            #expect(try await stage.counts(session) == [1, 0])
            _ = try await stage.choose("a", by: people[1])
            let before = try await stage.published(of: session, set: "poll-1")
            stage.now = at(21)
            #expect(try await stage.choose("b", by: people[0]).replaced)
            #expect(try await stage.counts(session) == [1, 1])
            let after = try await stage.published(of: session, set: "poll-1")
            #expect(after.map(\.id) == before.map(\.id) && after.map(\.at) == before.map(\.at))
            #expect(try await stage.set("poll-1", of: session)?.responses == 2)
            let events = try await stage.events(of: session).filter { $0.kind == .responded }
            #expect(events.map(\.attendeeID) == [nil, nil, nil])
            #expect(events.map(\.data.fields) == [nil, nil, ["answers"]])
            // The same answers again change nothing.
            _ = try await stage.choose("b", by: people[0])
            #expect(try await stage.events(of: session).count { $0.kind == .responded } == 3)
        },
        CommandRule("answers change only while the poll is open, and only if it is changeable") { stage in
            let (host, session, _) = try await stage.polled(.named)
            let person = try await stage.arrive(1, in: session)
            _ = try await stage.choose("a", by: person)
            #expect(
                try await stage.events(of: session).last { $0.kind == .responded }?.attendeeID == person.id)
            func set(open: Bool? = nil, changeable: Bool? = nil) async throws {
                try await stage.perform(
                    EditQuestionSet(
                        session: session, set: "poll-1", .init(open: open, changeable: changeable),
                        actor: host))
            }
            try await set(changeable: false)
            await expectRefused(.alreadyResponded) { try await stage.choose("b", by: person) }
            try await set(open: false, changeable: true)
            await expectRefused(.feedbackClosed) { try await stage.choose("b", by: person) }
            try await set(open: true)
            _ = try await stage.choose("b", by: person)
            #expect(try await stage.counts(session) == [0, 1])
            let poll = try #require(try await stage.set("poll-1", of: session))
            func write(changeable: Bool?) async throws {
                try await stage.perform(
                    SetQuestions(
                        session: session, set: "poll-1", questions: poll.questions, changeable: changeable,
                        expected: .any, actor: host))
            }
            try await write(changeable: false)
            #expect(try await stage.events(of: session).last?.data.fields == ["questions", "changeable"])
            await expectRefused(.alreadyResponded) { try await stage.choose("a", by: person) }
            try await write(changeable: nil)
            #expect(try await stage.set("poll-1", of: session)?.isChangeable == false)
            #expect(try await stage.events(of: session).last?.data.fields == ["questions"])
            await expectRefused(.invalid([FieldError("/changeable", .anonymousAnswersStay)])) {
                try await stage.perform(
                    SetQuestions(
                        session: session, set: "other", questions: [], promise: .init(anonymous: true),
                        changeable: true, expected: .any, actor: host))
            }
        },
        CommandRule("feedback answers and anonymous answers cannot change unless the host allows it") {
            stage in
            let (_, session) = try await stage.running(anonymous: false)
            let person = try await stage.arrive(1, in: session)
            try await stage.respond(person, [stars.id: .rating(4)])
            await expectRefused(.alreadyResponded) {
                try await stage.respond(person, [stars.id: .rating(5)])
            }
        },
        CommandRule("a removal cuts the link of a hidden answer, and its undo restores the link") { stage in
            let (host, session, _) = try await stage.polled()
            let person = try await stage.arrive(1, in: session)
            _ = try await stage.choose("a", by: person)
            try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            #expect(try await stage.counts(session) == [1, 0])
            #expect(try await stage.published(of: session, set: "poll-1").map(\.attendeeID) == [nil])
            let removal = try #require(try await stage.events(of: session).last?.sequence)
            try await stage.perform(UndoCorrection(session: session, sequence: removal, actor: host))
            #expect(try await stage.published(of: session, set: "poll-1").map(\.attendeeID) == [person.id])
            _ = try await stage.choose("b", by: person)
            #expect(try await stage.counts(session) == [0, 1])
            #expect(try await stage.set("poll-1", of: session)?.responses == 1)
        },
        CommandRule("a merge of two people who answered a hidden poll changes no count") { stage in
            let (host, session, _) = try await stage.polled()
            let (one, other) = (
                try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
            )
            _ = try await stage.choose("a", by: one)
            _ = try await stage.choose("b", by: other)
            try await stage.perform(MergeAttendees(attendee: one.id, into: other.id, actor: host))
            #expect(try await stage.counts(session) == [1, 1])
            _ = try await stage.choose("a", by: other)
            #expect(try await stage.counts(session) == [2, 0])
            let merge = try #require(
                try await stage.events(of: session).last { $0.kind == .merged }?.sequence)
            // The other person has changed the answers since.
            await expectRefused(.changedSince) {
                try await stage.perform(UndoCorrection(session: session, sequence: merge, actor: host))
            }
        },
        CommandRule("a response is refused if the form showed another promise") { stage in
            let (_, session, _) = try await stage.polled()
            let person = try await stage.arrive(1, in: session)
            func send(_ shown: ShownPromise) async throws {
                try await stage.perform(
                    Respond(
                        receipt: Receipt(for: person), session: session, set: "poll-1",
                        answers: [fruit.id: .choices(["a"])], shown: shown))
            }
            for shown in [
                ShownPromise(promise: .named), ShownPromise(promise: .anonymous),
                ShownPromise(anonymous: true),
                ShownPromise(anonymous: true, promise: .hidden),
            ] {
                await expectRefused(.anonymityChanged(.hidden)) { try await send(shown) }
            }
            try await send(ShownPromise(anonymous: false, promise: .hidden))
        },
        CommandRule("no promise changes into another one after the set was opened") { stage in
            let host = try await stage.account(1).id
            for promise in AnswerPromise.allCases {
                let session = try await stage.meeting(of: host, allowOverlap: true).session.id
                _ = try await stage.perform(
                    CreatePoll(
                        session: session,
                        content: .questions([fruit.renamed(by: [fruit.id: .makeTimeless()])]),
                        promise: promise, open: true, actor: host))
                for other in AnswerPromise.allCases where other != promise {
                    await expectRefused(.anonymityFixed) {
                        try await stage.perform(
                            EditQuestionSet(
                                session: session, set: "poll-1",
                                .init(promise: ChosenPromise(promise: other)),
                                actor: host))
                    }
                }
            }
        },
        CommandRule("a poll moves to another place in the list") { stage in
            let (host, session, _) = try await stage.polled()
            for _ in 1...3 {
                _ = try await stage.perform(
                    CreatePoll(session: session, content: .copy(of: "poll-1"), actor: host))
            }
            func names() async throws -> [String] {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.questionSets(of: session).map(\.name)
                }.filter { $0.hasPrefix("poll") }
            }
            #expect(try await names() == ["poll-1", "poll-2", "poll-3", "poll-4"])
            for (place, order) in [
                (1, ["poll-3", "poll-1", "poll-2", "poll-4"]), (3, ["poll-1", "poll-2", "poll-3", "poll-4"]),
                (99, ["poll-1", "poll-2", "poll-4", "poll-3"]),
            ] {
                try await stage.perform(
                    EditQuestionSet(session: session, set: "poll-3", .init(position: place), actor: host))
                #expect(try await names() == order)
            }
        },
        CommandRule("a poll with answers is deleted only after a confirmation, in slices if it is large") {
            stage in
            let (host, session, _) = try await stage.polled()
            for number in 1...310 {
                _ = try await stage.choose("a", by: try await stage.arrive(number, in: session))
            }
            await expectRefused(.answersWouldBeDeleted(set: "poll-1", responses: 310)) {
                try await stage.delete("poll-1", of: session, by: host)
            }
            try await stage.delete("poll-1", of: session, by: host, confirmation: "poll-1")
            #expect(try await stage.set("poll-1", of: session) == nil)
            #expect(try await stage.published(of: session, set: "poll-1").isEmpty)
            let last = try #require(try await stage.events(of: session).last)
            #expect(last.kind == .edited && last.data.fields == ["deleted"] && last.data.set == "poll-1")
            // A new poll with the same name can be answered.
            let poll = try await stage.perform(
                CreatePoll(session: session, content: .questions([fruit]), open: true, actor: host))
            #expect(poll.name == "poll-1")
            let person = try #require(try await stage.attendees(of: session).first)
            #expect(try await stage.choose("b", by: person).replaced == false)
            await expectRefused(.invalid([FieldError("/set", .setBelongsToSession)])) {
                try await stage.delete(QuestionSet.feedback, of: session, by: host)
            }
        },
        CommandRule("the words of a poll follow changed and removed answers, and equal a recount") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(20)
            let session = record.session.id
            for (promise, shown) in [
                (AnswerPromise.named, [("b", 1), ("c", 1)]), (.hidden, [("a", 1), ("b", 1), ("c", 1)]),
            ] {
                let cloud = Question(id: .makeTimeless(), title: "Words?", kind: .wordCloud(most: 3))
                let poll = try await stage.perform(
                    CreatePoll(
                        session: session, content: .questions([cloud]), promise: promise, open: true,
                        actor: host))
                let offset = promise == .named ? 0 : 10
                var people: [Attendee] = []
                for number in 1...2 { people.append(try await stage.arrive(offset + number, in: session)) }
                func write(_ words: [String], _ person: Attendee) async throws {
                    try await stage.respond(person, [cloud.id: .choices(words)], set: poll.name)
                }
                func words() async throws -> [WordCount] {
                    try await stage.storage.read { rows throws(JournalError) in
                        try rows.words(of: cloud.id, limit: 9).shown(.none)
                    }
                }
                try await write(["a", "B"], people[0])
                try await write(["b", "c", "b!"], people[1])
                #expect(try await words() == [("b", 2), ("a", 1), ("c", 1)].map(WordCount.init))
                try await write(["a"], people[0])
                #expect(try await words() == [("a", 1), ("b", 1), ("c", 1)].map(WordCount.init))
                try await stage.perform(RemoveAttendee(attendee: people[0].id, actor: host))
                #expect(try await words() == shown.map(WordCount.init))
            }
        },
        CommandRule("words of an anonymous poll are shown in groups of three") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(20)
            let session = record.session.id
            let cloud = Question(id: .makeTimeless(), title: "Words?", kind: .wordCloud(most: 3))
            let poll = try await stage.perform(
                CreatePoll(
                    session: session, content: .questions([cloud]), promise: .anonymous, open: true,
                    actor: host))
            for number in 1...4 {
                try await stage.respond(
                    try await stage.arrive(number, in: session), [cloud.id: .choices(["a", "w\(number)"])],
                    set: poll.name)
                let words = try await stage.storage.read { rows throws(JournalError) in
                    try rows.words(of: cloud.id, limit: 9)
                }
                #expect(words.first?.count == (number < 3 ? nil : 3))
            }
        },
        CommandRule("a set that shows no names cannot lead from an answer to another set") { stage in
            let (host, session, _) = try await stage.polled()
            var leading = fruit.renamed(by: [fruit.id: .makeTimeless()])
            leading.branches = [Branch(.sameAs(.text("a")), next: "more")]
            for promise in [AnswerPromise.hidden, .anonymous] {
                await expectRefused(.invalid([FieldError("/questions/0/branches", .branchTellsAnswer)])) {
                    try await stage.perform(
                        CreatePoll(
                            session: session, content: .questions([leading]), promise: promise, actor: host))
                }
            }
        },
    ]
}
