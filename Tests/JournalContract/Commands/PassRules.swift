import Journal
import Meetings
import Testing

/// A key pair as far as the journal looks at it.
private func newKey(_ byte: UInt8 = 1, replacing number: Int? = nil) -> NewSigningKey {
    NewSigningKey(publicKey: [byte, 2, 3], secret: [byte, 5, 6], replacing: number)
}

extension Stage {
    fileprivate func issue(
        to receivers: IssuePasses.Receivers = .roster(after: nil), of meeting: MeetingID,
        for session: SessionID? = nil, by host: AccountID
    ) async throws -> IssuePasses.Outcome {
        try await perform(
            IssuePasses(meeting: meeting, to: receivers, session: session, key: newKey(), actor: host))
    }

    fileprivate func passes(of person: Person) async throws -> [Pass] {
        try await storage.read { rows throws(JournalError) in try rows.passes(of: person.id) }
    }

    /// Gives the person a pass, and returns it.
    fileprivate func pass(of person: Person, for session: SessionID? = nil, by host: AccountID) async throws
        -> Pass
    {
        _ = try await issue(to: .person(person.id), of: person.meetingID, for: session, by: host)
        return try #require(try await passes(of: person).last { $0.isValid && $0.session == session })
    }

    fileprivate func admit(_ pass: Pass, to record: SessionRecord, by host: AccountID) async throws
        -> Admit.Outcome
    {
        try await perform(
            Admit(.pass(pass.id, of: record.meeting.id), to: record.session.id, actor: host))
    }

    /// Creates a meeting that expects Kim.
    fileprivate func expectingKim(identifyBy: IdentifyBy = .email) async throws -> (
        host: AccountID, record: SessionRecord, kim: Person
    ) {
        let (host, record) = try await planned(identifyBy: identifyBy)
        return (
            host, record,
            try await add(
                "Kim", email: "p1@example.org", number: "1", to: record.meeting.id, by: host)
        )
    }
}

