import Journal
import Meetings
import Synchronization
import Testing

extension CommandRule {
    static let commandBatches: [CommandRule] = [
        CommandRule("a check-in sees the people and the merges that its batch has added since the last one") {
            stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            stage.now = at(0)
            let first = try await stage.arrive(1, in: session)
            let second = try await stage.arrive(2, in: session)
            let results = try await stage.together(
                { try await stage.checkIn(3, in: session) },
                { () -> CheckIn.Outcome? in
                    // `AddPerson` plans first, so that it would come later in the batch.
                    let person = Person(
                        id: .makeTimeless(), meetingID: meeting, name: "Person 9", joinedByCheckIn: false)
                    try await stage.perform(
                        Act { transaction throws(JournalError) in try transaction.rows.insert(person) })
                    return nil
                },
                { try await stage.checkIn(4, in: session) },
                {
                    try await stage.perform(
                        MergeAttendees(attendee: first.id, into: second.id, actor: host))
                    return nil
                },
                { try await stage.checkIn(1, in: session) },
            )
            let outcomes = try results.map { try $0.get() }
            #expect(outcomes[0]?.fresh?.walkIn == false)
            #expect(outcomes[2]?.fresh?.walkIn == true)
            // The merged record leads to the other one.
            #expect(outcomes[4]?.isElsewhere == true)
            try await stage.expectWhole(session)
        },
        CommandRule("a check-in sees the questions that its batch has added since the last one") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let question = Question(
                id: .makeTimeless(), title: "Why?", required: true, kind: .shortAnswer(maxLength: 10))
            let results = try await stage.together(
                { _ = try await stage.checkIn(1, in: session) },
                {
                    let set = QuestionSet(
                        name: QuestionSet.checkIn, questions: [question], anonymous: false)
                    try await stage.perform(
                        Act { transaction throws(JournalError) in try transaction.save(set, of: session) })
                },
                { _ = try await stage.checkIn(2, in: session) },
            )
            #expect(throws: Never.self) { try results[0].get() }
            #expect(throws: JournalError.refused(.invalid([FieldError("/answers/\(question.id)", .missing)])))
            {
                try results[2].get()
            }
        },
        CommandRule("a refused command does not affect other commands in its batch") { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            let here = record.session.id
            stage.now = at(0)
            let results = try await stage.together(
                { _ = try await stage.checkIn(1, in: here) },
                { _ = try await stage.checkIn(2, in: here, moment: at(-61)) },
                {
                    _ = try await stage.perform(
                        EditSession(
                            id: here, settings: .init(plannedCount: 9), expected: .version(7), actor: host))
                },
                {
                    _ = try await stage.perform(
                        Act { transaction throws(JournalError) in
                            // The command makes every kind of change in memory. Then it is refused.
                            var session = try transaction.session(here).session
                            session.plannedCount = 77
                            try transaction.update(session)
                            try transaction.count(in: here) { $0.late += 5 }
                            try transaction.record(.edited, in: here, by: .server)
                            transaction.publishResults(of: "refused", in: here)
                            transaction.endRights(of: .session(here))
                            transaction.forget(other.session.id)
                            try transaction.rows.delete(other.session.id)
                            throw JournalError.refused(.notAllowed)
                        })
                },
                { _ = try await stage.checkIn(3, in: other.session.id) },
                { _ = try await stage.checkIn(4, in: here) },
            )
            let refusals = results.map { result -> JournalError? in
                guard case .failure(let error) = result else { return nil }
                return error as? JournalError
            }
            #expect(
                refusals == [
                    nil, .refused(.checkInNotOpen(opensAt: at(-60))), .refused(.versionMismatch(current: 1)),
                    .refused(.notAllowed), nil,
                    nil,
                ])
            try await stage.expectWhole(here)
            try await stage.expectWhole(other.session.id)
            #expect(try await stage.record(here)?.headCount.present == 2)
            #expect(try await stage.record(here)?.session.plannedCount == 0)
            #expect(try await stage.record(here)?.sequence == 3)
            let change = try #require(stage.announced.last(here))
            #expect(change.arrivals.map(\.name) == ["Person 1", "Person 4"])
            #expect(change.sets.isEmpty && !change.isEdited)
            #expect(change.news.map(\.sequence) == [2, 3])
            #expect(change.record?.sequence == 3)
            #expect(stage.announced.last(other.session.id)?.record != nil)
            #expect(stage.announced.endedRights.isEmpty)
            // Memory and rows are equal, because the next command continues with the right sequence.
            #expect(try await stage.arrive(5, in: here).arrivalSequence == 4)
        },
        CommandRule("a batch runs a second time only if a command was refused after it had written") {
            stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            for writes in [false, true] {
                let runs = Mutex(0)
                let results = try await stage.together(
                    { try await stage.perform(Act { _ in runs.withLock { $0 += 1 } }) },
                    { _ = try await stage.checkIn(writes ? 1 : 2, in: session) },
                    {
                        try await stage.perform(
                            Act { transaction throws(JournalError) in
                                if writes { try transaction.record(.edited, in: session, by: .server) }
                                throw JournalError.refused(.notAllowed)
                            })
                    },
                    { _ = try await stage.checkIn(writes ? 3 : 4, in: session) },
                )
                #expect(runs.withLock { $0 } == (writes ? 2 : 1))
                #expect(results.map { (try? $0.get()) != nil } == [true, true, false, true])
                // Storage's own copy of the committed session has the right sequence, too.
                #expect(try await stage.storage.session(session)?.sequence == (writes ? 5 : 3))
                try await stage.expectWhole(session)
            }
        },
        CommandRule("a command whose values the database refuses fails alone") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let results = try await stage.together(
                { _ = try await stage.checkIn(1, in: session) },
                {
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            let person = Attendee(
                                id: .makeTimeless(), sessionID: session, name: "Twice", status: .present,
                                walkIn: true, arrivalSequence: 9)
                            transaction.publishEdit(of: session)
                            try transaction.count(in: session) { $0.add(person) }
                            try transaction.rows.insert(person, key: nil, grant: nil)
                            try transaction.rows.insert(person, key: nil, grant: nil)
                        })
                },
                { _ = try await stage.checkIn(2, in: session) },
            )
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
            let error = #expect(throws: JournalError.self) { try results[1].get() }
            #expect(error?.failure?.reason == .unstorable)
            try await stage.expectWhole(session)
            #expect(try await stage.record(session)?.headCount.present == 2)
            #expect(stage.announced.last(session)?.isEdited == false)
            let statistics = stage.storage.statistics
            #expect(statistics.failedCommands == 1 && statistics.failures == 0)
            #expect(statistics.lastFailure == nil)
        },
        CommandRule("statistics count a batch as one commit, and each of its commands") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let before = stage.storage.statistics
            _ = try await stage.together(
                all: (0..<20).map { number in { try await stage.checkIn(number, in: session.id) } })
            let after = stage.storage.statistics
            // Two commits: one of the command that held the writer, and one of the batch.
            #expect(after.commits - before.commits == 2)
            #expect(after.commands - before.commands == 21)
            #expect(after.largestBatch == 20)
            #expect(after.failures == 0)
        },
        CommandRule(
            "the storage commits first, then announces to the rooms, then answers",
            on: { engine in
                let watched = WatchedEngine(engine)
                let stage = try Stage(watched) { batch in
                    for news in batch.sessions.flatMap(\.news) { watched.log("announce \(news.sequence)") }
                }
                let session = try await stage.planned().record.session
                stage.now = at(0)
                let before = watched.happened.count
                _ = try await stage.together(
                    all: (1...3).map { number in
                        {
                            let attendee = try await stage.arrive(number, in: session.id)
                            watched.log("answer \(attendee.arrivalSequence)")
                        }
                    })
                let happened = Array(watched.happened.dropFirst(before + 1))
                #expect(happened.prefix(4) == ["commit", "announce 2", "announce 3", "announce 4"])
                #expect(happened.dropFirst(4).sorted() == ["answer 2", "answer 3", "answer 4"])
                await stage.storage.close()
            }),
        CommandRule("after close, a new command is refused and queued commands are completed") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            _ = try await stage.arrive(1, in: session.id)
            let hold = Hold()
            let holding = Task.immediate { try await stage.perform(hold) }
            await hold.isHolding()
            let queued = Task.immediate { try await stage.arrive(2, in: session.id) }
            let closing = Task.immediate { await stage.storage.close() }
            await #expect(throws: JournalError.failed(StorageFailure(.closed, operation: "submit"))) {
                _ = try await stage.arrive(3, in: session.id)
            }
            hold.letGo()
            try await holding.value
            #expect(try await queued.value.arrivalSequence == 3)
            await closing.value
        },
        CommandRule("journal times do not go back after a small clock correction, but follow a large one") {
            stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            _ = try await stage.arrive(1, in: session.id)
            for number in 2...4 {
                stage.now = at(0) - .milliseconds(900)
                _ = try await stage.arrive(number, in: session.id, moment: at(0))
            }
            #expect(
                try await stage.events(of: session.id).dropFirst().map(\.at)
                    == Array(repeating: at(0), count: 4))
            stage.now = at(-30)
            _ = try await stage.arrive(5, in: session.id)
            #expect(try await stage.events(of: session.id).last?.at == at(-30))
        },
    ]

    static let failures: [CommandRule] = [
        CommandRule(
            "a failed commit fails its whole batch, and the next batch works",
            on: { engine in
                let watched = WatchedEngine(engine)
                let stage = try Stage(watched)
                let (host, record) = try await stage.planned()
                let session = record.session.id
                stage.now = at(0)
                _ = try await stage.arrive(1, in: session)
                let announced = stage.announced.batches.count
                let before = stage.storage.statistics
                let results = try await stage.together(
                    all: [{ try await stage.perform(Act { _ in watched.failNextCommit() }) }]
                        as [@Sendable () async throws -> Void]
                        + (2...9).map { number in { _ = try await stage.checkIn(number, in: session) } }
                        + [{ _ = try await stage.edit(session, by: host, to: 90) }])
                for result in results {
                    #expect(throws: WatchedEngine.failure) { try result.get() }
                }
                // One batch is announced: that of the command that held the writer. The failed batch is not
                // announced.
                #expect(stage.announced.batches.dropFirst(announced + 1).isEmpty)
                let after = stage.storage.statistics
                #expect(after.failures == 1)
                #expect(after.commits - before.commits == 1)
                #expect(after.commands - before.commands == 1)
                #expect(try await stage.record(session)?.headCount.present == 1)
                #expect(try await stage.record(session)?.session.endsAt == at(60))
                #expect(try await stage.arrive(2, in: session).arrivalSequence == 3)
                try await stage.expectWhole(session)
                await stage.storage.close()
            }),
        CommandRule("a command whose row fails fails its whole batch, and the next batch works") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let failure = JournalError.failed(StorageFailure(.full, operation: "insert attendee"))
            let results = try await stage.together(
                { _ = try await stage.checkIn(1, in: session.id) },
                {
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            try transaction.record(.edited, in: session.id, by: .server)
                            throw failure
                        })
                },
                { _ = try await stage.checkIn(2, in: session.id) },
                { _ = try await stage.checkIn(3, in: session.id, moment: at(-61)) },
            )
            for result in results {
                #expect { try result.get() } throws: { error in
                    if case .failed = error as? JournalError { return true }
                    return false
                }
            }
            #expect(try await stage.record(session.id)?.sequence == 1)
            #expect(try await stage.attendees(of: session.id).isEmpty)
            #expect(try await stage.arrive(1, in: session.id).arrivalSequence == 2)
            try await stage.expectWhole(session.id)
        },
    ]
}
