import Journal
import Meetings
import Synchronization
import Testing

extension CommandRule {
    static let keys: [CommandRule] = [
        CommandRule("a retry under its key changes nothing, and gets the stored response") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            #expect(try await stage.keyed(1, in: session) == .new(201))
            #expect(try await stage.keyed(1, in: session) == .kept([7]))
            #expect(try await stage.record(session)?.headCount.present == 1)
            // Without the idempotency key, the same check-in is like a stranger's: the attendee is not new.
            #expect(try await stage.checkIn(1, in: session).fresh == nil)
            try await stage.expectWhole(session)
        },
        CommandRule("another request under a used key is refused, and the first request stays repeatable") {
            stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            _ = try await stage.keyed(1, in: session)
            await #expect(throws: JournalError.refused(.keyUsedForAnotherRequest)) {
                try await stage.keyed(2, in: session, key: 1)
            }
            #expect(try await stage.record(session)?.headCount.present == 1)
            #expect(try await stage.keyed(1, in: session) == .kept([7]))
        },
        CommandRule("two simultaneous requests under one key are one change, answered after the same commit")
        { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let before = stage.storage.statistics.commits
            let results = try await stage.together(
                { try await stage.keyed(1, in: session) }, { try await stage.keyed(1, in: session) },
                { try await stage.keyed(2, in: session, key: 1) }, { try await stage.keyed(3, in: session) })
            #expect(results.map { try? $0.get() } == [.new(201), .kept([7]), nil, .new(201)])
            #expect(stage.storage.statistics.commits == before + 2)
            #expect(try await stage.record(session)?.headCount.present == 2)
        },
        CommandRule("a refusal is not stored, so the key can be used again") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(-61)
            await #expect(throws: JournalError.refused(.checkInNotOpen(opensAt: at(-60)))) {
                try await stage.keyed(1, in: session)
            }
            stage.now = at(-60)
            #expect(try await stage.keyed(1, in: session) == .new(201))
        },
        CommandRule("a response is stored for a day; after that, the same request is new") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            _ = try await stage.keyed(1, in: session)
            stage.now = at(24 * 60) - .milliseconds(1)
            try await stage.storage.forgetStoredResponses(at: stage.now)
            // Check-in closed long ago, but the retry still gets the first response.
            #expect(try await stage.keyed(1, in: session) == .kept([7]))
            stage.now = at(24 * 60)
            await #expect(throws: JournalError.refused(.checkInClosed(closedAt: at(60)))) {
                try await stage.keyed(1, in: session)
            }
            try await stage.storage.forgetStoredResponses(at: stage.now)
            let found = try await stage.storage.read { rows throws(JournalError) in
                try rows.storedResponse(hash(1))
            }
            #expect(found == nil)
        },
        CommandRule("a sweep deletes a limited number of responses, and commits only if some have expired") {
            stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            for number in 1...5 { _ = try await stage.keyed(number, in: session) }
            let commits = stage.storage.statistics.commits
            try await stage.storage.forgetStoredResponses(at: stage.now, limit: 3)
            #expect(stage.storage.statistics.commits == commits)
            stage.now = at(24 * 60)
            try await stage.storage.forgetStoredResponses(at: stage.now, limit: 3)
            let left = try await stage.storage.read { rows throws(JournalError) in
                var left = 0
                for number in 1...5 where try rows.storedResponse(hash(number)) != nil { left += 1 }
                return left
            }
            #expect(left == 2)
        },
        CommandRule(
            "an anonymous response is not stored for its key, so a retry is refused as already answered"
        ) {
            stage in
            for anonymous in [true, false] {
                let stars = Question(id: .makeTimeless(), title: "How was it?", kind: .rating(scale: 5))
                let set = QuestionSet(questions: [stars], anonymous: anonymous)
                let host = try await stage.account(anonymous ? 1 : 2).id
                let session = try await stage.meeting(of: host, sets: [set], allowOverlap: true).session.id
                stage.now = at(0)
                let person = try await stage.arrive(1, in: session)
                let key = RetryKey(id: hash(anonymous ? 50 : 51), fingerprint: hash(1))
                let respond = Keyed(
                    Respond(
                        receipt: Receipt(for: person), session: session, set: QuestionSet.feedback,
                        answers: [stars.id: .rating(4)]), key: key
                ) { _ in (shown: 201, content: [7]) }
                #expect(try await Outcome(stage.perform(respond)) == .new(201))
                let found = try await stage.storage.read { rows throws(JournalError) in
                    try rows.storedResponse(key.id)
                }
                if anonymous {
                    #expect(found == nil)
                    await #expect(throws: JournalError.refused(.alreadyResponded)) {
                        try await stage.perform(respond)
                    }
                } else {
                    #expect(found?.content == [7])
                    #expect(try await Outcome(stage.perform(respond)) == .kept([7]))
                }
            }
        },
    ]
}

private enum Outcome: Equatable, Sendable {
    case new(Int)
    case kept([UInt8])

    init<C: Command>(_ answer: Keyed<C, Int>.Answer) {
        switch answer {
        case .new(let shown): self = .new(shown)
        case .repeated(let content): self = .kept(content)
        }
    }
}

extension Stage {
    /// Sends the check-in of the person with this number. The idempotency key has the number `key`; the
    /// default is the person's number. The stored response is `[7]`.
    fileprivate func keyed(_ number: Int, in session: SessionID, key: Int? = nil) async throws -> Outcome {
        Outcome(
            try await storage.perform(
                Keyed(
                    CheckIn(
                        session: session, moment: now, method: .qr, grant: nil, name: "Person \(number)",
                        email: "p\(number)@example.org"),
                    key: RetryKey(id: hash(key ?? number), fingerprint: hash(number + 100))
                ) { _ in (shown: 201, content: [7]) }))
    }
}