extension CommandRule {
    static let passes: [CommandRule] = [
        CommandRule("the door checks in the person of a pass, once, and says since when they are in") {
            stage in
            let (host, record, kim) = try await stage.expectingKim(identifyBy: .name)
            let pass = try await stage.pass(of: kim, by: host)
            stage.now = at(3)
            let first = try await stage.admit(pass, to: record, by: host)
            #expect(first.verdict == .admitted && first.person?.name == "Kim")
            #expect(first.attendee?.checkedInAt == at(3) && first.attendee?.status == .present)
            #expect(first.attendee?.method == .pass && first.attendee?.walkIn == false)
            let event = try #require(try await stage.events(of: record.session.id).last)
            #expect(event.kind == .checkedIn && event.actor == .account(host))
            #expect(event.data == EventData(status: .present, before: .pending, method: .pass))
            #expect(stage.announced.commits.last?.news.count == 1)
            stage.now = at(20)
            let second = try await stage.admit(pass, to: record, by: host)
            #expect(second.verdict == .alreadyIn && second.attendee == first.attendee)
            #expect(try await stage.events(of: record.session.id).last == event)
            #expect(try await stage.attendance(of: record.session.id).present == 1)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("the door judges lateness, and a person who used a phone is in already") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let lee = try await stage.add("Lee", email: "p2@example.org", to: record.meeting.id, by: host)
            let (late, early) = (
                try await stage.pass(of: kim, by: host), try await stage.pass(of: lee, by: host)
            )
            stage.now = at(0)
            let arrived = try await stage.arrive(2, in: record.session.id)
            stage.now = at(record.session.lateAfterMinutes + 1)
            #expect(try await stage.admit(late, to: record, by: host).attendee?.status == .late)
            let again = try await stage.admit(early, to: record, by: host)
            #expect(again.verdict == .alreadyIn && again.attendee == arrived)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("a pass opens nothing before the doors and after the end of a session") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let pass = try await stage.pass(of: kim, by: host)
            await expectRefused(.checkInNotOpen(opensAt: record.session.checkInOpensAt)) {
                try await stage.admit(pass, to: record, by: host)
            }
            stage.now = record.session.endsAt + .seconds(1)
            await expectRefused(.checkInClosed(closedAt: record.session.checkInClosesAt)) {
                try await stage.admit(pass, to: record, by: host)
            }
        },
        CommandRule("a pass for one session opens no other one, and no other meeting") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let later = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            let other = try await stage.meeting(of: host, name: "Other", allowOverlap: true)
            let pass = try await stage.pass(of: kim, for: later.session.id, by: host)
            stage.now = at(0)
            let refused = try await stage.admit(pass, to: record, by: host)
            #expect(refused.verdict == .notForThisSession && refused.person?.id == kim.id)
            let foreign = try await stage.perform(
                Admit(.pass(pass.id, of: record.meeting.id), to: other.session.id, actor: host))
            #expect(foreign.verdict == .notForThisSession && foreign.person == nil)
            let none = try await stage.perform(
                Admit(.notAPass, to: record.session.id, actor: host))
            #expect(none.verdict == .notAPass)
            stage.now = at(100)
            #expect(try await stage.admit(pass, to: later, by: host).verdict == .admitted)
        },
        CommandRule("a revoked pass opens nothing, and a renewed one ends the lost one at once") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let meeting = record.meeting.id
            let lost = try await stage.pass(of: kim, by: host)
            let new = try await stage.perform(
                RenewPass(id: lost.id, meeting: meeting, key: newKey(), actor: host))
            stage.now = at(0)
            let refused = try await stage.admit(lost, to: record, by: host)
            #expect(refused.verdict == .revoked && refused.person?.name == "Kim")
            try await stage.perform(RevokePass(id: new.id, meeting: meeting, actor: host))
            try await stage.perform(RevokePass(id: new.id, meeting: meeting, actor: host))
            #expect(try await stage.admit(new, to: record, by: host).verdict == .revoked)
            #expect(try await stage.passes(of: kim).allSatisfy { !$0.isValid })
            // A renewal of a revoked pass gives a valid one, and never leaves two.
            let last = try await stage.perform(
                RenewPass(id: lost.id, meeting: meeting, key: newKey(), actor: host))
            // A late renewal of the same pass does not end the pass that replaced it.
            let late = try await stage.perform(
                RenewPass(id: lost.id, meeting: meeting, key: newKey(), actor: host))
            #expect(late == last)
            #expect(try await stage.passes(of: kim).filter(\.isValid) == [last])
            let forSession = try await stage.pass(of: kim, for: record.session.id, by: host)
            _ = try await stage.perform(RenewPass(id: lost.id, meeting: meeting, key: newKey(), actor: host))
            #expect(try await Set(stage.passes(of: kim).filter(\.isValid)) == [last, forSession])
            #expect(try await stage.admit(last, to: record, by: host).verdict == .admitted)
        },
        CommandRule("the whole roster gets passes in parts, and a repetition gives nobody a second one") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            let count = IssuePasses.mostAtOnce + 3
            _ = try await stage.load(
                (0..<count).map { PersonDraft(name: "P\($0)", email: "p\($0)@example.org") }, to: meeting,
                by: host)
            func issueAll() async throws -> [IssuePasses.Outcome] {
                var outcomes = [try await stage.issue(of: meeting, by: host)]
                while let next = outcomes.last?.next {
                    outcomes.append(try await stage.issue(to: .roster(after: next), of: meeting, by: host))
                }
                return outcomes
            }
            #expect(try await issueAll().map(\.created) == [IssuePasses.mostAtOnce, 3])
            #expect(try await issueAll().map(\.existing) == [IssuePasses.mostAtOnce, 3])
            #expect(try await issueAll().allSatisfy { $0.created == 0 })
        },
        CommandRule("passes for sessions that are over make room for the next ones, and others do not") {
            stage in
            let (host, record, kim) = try await stage.expectingKim()
            let meeting = record.meeting.id
            func next(_ round: Int) async throws -> SessionID {
                try await stage.perform(
                    ContinueMeeting(
                        meeting: meeting, startsAt: at(100 * round), endsAt: at(100 * round + 60),
                        actor: host)
                ).session.id
            }
            let first = try await stage.pass(of: kim, for: record.session.id, by: host)
            let second = try await next(1)
            for round in 2...Pass.mostOfPerson {
                _ = try await stage.pass(of: kim, for: try await next(round), by: host)
            }
            await expectRefused(.limitReached(.pass, limit: Pass.mostOfPerson)) {
                _ = try await stage.issue(of: meeting, for: second, by: host)
            }
            stage.now = record.session.endsAt
            await expectRefused(.limitReached(.pass, limit: Pass.mostOfPerson)) {
                _ = try await stage.issue(of: meeting, for: second, by: host)
            }
            stage.now = record.session.endsAt + .milliseconds(1)
            #expect(try await stage.issue(of: meeting, for: second, by: host).created == 1)
            let passes = try await stage.passes(of: kim)
            #expect(passes.count == Pass.mostOfPerson && !passes.contains(first))
            #expect(passes.allSatisfy { $0.isValid } && passes.last?.session == second)
        },
        CommandRule("all passes of a roster are replaced in parts, and a repetition replaces none twice") {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            _ = try await stage.load(
                (0..<RenewPasses.mostAtOnce).map { PersonDraft(name: "P\($0)", email: "p\($0)@example.com") },
                to: meeting, by: host)
            let kim = try await stage.add("Kim", email: "kim@example.org", to: meeting, by: host)
            let gone = try await stage.add("Gone", email: "gone@example.org", to: meeting, by: host)
            var created = try await stage.issue(of: meeting, by: host)
            while let next = created.next {
                created = try await stage.issue(to: .roster(after: next), of: meeting, by: host)
            }
            let later = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            _ = try await stage.pass(of: kim, for: record.session.id, by: host)
            _ = try await stage.pass(of: kim, for: later.session.id, by: host)
            _ = try await stage.perform(
                EditPerson(meeting: meeting, id: gone.id, archived: true, actor: host))
            let lost = try await stage.passes(of: kim)
            stage.now = record.session.endsAt + .seconds(1)
            let before = stage.now
            func renewAll() async throws -> [RenewPasses.Outcome] {
                var outcomes: [RenewPasses.Outcome] = []
                var place: RenewPasses.Place? = .start
                while let next = place {
                    let done = try await stage.perform(
                        RenewPasses(
                            of: meeting, createdBefore: before, after: next, key: newKey(), actor: host))
                    outcomes.append(done)
                    place = done.next
                }
                return outcomes
            }
            let parts = try await renewAll()
            // Everybody but the archived person gets a pass, and Kim another one for the session to come.
            #expect(parts.map(\.renewed).reduce(0, +) == RenewPasses.mostAtOnce + 2)
            #expect(parts.map(\.revoked).reduce(0, +) == 2)
            #expect(parts.allSatisfy { $0.renewed <= RenewPasses.mostAtOnce + Pass.mostOfPerson })
            let passes = try await stage.passes(of: kim)
            #expect(Set(passes.filter(\.isValid).map(\.session)) == [nil, later.session.id])
            #expect(Set(passes.filter(\.isValid)).isDisjoint(with: lost))
            #expect(try await stage.passes(of: gone).allSatisfy { !$0.isValid })
            #expect(try await renewAll().allSatisfy { $0.renewed + $0.revoked == 0 })
            #expect(try await stage.passes(of: kim) == passes)
            let others = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                _ = try await stage.perform(
                    RenewPasses(of: meeting, createdBefore: before, key: newKey(), actor: others))
            }
        },
        CommandRule("a key that cannot be opened any more is replaced by the next creation or renewal") {
            stage in
            let (host, record, kim) = try await stage.expectingKim()
            let meeting = record.meeting.id
            let pass = try await stage.pass(of: kim, by: host)
            func newest() async throws -> [Int?] {
                try await stage.storage.read { rows throws(JournalError) in
                    [try rows.newestPassKey(of: meeting)?.number]
                }
            }
            // Another request has replaced the key meanwhile, so the number is not the newest one.
            _ = try await stage.perform(
                RenewPass(id: pass.id, meeting: meeting, key: newKey(2, replacing: 7), actor: host))
            #expect(try await newest() == [1])
            _ = try await stage.perform(
                RenewPass(id: pass.id, meeting: meeting, key: newKey(2, replacing: 1), actor: host))
            #expect(try await newest() == [2])
            let outcome = try await stage.perform(
                IssuePasses(
                    meeting: meeting, to: .roster(after: nil), key: newKey(3, replacing: 2), actor: host))
            #expect(outcome.existing == 1)
            #expect(try await newest() == [3])
        },
        CommandRule(
            "the door lets in a person whom a host has marked absent, without an earlier phone's marks"
        ) {
            stage in
            let (host, record, kim) = try await stage.expectingKim()
            let pass = try await stage.pass(of: kim, by: host)
            stage.now = at(0)
            let outcome = try await stage.perform(
                CheckIn(
                    session: record.session.id, moment: at(0), method: .qr, grant: nil, name: "Stranger",
                    email: "p1@example.org",
                    evidence: CheckInEvidence(device: hash(1), network: "192.0.2.0/24")))
            guard case .checkedIn(let phone, _, _) = outcome else {
                Issue.record("no check-in")
                return
            }
            try await stage.perform(CorrectAttendee(attendee: phone.id, status: .absent, actor: host))
            stage.now = at(5)
            let admitted = try await stage.admit(pass, to: record, by: host)
            #expect(admitted.verdict == .admitted)
            let kimIn = try #require(admitted.attendee)
            #expect(kimIn.status == .present && kimIn.method == .pass && kimIn.checkedInAt == at(5))
            #expect(kimIn.evidence == nil && kimIn.typed == nil)
            #expect(try await stage.admit(pass, to: record, by: host).verdict == .alreadyIn)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("a slot that outlives the archiving of its person opens by no pass") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let pass = try await stage.pass(of: kim, by: host)
            let slot = try #require(try await stage.attendees(of: record.session.id).first)
            try await stage.perform(CorrectAttendee(attendee: slot.id, status: .excused, actor: host))
            _ = try await stage.perform(
                EditPerson(meeting: record.meeting.id, id: kim.id, archived: true, actor: host))
            stage.now = at(0)
            #expect(try await stage.admit(pass, to: record, by: host).verdict == .notForThisSession)
        },
        CommandRule("another key signs the next passes, and the earlier keys stay") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let meeting = record.meeting.id
            _ = try await stage.pass(of: kim, by: host)
            let number = try await stage.perform(
                ReplacePassKey(of: meeting, by: newKey(9), actor: host))
            _ = try await stage.pass(of: kim, for: record.session.id, by: host)
            let keys = try await stage.storage.read { rows throws(JournalError) in
                [
                    try rows.passKey(1, of: meeting), try rows.passKey(2, of: meeting),
                    try rows.newestPassKey(of: meeting), try rows.passKey(3, of: meeting),
                ]
            }
            #expect(number == 2)
            #expect(keys.map { $0?.publicKey } == [[1, 2, 3], [9, 2, 3], [9, 2, 3], nil])
            for _ in 2..<PassKey.mostOfMeeting {
                _ = try await stage.perform(ReplacePassKey(of: meeting, by: newKey(), actor: host))
            }
            await expectRefused(.limitReached(.passKey, limit: PassKey.mostOfMeeting)) {
                try await stage.perform(ReplacePassKey(of: meeting, by: newKey(), actor: host))
            }
        },
        CommandRule("the passes of a person, a session and a meeting are erased with them") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let meeting = record.meeting.id
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting, by: host)
            let later = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host))
            let series = try await stage.pass(of: kim, by: host)
            _ = try await stage.pass(of: lee, by: host)
            _ = try await stage.pass(of: lee, for: later.session.id, by: host)
            try await stage.perform(RemovePerson(meeting: meeting, id: kim.id, actor: host))
            #expect(try await stage.passes(of: kim).isEmpty)
            stage.now = at(0)
            let erased = try await stage.admit(series, to: record, by: host)
            #expect(erased.verdict == .revoked && erased.person == nil)
            try await stage.perform(DeleteSession(id: later.session.id, confirmation: nil, actor: host))
            for _ in 0..<40 { try await stage.perform(Act { _ in }) }
            #expect(try await stage.passes(of: lee).map(\.session) == [nil])
            try await stage.perform(
                DeleteMeeting(id: meeting, confirmation: record.meeting.name, actor: host))
            for _ in 0..<40 { try await stage.perform(Act { _ in }) }
            let rest = try await stage.storage.read { rows throws(JournalError) in
                (try rows.passes(of: lee.id), try rows.newestPassKey(of: meeting))
            }
            #expect(rest.0.isEmpty && rest.1 == nil)
        },
        CommandRule("an archived person is not expected, so the pass opens nothing") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let pass = try await stage.pass(of: kim, by: host)
            _ = try await stage.perform(
                EditPerson(meeting: record.meeting.id, id: kim.id, archived: true, actor: host))
            stage.now = at(0)
            #expect(try await stage.admit(pass, to: record, by: host).verdict == .notForThisSession)
            await expectRefused(.invalid([FieldError("/personId", .unknownPerson)])) {
                _ = try await stage.issue(to: .person(kim.id), of: record.meeting.id, by: host)
            }
        },
        CommandRule("a person has a limited number of passes, and revoked ones make room") { stage in
            let (host, record, kim) = try await stage.expectingKim()
            let first = try await stage.pass(of: kim, by: host)
            var newest = first
            for _ in 0..<Pass.mostOfPerson {
                stage.now = stage.now + .seconds(1)
                newest = try await stage.perform(
                    RenewPass(id: newest.id, meeting: record.meeting.id, key: newKey(), actor: host))
            }
            let kept = try await stage.passes(of: kim)
            #expect(kept.count == Pass.mostOfPerson && !kept.contains { $0.id == first.id })
            #expect(kept.filter(\.isValid) == [newest])
        },
        CommandRule("only hosts of the meeting create, renew and revoke passes, and admit by them") {
            stage in
            let (host, record, kim) = try await stage.expectingKim()
            let (meeting, stranger) = (record.meeting.id, try await stage.account(2).id)
            let pass = try await stage.pass(of: kim, by: host)
            await expectRefused(.notAllowed) {
                _ = try await stage.issue(of: meeting, by: stranger)
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(RevokePass(id: pass.id, meeting: meeting, actor: stranger))
            }
            await expectRefused(.notAllowed) {
                _ = try await stage.perform(
                    RenewPass(id: pass.id, meeting: meeting, key: newKey(), actor: stranger))
            }
            await expectRefused(.notAllowed) {
                _ = try await stage.perform(ReplacePassKey(of: meeting, by: newKey(), actor: stranger))
            }
            stage.now = at(0)
            await expectRefused(.notAllowed) { _ = try await stage.admit(pass, to: record, by: stranger) }
            // A host cannot revoke the pass of another meeting.
            let other = try await stage.meeting(of: stranger, name: "Other")
            await expectRefused(.notFound(.pass)) {
                try await stage.perform(
                    RevokePass(id: pass.id, meeting: other.meeting.id, actor: stranger))
            }
        },
    ]
}
