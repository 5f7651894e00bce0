import Journal
import Meetings
import Testing

private let text: QuestionID = id(4)

extension CommandRule {
    static let moderatedTexts: [CommandRule] = [
        CommandRule("a host hides and shows a text, and each can be undone") { stage in
            let (session, host, people) = try await stage.withTexts(anonymous: false)
            try await stage.respond(people[0], [text: .text("rude")])
            let place = try #require(try await stage.places(of: session).first)
            try await stage.moderate(place, .hidden, by: host)
            #expect(try await stage.status(of: place, in: session) == .hidden)
            #expect(stage.announced.last(session)?.sets == [QuestionSet.feedback])
            let last = try await stage.last(in: session)
            let event = try #require(try await stage.events(of: session).last)
            #expect((event.kind, event.attendeeID, event.data.set) == (.moderated, nil, QuestionSet.feedback))
            let undone = try await stage.undo(last, in: session, by: host)
            #expect(try await stage.status(of: place, in: session) == .visible)
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await stage.status(of: place, in: session) == .hidden)
            await expectRefused(.changedSince) {
                try await stage.undo(undone.event.sequence, in: session, by: host)
            }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) { try await stage.moderate(place, .visible, by: stranger) }
        },
        CommandRule("with moderation before, a text is pending until a host shows it") { stage in
            let (session, host, people) = try await stage.withTexts(anonymous: false)
            try await stage.perform(
                SetTextModeration(
                    session: session, set: QuestionSet.feedback, moderation: .before, actor: host))
            try await stage.respond(people[0], [text: .text("fine")])
            let place = try #require(try await stage.places(of: session).first)
            #expect(try await stage.status(of: place, in: session) == .pending)
            try await stage.moderate(place, .visible, by: host)
            #expect(try await stage.status(of: place, in: session) == .visible)
        },
        CommandRule("with moderation after, a text with a held word is pending") { stage in
            let (session, host, people) = try await stage.withTexts(anonymous: false)
            let meeting = try #require(try await stage.record(session)).meeting.id
            try await stage.perform(EditHeldWords(meeting: meeting, words: ["spam"], actor: host))
            try await stage.perform(
                SetTextModeration(
                    session: session, set: QuestionSet.feedback, moderation: .after, actor: host))
            try await stage.respond(people[0], [text: .text("SPAM here")])
            try await stage.respond(people[1], [text: .text("fine")])
            var statuses: [TextStatus] = []
            for place in try await stage.places(of: session) {
                statuses.append(try await stage.status(of: place, in: session))
            }
            #expect(statuses.sorted { $0.rawValue < $1.rawValue } == [.pending, .visible])
        },
        CommandRule("decisions about a text outlive a removal, and are erased with the response") { stage in
            let (session, host, people) = try await stage.withTexts(anonymous: false)
            for person in people[0...1] { try await stage.respond(person, [text: .text("rude")]) }
            for place in try await stage.places(of: session) {
                try await stage.moderate(place, .hidden, by: host)
            }
            let places = try await stage.places(of: session)
            func decided() async throws -> Int {
                try await stage.storage.read { rows throws(JournalError) in
                    try places.count { place throws(JournalError) in
                        try rows.textStatus(in: place.response, to: text) != nil
                    }
                }
            }
            try await stage.perform(RemoveAttendee(attendee: people[0].id, actor: host))
            try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await decided() == 2)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: people[0])))
            #expect(try await decided() == 1)
            try await stage.perform(RemoveAttendee(attendee: people[1].id, erases: true, actor: host))
            #expect(try await decided() == 0)
        },
        CommandRule("a text of an anonymous set can be moderated only when its group is complete") { stage in
            let (session, host, people) = try await stage.withTexts(anonymous: true)
            for person in people[0...1] { try await stage.respond(person, [text: .text("one")]) }
            let held = try await stage.storage.read { rows throws(JournalError) in
                try rows.unpublishedResponses(of: session, set: QuestionSet.feedback)
            }
            #expect(held.count == 2)
            for response in held {
                await expectRefused(.notFound(.response)) {
                    try await stage.moderate(
                        TextPlace(at: response.at, response: response.id), .hidden, by: host)
                }
            }
            try await stage.respond(people[2], [text: .text("three")])
            let places = try await stage.places(of: session)
            #expect(places.count == 3)
            // All three have the same hour, so that the place reveals no order.
            #expect(Set(places.map(\.at)).count == 1)
            for place in places { try await stage.moderate(place, .hidden, by: host) }
        },
        CommandRule("a host hides a word of a word cloud for all who write it, and each can be undone") {
            stage in
            let (session, host, people) = try await stage.withCloud(.hidden)
            try await stage.write(["Rude", "fine"], by: people[0])
            try await stage.moderate("rude", .hidden, by: host)
            #expect(stage.announced.last(session)?.sets == ["cloud"])
            try await stage.write(["rude!"], by: people[1])
            #expect(try await stage.shownWords() == [("fine", 1)].map { WordCount(word: $0, count: $1) })
            let event = try #require(try await stage.events(of: session).last { $0.kind == .moderated })
            #expect((event.attendeeID, event.data.set) == (nil, "cloud"))
            let undone = try await stage.undo(event.sequence, in: session, by: host)
            #expect(
                try await stage.shownWords()
                    == [("rude", 2), ("fine", 1)].map { WordCount(word: $0, count: $1) })
            try await stage.undo(undone.event.sequence, in: session, by: host)
            #expect(try await stage.shownWords() == [("fine", 1)].map { WordCount(word: $0, count: $1) })
            await expectRefused(.changedSince) {
                try await stage.undo(undone.event.sequence, in: session, by: host)
            }
            await expectRefused(.notFound(.response)) {
                try await stage.moderate("nobody wrote this", .hidden, by: host)
            }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.moderate("fine", .hidden, by: stranger)
            }
            // The copy for an undo has the word, so it is deleted after a day.
            stage.now = stage.now + undoTime
            try await stage.perform(ForgetRemoved())
            await expectRefused(.cannotBeUndone) {
                try await stage.undo(event.sequence, in: session, by: host)
            }
            try await stage.expectWhole(session)
        },
        CommandRule("words are held back first, or if they have a held word, until a host shows them") {
            stage in
            let (session, host, people) = try await stage.withCloud(.hidden)
            let meeting = try #require(try await stage.record(session)).meeting.id
            try await stage.perform(EditHeldWords(meeting: meeting, words: ["spam"], actor: host))
            try await stage.perform(
                SetTextModeration(session: session, set: "cloud", moderation: .after, actor: host))
            try await stage.write(["SPAM", "fine"], by: people[0])
            #expect(try await stage.shownWords().map(\.word) == ["fine"])
            try await stage.moderate("spam", .visible, by: host)
            // A host's decision holds, whoever writes the word next.
            try await stage.write(["spam"], by: people[1])
            #expect(
                try await stage.shownWords()
                    == [("spam", 2), ("fine", 1)].map { WordCount(word: $0, count: $1) })
            try await stage.perform(
                SetTextModeration(session: session, set: "cloud", moderation: .before, actor: host))
            #expect(try await stage.shownWords().map(\.word) == ["spam"])
            try await stage.moderate("fine", .visible, by: host)
            #expect(try await stage.shownWords().map(\.word) == ["spam", "fine"])
        },
        CommandRule("a decision about a word is deleted with the last answer that has the word") { stage in
            let (session, host, people) = try await stage.withCloud(.named)
            try await stage.write(["zebra", "rude"], by: people[0])
            try await stage.write(["rude", "fine"], by: people[1])
            for word in ["zebra", "rude", "fine"] { try await stage.moderate(word, .hidden, by: host) }
            func decided() async throws -> Set<String> {
                try await stage.storage.read { rows throws(JournalError) in
                    Set(try rows.wordStatuses(of: cloud).keys)
                }
            }
            // A removal can be undone, with the decisions.
            try await stage.perform(RemoveAttendee(attendee: people[0].id, actor: host))
            #expect(try await decided() == ["zebra", "rude", "fine"])
            let removal = try #require(try await stage.events(of: session).last?.sequence)
            _ = try await stage.perform(UndoCorrection(session: session, sequence: removal, actor: host))
            #expect(try await stage.shownWords().isEmpty)
            _ = try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: people[0])))
            #expect(try await decided() == ["rude", "fine"])
            try await stage.perform(RemoveAttendee(attendee: people[1].id, erases: true, actor: host))
            #expect(try await decided().isEmpty)
            try await stage.expectWhole(session)
        },
        CommandRule("an attendee who changes an answer and changes it back undoes no decision of a host") {
            stage in
            let (session, host, people) = try await stage.withCloud(.named)
            _ = try await stage.perform(
                EditQuestionSet(session: session, set: "cloud", .init(changeable: true), actor: host))
            try await stage.write(["rude"], by: people[0])
            try await stage.moderate("rude", .hidden, by: host)
            try await stage.write(["fine"], by: people[0])
            try await stage.write(["rude"], by: people[0])
            #expect(try await stage.shownWords().isEmpty)
            try await stage.expectWhole(session)
        },
        CommandRule("a word of an anonymous cloud can be moderated only when its group is complete") {
            stage in
            let (session, host, people) = try await stage.withCloud(.anonymous)
            for person in people[0...1] { try await stage.write(["rude"], by: person) }
            await expectRefused(.notFound(.response)) {
                try await stage.moderate("rude", .hidden, by: host)
            }
            try await stage.write(["fine"], by: people[2])
            try await stage.moderate("rude", .hidden, by: host)
            #expect(try await stage.shownWords() == [("fine", 1)].map { WordCount(word: $0, count: $1) })
            try await stage.expectWhole(session)
        },
    ]
}

