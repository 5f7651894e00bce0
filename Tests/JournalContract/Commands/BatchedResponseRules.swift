import Journal
import Meetings
import Seeds
import Synchronization
import Testing

extension CommandRule {
    /// Rules for the responses of one batch, whose counts are written together.
    static let batchedResponses: [CommandRule] =
        [
            CommandRule("a command that is refused after a response does not make its batch run again") {
                stage in
                let (_, session) = try await stage.running()
                let person = try await stage.arrive(1, in: session)
                let runs = Mutex(0)
                let results = try await stage.together(
                    { _ = try await stage.respond(person, [stars.id: .rating(4)]) },
                    {
                        try await stage.perform(
                            Act { _ throws(JournalError) in
                                runs.withLock { $0 += 1 }
                                throw JournalError.refused(.notAllowed)
                            })
                    })
                #expect(results.map { (try? $0.get()) != nil } == [true, false])
                #expect(runs.withLock { $0 } == 1)
                #expect(try await stage.set(of: session)?.responses == 1)
            }
        ] + countedWithOthers

    private static let countedWithOthers: [CommandRule] = AnswerPromise.allCases.map { promise in
        CommandRule("responses of a batch are counted with other commands between them, \(promise)") {
            stage in
            let set = QuestionSet(questions: questions, promise: promise, changeable: true)
            let (host, record) = try await stage.planned(sets: [set])
            let session = record.session.id
            stage.now = at(20)
            try await stage.perform(
                EditQuestionSet(
                    session: session, set: set.name, .init(publishedAs: "form"), actor: host))
            var people: [Attendee] = []
            for number in 0..<30 { people.append(try await stage.arrive(number, in: session)) }
            var random = SeededNumbers(seed: 20_261_130)
            var stored = 0
            for _ in 0..<25 {
                var acts: [@Sendable () async throws -> Bool] = []
                for _ in 0..<8 {
                    acts.append(
                        stage.act(
                            Int.random(in: 0..<12, using: &random),
                            of: people.randomElement(using: &random) ?? people[0],
                            Answers.random(using: &random), by: host))
                }
                for result in try await stage.together(all: acts) {
                    switch result {
                    case .success(let isStored): stored += isStored ? 1 : 0
                    case .failure(JournalError.refused): break
                    case .failure(let error): throw error
                    }
                }
                try await stage.expectRecount(session)
                let found = try #require(try await stage.set(of: session))
                let waiting = try await stage.storage.read { rows throws(JournalError) in
                    try rows.unpublishedResponses(of: session, set: set.name).count
                }
                #expect(found.responses == found.publishedResponses + waiting)
                try await stage.expectWhole(session)
            }
            #expect(stored > 40, "\(stored) stored")
        }
    }
}

extension Stage {
    /// Returns a random act, which returns whether it stored a response.
    fileprivate func act(_ kind: Int, of person: Attendee, _ answers: Answers, by host: AccountID)
        -> @Sendable () async throws -> Bool
    {
        let session = person.sessionID
        switch kind {
        case 0:
            // It is refused after it has written, so that the batch runs again with savepoints.
            return {
                try await self.perform(
                    Act { transaction throws(JournalError) -> Bool in
                        try transaction.record(.edited, in: session, by: .server)
                        throw .refused(.notAllowed)
                    })
            }
        case 1:
            return {
                _ = try await self.settings(session, by: host, shared: answers.count > 1)
                return false
            }
        case 2:
            return {
                try await self.perform(RemoveAttendee(attendee: person.id, erases: false, actor: host))
                return false
            }
        case 3, 4:
            return {
                _ = try await self.storage.perform(RespondToForm(form: "form", answers: answers))
                return true
            }
        default: return { try await self.respond(person, answers).ending == nil }
        }
    }
}

extension Answers {
    fileprivate static func random(using random: inout SeededNumbers) -> Answers {
        var answers: Answers = [stars.id: .rating(Int.random(in: 1...5, using: &random))]
        if Bool.random(using: &random) { answers[words.id] = .text("fine") }
        if Bool.random(using: &random) {
            answers[choice.id] = .choices([["a", "b"].randomElement(using: &random) ?? "a"])
        }
        return answers
    }
}
