import Journal
import Meetings
import Testing

extension CommandRule {
    static let matching: [CommandRule] = [
        CommandRule("attendees take part only while a host has switched the groups on") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let person = try await stage.arrive(1, in: session)
            await expectRefused(.matchingClosed) { try await stage.takePart(person) }
            try await stage.switchGroups(of: session, by: host)
            let taken = try await stage.takePart(person)
            #expect(taken.profile?.nickname == "Nick 1")
            #expect(taken.profile?.promise == .hidden)
            try await stage.perform(EditMatchSettings(session: session, open: false, actor: host))
            await expectRefused(.matchingClosed) { try await stage.takePart(person, ["tea"]) }
            // An attendee can leave at any time.
            try await stage.perform(EndMatching(.part, session: session, receipt: Receipt(for: person)))
            try await stage.switchGroups(of: session, by: host)
            stage.now = record.session.feedbackClosesAt + millisecond
            await expectRefused(.matchingClosed) { try await stage.takePart(person) }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(EditMatchSettings(session: session, open: true, actor: stranger))
            }
        },
        CommandRule("a request is seen by two, its acceptance gives both the freest place") { stage in
            let (session, _, people) = try await stage.grouped(4)
            let request = try await stage.askToMeet(people[1], by: people[0])
            #expect(stage.announced.last(session)?.matching.attendees == [people[0].id, people[1].id])
            #expect(stage.announced.last(session)?.matching.people == false)
            await expectRefused(.matchRequestOver) { try await stage.answer(request, by: people[2], true) }
            #expect(try await stage.answer(request, by: people[1], true).place == "Table 1")
            #expect(try await stage.answer(request, by: people[1], true).state == .matched)
            let other = try await stage.askToMeet(people[3], by: people[2])
            #expect(try await stage.answer(other, by: people[3], true).place == "Table 2")
            await expectRefused(.matchNotPossible) {
                try await stage.askToMeet(people[0], by: people[2])
            }
            let met = try await stage.met(by: people[0])
            #expect(met?.other(than: people[0].id) == people[1].id)
            try await stage.perform(EndMatching(.match, session: session, receipt: Receipt(for: people[1])))
            #expect(try await stage.met(by: people[0]) == nil)
            try await stage.expectWhole(session)
        },
        CommandRule("two people who ask each other at once meet, with one request") { stage in
            let (_, _, people) = try await stage.grouped(2)
            async let one = stage.askToMeet(people[1], by: people[0])
            async let other = stage.askToMeet(people[0], by: people[1])
            let both = try await [one, other]
            #expect(both[0].id == both[1].id)
            #expect(both.contains { $0.state == .matched })
            #expect(try await stage.met(by: people[0])?.id == both[0].id)
        },
        CommandRule("of two people who are asked and accept at once, exactly one is met") { stage in
            let (_, _, people) = try await stage.grouped(3)
            let first = try await stage.askToMeet(people[1], by: people[0])
            let second = try await stage.askToMeet(people[2], by: people[0])
            async let one = stage.accepts(first, by: people[1])
            async let other = stage.accepts(second, by: people[2])
            let met = await [one, other]
            #expect(met.filter(\.self).count == 1)
            #expect(try await stage.met(by: people[0]) != nil)
            let free = people[met[0] ? 2 : 1]
            #expect(try await stage.met(by: free) == nil)
        },
        CommandRule("a request expires after 30 seconds, and a person makes six in a minute") { stage in
            let (_, _, people) = try await stage.grouped(2)
            var request = try await stage.askToMeet(people[1], by: people[0])
            stage.now = stage.now + .seconds(30)
            await expectRefused(.matchRequestOver) { try await stage.answer(request, by: people[1], true) }
            for _ in 0..<5 {
                request = try await stage.askToMeet(people[1], by: people[0])
                _ = try await stage.answer(request, by: people[0], false)
            }
            await expectRefused(.matchRequestsTooFast(afterSeconds: 31)) {
                try await stage.askToMeet(people[1], by: people[0])
            }
            stage.now = stage.now + .seconds(30)
            _ = try await stage.askToMeet(people[1], by: people[0])
        },
        CommandRule("a blocked person and the one who blocked no longer find each other") { stage in
            let (session, _, people) = try await stage.grouped(2)
            let request = try await stage.askToMeet(people[1], by: people[0])
            _ = try await stage.answer(request, by: people[1], true)
            let first = try await stage.profile(of: people[0])
            try await stage.perform(
                BlockPerson(session: session, receipt: Receipt(for: people[1]), person: first))
            #expect(try await stage.met(by: people[0]) == nil)
            await expectRefused(.notFound(.matchPerson)) {
                try await stage.askToMeet(people[1], by: people[0])
            }
            await expectRefused(.notFound(.matchPerson)) {
                try await stage.askToMeet(people[0], by: people[1])
            }
            // A new profile of the same person stays blocked.
            try await stage.perform(EndMatching(.part, session: session, receipt: Receipt(for: people[0])))
            try await stage.takePart(people[0])
            await expectRefused(.notFound(.matchPerson)) {
                try await stage.askToMeet(people[1], by: people[0])
            }
            try await stage.perform(EndMatching(.blocks, session: session, receipt: Receipt(for: people[1])))
            _ = try await stage.askToMeet(people[1], by: people[0])
        },
        CommandRule("people whose ages do not fit cannot ask each other") { stage in
            let (session, _, people) = try await stage.grouped(3)
            func ages(_ person: Attendee, _ ages: MatchAges?) async throws {
                let part = try await stage.perform(
                    JoinMatching(
                        session: session, receipt: Receipt(for: person), nickname: "N", keywords: ["tea"],
                        ages: ages))
                #expect(part.profile?.ages == ages)
            }
            try await ages(people[0], MatchAges(age: 27, range: AgeRange(min: 20, max: 39)))
            try await ages(people[1], MatchAges(age: 45))
            for (asking, asked) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                await expectRefused(.notFound(.matchPerson)) {
                    try await stage.askToMeet(people[asked], by: people[asking])
                }
            }
            // Only ten years of an age are stored: somebody of 38 may be 30.
            try await ages(people[1], MatchAges(age: 38, range: AgeRange(min: 29, max: 50)))
            _ = try await stage.askToMeet(people[1], by: people[0])
            try await ages(people[0], nil)
            _ = try await stage.askToMeet(people[2], by: people[0])
        },
        CommandRule("a report reaches the hosts once, and an excluded person cannot come back") { stage in
            let (session, host, people) = try await stage.grouped(2)
            let first = try await stage.profile(of: people[0])
            for _ in 0..<2 {
                try await stage.perform(
                    BlockPerson(
                        session: session, receipt: Receipt(for: people[1]), person: first, report: "Rude"))
            }
            let reports = try await stage.reports(of: session)
            #expect(reports.map(\.text) == ["Rude"])
            #expect(stage.announced.commits.contains { $0.id == session && $0.matching.reports })
            let report = try #require(reports.first)
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(
                    HandleMatchReport(session: session, report: report.id, isClosed: true, actor: stranger))
            }
            try await stage.perform(
                HandleMatchReport(
                    session: session, report: report.id, isClosed: true, excludes: true, actor: host))
            #expect(try await stage.reports(of: session).map(\.isClosed) == [true])
            await expectRefused(.matchExcluded) { try await stage.takePart(people[0]) }
            try await stage.perform(
                HandleMatchReport(session: session, report: report.id, excludes: false, actor: host))
            try await stage.takePart(people[0])
        },
        CommandRule("attendees' actions in groups leave no event, and hosts' settings leave no text") {
            stage in
            let (session, host, people) = try await stage.grouped(2)
            let before = try await stage.events(of: session).count
            let request = try await stage.askToMeet(people[1], by: people[0])
            _ = try await stage.answer(request, by: people[1], true)
            #expect(try await stage.events(of: session).count == before)
            try await stage.perform(
                EditMatchSettings(session: session, promise: .named, places: ["Bar"], actor: host))
            let last = try #require(try await stage.events(of: session).last)
            #expect(last.data.fields == ["groupsPromise", "groupsPlaces"])
            #expect(last.data.changes?.map(\.to) == ["named"])
            // The promise of those who take part stays.
            #expect(try await stage.person(people[0])?.profile?.promise == .hidden)
            await expectRefused(.matchPromiseChanged(.named)) {
                try await stage.perform(
                    EndMatching(.part, session: session, receipt: Receipt(for: people[0])))
                try await stage.takePart(people[0], promise: .hidden)
            }
        },
        CommandRule("a host's change of a record ends its part for its holder, and nobody else sees it") {
            stage in
            let (session, host, people) = try await stage.grouped(4)
            for person in people[1...3] {
                try await stage.perform(
                    BlockPerson(
                        session: session, receipt: Receipt(for: person),
                        person: try await stage.profile(of: people[0]), report: "No"))
            }
            let seen = try await stage.seen(in: session)
            #expect(seen.people.count == 4)
            #expect(seen.reports.count == 3)
            // Set back to awaited: the next holder of the record inherits nothing, and an undo gives it back.
            try await stage.perform(
                CorrectAttendee(attendee: people[1].id, status: .awaited, actor: host))
            #expect(try await stage.person(people[1]) == nil)
            #expect(try await stage.blocked(by: people[1]).isEmpty)
            await expectRefused(.receiptNotValid) { try await stage.takePart(people[1]) }
            #expect(try await stage.seen(in: session) == seen)
            try await stage.undoLast(in: session, by: host)
            #expect(try await stage.person(people[1])?.profile?.nickname == "Nick 2")
            #expect(try await stage.blocked(by: people[1]) == [people[0].id])
            // Removed: the receipt ends until an undo.
            try await stage.perform(RemoveAttendee(attendee: people[2].id, actor: host))
            await expectRefused(.receiptNotValid) { try await stage.takePart(people[2], ["tea"]) }
            #expect(try await stage.seen(in: session) == seen)
            try await stage.undoLast(in: session, by: host)
            try await stage.takePart(people[2])
            // Erased: no row has the attendee's id or nickname.
            try await stage.perform(RemoveAttendee(attendee: people[3].id, erases: true, actor: host))
            #expect(try await stage.person(people[3]) == nil)
            #expect(try await stage.blocked(by: people[3]).isEmpty)
            #expect(try await stage.seen(in: session) == seen)
            #expect(try await !stage.nicknames(in: session).contains("Nick 4"))
            try await stage.expectWhole(session)
        },
        CommandRule("a withdrawal erases everything that names the attendee") { stage in
            let (session, _, people) = try await stage.grouped(3)
            try await stage.askToMeet(people[0], by: people[2])
            try await stage.perform(
                BlockPerson(
                    session: session, receipt: Receipt(for: people[1]),
                    person: try await stage.profile(of: people[0]), report: "No"))
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: people[0])))
            #expect(try await stage.person(people[0]) == nil)
            #expect(try await stage.reports(of: session).isEmpty)
            #expect(try await stage.blocked(by: people[1]).isEmpty)
            #expect(try await stage.seen(in: session).people.count == 2)
            #expect(stage.announced.last(session)?.matching.attendees.contains(people[2].id) == true)
            try await stage.expectWhole(session)
        },
        CommandRule("the end of a receipt ends requests, and is told to the person met") { stage in
            let (_, host, people) = try await stage.grouped(4)
            let session = people[0].sessionID
            let met = try await stage.askToMeet(people[1], by: people[0])
            try await stage.answer(met, by: people[1], true)
            let open = try await stage.askToMeet(people[3], by: people[2])
            for person in [people[1], people[2]] {
                try await stage.perform(RemoveAttendee(attendee: person.id, actor: host))
            }
            let told = stage.announced.commits.suffix(2).map(\.matching.attendees)
            #expect(told == [[people[0].id, people[1].id], [people[2].id, people[3].id]])
            #expect(try await stage.met(by: people[0])?.id == met.id)
            await expectRefused(.matchRequestOver) { try await stage.answer(open, by: people[3], true) }
            try await stage.perform(EndMatching(.match, session: session, receipt: Receipt(for: people[0])))
            #expect(try await stage.met(by: people[0]) == nil)
        },
        CommandRule("after a merge, each receipt has its own part, blocks and exclusion") { stage in
            let (session, host, people) = try await stage.grouped(4)
            try await stage.perform(
                BlockPerson(
                    session: session, receipt: Receipt(for: people[1]),
                    person: try await stage.profile(of: people[0]), report: "No"))
            let report = try #require(try await stage.reports(of: session).first)
            try await stage.perform(
                HandleMatchReport(session: session, report: report.id, excludes: true, actor: host))
            let seen = try await stage.seen(in: session)
            try await stage.perform(
                MergeAttendees(attendee: people[1].id, into: people[2].id, actor: host))
            try await stage.perform(
                MergeAttendees(attendee: people[0].id, into: people[3].id, actor: host))
            #expect(try await stage.seen(in: session) == seen)
            #expect(try await stage.blocked(by: people[2]).isEmpty)
            #expect(try await stage.blocked(by: people[1]) == [people[0].id])
            await expectRefused(.matchExcluded) { try await stage.takePart(people[0]) }
            #expect(try await stage.takePart(people[3], ["tea"]).profile?.nickname == "Nick 4")
            // Both receipts lead to one record now, and end with it.
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: people[1])))
            #expect(try await stage.person(people[1]) == nil)
            #expect(try await stage.person(people[2]) == nil)
            try await stage.expectWhole(session)
        },
        CommandRule("after the feedback window the groups are erased, and the reports a month later") {
            stage in
            let (session, _, people) = try await stage.grouped(2)
            _ = try await stage.askToMeet(people[1], by: people[0])
            try await stage.perform(
                BlockPerson(
                    session: session, receipt: Receipt(for: people[1]),
                    person: try await stage.profile(of: people[0]), report: "No"))
            try await stage.forgetGroups()
            #expect(try await stage.person(people[0]) != nil)
            let over = try #require(try await stage.record(session)).session.feedbackClosesAt
            stage.now = over + millisecond
            try await stage.forgetGroups()
            #expect(try await stage.person(people[0]) == nil)
            #expect(try await stage.blocked(by: people[1]).isEmpty)
            #expect(try await stage.reports(of: session).count == 1)
            stage.now = over + ForgetMatching.reportLifetime + millisecond
            try await stage.forgetGroups()
            #expect(try await stage.reports(of: session).isEmpty)
            let left = try await stage.storage.read { rows throws(JournalError) in
                try rows.sessionsWithMatching(after: nil, limit: 10)
            }
            #expect(left.isEmpty)
        },
    ]
}