private let cloud: QuestionID = id(5)
private let undoTime = Duration.hours(24)

extension Stage {
    /// Creates a session whose feedback set asks for a text, with three attendees.
    fileprivate func withTexts(anonymous: Bool) async throws -> (
        session: SessionID, host: AccountID, people: [Attendee]
    ) {
        let question = Question(id: text, title: "What?", kind: .shortAnswer(maxLength: 100))
        let (host, record) = try await planned(sets: [
            QuestionSet(questions: [question], anonymous: anonymous)
        ])
        now = at(0)
        var people: [Attendee] = []
        for number in 1...3 { people.append(try await arrive(number, in: record.session.id)) }
        return (record.session.id, host, people)
    }

    /// Creates a session with an open poll for words, and three attendees.
    fileprivate func withCloud(_ promise: AnswerPromise) async throws -> (
        session: SessionID, host: AccountID, people: [Attendee]
    ) {
        let question = Question(id: cloud, title: "Words?", kind: .wordCloud(most: 3))
        let (host, record) = try await planned(sets: [
            QuestionSet(name: "cloud", questions: [question], openByHand: true, promise: promise)
        ])
        now = at(0)
        var people: [Attendee] = []
        for number in 1...3 { people.append(try await arrive(number, in: record.session.id)) }
        return (record.session.id, host, people)
    }