extension Stage {
    fileprivate func switchGroups(of session: SessionID, by host: AccountID) async throws {
        try await perform(EditMatchSettings(session: session, open: true, actor: host))
    }

    /// Creates a session with two places, in which attendees 1 to `count` take part.
    fileprivate func grouped(_ count: Int) async throws -> (
        session: SessionID, host: AccountID, people: [Attendee]
    ) {
        let (host, record) = try await planned()
        let session = record.session.id
        now = at(0)
        var people: [Attendee] = []
        try await perform(
            EditMatchSettings(session: session, open: true, places: ["Table 1", "Table 2"], actor: host))
        for number in 1...count {
            people.append(try await arrive(number, in: session))
            try await takePart(people[number - 1])
        }
        return (session, host, people)
    }

    @discardableResult
    fileprivate func takePart(
        _ person: Attendee, _ keywords: [String] = ["chess"], promise: AudienceQuestion.Promise? = nil
    ) async throws -> MatchPerson {
        try await perform(
            JoinMatching(
                session: person.sessionID, receipt: Receipt(for: person),
                nickname: person.name.replacing("Person", with: "Nick"), keywords: keywords,
                promise: promise))
    }

    fileprivate func person(_ person: Attendee) async throws -> MatchPerson? {
        try await storage.read { rows throws(JournalError) in try rows.matchPerson(person.id) }
    }

    fileprivate func profile(of person: Attendee) async throws -> MatchProfileID {
        try #require(try await self.person(person)?.profile?.id)
    }

    @discardableResult
    fileprivate func askToMeet(_ other: Attendee, by person: Attendee) async throws -> MatchRequest {
        let profile = try await self.person(other)?.profile?.id ?? .makeTimeless()
        return try await perform(
            AskToMeet(session: person.sessionID, receipt: Receipt(for: person), to: profile)
        ).request
    }

    @discardableResult
    fileprivate func answer(_ request: MatchRequest, by person: Attendee, _ accepts: Bool) async throws
        -> MatchRequest
    {
        try await perform(
            AnswerMatchRequest(
                session: person.sessionID, receipt: Receipt(for: person), request: request.id,
                accepts: accepts)
        ).request
    }

    /// Returns whether the person could accept the request.
    fileprivate func accepts(_ request: MatchRequest, by person: Attendee) async -> Bool {
        (try? await answer(request, by: person, true)) != nil
    }

    /// Returns the request by which the person meets somebody.
    fileprivate func met(by person: Attendee) async throws -> MatchRequest? {
        try await storage.read { rows throws(JournalError) in
            MatchRequests(try rows.matchRequests(of: person.id)).match(of: person.id)
        }
    }