    fileprivate func write(_ words: [String], by person: Attendee) async throws {
        try await respond(person, [cloud: .choices(words)], set: "cloud")
    }

    fileprivate func moderate(_ word: String, _ status: TextStatus, by host: AccountID) async throws {
        _ = try await perform(ModerateWord(question: cloud, word: word, status: status, actor: host))
    }

    /// Returns the words that results show.
    fileprivate func shownWords() async throws -> [WordCount] {
        try await storage.read { rows throws(JournalError) in
            guard let location = try rows.location(of: cloud) else { return [] }
            return try rows.words(of: cloud, limit: CloudWord.mostListed)
                .shown(try rows.textModeration(of: location.session, set: location.set))
        }
    }

    fileprivate func places(of session: SessionID) async throws -> [TextPlace] {
        try await published(of: session).map { TextPlace(at: $0.at, response: $0.id) }
    }

    fileprivate func moderate(_ place: TextPlace, _ status: TextStatus, by host: AccountID) async throws {
        _ = try await perform(ModerateText(question: text, place: place, status: status, actor: host))
    }

    fileprivate func status(of place: TextPlace, in session: SessionID) async throws -> TextStatus {
        try await storage.read { rows throws(JournalError) in
            try rows.status(ofTextAt: place, to: text, in: (session, QuestionSet.feedback))
        }
    }
}