    fileprivate func blocked(by person: Attendee) async throws -> Set<AttendeeID> {
        try await storage.read { rows throws(JournalError) in try rows.matchBlocks(of: person.id).own }
    }

    fileprivate func reports(of session: SessionID) async throws -> [MatchReport] {
        try await storage.read { rows throws(JournalError) in try rows.matchReports(of: session) }
    }

    /// What members, and attendees who take part, can see of everybody.
    fileprivate func seen(in session: SessionID) async throws -> Seen {
        try await storage.read { rows throws(JournalError) in
            Seen(
                people: try rows.matchPeople(of: session).compactMap { person in
                    person.profile.map { Seen.Person(id: $0.id, keywords: $0.keywords) }
                },
                pairs: try rows.matches(of: session).count,
                reports: try rows.matchReports(of: session).map { "\($0.profile.nickname): \($0.text)" })
        }
    }

    fileprivate func nicknames(in session: SessionID) async throws -> [String] {
        try await storage.read { rows throws(JournalError) in
            try rows.matchPeople(of: session).compactMap(\.profile?.nickname)
        }
    }

    fileprivate func undoLast(in session: SessionID, by host: AccountID) async throws {
        let last = try #require(try await events(of: session).last)
        try await perform(UndoCorrection(session: session, sequence: last.sequence, actor: host))
    }

    fileprivate func forgetGroups() async throws {
        var place: ForgetMatching.Place?
        repeat { place = try await perform(ForgetMatching(from: place)) } while place != nil
    }
}

private struct Seen: Hashable {
    struct Person: Hashable {
        let id: MatchProfileID
        let keywords: [String]
    }
    let people: [Person]
    let pairs: Int
    let reports: [String]
}
